// Window calls: partition, order and frame in ClickHouse's words.

import { groupValue } from '../functions/aggregate/group-value.ts';
import { lowerLiteral } from '../functions/literal.ts';
import type { LowerAggregateCall } from '../logical/function.ts';
import type { WindowCall } from '../logical/nodes.ts';
import type { Over, SqlExpression } from '../target/ast.ts';
import { iff } from '../target/build.ts';
import { aggregateWriter } from './aggregate.ts';
import { callContext, lowerExpr, lowerOrder, namedArguments } from './expression.ts';
import { frameText, hasOffset, holdsOwnRow, isEmpty, peersText } from './frame.ts';
import type { Environment, Lowering } from './lowering.ts';
import { collectedFrame, nativeKey } from './range.ts';

export function lowerWindowCall(call: WindowCall, env: Environment, l: Lowering): SqlExpression {
  const { frame } = call;
  const partitionBy = call.partitionBy.map((p) => groupValue(lowerExpr(p, env, l), p.type, l.isFinite(p), l.fresh));
  const orderBy = lowerOrder(call.orderBy, env, l);
  const over = (text: string | null): SqlExpression =>
    lowerOver(call, aggregateWriter(call.distinct, { partitionBy, orderBy, frame: text }), env, l);
  if (frame === null) return over(null);
  const [first] = call.orderBy;
  if (frame.unit === 'ROWS' || !hasOffset(frame) || first === undefined)
    return isEmpty(frame, call) ? overNothing(call) : over(frameText(frame, call));
  const value = lowerExpr(first.value, env, l);
  const key = nativeKey(first, value, call, l);
  if (key === undefined) return lowerOver(call, collectedFrame(first, value, call, { partitionBy, orderBy }, l), env, l);
  const native: Over = { partitionBy, orderBy: [key.order], frame: frameText(frame, call, key.scale) };
  const ofNumbers = isEmpty(frame, call) ? overNothing(call) : lowerOver(call, aggregateWriter(call.distinct, native), env, l);
  return holdsOwnRow(frame, call) ? ofNumbers : iff(key.special, over(peersText(frame)), ofNumbers);
}

/** The function's value over no rows at all: counts are 0, everything else is NULL. */
function overNothing({ fn, type, span }: WindowCall): SqlExpression {
  const value = fn.kind === 'aggregate' && fn.zeroWhenEmpty ? 0n : null;
  return lowerLiteral({ kind: 'literal', value, type, span });
}

function lowerOver(call: WindowCall, aggregate: LowerAggregateCall['aggregate'], env: Environment, l: Lowering): SqlExpression {
  const { fn } = call;
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct: call.distinct,
    ignoreNulls: call.nulls === 'IGNORE',
    respectNulls: call.nulls === 'RESPECT',
    checked: true,
    orderBy: [],
    limit: null,
    aggregate,
  };
  const written = fn.lower(namedArguments(fn.signature, call.args, env, l), context);
  l.onLowered?.(call, written);
  return written;
}
