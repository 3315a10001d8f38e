// What can be read where the cursor is: the SELECT around it, what its FROM brings, and the types of names there. The translator is asked about
// a query of the same FROM, so that an editor knows no more and no less than a run.
import { QuernError } from '../errors.ts';
import { type Cte, isQuery, isSelect, parse, type Query, type Script, type Select, visitNodes } from '../sql/index.ts';
import { type Type, typeName } from '../sql/types.ts';

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

/** What becomes of a query in the place of the text; undefined where it cannot be translated. */
export type Ask = (sql: string) => Promise<Columns | undefined>;

/** What becomes of `items` over the FROM around `offset`; undefined where the translator cannot tell. */
export function selected(items: string, reading: Reading, offset: number, ask: Ask): Promise<Columns | undefined> {
  const select = selectAt(reading, offset);
  const { text, script } = reading;
  const from = select?.from ?? undefined;
  const place = select ?? script.query;
  const ctes = ctesAt(script, place.span.start).map(({ span }) => text.slice(span.start, span.end));
  const before = text.slice(script.span.start, script.query.span.start);
  const read = from === undefined ? '' : ` FROM ${text.slice(from.span.start, from.span.end)}`;
  return ask(`${before}${ctes.length === 0 ? '' : `WITH RECURSIVE ${ctes.join(', ')} `}SELECT ${items}${read}`);
}

/** The columns that a FROM brings, or the fields of a record: `*`, `m.*`. */
export async function fieldsAt(prefix: string, reading: Reading, offset: number, ask: Ask): Promise<readonly Field[]> {
  const asField = ({ name, type }: { readonly name: string | null; readonly type: Type }): Field => ({
    name: name ?? '',
    type: typeName(type),
  });
  const columnsOf = async (items: string) => (await selected(items, reading, offset, ask))?.columns ?? [];
  if (prefix === '') return (await columnsOf('*')).map(asField);
  const [one] = await columnsOf(`${prefix} AS one`);
  const type = one?.type.kind === 'ARRAY' ? undefined : one?.type;
  if (type?.kind === 'STRUCT' || type?.kind === 'RECORD') return type.fields.map(asField);
  return (await columnsOf(`${prefix}.*`)).map(asField);
}
