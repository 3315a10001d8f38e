// Calls and filters that rules put into plans.
import type { Span } from '../../base/source-text.ts';
import { BOOL, type Type } from '../base/types.ts';
import { scalarBuiltIn } from '../functions/index.ts';
import type { Expr, FunctionCall, Rel } from '../logical/nodes.ts';

/** Returns a call; `at` is the part of the query's text that it stands for. */
export function call(name: string, args: readonly (Expr | null)[], { span }: { readonly span: Span }, type: Type = BOOL): FunctionCall {
  return { kind: 'call', fn: scalarBuiltIn(name), args, safe: false, type, span };
}

/** Longer chains of conditions become balanced trees, which are no deeper than one of a few. */
const LONGEST_CHAIN = 64;

/** Joins the conditions, of which there is one at least: the opposite of splitConjunction. */
export function conjunction(conditions: readonly Expr[]): Expr {
  const both = (left: Expr, right: Expr): Expr => call('$and', [left, right], left);
  if (conditions.length <= LONGEST_CHAIN) return conditions.reduce(both);
  const middle = conditions.length >>> 1;
  return both(conjunction(conditions.slice(0, middle)), conjunction(conditions.slice(middle)));
}

/** Returns the rows for which all conditions hold. */
export const filtered = (input: Rel, conditions: readonly Expr[]): Rel =>
  conditions.length === 0 ? input : { kind: 'filter', input, condition: conjunction(conditions) };

/** Returns the value where the condition holds, else NULL. */
export const onlyIf = (condition: Expr, value: Expr): Expr => ({
  kind: 'case',
  whens: [{ when: condition, then: value }],
  otherwise: null,
  type: value.type,
  span: value.span,
});
