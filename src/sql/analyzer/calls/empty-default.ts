// UNNEST(COALESCE(a, [])), which people write where an array may be NULL.
import type * as ast from '../../syntax/ast.ts';
import type { Context } from '../context.ts';

/** Returns `a`, which gives the same rows, since UNNEST takes a NULL array for an empty one. So `a` may be a record's undeclared field, whose type is not known. */
export function withoutEmptyDefault(array: ast.Expr, context: Context): ast.Expr {
  if (array.kind !== 'call' || array.name.length !== 1) return array;
  const name = array.name[0]?.name.toUpperCase() ?? '';
  if ((name !== 'COALESCE' && name !== 'IFNULL') || context.analysis.temporaryFunctions.has(name.toLowerCase())) return array;
  const [first, ...others] = array.args;
  if (first === undefined || first.value.kind === 'lambda' || others.length !== 1) return array;
  return others.every(({ value }) => value.kind === 'array' && value.elementType === null && value.elements.length === 0)
    ? first.value
    : array;
}
