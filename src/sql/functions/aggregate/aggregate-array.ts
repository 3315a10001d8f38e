// Aggregates that collect values: ARRAY_AGG, ARRAY_CONCAT_AGG, STRING_AGG.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions#array_agg
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, ident, iff, infix, isNotNull, lambda, lit, NULL, tuple } from '../../target/build.ts';
import { defineAggregate, type Family, type LowerAggregateCall } from '../define.ts';
import { sortKey } from '../sort-key.ts';
import { groupValue } from './group-value.ts';

/** The values, as an array in the call's order and within its LIMIT. NULLs stay unless they are ignored. */
function collected(given: SqlExpression, c: LowerAggregateCall, ignoreNulls: boolean): SqlExpression {
  const value = c.distinct ? groupValue(given, c.typeOf(0), c.finite(0), c.fresh) : given;
  if (c.orderBy.length === 0 && (ignoreNulls || isArray(c) || c.neverNull(0))) return firstRows(value, c);
  // groupArray drops NULLs, but not tuples that hold one.
  const row = c.fresh('row');
  const rows = c.orderBy.length === 0 ? firstRows(tuple(value), c) : limited(sorted(value, c, ignoreNulls), c);
  return call('arrayMap', lambda([row], call('tupleElement', ident(row), lit(1))), rows);
}

const isArray = (c: LowerAggregateCall): boolean => c.typeOf(0).kind === 'ARRAY';

/** Tuples (value, key) in order. */
function sorted(value: SqlExpression, c: LowerAggregateCall, ignoreNulls: boolean): SqlExpression {
  const { sort, key } = sortKey(c.orderBy);
  const row = c.fresh('row');
  const rows = c.aggregate('groupArray', [tuple(value, key)], ignoreNulls && !isArray(c) ? { where: isNotNull(value) } : {});
  return call(sort, lambda([row], call('tupleElement', ident(row), lit(2))), rows);
}

/** As many values as LIMIT says: groupArray stops there, where it is known. */
function firstRows(value: SqlExpression, c: LowerAggregateCall): SqlExpression {
  const limit = c.limit === null ? null : bare(c.limit);
  const most = limit?.kind === 'lit' && Number(limit.value) > 0 && Number(limit.value) <= 0xffffff ? [limit] : [];
  return most.length > 0 ? c.aggregate('groupArray', [value], { params: most }) : limited(c.aggregate('groupArray', [value]), c);
}

const limited = (values: SqlExpression, c: LowerAggregateCall): SqlExpression =>
  c.limit === null ? values : call('arraySlice', values, lit(1), bare(c.limit));

/** NULLs are left out; no value at all gives NULL. */
function stringAgg(value: SqlExpression, delimiter: SqlExpression | undefined, c: LowerAggregateCall): SqlExpression {
  const known = delimiter === undefined ? ',' : c.constant(1);
  const span = c.args[1]?.span ?? { start: 0, end: 0 };
  if (known === null) fail('type', span, 'the delimiter of STRING_AGG can’t be NULL');
  // groupConcat would forget the delimiter after empty texts in front.
  const values = collected(value, c, true);
  const none = c.limit === null ? infix('=', c.aggregate('count', [value], { distinct: false }), lit(0)) : call('empty', values);
  return iff(none, NULL, call('arrayStringConcat', values, delimiter ?? lit(',')));
}

export const aggregateArray = (): Family => ({
  ARRAY_AGG: defineAggregate(
    'value T -> ARRAY<T>',
    ({ value }, c) => {
      if (isArray(c)) fail('type', c.args[0]?.span ?? { start: 0, end: 0 }, 'ARRAY_AGG can’t collect arrays', 'wrap each in a STRUCT');
      return collected(value, c, c.ignoreNulls);
    },
    { orderBy: true, limit: true, nulls: true, collects: 'all', nullElements: 'given' },
  ),
  ARRAY_CONCAT_AGG: defineAggregate('value ARRAY<T> -> ARRAY<T>', ({ value }, c) => call('arrayFlatten', collected(value, c, true)), {
    distinct: false,
    orderBy: true,
    limit: true,
    windowed: false,
  }),
  STRING_AGG: defineAggregate(
    'value STRING, [delimiter STRING] -> STRING | value BYTES, [delimiter BYTES] -> BYTES',
    ({ value, delimiter }, c) => stringAgg(value, delimiter, c),
    { orderBy: true, limit: true },
  ),
});
