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
}

interface TreeNode {
  readonly kind?: unknown;
  readonly span?: Span;
  readonly parts?: unknown;
  readonly name?: unknown;
  readonly alias?: unknown;
  readonly array?: unknown;
  readonly using?: unknown;
}

/** Returns the scopes of a syntax tree: its SELECTs, and queries of pipes. */
export function fromScopes(tree: unknown): readonly FromScope[] {
  const scopes: FromScope[] = [];
  const visit = (value: unknown, around: readonly FromScope[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as TreeNode; // every property is checked below
    const { kind, span } = node;
    const inner = span !== undefined && (kind === 'select' || kind === 'query') ? [...around, scopeOf(span, scopes)] : around;
    const scope = inner.at(-1);
    if (span !== undefined && scope !== undefined) {
      const item = fromItem(node, span, scope);
      if (item !== undefined) for (const one of kindred(inner)) one.items.push(item);
      if (kind === 'table_name' && item?.array !== undefined) for (const one of inner) one.paths.push({ parts: item.array, span });
      if (kind === 'path') for (const one of inner) one.paths.push({ parts: namesOf(node.parts), span });
      if (kind === 'parameter') for (const one of inner) one.paths.push({ parts: [`@${String(node.name)}`], span });
      if (kind === 'join' && Array.isArray(node.using))
        for (const name of node.using as readonly TreeNode[]) if (name.span) for (const one of inner) one.using.push(name.span);
    }
    for (const child of Object.values(value)) visit(child, inner);
  };
  visit(tree, []);
  return scopes;
}

function scopeOf(span: Span, scopes: FromScope[]): FromScope {
  const scope = { span, items: [], paths: [], using: [] };
  scopes.push(scope);
  return scope;
}

/** What stands in FROM of a SELECT is seen by the query that it is the body of: by its ORDER BY, and by pipes. */
function kindred(scopes: readonly FromScope[]): readonly FromScope[] {
  const own = scopes.at(-1);
  const query = scopes.at(-2);
  const isBody = own !== undefined && query !== undefined && query.span.start === own.span.start;
  return own === undefined ? [] : [own, ...(isBody ? [query] : [])];
}

function fromItem({ kind, parts, alias, array }: TreeNode, span: Span, scope: FromScope): FromItem | undefined {
  const called = nameOf(alias);
  switch (kind) {
    case 'table_name': {
      const names = namesOf(parts).flatMap((name) => name.split('.'));
      const isArray = names.length > 1 && scope.items.some((one) => one.alias?.toLowerCase() === names[0]?.toLowerCase());
      return isArray
        ? { alias: called ?? names.at(-1), span, array: names, arraySpan: span }
        : { alias: called ?? names.at(-1), span, parts: names };
    }
    case 'unnest': {
      const path = array as TreeNode | undefined;
      return path?.kind === 'path' && path.span !== undefined
        ? { alias: called, span, array: namesOf(path.parts), arraySpan: path.span }
        : { alias: called, span };
    }
    case 'table_subquery':
    case 'table_call':
      return { alias: called, span };
    default:
      return undefined;
  }
}

const namesOf = (parts: unknown): readonly string[] => (Array.isArray(parts) ? parts.map((part) => nameOf(part) ?? '') : []);

const nameOf = (identifier: unknown): string | undefined =>
  typeof identifier === 'object' && identifier !== null && 'name' in identifier ? String(identifier.name) : undefined;
