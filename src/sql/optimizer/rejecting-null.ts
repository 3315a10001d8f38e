// Finds the columns whose NULLs a condition drops.
import type { Expr } from '../logical/nodes.ts';

/** Returns the ids of columns whose NULL makes the condition NULL or false, so that the row is dropped. */
export function rejectingNull(condition: Expr): readonly number[] {
  // The test itself is false then, which another function around it may turn into anything.
  if (condition.kind === 'call' && condition.fn.name === '$is_not_null')
    return condition.args.flatMap((a) => (a === null ? [] : makingNull(a)));
  return makingNull(condition);
}

/** Returns the ids of columns whose NULL makes the value NULL. */
function makingNull(value: Expr): readonly number[] {
  // ClickHouse has no NULL arrays.
  if (value.type.kind === 'ARRAY') return [];
  if (value.kind === 'column') return [value.column.id];
  if (value.kind !== 'call' || value.fn.strict === undefined || value.safe) return [];
  const args = value.fn.strict === 'first' ? value.args.slice(0, 1) : value.args;
  return args.flatMap((a) => (a === null ? [] : makingNull(a)));
}
