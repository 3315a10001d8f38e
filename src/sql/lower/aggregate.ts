// Aggregate calls. The function tables say how a function is written; the modifiers that all aggregates share are handled here.

import { spend } from '../base/budget.ts';
import type { LowerAggregateCall, SortItem } from '../logical/function.ts';
import type { AggregateCall, OrderItem, WindowCall } from '../logical/nodes.ts';
import type { Over, SqlExpression } from '../target/ast.ts';
import { isNotNull } from '../target/build.ts';
import { callContext, lowerExpr, namedArguments } from './expression.ts';
import type { Environment, Lowering } from './lowering.ts';

/** The cost of writing an aggregate, measured in nodes that are looked at. */
const STEPS_OF_AGGREGATE = 45;

interface GroupOptions {
  /** The condition that the call's HAVING MAX/MIN stands for, over the rows of the group. */
  readonly only?: SqlExpression;
  /** True if every group has rows. */
  readonly filled?: boolean;
  /** May return a name for what is written. */
  readonly share?: (written: SqlExpression) => SqlExpression;
}

export function lowerAggregate(
  call: AggregateCall,
  env: Environment,
  l: Lowering,
  { only, filled, share = (written) => written }: GroupOptions = {},
): SqlExpression {
  // The call with its checks of range and of NULL is a tree of its own.
  spend(STEPS_OF_AGGREGATE);
  const write = aggregateWriter(call.distinct, null, { only, filled });
  return lowerRowsCall(call, env, l, { checked: call.distinct, aggregate: (...written) => share(write(...written)) });
}

/** Writes a call over several rows, and reports it. */
export function lowerRowsCall(
  call: AggregateCall | WindowCall,
  env: Environment,
  l: Lowering,
  how: Pick<LowerAggregateCall, 'checked' | 'aggregate'>,
): SqlExpression {
  const { fn, distinct, nulls } = call;
  const [orderBy, limit] = 'limit' in call ? [call.orderBy, call.limit] : [[], null];
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct,
    ignoreNulls: nulls === 'IGNORE',
    respectNulls: nulls === 'RESPECT',
    orderBy: orderBy.map((o) => sortItem(o, env, l)),
    limit: limit === null ? null : lowerExpr(limit, env, l),
    ...how,
  };
  const written = fn.lower(namedArguments(fn.signature, call.args, env, l), context);
  l.onLowered?.(call, written);
  return written;
}

const sortItem = ({ value, descending, nullsFirst }: OrderItem, env: Environment, l: Lowering): SortItem => ({
  value: lowerExpr(value, env, l),
  descending,
  nullsFirst,
  type: value.type,
  finite: l.isFinite(value),
});

/**
 * Functions that have a value over no rows: counts, empty arrays, and functions of windows, which always have a row. All others are NULL
 * over no rows. The setting aggregate_functions_null_for_empty would do that as well, but not for tables of several shards: a shard applies
 * it to what the first server has rewritten already, and its columns do not fit.
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

/** Functions that are NULL by themselves over rows whose values are all NULL. */
const NULL_OF_NULLS: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'any']);

/** Returns the writer of aggregate functions over the rows of a group (`over` null) or of a window. */
export function aggregateWriter(
  callDistinct: boolean,
  over: Over | null,
  { only, filled = false }: Pick<GroupOptions, 'only' | 'filled'> = {},
): LowerAggregateCall['aggregate'] {
  return (name, args, { params = [], distinct = callDistinct, where, orNull = false } = {}) => {
    const conditions = [where, only].filter((c) => c !== undefined);
    const condition = conditions.reduce<SqlExpression | undefined>(
      (all, c) => (all === undefined ? c : { kind: 'infix', operator: 'AND', left: all, right: c }),
      undefined,
    );
    const [counted] = args;
    // ClickHouse looks for count(x) OVER a column that nothing else reads under a name that does not exist.
    if (name === 'count' && over !== null && !distinct && counted !== undefined && condition === undefined)
      return { kind: 'func', name: 'countIf', params, args: [isNotNull(counted)], distinct, over };
    const hasValue = HAS_VALUE_WHEN_EMPTY.has(name) || (filled && !orNull && condition === undefined && NULL_OF_NULLS.has(name));
    const written = hasValue ? name : `${name}OrNull`;
    return condition === undefined
      ? { kind: 'func', name: written, params, args, distinct, over }
      : { kind: 'func', name: `${written}If`, params, args: [...args, condition], distinct, over };
  };
}
