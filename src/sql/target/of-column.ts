// Expressions that have another value for another row.
import type { SqlExpression } from './ast.ts';

/** True of functions of columns that cannot be the same for all rows unless the columns are. */
export function isOfColumn(value: SqlExpression): boolean {
  if (value.kind === 'cast') return isOfColumn(value.operand);
  const args = argumentsOf(value);
  return isColumn(value) || (args.some(isOfColumn) && args.every((arg) => isOfColumn(arg) || isValue(arg)));
}

/** The arguments of calls and operators that do not give one constant whatever some of them are. */
function argumentsOf(value: SqlExpression): readonly SqlExpression[] {
  if (value.kind === 'infix') return value.operator === 'AND' || value.operator === 'OR' ? [] : [value.left, value.right];
  return value.kind === 'func' && value.over === null && !IS_NULL.test(value.name) ? value.args : [];
}

/** True of a literal that is not NULL, and of one in a call such as toInt64(1). */
const isValue = (value: SqlExpression): boolean =>
  value.kind === 'lit'
    ? value.value !== null
    : value.kind === 'func' && value.args.every((arg) => arg.kind === 'lit' && arg.value !== null);

export const isColumn = (value: SqlExpression): boolean => value.kind === 'ident' && value.constant !== true;
const IS_NULL = /^is(?:Not)?Null$/;
