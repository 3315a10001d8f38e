// Describes the name under the cursor: types, signatures, the ClickHouse SQL of a call.

import type { Span } from '../base/source-text.ts';
import { querySchema } from '../queries/header/fields.ts';
import { headerSpan } from '../queries/header/text.ts';
import { parameterTypeText } from '../queries/parameter-types.ts';
import { typeName } from '../sql/base/types.ts';
import { type Call, dialectFunctions, isCall, type Path, type Script, visitNodes } from '../sql/index.ts';
import { type Columns, type Reading, selecting, tree } from '../suggest/scope.ts';
import { propertiesOf } from './completion.ts';
import { type Ask, askerOf, type Project, savedQueryOf } from './project.ts';
import { covers, type Symbol_, symbolAt } from './symbols.ts';

interface Description {
  /** Markdown. */
  readonly text: string;
  readonly span: Span;
}

export async function hoverAt(text: string, offset: number, path: string, project: Project): Promise<Description | undefined> {
  const header = headerSpan(text);
  const script = tree(text);
  const symbol = symbolAt(text, script, offset);
  if (symbol !== undefined) return aboutSymbol(symbol, text, path, project);
  if (header !== undefined && header !== 'unclosed' && offset < header.end) return aboutField(text, offset);
  if (script === undefined) return undefined;
  const reading = { text, script };
  const call = callUnder(script, offset);
  const ask = askerOf({ path, text }, project);
  if (call !== undefined) return aboutCall(call, reading, offset, ask);
  const found = pathUnder(script, offset);
  if (found === undefined) return undefined;
  const read = text.slice(found.start, found.end);
  const [column] = (await ask(selecting(read, reading, offset)))?.columns ?? [];
  return column === undefined ? undefined : { text: code(`${read} ${typeName(column.type)}`), span: found };
}

const code = (text: string): string => `\`\`\`sql\n${text}\n\`\`\``;

function callUnder(script: Script, offset: number): Call | undefined {
  let found: Call | undefined;
  visitNodes(script, (node) => {
    if (isCall(node) && node.name.some(({ span }) => covers(span, offset))) found = node;
  });
  return found;
}

/** `m.request` where the cursor is on `request` of `m.request.path`. */
function pathUnder(script: Script, offset: number): Span | undefined {
  let found: Span | undefined;
  visitNodes(script, (node) => {
    if (node.kind !== 'path') return;
    const { parts } = node as Path;
    const at = parts.findIndex(({ span }) => covers(span, offset));
    const [first, last] = [parts[0], parts[at]];
    if (first !== undefined && last !== undefined) found = { start: first.span.start, end: last.span.end };
  });
  return found;
}

async function aboutCall(call: Call, reading: Reading, offset: number, ask: Ask): Promise<Description> {
  const name = call.name.map((part) => part.name).join('.');
  const known = dialectFunctions().find((one) => one.name === name.toUpperCase());
  const written = reading.text.slice(call.span.start, call.span.end);
  const becomes = await callAt(written, reading, offset, ask);
  const parts = [
    known === undefined ? [] : code(known.signatures.map((signature) => `${known.name}: ${signature}`).join('\n')),
    becomes === undefined ? [] : `Type: \`${becomes.type}\``,
    becomes?.sql === undefined ? [] : `In ClickHouse:\n${code(becomes.sql)}`,
    known?.differs === undefined ? [] : `Differs from BigQuery: ${known.differs}`,
  ];
  const [first, last] = [call.name[0], call.name.at(-1)];
  const span = { start: first?.span.start ?? call.span.start, end: last?.span.end ?? call.span.end };
  return { text: parts.flat().join('\n\n') || code(name), span };
}

/** The type of a call, and what it is in ClickHouse, where that is one line. */
async function callAt(
  call: string,
  reading: Reading,
  offset: number,
  ask: Ask,
): Promise<{ readonly type: string; readonly sql: string | undefined } | undefined> {
  const found = await ask(selecting(`${call} AS one`, reading, offset));
  const [column] = found?.columns ?? [];
  if (found === undefined || column === undefined) return undefined;
  return { type: typeName(column.type), sql: /^SELECT (.+) AS one(?:_\d+)?(?:\nFROM|$)/.exec(found.sql)?.[1] };
}

async function aboutSymbol(symbol: Symbol_, text: string, path: string, project: Project): Promise<Description | undefined> {
  const { name, span } = symbol;
  switch (symbol.kind) {
    case 'parameter': {
      const declared = savedQueryOf({ name: path, text })?.parameters.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (declared === undefined) return { text: `\`@${name}\` is not declared in the header`, span };
      const { description, enum: values, suggest, default: fallback, required } = declared;
      const facts = [
        description ?? [],
        values === undefined ? [] : `one of: ${values.join(', ')}`,
        suggest === undefined ? [] : `such as: ${suggest.join(', ')}`,
        required && fallback === undefined ? 'required' : [],
        fallback === undefined ? [] : `default: ${JSON.stringify(fallback)}`,
      ];
      return { text: [code(`@${name} ${parameterTypeText(declared)}`), ...facts.flat()].join('\n\n'), span };
    }
    case 'cte':
      return { text: columnsText(`WITH table ${name}`, await columnsOfCte(symbol, text, path, project)), span };
    default: {
      const columns = (await askerOf({ path: '', text: '' }, project)(`SELECT * FROM \`${name}\``))?.columns;
      const saved = (await project.catalog()).named(name);
      const title = saved === undefined ? `source ${name}` : `saved query ${name}`;
      const described = saved === undefined ? undefined : savedQueryOf(saved.source)?.description;
      return { text: [columnsText(title, columns), described ?? []].flat().join('\n\n'), span };
    }
  }
}

async function columnsOfCte(
  { cte }: Symbol_ & { readonly kind: 'cte' },
  text: string,
  path: string,
  project: Project,
): Promise<Columns['columns'] | undefined> {
  const script = tree(text);
  const ctes = script?.query.ctes ?? [];
  const end = ctes.findIndex((one) => one.span.start === cte.span.start);
  if (script === undefined || end === -1) return undefined;
  const before = text.slice(script.span.start, script.query.span.start);
  const read = ctes.slice(0, end + 1).map(({ span }) => text.slice(span.start, span.end));
  const sql = `${before}WITH RECURSIVE ${read.join(', ')} SELECT * FROM \`${cte.name.name}\``;
  return (await askerOf({ path, text }, project)(sql))?.columns;
}

function columnsText(title: string, columns: Columns['columns'] | undefined): string {
  if (columns === undefined) return title;
  return `${title}\n\n${code(columns.map(({ name, type }) => `${name} ${typeName(type)}`).join('\n'))}`;
}

/** Describes a field in the header. */
function aboutField(text: string, offset: number): Description | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const [, name = ''] = /^(\w+):/.exec(text.slice(start)) ?? [];
  if (name === '' || offset > start + name.length) return undefined;
  const field = propertiesOf(querySchema())[name];
  const description = typeof field === 'object' && field !== null && 'description' in field ? field.description : undefined;
  return typeof description === 'string' ? { text: `\`${name}\`: ${description}`, span: { start, end: start + name.length } } : undefined;
}
