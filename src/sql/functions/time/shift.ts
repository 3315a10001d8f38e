// Adding intervals to dates and times: constants with the unit they were written in, other amounts guarded against overflow.
import type { Span } from '../../../source-text.ts';
import { FIRST_DAY, LAST_DAY } from '../../civil.ts';
import { fail } from '../../fail.ts';
import type { IntervalValue } from '../../logical/resolved.ts';
import type { Ch } from '../../target/ast.ts';
import { bare, call, cast, failIf, iff, infix, isNull, lit, NULL } from '../../target/build.ts';
import { clickhouseType } from '../../target/types.ts';
import { INTERVAL } from '../../types.ts';
import type { LowerCall } from '../define.ts';
import { PART_MICROS } from './date-part.ts';

interface Unit {
  /** Position in the interval: 0 months, 1 days, 2 microseconds. */
  readonly field: 0 | 1 | 2;
  readonly size: bigint;
  /** As in addHours. */
  readonly plural: string;
}
/** Largest first within a field. */
export const UNITS: Readonly<Record<string, Unit>> = {
  YEAR: { field: 0, size: 12n, plural: 'Years' },
  QUARTER: { field: 0, size: 3n, plural: 'Quarters' },
  MONTH: { field: 0, size: 1n, plural: 'Months' },
  WEEK: { field: 1, size: 7n, plural: 'Weeks' },
  DAY: { field: 1, size: 1n, plural: 'Days' },
  HOUR: { field: 2, size: 3_600_000_000n, plural: 'Hours' },
  MINUTE: { field: 2, size: 60_000_000n, plural: 'Minutes' },
  SECOND: { field: 2, size: 1_000_000n, plural: 'Seconds' },
  MILLISECOND: { field: 2, size: 1000n, plural: 'Milliseconds' },
  MICROSECOND: { field: 2, size: 1n, plural: 'Microseconds' },
};
/** Also under SAFE.: BigQuery’s own range is wider, so that NULL could be wrong. */
const OUT_OF_RANGE = 'the interval leads out of the range of dates';
const DAY_MICROS = 86_400_000_000n;
/** 400 years, by field: more leads out of 1900 … 2299 from any date. */
const MOST: readonly bigint[] = [4800n, 146_097n, 146_097n * DAY_MICROS];

/** Typed: what reads the fields must know that there are some. */
export const NULL_INTERVAL: Ch = cast(NULL, clickhouseType(INTERVAL));

/** `count` parts as an INTERVAL value. */
export function intervalTuple(count: Ch, part: string): Ch {
  const unit = UNITS[part];
  const known = call('assumeNotNull', count);
  const fields = [0, 1, 2].map((field) => (field === unit?.field ? call('toInt64', scaled(known, unit.size)) : call('toInt64', lit(0))));
  return iff(isNull(count), NULL_INTERVAL, call('tuple', ...fields));
}

const scaled = (count: Ch, size: bigint): Ch => (size === 1n ? count : infix('*', count, lit(size)));

/** The count that intervalTuple was given. */
export function countOf(interval: Ch): Ch {
  const test = interval.kind === 'func' ? interval.args[0] : undefined;
  return test?.kind === 'is_null' ? test.operand : interval;
}

const addUnits = (value: Ch, plural: string, count: bigint | Ch): Ch => {
  if (typeof count !== 'bigint') return call(`add${plural}`, value, count);
  return count < 0n ? call(`subtract${plural}`, value, lit(-count)) : call(`add${plural}`, value, lit(count));
};

/** Adds constant months, days and microseconds, in this order as BigQuery does; each with the largest unit that fits. */
export function addConstant(value: Ch, { months, days, micros }: IntervalValue): Ch {
  return [months, days, micros].reduce((sum, amount, field) => {
    if (amount === 0n) return sum;
    const unit = Object.values(UNITS).find(
      (u) => u.field === field && u.plural !== 'Quarters' && u.plural !== 'Weeks' && amount % u.size === 0n,
    );
    return unit === undefined ? sum : addUnits(sum, unit.plural, amount / unit.size);
  }, value);
}

/**
 * The interval at argument `at` added to `value` (sign -1: subtracted). `value` is argument `valueAt`, or something made of it whose
 * literal counts days or microseconds.
 */
