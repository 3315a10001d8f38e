// Reads from the text of a query what is known about its rows: their order, and which columns are estimates.
import { parse, visitNodes } from '../sql/index.ts';

type Script = ReturnType<typeof parse>;

export interface QueryShape {
  /** The query says in which order its rows come. */
  readonly ordered: boolean;
  /** Names, in lower case, and places of the columns it orders by, as far as they are columns of the result. */
  readonly sortKeys: readonly (string | number)[];
  /** True if a column of that name comes from a call of an APPROX_ function. */
  isEstimate(column: string): boolean;
}

/** Reads BigQuery SQL. Throws `syntax`. */
export function shapeOf(text: string): QueryShape {
  const script = parse(text);
  const estimates = estimatesIn(script);
  return { ...orderOf(script), isEstimate: (column) => estimates.has(column.toLowerCase()) };
}

/** Pipe operators that leave rows in the order they come. */
const KEEPS_ORDER: readonly string[] = [
  'pipe_select',
  'pipe_extend',
  'pipe_set',
  'pipe_drop',
  'pipe_rename',
  'pipe_as',
  'pipe_limit',
  'pipe_where',
];

function orderOf({ query }: Script): Pick<QueryShape, 'ordered' | 'sortKeys'> {
  let items = query.orderBy;
  for (const pipe of query.pipes)
    if (pipe.kind === 'pipe_order_by') items = pipe.items;
    else if (!KEEPS_ORDER.includes(pipe.kind)) items = [];
  const sortKeys: (string | number)[] = [];
  for (const { value } of items) {
    if (value.kind === 'int_literal') sortKeys.push(Number(value.value));
    else if (value.kind === 'path' && value.parts.length > 0) sortKeys.push((value.parts.at(-1)?.name ?? '').toLowerCase());
    else break; // rows that only differ in what comes now may stand in any order
  }
  return { ordered: items.length > 0, sortKeys };
}

interface Shape {
  readonly kind?: unknown;
  readonly name?: unknown;
  readonly parts?: unknown;
  readonly alias?: unknown;
  readonly value?: unknown;
}

/** Names are followed through WITH tables and subqueries: two columns of one name are taken for one. */
function estimatesIn(script: Script): ReadonlySet<string> {
  const items: { readonly name: string; readonly uses: readonly string[]; readonly estimate: boolean }[] = [];
  visitNodes(script, (node) => {
    const { kind, alias, value } = node as Shape; // every property is checked where it is used
    if (kind === 'expr_item') items.push({ name: nameOf(alias) ?? lastName(value) ?? '', ...partsOf(value) });
  });
  const names = new Set<string>();
  for (let before = -1; before !== names.size; ) {
    before = names.size;
    for (const { name, uses, estimate } of items) if (name !== '' && (estimate || uses.some((use) => names.has(use)))) names.add(name);
  }
  return names;
}

function partsOf(tree: unknown): { readonly uses: readonly string[]; readonly estimate: boolean } {
  const uses: string[] = [];
  let estimate = false;
  visitNodes(tree, (node) => {
    const { kind, name, parts } = node as Shape; // checked below
    if (kind === 'call' && Array.isArray(name) && nameOf(name.at(-1))?.startsWith('approx_') === true) estimate = true;
    if (kind === 'path' && Array.isArray(parts)) uses.push(...parts.flatMap((part) => nameOf(part) ?? []));
  });
  return { uses, estimate };
}

function nameOf(identifier: unknown): string | undefined {
  return typeof identifier === 'object' && identifier !== null && 'name' in identifier ? String(identifier.name).toLowerCase() : undefined;
}

function lastName(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, parts } = value as Shape; // checked here
  return kind === 'path' && Array.isArray(parts) ? nameOf(parts.at(-1)) : undefined;
}
