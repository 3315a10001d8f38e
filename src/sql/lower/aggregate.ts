// Aggregate calls. The function tables say how a function is written; modifiers that all share are handled here.

import { spend } from '../base/budget.ts';
import type { LowerAggregateCall, SortItem } from '../logical/function.ts';
import type { AggregateCall, OrderItem } from '../logical/nodes.ts';
import type { Over, SqlExpression } from '../target/ast.ts';
import { isNotNull } from '../target/build.ts';
import { callContext, lowerExpr, namedArguments } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';

/** Measured: writing one takes as long as looking at so many nodes. */
const STEPS_OF_AGGREGATE = 45;

/** `only`: the condition that HAVING MAX/MIN of the call stands for, over the rows of the group. `share` may put a name for an aggregate. */
export function lowerAggregate(
  call: AggregateCall,
  env: Environment,
  l: Lowering,
  only?: SqlExpression,
  share = (written: SqlExpression): SqlExpression => written,
): SqlExpression {
  // The call with its checks of range and of NULL is a tree of its own.
  spend(STEPS_OF_AGGREGATE);
  const { fn } = call;
  const write = aggregateWriter(call.distinct, null, only);
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct: call.distinct,
    ignoreNulls: call.nulls === 'IGNORE',
    respectNulls: call.nulls === 'RESPECT',
    checked: call.distinct,
    orderBy: call.orderBy.map((o) => sortItem(o, env, l)),
    limit: call.limit === null ? null : lowerExpr(call.limit, env, l),
    aggregate: (...written) => share(write(...written)),
  };
  const written = fn.lower(namedArguments(fn.signature, call.args, env, l), context);
  l.onLowered?.(call, written);
  return written;
}

export const sortItem = ({ value, descending, nullsFirst }: OrderItem, env: Environment, l: Lowering): SortItem => ({
  value: lowerExpr(value, env, l),
  descending,
  nullsFirst,
  type: value.type,
  finite: l.isFinite(value),
});

/**
 * Functions that have a value over no rows: a count, an empty array; and those of windows, which always have a row. All others are NULL then,
 * which the setting aggregate_functions_null_for_empty would do as well, but not for tables of several shards: a shard applies it to what
 * the first server has rewritten already, and its columns do not fit.
 */
const HAS_VALUE_WHEN_EMPTY: ReadonlySet<string> = new Set([
  'count',
  'uniq',
  'uniqState',
  'uniqMerge',
  'uniqMergeState',
  'groupArray',
  'groupArrayArray',
  'groupArraySorted',
  'groupUniqArray',
  'topK',
  'topKWeighted',
  'approx_top_k',
  'approx_top_sum',
  'row_number',
  'rank',
  'dense_rank',
  'percent_rank',
  'cume_dist',
  'ntile',
  'nth_value',
  'lag',
  'lead',
  'lagInFrame',
  'leadInFrame',
]);

/** Writes aggregate functions over the rows of a group (`over` null) or of a window. */
export function aggregateWriter(callDistinct: boolean, over: Over | null, only?: SqlExpression): LowerAggregateCall['aggregate'] {
  return (name, args, { params = [], distinct = callDistinct, where } = {}) => {
    const conditions = [where, only].filter((c) => c !== undefined);
    const condition = conditions.reduce<SqlExpression | undefined>(
      (all, c) => (all === undefined ? c : { kind: 'infix', operator: 'AND', left: all, right: c }),
      undefined,
    );
    const [counted] = args;
    // count(x) OVER of a column that nothing else reads ClickHouse looks for under a name that is not there.
    if (name === 'count' && over !== null && !distinct && counted !== undefined && condition === undefined)
      return { kind: 'func', name: 'countIf', params, args: [isNotNull(counted)], distinct, over };
    const written = HAS_VALUE_WHEN_EMPTY.has(name) ? name : `${name}OrNull`;
    return condition === undefined
      ? { kind: 'func', name: written, params, args, distinct, over }
      : { kind: 'func', name: `${written}If`, params, args: [...args, condition], distinct, over };
  };
}
