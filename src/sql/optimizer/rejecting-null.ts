// What a condition says of columns by dropping the rows for which it is NULL.
import type { Expr } from '../logical/nodes.ts';

/** Ids of columns whose NULL makes the condition NULL, so that the row is dropped. */
export function rejectingNull(condition: Expr): readonly number[] {
  // ClickHouse has no NULL arrays.
  if (condition.type.kind === 'ARRAY') return [];
  if (condition.kind === 'column') return [condition.column.id];
  if (condition.kind === 'call' && condition.fn.name === '$is_not_null')
    return condition.args.flatMap((a) => (a === null ? [] : rejectingNull(a)));
  if (condition.kind !== 'call' || condition.fn.strict === undefined || condition.safe) return [];
  const args = condition.fn.strict === 'first' ? condition.args.slice(0, 1) : condition.args;
  return args.flatMap((a) => (a === null ? [] : rejectingNull(a)));
}
