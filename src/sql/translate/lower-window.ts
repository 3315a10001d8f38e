// Window calls: partition, order and frame in ClickHouse's words.
import type { Ch, Over } from '../clickhouse/ast.ts';
import { call as callFunction, lit } from '../clickhouse/build.ts';
import type { LowerAggregateCall } from '../functions/define.ts';
import type { WindowCall } from '../resolved.ts';
import { callContext, lowerExpr, lowerOrder, namedArguments } from './lower-expression.ts';
import { frameText, hasOffset, rangeKey } from './lower-frame.ts';
import { lowerLiteral } from './lower-literal.ts';
import type { Environment, Lowering } from './lowering.ts';

export function lowerWindowCall(call: WindowCall, env: Environment, l: Lowering): Ch {
  const { fn, frame } = call;
  const text = frame === null ? null : frameText(frame, call);
  if (frame !== null && text === null) {
    // Over no rows at all: counts are 0, everything else is NULL.
    return fn.kind === 'aggregate' && fn.zeroWhenEmpty
      ? callFunction('toInt64', lit(0))
      : lowerLiteral({ kind: 'literal', value: null, type: call.type, span: call.span });
  }
  const [first] = call.orderBy;
  const ranged = frame?.unit === 'RANGE' && hasOffset(frame) && first !== undefined;
  const over: Over = {
    partitionBy: call.partitionBy.map((p) => lowerExpr(p, env, l)),
    orderBy: ranged ? [rangeKey(first, lowerExpr(first.value, env, l))] : lowerOrder(call.orderBy, env, l),
    frame: text,
  };
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct: call.distinct,
    ignoreNulls: call.nulls === 'IGNORE',
    orderBy: [],
    limit: null,
    aggregate: (name, args, { params = [], distinct = call.distinct } = {}) => ({ kind: 'func', name, params, args, distinct, over }),
  };
  return fn.lower(namedArguments(fn.signature, call.args, env, l), context);
}
