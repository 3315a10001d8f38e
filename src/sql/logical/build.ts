// Small pieces of logical plans, as the analysis and rules write them.
import type { Span } from '../../base/source-text.ts';
import { spend } from '../base/budget.ts';
import { BOOL, INT64, type Type } from '../base/types.ts';
import type { Case, Cast, Column, ColumnRef, Expr, Literal } from './nodes.ts';

export const ref = (column: Column, { span }: { readonly span: Span }): ColumnRef => ({ kind: 'column', column, type: column.type, span });

export const int64 = (value: bigint, { span }: { readonly span: Span }): Literal => ({ kind: 'literal', value, type: INT64, span });

export const bool = (value: boolean | null, { span }: { readonly span: Span }): Literal => ({ kind: 'literal', value, type: BOOL, span });

export const castTo = (operand: Expr, type: Type, { safe = false } = {}): Cast => ({
  kind: 'cast',
  operand,
  safe,
  format: null,
  timeZone: null,
  type,
  span: operand.span,
});

/** Returns the values of which CASE chooses one; NULL where it has no ELSE is left out. */
export const branchesOf = ({ whens, otherwise }: Case): readonly Expr[] => [
  ...whens.map(({ then }) => then),
  ...(otherwise === null ? [] : [otherwise]),
];

/** Splits a condition at AND. */
export function splitConjunction(condition: Expr): readonly Expr[] {
  const found: Expr[] = [];
  const collect = (expr: Expr): void => {
    spend(1);
    if (expr.kind !== 'call' || expr.fn.name !== '$and') found.push(expr);
    else for (const arg of expr.args) if (arg !== null) collect(arg);
  };
  collect(condition);
  return found;
}
