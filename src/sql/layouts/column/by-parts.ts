// Values that no CAST of ClickHouse's gives: those of several types as JSON text, wide integers as decimals, what the project declares; and whatever holds such values.
import { bareType, type ClickHouseType, isNullable } from '../../../clickhouse/type.ts';
import type { Type } from '../../base/types.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, cast, element, failIf, ident, iff, infix, isNull, lambda, lit, NULL, tuple } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import type { Fresh } from '../layout.ts';
import { tableType } from './table-type.ts';

/** `value`, stored so, as a value of `type`. */
export function byParts(value: SqlExpression, stored: ClickHouseType, type: Type, fresh: Fresh): SqlExpression {
  const read = tableType(stored, type);
  if ('unread' in read) throw new RangeError(`${stored.text} is not read`);
  if (read.byParts !== true) return read.castTo === undefined ? value : cast(value, read.castTo);
  const { name, args } = bareType(stored);
  const whole = (parts: SqlExpression): SqlExpression => cast(parts, clickhouseType(type));
  if (name === 'SimpleAggregateFunction') return byParts(value, args[1]?.type ?? stored, type, fresh);
  if (type.kind === 'STRUCT') {
    const fields = tuple(...args.map((arg, i) => byParts(element(value, i + 1), arg.type, type.fields[i]?.type ?? type, fresh)));
    return whole(isNullable(stored) ? iff(isNull(value), NULL, fields) : fields);
  }
  if (type.kind !== 'ARRAY') return converted(value, stored, type);
  if (name === 'Map') {
    const [key, entry] = [fresh('key'), fresh('value')];
    const fields = type.element.kind === 'STRUCT' ? type.element.fields : [];
    const [ofKey, ofEntry] = [key, entry].map((part, i) => byParts(ident(part), args[i]?.type ?? stored, fields[i]?.type ?? type, fresh));
    const pair = tuple(ofKey ?? NULL, ofEntry ?? NULL);
    return whole(call('arrayMap', lambda([key, entry], pair), call('mapKeys', value), call('mapValues', value)));
  }
  const item = fresh('item');
  const ofItem = name === 'Nested' ? { ...bareType(stored), name: 'Tuple' } : (args[0]?.type ?? stored);
  return whole(call('arrayMap', lambda([item], byParts(ident(item), ofItem, type.element, fresh)), value));
}

/** 10 to the power of 38, with more digits before the point than `Decimal(76, 38)` has: a CAST makes another number of it, or NULL. */
const BEYOND_BIGNUMERIC = `1${'0'.repeat(38)}`;

/** What a query fails with at a text that is no JSON. */
export const NOT_JSON = 'a value in a column of type JSON is not JSON';

/** A single value. */
function converted(value: SqlExpression, stored: ClickHouseType, type: Type): SqlExpression {
  const { name } = bareType(stored);
  const nullable = (plain: string): string => (isNullable(stored) ? `Nullable(${plain})` : plain);
  switch (type.kind) {
    case 'JSON': {
      if (name !== 'String') return call('toJSONString', value);
      // An empty text is no JSON: most columns that are not Nullable have it where there is nothing. The test holds for it too, as the engine
      // computes both sides of a condition that is written twice.
      const text = call('ifNull', value, lit(''));
      const invalid = infix('AND', infix('!=', text, lit('')), infix('=', call('isValidJSON', text), lit(0)));
      return failIf(invalid, NOT_JSON, call('nullIf', call('JSONExtractRaw', text), lit('')));
    }
    case 'BYTES':
      // CAST and toString leave out the zero bytes at the end.
      return call('concat', value, lit(''));
    case 'INT64':
      // An integer beyond INT64 must fail, not turn negative.
      return call('accurateCast', value, lit(nullable('Int64')));
    case 'TIME': {
      const time = cast(value, nullable('Time64(6)'));
      const bound = (text: string): SqlExpression => call('toTime64', lit(text), lit(6));
      const beyond = infix('OR', infix('<', time, bound('00:00:00')), infix('>=', time, bound('24:00:00')));
      return failIf(call('ifNull', beyond, lit(false)), 'a value in a column of type TIME is not a time of day', time);
    }
    default: {
      const bound = (sign: string): SqlExpression =>
        name === 'Decimal'
          ? call('toDecimal256', lit(`${sign}${BEYOND_BIGNUMERIC}`), lit(0))
          : call(name.startsWith('U') ? 'toUInt256' : 'toInt256', lit(`${sign}${BEYOND_BIGNUMERIC}`));
      const above = infix('>=', value, bound(''));
      const beyond = name.startsWith('U') ? above : infix('OR', above, infix('<=', value, bound('-')));
      const digits = name === 'Decimal' ? value : cast(value, nullable('String'));
      return failIf(call('ifNull', beyond, lit(false)), 'a value is out of range for BIGNUMERIC', cast(digits, clickhouseType(type)));
    }
  }
}
