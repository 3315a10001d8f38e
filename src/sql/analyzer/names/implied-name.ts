// Names for expressions that have no alias.
import type * as ast from '../../syntax/ast.ts';

/** Returns the name that BigQuery gives an expression without alias: the last part of a path. */
export function impliedName(node: ast.Expr): string | null {
  if (node.kind === 'path') return node.parts.at(-1)?.name ?? null;
  if (node.kind === 'field_access') return node.field.name;
  return null;
}
