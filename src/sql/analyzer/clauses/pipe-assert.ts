// The pipe operator ASSERT: the query fails where the condition is not true.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/pipe-syntax#assert_pipe_operator

import { spend } from '../../base/budget.ts';
import { BOOL, STRING } from '../../base/types.ts';
import type { Expr, Rel } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import { callFunction } from '../calls/call-function.ts';
import { coerce } from '../calls/coerce.ts';
import type { Context } from '../context.ts';
import { inPipe, type PipeRows } from './pipe-rows.ts';

type PipeAssert = Extract<ast.PipeOperator, { readonly kind: 'pipe_assert' }>;

/** Applies ASSERT. ClickHouse's message must be a constant, so only constant payload is shown. */
export function assertRows({ condition, payload, span }: PipeAssert, rows: PipeRows, outer: Context): PipeRows {
  const context: Context = { ...inPipe(rows, outer, 'ASSERT'), noWindows: 'the pipe operator ASSERT' };
  const holds = coerce(analyzeExpr(condition, context), BOOL, 'the condition of ASSERT');
  const texts = payload.map((p) => {
    const value = analyzeExpr(p, context);
    return value.kind === 'literal' && typeof value.value !== 'object' ? String(value.value) : '…';
  });
  const text = texts.length === 0 ? 'Assert failed' : `Assert failed: ${texts.join(' ')}`;
  const message: Expr = { kind: 'literal', value: text, type: STRING, span };
  const test = callFunction('$assert', [holds, message], span);
  return { ...rows, rel: { kind: 'filter', input: rows.rel, condition: inOrder(filtersOf(rows.rel), test) }, sorted: false };
}

/** Returns the condition, tested behind the assertions below it: ClickHouse is free to test the conditions of a WHERE in any order. */
export function behindAsserts(input: Rel, condition: Expr): Expr {
  const last = filtersOf(input)[0];
  return last === undefined || !asserts(last) ? condition : inOrder([last], condition);
}

const asserts = (condition: Expr): boolean =>
  condition.kind === 'call' ? condition.fn.name === '$assert' : condition.kind === 'case' && condition.whens.some((w) => asserts(w.then));

/** Returns the conditions that end up in the same WHERE, in their order, from the last assertion on, which holds only where those before it do. */
function filtersOf(rel: Rel): readonly Expr[] {
  const found: Expr[] = [];
  for (let at = rel; at.kind === 'project' || at.kind === 'filter'; at = at.input) {
    spend(1);
    if (at.kind === 'project') continue;
    found.push(at.condition);
    if (asserts(at.condition)) break;
  }
  return found.reverse();
}

/** Returns `condition`, evaluated only where all of `earlier` hold. */
function inOrder(earlier: readonly Expr[], condition: Expr): Expr {
  const { span } = condition;
  const [first, ...rest] = earlier;
  if (first === undefined) return condition;
  const when = rest.reduce((all, next) => callFunction('$and', [all, next], span), first);
  return {
    kind: 'case',
    whens: [{ when, then: condition }],
    otherwise: { kind: 'literal', value: false, type: BOOL, span },
    type: BOOL,
    span,
  };
}
