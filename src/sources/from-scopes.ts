// What each SELECT of a text has in FROM, and the paths that stand in it, found in the tree by shape.
import type { Span } from '../base/source-text.ts';

/** A table, an array, or something else that has a name in FROM. */
export interface FromItem {
  readonly alias: string | undefined;
  readonly span: Span;
  /** The name of a table. */
  readonly parts?: readonly string[];
  /** The path of an array, and its place. */
  readonly array?: readonly string[];
  readonly arraySpan?: Span;
  /** The query of a subquery, or of the WITH table that the name means. */
  readonly query?: Span | undefined;
}

interface Path {
  readonly parts: readonly string[];
  readonly span: Span;
}

export interface FromScope {
  readonly span: Span;
  readonly items: FromItem[];
  /** Those of inner scopes, too; a parameter is a path of its name, `@name`. */
  readonly paths: Path[];
  /** Names in USING. */
  readonly using: Span[];
  /** The columns of its rows that are paths, by their names in lower case. */
  readonly outputs: ReadonlyMap<string, Path>;
  /** The place of a `*` in its list. */
  readonly star: Span | undefined;
}

interface TreeNode {
  readonly kind?: unknown;
  readonly span?: Span;
  readonly parts?: unknown;
  readonly name?: unknown;
  readonly alias?: unknown;
  readonly array?: unknown;
  readonly using?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly inputs?: unknown;
  readonly items?: unknown;
  readonly value?: unknown;
}

/** Returns the scopes of a syntax tree: its SELECTs, and queries of pipes. */
export function fromScopes(tree: unknown): readonly FromScope[] {
  const scopes: FromScope[] = [];
  const ctes = new Map<string, Span>();
  const visit = (value: unknown, around: readonly FromScope[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as TreeNode; // every property is checked below
    const { kind, span } = node;
    const inner = span !== undefined && (kind === 'select' || kind === 'query') ? [...around, scopeOf(node, span, scopes)] : around;
    const scope = inner.at(-1);
    if (span !== undefined && scope !== undefined) {
      const item = fromItem(node, span, { scope, ctes });
      if (item !== undefined) for (const one of kindred(inner)) one.items.push(item);
      if (kind === 'table_name' && item?.array !== undefined) for (const one of inner) one.paths.push({ parts: item.array, span });
      if (kind === 'path') for (const one of inner) one.paths.push({ parts: namesOf(node.parts), span });
      if (kind === 'parameter') for (const one of inner) one.paths.push({ parts: [`@${String(node.name)}`], span });
      if (kind === 'join' && Array.isArray(node.using))
        for (const name of node.using as readonly TreeNode[]) if (name.span) for (const one of inner) one.using.push(name.span);
    }
    for (const child of Object.values(value)) visit(child, inner);
    // Within itself, the name means something else.
    if (kind === 'cte' && isNode(node.query) && node.query.span !== undefined)
      ctes.set(nameOf(node.name)?.toLowerCase() ?? '', node.query.span);
  };
  visit(tree, []);
  return scopes;
}

const isNode = (value: unknown): value is TreeNode => typeof value === 'object' && value !== null;

function scopeOf(node: TreeNode, span: Span, scopes: FromScope[]): FromScope {
  const items = selectOf(node)?.items;
  const outputs = new Map<string, Path>();
  let star: Span | undefined;
  for (const { kind, value, alias, span: place } of Array.isArray(items) ? (items as readonly TreeNode[]) : []) {
    if (kind === 'star_item') star ??= place;
    if (!isNode(value) || value.kind !== 'path' || value.span === undefined) continue;
    const parts = namesOf(value.parts);
    outputs.set((nameOf(alias) ?? parts.at(-1) ?? '').toLowerCase(), { parts, span: value.span });
  }
  const scope = { span, items: [], paths: [], using: [], outputs, star };
  scopes.push(scope);
  return scope;
}

/** Returns the SELECT that says the columns of a query, which is the first of a set operation. */
function selectOf(node: TreeNode): TreeNode | undefined {
  if (node.kind === 'select') return node;
  const [first] = Array.isArray(node.inputs) ? node.inputs : [node.body];
  return isNode(first) ? selectOf(first) : undefined;
}

/** What stands in FROM of a SELECT is seen by the query that it is the body of: by its ORDER BY, and by pipes. */
function kindred(scopes: readonly FromScope[]): readonly FromScope[] {
  const own = scopes.at(-1);
  const query = scopes.at(-2);
  const isBody = own !== undefined && query !== undefined && query.span.start === own.span.start;
  return own === undefined ? [] : [own, ...(isBody ? [query] : [])];
}

interface Around {
  readonly scope: FromScope;
  /** The queries of the WITH tables that were defined before. */
  readonly ctes: ReadonlyMap<string, Span>;
}

function fromItem({ kind, parts, alias, array, query }: TreeNode, span: Span, { scope, ctes }: Around): FromItem | undefined {
  const called = nameOf(alias);
  switch (kind) {
    case 'table_name': {
      const names = namesOf(parts).flatMap((name) => name.split('.'));
      const isArray = names.length > 1 && scope.items.some((one) => one.alias?.toLowerCase() === names[0]?.toLowerCase());
      return isArray
        ? { alias: called ?? names.at(-1), span, array: names, arraySpan: span }
        : { alias: called ?? names.at(-1), span, parts: names, query: ctes.get(names.join('.').toLowerCase()) };
    }
    case 'unnest': {
      const path = array as TreeNode | undefined;
      return path?.kind === 'path' && path.span !== undefined
        ? { alias: called, span, array: namesOf(path.parts), arraySpan: path.span }
        : { alias: called, span };
    }
    case 'table_subquery':
      return { alias: called, span, query: isNode(query) ? query.span : undefined };
    case 'table_call':
      return { alias: called, span };
    default:
      return undefined;
  }
}

const namesOf = (parts: unknown): readonly string[] => (Array.isArray(parts) ? parts.map((part) => nameOf(part) ?? '') : []);

const nameOf = (identifier: unknown): string | undefined =>
  typeof identifier === 'object' && identifier !== null && 'name' in identifier ? String(identifier.name) : undefined;
