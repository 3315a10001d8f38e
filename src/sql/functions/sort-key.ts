// One key for several ORDER BY items inside an aggregate: arraySort is not stable, so all items are sorted by together.
import { fail } from '../base/fail.ts';
import type { Type } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import { bare, call, infix, isNotNull, isNull, lit, negate, not, tuple } from '../target/build.ts';
import type { LowerCall, SortItem } from './define.ts';

interface SortKey {
  /** The function that sorts by `key`. */
  readonly sort: 'arraySort' | 'arrayReverseSort';
  readonly key: SqlExpression;
}

/** A tuple that sorts as the items say. Items against the direction of the sort are turned round where their type has a cheap way. */
export function sortKey(items: readonly SortItem[]): SortKey {
  const fixed = items.find((i) => turned(i.value, i.type) === undefined) ?? items[0];
  const descending = fixed?.descending ?? false;
  const parts = items.flatMap((item) => {
    const { value, type } = item;
    const first = (test: SqlExpression, yes: boolean): SqlExpression => (yes === descending ? test : not(test));
    // NaN is below all numbers: first when ascending.
    const nan = item.finite ? [] : [first(call('isNaN', value), !item.descending)];
    const plain = orderValue(value, type);
    const nulls = item.nullsFirst === descending ? isNull(value) : isNotNull(value);
    return [nulls, ...nan, item.descending === descending ? plain : (turned(value, type) ?? turnedText(value))];
  });
  return { sort: descending ? 'arrayReverseSort' : 'arraySort', key: tuple(...parts) };
}

/** A value that sorts the other way round, or undefined. */
function turned(value: SqlExpression, type: Type): SqlExpression | undefined {
  switch (type.kind) {
    case 'INT64':
      // Unlike -value, ~value can't overflow.
      return call('bitNot', bare(value));
    case 'FLOAT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return negate(value);
    case 'BOOL':
      return not(value);
    case 'DATE':
      return negate(call('toInt32', value));
    case 'DATETIME':
    case 'TIMESTAMP':
      return negate(call('toUnixTimestamp64Micro', value));
    case 'TIME':
      return negate(call('toDecimal64', value, lit(6)));
    case 'INTERVAL':
      return negate(intervalMicros(value));
    default:
      return undefined;
  }
}

/** Text against the direction of other text: complemented digits, ended by what is above all digits, since a longer text then comes first. */
function turnedText(value: SqlExpression): SqlExpression {
  return call('concat', call('translate', call('hex', value), lit('0123456789ABCDEF'), lit('FEDCBA9876543210')), lit('G'));
}

/** `value` as ClickHouse must compare it. */
export const orderValue = (value: SqlExpression, type: Type): SqlExpression => (type.kind === 'INTERVAL' ? intervalMicros(value) : value);

/** Refuses an argument whose type has no order that ClickHouse keeps. */
export function requireOrdered(c: LowerCall, position: number): void {
  const { kind } = c.typeOf(position);
  const span = c.args[position]?.span ?? { start: 0, end: 0 };
  if (kind === 'ARRAY' || kind === 'STRUCT' || kind === 'JSON' || kind === 'RECORD')
    fail('type', span, `values of type ${kind} have no order`);
  if (kind === 'INTERVAL') fail('unsupported', span, 'ranks of intervals are not supported', 'rank their length in microseconds');
}

/** Intervals compare as microseconds of months of 30 days and days of 24 hours. */
export function intervalMicros(value: SqlExpression): SqlExpression {
  const part = (i: number): SqlExpression => call('toInt128', call('tupleElement', value, lit(i)));
  const days = infix('+', infix('*', part(1), lit(30)), part(2));
  return infix('+', infix('*', days, lit(86_400_000_000)), part(3));
}
