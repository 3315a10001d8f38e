// Aggregate calls. The function tables say how a function is written; modifiers that all share are handled here.
import type { Ch, Over } from '../clickhouse/ast.ts';
import type { LowerAggregateCall, SortItem } from '../functions/define.ts';
import type { AggregateCall, OrderItem } from '../resolved.ts';
import { callContext, lowerExpr, namedArguments } from './lower-expression.ts';
import type { Environment, Lowering } from './lowering.ts';

/** `only`: the condition that HAVING MAX/MIN of the call stands for, over the rows of the group. */
export function lowerAggregate(call: AggregateCall, env: Environment, l: Lowering, only?: Ch): Ch {
  const { fn } = call;
  const context: LowerAggregateCall = {
    ...callContext(call, call.args, l),
    distinct: call.distinct,
    ignoreNulls: call.nulls === 'IGNORE',
    respectNulls: call.nulls === 'RESPECT',
    checked: call.distinct,
    orderBy: call.orderBy.map((o) => sortItem(o, env, l)),
    limit: call.limit === null ? null : lowerExpr(call.limit, env, l),
    aggregate: aggregateWriter(call.distinct, null, only),
  };
  return fn.lower(namedArguments(fn.signature, call.args, env, l), context);
}

export const sortItem = ({ value, descending, nullsFirst }: OrderItem, env: Environment, l: Lowering): SortItem => ({
  value: lowerExpr(value, env, l),
  descending,
  nullsFirst,
  type: value.type,
  finite: l.isFinite(value),
});

/** Writes aggregate functions over the rows of a group (`over` null) or of a window. */
export function aggregateWriter(callDistinct: boolean, over: Over | null, only?: Ch): LowerAggregateCall['aggregate'] {
  return (name, args, { params = [], distinct = callDistinct, where } = {}) => {
    const conditions = [where, only].filter((c) => c !== undefined);
    const condition = conditions.reduce<Ch | undefined>(
      (all, c) => (all === undefined ? c : { kind: 'infix', operator: 'AND', left: all, right: c }),
      undefined,
    );
    return condition === undefined
      ? { kind: 'func', name, params, args, distinct, over }
      : { kind: 'func', name: `${name}If`, params, args: [...args, condition], distinct, over };
  };
}
