// Window calls: partition, order and frame in ClickHouse's words.
import { fail } from '../analyze/fail.ts';
import type { Ch, Over } from '../clickhouse/ast.ts';
import type { LowerAggregateCall } from '../functions/define.ts';
import type { Frame, FrameBound, WindowCall } from '../resolved.ts';
import { callContext, lowerExpr, lowerOrder, namedArguments } from './lower-expression.ts';
import type { Environment, Lowering } from './lowering.ts';

export function lowerWindowCall(call: WindowCall, env: Environment, l: Lowering): Ch {
  const { fn } = call;
  if (call.distinct)
    fail('unsupported', call.span, `${fn.name}(DISTINCT …) OVER is not supported`, 'count distinct values in a subquery with GROUP BY');
  const over: Over = {
    partitionBy: call.partitionBy.map((p) => lowerExpr(p, env, l)),
    orderBy: lowerOrder(call.orderBy, env, l),
    frame: call.frame === null ? null : frameText(call.frame, call),
  };
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct: false,
    ignoreNulls: call.nulls === 'IGNORE',
    orderBy: call.orderBy.map((o) => ({
      value: lowerExpr(o.value, env, l),
      descending: o.descending,
      nullsFirst: o.nullsFirst,
      type: o.value.type,
    })),
    limit: null,
    aggregate: (name, args, { params = [] } = {}) => ({ kind: 'func', name, params, args, distinct: false, over }),
  };
  return fn.lower(namedArguments(fn.signature, call.args, env, l), context);
}

function frameText({ unit, start, end }: Frame, call: WindowCall): string {
  return `${unit} BETWEEN ${boundText(start, call)} AND ${boundText(end, call)}`;
}

function boundText({ kind, offset }: FrameBound, call: WindowCall): string {
  switch (kind) {
    case 'unbounded_preceding':
      return 'UNBOUNDED PRECEDING';
    case 'unbounded_following':
      return 'UNBOUNDED FOLLOWING';
    case 'current_row':
      return 'CURRENT ROW';
    default: {
      const value = offset?.kind === 'literal' ? offset.value : undefined;
      if (typeof value !== 'bigint' || value < 0n)
        return fail('unsupported', offset?.span ?? call.span, 'a window frame takes a constant whole number that is not negative');
      if (value >= 2n ** 31n)
        return fail(
          'unsupported',
          offset?.span ?? call.span,
          `a window frame of ${value} is beyond ClickHouse’s limit of ${2n ** 31n - 1n}`,
        );
      return `${value} ${kind === 'preceding' ? 'PRECEDING' : 'FOLLOWING'}`;
    }
  }
}
