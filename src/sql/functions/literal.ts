// Literals with the ClickHouse type their GoogleSQL type has, so that arithmetic and set operations work on the right widths.

import { quoteBytes } from '../../clickhouse/quote.ts';
import { dateText, datetimeText, FIRST_DAY, LAST_DAY, timeText } from '../civil.ts';
import { fail } from '../fail.ts';
import type { Literal, LiteralValue } from '../logical/resolved.ts';
import type { Ch } from '../target/ast.ts';
import { call, cast, lit, NULL, raw, tuple } from '../target/build.ts';
import { clickhouseType, plainType } from '../target/types.ts';

const int64 = (value: bigint | number): Ch => call('toInt64', lit(BigInt(value)));
const MICROS_PER_DAY = 86_400_000_000n;

export function lowerLiteral({ value, type, span }: Literal): Ch {
  if (value === null)
    return type.kind === 'ARRAY' && type.element.kind !== 'RECORD' ? cast(raw('[]'), plainType(type)) : cast(NULL, clickhouseType(type));
  if (typeof value === 'object') return tuple(int64(value.months), int64(value.days), int64(value.micros));
  switch (type.kind) {
    case 'INT64':
      return int64(BigInt(value));
    case 'FLOAT64':
      return float(Number(value));
    case 'NUMERIC':
      return call('toDecimal128', lit(String(value)), lit(9));
    case 'BIGNUMERIC':
      // Decimal256 has 76 digits.
      if (/\d{39}/.test(String(value).split('.')[0] ?? ''))
        return fail('unsupported', span, `${value} is beyond the BIGNUMERIC values that ClickHouse can hold`);
      return call('toDecimal256', lit(String(value)), lit(38));
    case 'BYTES':
      return raw(quoteBytes(String(value)));
    case 'DATE':
      inRange(Number(value), span, `DATE '${dateText(Number(value))}'`);
      return call('toDate32', lit(dateText(Number(value))));
    case 'TIME':
      return call('toTime64', lit(timeText(BigInt(value))), lit(6));
    case 'DATETIME':
    case 'TIMESTAMP': {
      const micros = BigInt(value);
      inRange(Number(micros / MICROS_PER_DAY), span, `${type.kind} '${datetimeText(micros)}'`);
      return call('toDateTime64', lit(datetimeText(micros)), lit(6), lit('UTC'));
    }
    default:
      return lit(plain(value));
  }
}

const plain = (value: Exclude<LiteralValue, null | object>): string | number | bigint | boolean => value;

function inRange(day: number, span: Literal['span'], text: string): void {
  if (day < FIRST_DAY || day > LAST_DAY)
    fail('unsupported', span, `${text} is outside 1900-01-01 to 2299-12-31, all that ClickHouse can hold`);
}

/** A Float64 literal always shows that it is one: `1.0`, not `1`. */
function float(value: number): Ch {
  if (!Number.isFinite(value)) return raw(Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf');
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return raw(/[.e]/.test(text) ? text : `${text}.0`);
}
