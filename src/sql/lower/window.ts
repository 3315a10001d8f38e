// Window calls: their partition, order and frame as ClickHouse writes them.

import { lowerLiteral } from '../functions/literal.ts';
import type { LowerAggregateCall } from '../logical/function.ts';
import type { WindowCall } from '../logical/nodes.ts';
import type { Over, SqlExpression } from '../target/ast.ts';
import { iff } from '../target/build.ts';
import { aggregateWriter, lowerRowsCall } from './aggregate.ts';
import { lowerExpr, lowerGroupValue, lowerOrder } from './expression.ts';
import { frameText, hasOffset, holdsOwnRow, isEmpty, peersText } from './frame.ts';
import type { Environment, Lowering } from './lowering.ts';
import { collectedFrame, nativeKey } from './range.ts';

export function lowerWindowCall(call: WindowCall, env: Environment, l: Lowering): SqlExpression {
  const { frame } = call;
  const partitionBy = call.partitionBy.map((p) => lowerGroupValue(p, env, l));
  const orderBy = lowerOrder(call.orderBy, env, l);
  const lowerOver = (aggregate: LowerAggregateCall['aggregate']): SqlExpression =>
    lowerRowsCall(call, env, l, { checked: true, aggregate });
  const over = (text: string | null): SqlExpression => lowerOver(aggregateWriter(call.distinct, { partitionBy, orderBy, frame: text }));
  if (frame === null) return over(null);
  const [first] = call.orderBy;
  if (frame.unit === 'ROWS' || !hasOffset(frame) || first === undefined)
    return isEmpty(frame, call) ? overNothing(call) : over(frameText(frame, call));
  const value = lowerExpr(first.value, env, l);
  const key = nativeKey(first, value, call, l);
  if (key === undefined) return lowerOver(collectedFrame(call, { item: first, value }, { partitionBy, orderBy }, l));
  const native: Over = { partitionBy, orderBy: [key.order], frame: frameText(frame, call, key.scale) };
  const ofNumbers = isEmpty(frame, call) ? overNothing(call) : lowerOver(aggregateWriter(call.distinct, native));
  return holdsOwnRow(frame, call) ? ofNumbers : iff(key.special, over(peersText(frame)), ofNumbers);
}

/** Returns the value of the function over no rows: 0 for counts, NULL for everything else. */
function overNothing({ fn, type, span }: WindowCall): SqlExpression {
  const value = fn.kind === 'aggregate' && fn.zeroWhenEmpty ? 0n : null;
  return lowerLiteral({ kind: 'literal', value, type, span });
}
