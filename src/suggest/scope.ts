// Finds what can be read where the cursor is: the SELECT around it, the columns of its FROM, and the types of names there. The translator is asked about
// a query of the same FROM, so that an editor knows no more and no less than a run.
import { QuernError } from '../base/errors.ts';
import { type Type, typeName } from '../sql/base/types.ts';
import { type Cte, isQuery, isSelect, parse, type Query, type Script, type Select, visitNodes } from '../sql/index.ts';

interface Field {
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
  } catch (error) {
    if (error instanceof QuernError) return undefined; // what is wrong is told elsewhere
    throw error;
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

export interface Columns {
  readonly columns: readonly { readonly name: string; readonly type: Type }[];
  /** In ClickHouse. */
  readonly sql: string;
}

/** A query of `items` over the FROM around `offset`. */
export function selecting(items: string, reading: Reading, offset: number): string {
  const select = selectAt(reading, offset);
  const { text, script } = reading;
  const from = select?.from ?? undefined;
  const place = select ?? script.query;
  const ctes = ctesAt(script, place.span.start).map(({ span }) => text.slice(span.start, span.end));
  const before = text.slice(script.span.start, script.query.span.start);
  const read = from === undefined ? '' : ` FROM ${text.slice(from.span.start, from.span.end)}`;
  return `${before}${ctes.length === 0 ? '' : `WITH RECURSIVE ${ctes.join(', ')} `}SELECT ${items}${read}`;
}

/** Queries whose columns say which fields can be read: those that a FROM brings, or with a prefix such as `m.` those of a record or of a table. */
export const probesAt = (prefix: string, reading: Reading, offset: number): readonly string[] =>
  (prefix === '' ? ['*'] : [`${prefix} AS one`, `${prefix}.*`]).map((items) => selecting(items, reading, offset));

/** The fields that the queries of `probesAt` bring, in their order. */
export function fieldsOf(found: readonly (Columns | undefined)[]): readonly Field[] {
  const record = found.length > 1 ? found[0]?.columns[0]?.type : undefined;
  const fields = record?.kind === 'STRUCT' || record?.kind === 'RECORD' ? record.fields : found.at(-1)?.columns;
  return (fields ?? []).map(({ name, type }) => ({ name: name ?? '', type: typeName(type) }));
}
