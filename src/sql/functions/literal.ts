// Literals with the ClickHouse type their GoogleSQL type has, so that arithmetic and set operations work on the right widths.

import { quoteBytes } from '../../clickhouse/quote.ts';
import { dateText, datetimeText, isStoredEverywhere, timeText } from '../base/civil.ts';
import { isTooLong } from '../base/interval.ts';
import type { Literal, LiteralValue } from '../logical/nodes.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, cast, failIf, lit, NULL, raw, tuple } from '../target/build.ts';
import { clickhouseType, plainType } from '../target/types.ts';
import { heldOutside } from './held-years.ts';
import { TOO_LONG } from './time/shift.ts';

const int64 = (value: bigint | number): SqlExpression => call('toInt64', lit(BigInt(value)));
const MICROS_PER_DAY = 86_400_000_000n;

export function lowerLiteral({ value, type }: Literal): SqlExpression {
  if (value === null)
    return type.kind === 'ARRAY' && type.element.kind !== 'RECORD' ? cast(raw('[]'), plainType(type)) : cast(NULL, clickhouseType(type));
  if (typeof value === 'object') {
    // It fails where it is read: as the amount of SAFE.DATE_ADD it gives NULL.
    if (isTooLong(value)) return failIf(lit(true), TOO_LONG, tuple(int64(0), int64(0), int64(0)));
    return tuple(int64(value.months), int64(value.days), int64(value.micros));
  }
  switch (type.kind) {
    case 'INT64':
      return int64(BigInt(value));
    case 'FLOAT64':
      return float(Number(value));
    case 'NUMERIC':
      return call('toDecimal128', lit(String(value)), lit(9));
    case 'BIGNUMERIC': {
      const [whole = '', fraction = ''] = String(value).split('.');
      // Decimal256 holds all that BIGNUMERIC does, but reads 76 digits of a text.
      return /\d{39}/.test(whole)
        ? call('reinterpret', call('toInt256', lit(`${whole}${fraction.padEnd(38, '0')}`)), lit('Decimal(76, 38)'))
        : call('toDecimal256', lit(String(value)), lit(38));
    }
    case 'BYTES':
      return raw(quoteBytes(String(value)));
    case 'DATE':
      if (isStoredEverywhere(Number(value))) return call('toDate32', lit(dateText(Number(value))));
      // In the text of a Date32 ClickHouse 26.7 does not see all years.
      return heldOutside(call('toDate32', instant(BigInt(value) * MICROS_PER_DAY)));
    case 'TIME':
      return call('toTime64', lit(timeText(BigInt(value))), lit(6));
    case 'DATETIME':
    case 'TIMESTAMP': {
      const micros = BigInt(value);
      const day = Number((micros < 0n ? micros - MICROS_PER_DAY + 1n : micros) / MICROS_PER_DAY);
      return isStoredEverywhere(day) ? instant(micros) : heldOutside(instant(micros));
    }
    default:
      return lit(plain(value));
  }
}

const plain = (value: Exclude<LiteralValue, null | object>): string | number | bigint | boolean => value;

const instant = (micros: bigint): SqlExpression => call('toDateTime64', lit(datetimeText(micros)), lit(6), lit('UTC'));

/** A Float64 literal always shows that it is one: `1.0`, not `1`. */
function float(value: number): SqlExpression {
  if (Number.isNaN(value)) return raw('nan');
  if (!Number.isFinite(value)) return raw(value < 0 ? '-inf' : 'inf');
  const text = Object.is(value, -0) ? '-0.0' : String(value);
  return raw(/[.e]/.test(text) ? text : `${text}.0`);
}
