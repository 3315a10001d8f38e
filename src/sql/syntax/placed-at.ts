// Trees that were read from another text than the query's own.
import type { Span } from '../../base/source-text.ts';
import type { Expr } from './ast.ts';

type Replace = (parameter: Extract<Expr, { readonly kind: 'parameter' }>) => Expr;

/**
 * Returns the tree with `span` as the place of every part: places in a text that nobody wrote, or not here, mean nothing. `replace` gives the
 * expressions that stand for its parameters.
 */
export function placedAt<T>(span: Span, node: T, replace?: Replace): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((item: unknown) => placedAt(span, item, replace)) as T; // of the same items
  if (replace !== undefined && isParameter(node)) return replace(node) as T; // an expression in place of another
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, key === 'span' ? span : placedAt(span, value, replace)])) as T; // of the same properties
}

const isParameter = (node: object): node is Parameters<Replace>[0] => 'kind' in node && node.kind === 'parameter';
