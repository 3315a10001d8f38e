// Aggregate calls. The function tables say how a function is written; modifiers that all share are handled here.
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import type { LowerAggregateCall } from '../functions/define.ts';
import type { AggregateCall } from '../resolved.ts';
import { callContext, lowerExpr, namedArguments } from './lower-expression.ts';
import type { Environment, Lowering } from './lowering.ts';

export function lowerAggregate(call: AggregateCall, env: Environment, l: Lowering): Ch {
  const { fn } = call;
  if (call.having !== null)
    fail(
      'unsupported',
      call.span,
      `${fn.name} with HAVING ${call.having.which} is not supported`,
      'join with a subquery that finds the maximum or minimum first',
    );
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct: call.distinct,
    ignoreNulls: call.nulls === 'IGNORE',
    orderBy: call.orderBy.map((o) => ({
      value: lowerExpr(o.value, env, l),
      descending: o.descending,
      nullsFirst: o.nullsFirst,
      type: o.value.type,
    })),
    limit: call.limit === null ? null : lowerExpr(call.limit, env, l),
    aggregate: (name, args, { params = [], distinct = call.distinct } = {}) => ({ kind: 'func', name, params, args, distinct, over: null }),
  };
  return fn.lower(namedArguments(fn.signature, call.args, env, l), context);
}
