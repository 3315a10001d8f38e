// Conditions that compare two constants, and never hold: often a column in quotes, which make it a text.

import type { Case, Expr, Join, PipeOperator, Select } from '../syntax/ast.ts';
import { visitNodes } from './fidelity-notes.ts';
import { holds, literalOf, literalsOf } from './literals.ts';

/** Returns the comparisons in WHERE, ON, HAVING, QUALIFY and WHEN that are false for all rows. */
export function falseConstantsIn(tree: unknown): readonly Expr[] {
  const found: Expr[] = [];
  visitNodes(tree, (node) => {
    for (const condition of conditionsOf(node)) found.push(...falseParts(condition, { first: true }));
  });
  return found;
}

function conditionsOf(node: { readonly kind: string }): readonly Expr[] {
  const holder = node as Case | Join | PipeOperator | Select; // the visitor shows every node; kinds of others are not asked for
  if (holder.kind === 'case') return holder.operand === null ? holder.whens.map(({ when }) => when) : [];
  if (holder.kind === 'pipe_where') return [holder.condition];
  let conditions: readonly (Expr | null)[] = [];
  if (holder.kind === 'select') conditions = [holder.where, holder.having, holder.qualify];
  if (holder.kind === 'join' || holder.kind === 'pipe_join') conditions = [holder.on];
  return conditions.filter((expr) => expr !== null);
}

/**
 * Returns the parts that are never true. `first` says that nothing but ORs surround the expression, and that it begins them. There two numbers are meant:
 * people write `WHERE 1 = 0` to get no row, and programs `1 = 0 OR …` to add conditions.
 */
function falseParts(expr: Expr, { first }: { readonly first: boolean }): readonly Expr[] {
  if (expr.kind === 'binary' && (expr.operator === 'AND' || expr.operator === 'OR'))
    return [...falseParts(expr.left, { first: first && expr.operator === 'OR' }), ...falseParts(expr.right, { first: false })];
  return isNeverTrue(expr) && !(first && isNumbers(expr)) ? [expr] : [];
}

function isNeverTrue(expr: Expr): boolean {
  if (expr.kind === 'binary') {
    const [left, right] = [literalOf(expr.left), literalOf(expr.right)];
    return left !== undefined && right !== undefined && holds(left, expr.operator, right) === false;
  }
  if (expr.kind === 'between' && !expr.not) {
    const [value, low, high] = [literalOf(expr.operand), literalOf(expr.low), literalOf(expr.high)];
    if (value === undefined || low === undefined || high === undefined || holds(low, '<=', high) === false) return false;
    return holds(low, '<=', value) === false || holds(value, '<=', high) === false;
  }
  if (expr.kind !== 'in' || expr.in.kind !== 'list' || expr.not) return false;
  const value = literalOf(expr.operand);
  return value !== undefined && literalsOf(expr.in.items)?.every((item) => holds(value, '=', item) === false) === true;
}

const isNumbers = (expr: Expr): boolean => expr.kind === 'binary' && expr.left.kind === 'int_literal' && expr.right.kind === 'int_literal';
