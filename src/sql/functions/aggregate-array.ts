// Aggregates that collect values in an order: ARRAY_AGG, STRING_AGG.
import type { Ch } from '../clickhouse/ast.ts';
import { call, ident, iff, isNotNull, isNull, lambda, lit, NULL, tuple } from '../clickhouse/build.ts';
import type { LowerAggregateCall } from './define.ts';

/** NULLs are kept unless IGNORE NULLS: groupArray drops NULLs, but not tuples that hold one. */
export function arrayAgg(value: Ch, c: LowerAggregateCall): Ch {
  if (c.orderBy.length === 0 && c.ignoreNulls) return limited(c.aggregate('groupArray', [value]), c);
  const item = c.fresh('item');
  const rows = ordered(value, c);
  const values = call('arrayMap', lambda([item], call('tupleElement', ident(item), lit(1))), rows);
  if (!c.ignoreNulls) return limited(values, c);
  const kept = c.fresh('item');
  return limited(call('arrayFilter', lambda([kept], isNotNull(ident(kept))), values), c);
}

/** NULLs are left out; no value at all gives NULL. */
export function stringAgg(value: Ch, delimiter: Ch, c: LowerAggregateCall): Ch {
  const collected = arrayAgg(value, { ...c, ignoreNulls: true });
  return iff(call('empty', collected), NULL, call('arrayStringConcat', collected, delimiter));
}

const limited = (values: Ch, c: LowerAggregateCall): Ch => (c.limit === null ? values : call('arraySlice', values, lit(1), c.limit));

/** Tuples (value, key, …) in the order of the call's ORDER BY. */
function ordered(value: Ch, c: LowerAggregateCall): Ch {
  const rows = c.aggregate('groupArray', [tuple(value, ...c.orderBy.map((o) => o.value))]);
  // Sorting by the least significant key first, with a stable sort, orders by all keys.
  return c.orderBy.reduceRight<Ch>((sorted, order, i) => {
    const row = c.fresh('row');
    const key = call('tupleElement', ident(row), lit(i + 2));
    const nullsLast = order.nullsFirst === order.descending;
    const sort = order.descending ? 'arrayReverseSort' : 'arraySort';
    return call(sort, lambda([row], tuple(nullsLast ? isNull(key) : isNotNull(key), key)), sorted);
  }, rows);
}
