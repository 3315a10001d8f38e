// What can be read where the cursor is: the SELECT around it, what its FROM brings, and the types of names there. The translator is asked about
// a query of the same FROM, so that an editor knows no more and no less than a run.
import { type Cte, isQuery, isSelect, parse, type Query, type Script, type Select, visitNodes } from '../sql/index.ts';
import { type Type, typeName } from '../sql/types.ts';
import { type Project, prepareText, savedQueryOf, sqlStart } from './project.ts';

export interface Field {
  readonly name: string;
  readonly type: string;
}

/** A text that is being written, as far as it can be read. */
export interface Reading {
  readonly text: string;
  readonly script: Script;
}

/** The tree of the text; without the word at `offset`, where that keeps it from being read. */
export function readAround(text: string, offset: number): Reading | undefined {
  const before = /(?:[A-Za-z_]\w*\.)*\w*$/.exec(text.slice(0, offset))?.[0] ?? '';
  const after = /^\w*/.exec(text.slice(offset))?.[0] ?? '';
  const start = offset - before.length;
  const end = offset + after.length;
  const filled = (word: string): string => text.slice(0, start) + word.padEnd(end - start) + text.slice(end);
  // A literal reads where a value is missing; where nothing may stand at all, blanks do.
  for (const attempt of [text, filled('1'), filled('1 '), filled(''), filled('x'), filled('x ')]) {
    const script = tree(attempt);
    if (script !== undefined) return { text: attempt, script };
  }
  return undefined;
}

export function tree(text: string): Script | undefined {
  try {
    return parse(text);
  } catch {
    return undefined; // what is wrong is told as diagnostics
  }
}

const holds = ({ span }: { readonly span: { readonly start: number; readonly end: number } }, offset: number): boolean =>
  span.start <= offset && offset <= span.end;

/** The innermost SELECT with a FROM around `offset`. */
function selectAt({ script }: Reading, offset: number): Select | undefined {
  let found: Select | undefined;
  visitNodes(script, (node) => {
    if (!isSelect(node) || node.from === null || !holds(node, offset)) return;
    if (found === undefined || node.span.start >= found.span.start) found = node;
  });
  return found ?? selects(script).find((one) => holds(around(script, one) ?? one, offset));
}

function selects(script: Script): readonly Select[] {
  const all: Select[] = [];
  visitNodes(script, (node) => {
    if (isSelect(node) && node.from !== null) all.push(node);
  });
  return all;
}

/** ORDER BY and LIMIT belong to the query around its SELECT. */
function around(script: Script, select: Select): Query | undefined {
  let found: Query | undefined;
  visitNodes(script, (node) => {
    if (isQuery(node) && node.body === select) found = node;
  });
  return found;
}

/** WITH tables that can be read at `offset`. */
export function ctesAt(script: Script, offset: number): readonly Cte[] {
  const visible: Cte[] = [];
  visitNodes(script, (node) => {
    if (!isQuery(node) || !holds(node, offset)) return;
    for (const cte of node.ctes) if (cte.span.end <= offset || node.recursive) visible.push(cte);
  });
  return visible;
}

interface Columns {
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  readonly sql: string;
}

/** What becomes of `items` over the FROM around `offset`; undefined where the translator cannot tell. */
async function selected(items: string, reading: Reading, offset: number, path: string, project: Project): Promise<Columns | undefined> {
  const select = selectAt(reading, offset);
  const { text, script } = reading;
  const from = select?.from ?? undefined;
  const place = select ?? script.query;
  const ctes = ctesAt(script, place.span.start).map(({ span }) => text.slice(span.start, span.end));
  const start = sqlStart(text);
  const before = text.slice(start, Math.max(start, script.query.span.start));
  const read = from === undefined ? '' : ` FROM ${text.slice(from.span.start, from.span.end)}`;
  const probe = `${before}${ctes.length === 0 ? '' : `WITH RECURSIVE ${ctes.join(', ')} `}SELECT ${items}${read}`;
  return translated(probe, { path, text }, project);
}

/** The columns of `items` over the FROM around `offset`; undefined where the translator cannot tell. */
export async function columnsAt(
  items: string,
  reading: Reading,
  offset: number,
  path: string,
  project: Project,
): Promise<Columns['columns'] | undefined> {
  return (await selected(items, reading, offset, path, project))?.columns;
}

/** The type of a call, and what it is in ClickHouse, where that is one line. */
export async function callAt(
  call: string,
  reading: Reading,
  offset: number,
  path: string,
  project: Project,
): Promise<{ readonly type: string; readonly sql: string | undefined } | undefined> {
  const found = await selected(`${call} AS one`, reading, offset, path, project);
  const [column] = found?.columns ?? [];
  if (found === undefined || column === undefined) return undefined;
  const type = typeName(column.type);
  return { type, sql: /^SELECT (.+) AS one(?:_\d+)?(?:\nFROM|$)/.exec(found.sql)?.[1] };
}

/** The columns of a query in the place of a document's; undefined where it cannot be translated. */
export async function columnsOf(sql: string, document: Document, project: Project): Promise<Columns['columns'] | undefined> {
  return (await translated(sql, document, project))?.columns;
}

interface Document {
  readonly path: string;
  readonly text: string;
}

async function translated(sql: string, { path, text }: Document, project: Project): Promise<Columns | undefined> {
  try {
    const { columns, sql: written } = await prepareText(sql, savedQueryOf({ name: path, text }), project);
    return columns === undefined ? undefined : { columns, sql: written };
  } catch {
    return undefined; // what is wrong is told as diagnostics
  }
}

/** The columns that a FROM brings, or the fields of a record: `*`, `m.*`. */
export async function fieldsAt(
  prefix: string,
  reading: Reading,
  offset: number,
  path: string,
  project: Project,
): Promise<readonly Field[]> {
  const asField = ({ name, type }: { readonly name: string | null; readonly type: Type }): Field => ({
    name: name ?? '',
    type: typeName(type),
  });
  if (prefix === '') return ((await columnsAt('*', reading, offset, path, project)) ?? []).map(asField);
  const [one] = (await columnsAt(`${prefix} AS one`, reading, offset, path, project)) ?? [];
  const type = one?.type.kind === 'ARRAY' ? undefined : one?.type;
  if (type?.kind === 'STRUCT' || type?.kind === 'RECORD') return type.fields.map(asField);
  return ((await columnsAt(`${prefix}.*`, reading, offset, path, project)) ?? []).map(asField);
}