export function shift(value: Ch, interval: Ch, at: number, valueAt: number, sign: 1 | -1, c: LowerCall): Ch {
  const arg = c.args[at];
  const never = NEVER[c.type.kind];
  if (arg?.kind === 'literal') {
    const known = arg.value;
    if (known === null || typeof known !== 'object') return cast(NULL, clickhouseType(c.type));
    const s = BigInt(sign);
    const amount = { months: known.months * s, days: known.days * s, micros: known.micros * s };
    if (never !== undefined && parts(amount)[never] !== 0n) refusePart(c, arg.span, never);
    checkConstant(amount, c, valueAt, arg.span);
    return addConstant(value, amount);
  }
  if (arg?.kind === 'call' && arg.fn.name === '$interval') {
    const part = arg.args[1];
    const unit = UNITS[part?.kind === 'date_part' ? part.part : ''];
    if (unit !== undefined) {
      if (unit.field === never) refusePart(c, arg.span, never);
      const count = bare(countOf(interval));
      const most = (MOST[unit.field] ?? 0n) / unit.size;
      const shifted = call(`${sign === 1 ? 'add' : 'subtract'}${unit.plural}`, value, count);
      return failIf(infix('>', call('abs', count), lit(most)), OUT_OF_RANGE, shifted);
    }
  }
  const fields = [1, 2, 3].map((i) => call('tupleElement', interval, lit(i)));
  const stray = never === undefined ? [] : [infix('!=', fields[never] ?? lit(0), lit(0))];
  const tooMuch = [...fields.map((f, i) => infix('>', call('abs', f), lit(MOST[i] ?? 0n))), ...stray].reduce((any, test) =>
    infix('OR', any, test),
  );
  const verb = sign === 1 ? 'add' : 'subtract';
  const shifted = ['Months', 'Days', 'Microseconds'].reduce((sum, plural, i) => call(`${verb}${plural}`, sum, fields[i] ?? lit(0)), value);
  return failIf(tooMuch, OUT_OF_RANGE, shifted);
}

const parts = ({ months, days, micros }: IntervalValue): readonly bigint[] => [months, days, micros];

/** The field that can't be added: months have no fixed length in UTC, a DATE has no clock. Positions as in Unit. */
const NEVER: Readonly<Record<string, 0 | 2>> = { TIMESTAMP: 0, TIME: 0, DATE: 2 };

function refusePart(c: LowerCall, span: Span, field: 0 | 2): never {
  const [what, hint] =
    field === 0 ? ['months and longer parts', 'convert to DATETIME first'] : ['hours and shorter parts', 'use DATETIME_ADD'];
  return fail('type', span, `${what} can’t be added to a ${c.type.kind}`, hint);
}

/** Refuses amounts that lead out of the range of dates from anywhere, and from a literal those that lead out from there. */
function checkConstant(amount: IntervalValue, c: LowerCall, valueAt: number, span: Span): void {
  const absolute = (n: bigint): bigint => (n < 0n ? -n : n);
  let outside = parts(amount).some((n, i) => absolute(n) > (MOST[i] ?? 0n));
  const start = c.constant(valueAt);
  if (!outside && typeof start === 'bigint') {
    const day = Number(c.typeOf(valueAt).kind === 'DATE' ? start : start / DAY_MICROS);
    const end = new Date(day * 86_400_000);
    end.setUTCMonth(end.getUTCMonth() + Number(amount.months));
    const last = end.getTime() / 86_400_000 + Number(amount.days) + Number(amount.micros) / Number(DAY_MICROS);
    outside = last < FIRST_DAY || last >= LAST_DAY + 1;
  }
  if (outside) fail('unsupported', span, 'the result is outside 1900-01-01 to 2299-12-31, all that ClickHouse can hold');
}

/** Whole parts between two TIMESTAMPs or wall clocks, counted as elapsed time. */
export function elapsed(end: Ch, start: Ch, part: string): Ch {
  if (part === 'MICROSECOND') return call('dateDiff', lit('microsecond'), start, end);
  return call('intDiv', call('dateDiff', lit('microsecond'), start, end), lit(PART_MICROS[part] ?? 1n));
}
