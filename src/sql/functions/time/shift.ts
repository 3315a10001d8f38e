// Adding intervals to dates and times: constants with the unit they were written in, other amounts guarded against overflow.
import type { Span } from '../../../base/source-text.ts';
import { FIRST_DAY, FIRST_MICROSECOND, LAST_DAY, LAST_MICROSECOND, PART_MICROS } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import { type IntervalValue, LONGEST } from '../../base/interval.ts';
import type { Range } from '../../base/number-range.ts';
import { INTERVAL } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, cast, failIf, iff, infix, isNull, lit, NULL, negate } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { clickhouseType } from '../../target/types.ts';
import type { LowerCall } from '../define.ts';
import { isSurelyWhole } from './date-part.ts';

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
const OUT_OF_RANGE = 'the interval leads outside the range of dates';
export const TOO_LONG = 'the interval is longer than 10000 years';
const DAY_MICROS = 86_400_000_000n;
/** 10000 years, by field: more leads out of 1 … 9999 from any date. */
const MOST: readonly bigint[] = [120_000n, 3_652_500n, 3_652_500n * DAY_MICROS];

/** Typed: what reads the fields must know that there are some. */
export const NULL_INTERVAL: SqlExpression = cast(NULL, clickhouseType(INTERVAL));

/** `count` parts as an INTERVAL value. */
export function intervalTuple(count: SqlExpression, part: string, c: LowerCall): SqlExpression {
  const unit = UNITS[part];
  const most = (LONGEST[unit?.field ?? 0] ?? 0n) / (unit?.size ?? 1n);
  const range = c.range(0);
  const isShort = range !== undefined && range[0] >= -Number(most) && range[1] <= Number(most);
  const within = isShort ? count : failIf(infix('OR', infix('<', count, lit(-most)), infix('>', count, lit(most))), TOO_LONG, count);
  const known = call('assumeNotNull', within);
  const fields = [0, 1, 2].map((field) => (field === unit?.field ? call('toInt64', scaled(known, unit.size)) : call('toInt64', lit(0))));
  return iff(isNull(count), NULL_INTERVAL, call('tuple', ...fields));
}

const scaled = (count: SqlExpression, size: bigint): SqlExpression => (size === 1n ? count : infix('*', count, lit(size)));

/** The count that intervalTuple was given. */
export function countOf(interval: SqlExpression): SqlExpression {
  const test = interval.kind === 'func' ? interval.args[0] : undefined;
  return test?.kind === 'is_null' ? test.operand : interval;
}

const addUnits = (value: SqlExpression, plural: string, count: bigint | SqlExpression): SqlExpression => {
  if (typeof count !== 'bigint') return call(`add${plural}`, value, count);
  return count < 0n ? call(`subtract${plural}`, value, lit(-count)) : call(`add${plural}`, value, lit(count));
};

/** Adds constant months, days and microseconds, in this order as BigQuery does; each with the largest unit that fits. */
export function addConstant(value: SqlExpression, { months, days, micros }: IntervalValue): SqlExpression {
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
export function shift(
  value: SqlExpression,
  interval: SqlExpression,
  at: number,
  valueAt: number,
  sign: 1 | -1,
  c: LowerCall,
): SqlExpression {
  const hasFraction = c.typeOf(valueAt).kind === 'DATETIME' && !isSurelyWhole(c, valueAt);
  if (!hasFraction || !movesMonths(c.args[at])) return shiftWhole(value, interval, at, valueAt, sign, c);
  // ClickHouse rounds a fraction before 1970 up to the next second, which may be of the next day.
  const shifted = shiftWhole(call('toStartOfSecond', value), interval, at, valueAt, sign, c);
  return call('addMicroseconds', shifted, call('positiveModulo', call('toUnixTimestamp64Micro', value), lit(1_000_000)));
}

/** True if the interval has months, or may have some. */
function movesMonths(interval: Expr | null | undefined): boolean {
  if (interval?.kind === 'literal')
    return typeof interval.value === 'object' && interval.value !== null && 'months' in interval.value && interval.value.months !== 0n;
  if (interval?.kind !== 'call' || interval.fn.name !== '$interval') return true;
  const part = interval.args[1];
  return part?.kind !== 'date_part' || UNITS[part.part]?.field === 0;
}

function shiftWhole(value: SqlExpression, interval: SqlExpression, at: number, valueAt: number, sign: 1 | -1, c: LowerCall): SqlExpression {
  const arg = c.args[at];
  const never = NEVER[c.type.kind];
  if (arg?.kind === 'literal') {
    const known = arg.value;
    if (known === null || typeof known !== 'object') return cast(NULL, clickhouseType(c.type));
    const s = BigInt(sign);
    const amount = { months: known.months * s, days: known.days * s, micros: known.micros * s };
    if (never !== undefined && parts(amount)[never] !== 0n) refusePart(c, arg.span, never);
    if (leadsOut(amount, c, valueAt))
      return c.safe ? cast(NULL, clickhouseType(c.type)) : fail('type', arg.span, 'the result is outside 0001-01-01 to 9999-12-31');
    if (c.constant(valueAt) !== undefined) return addConstant(value, amount);
    const used = parts(amount).flatMap((n, i) => (n === 0n ? [] : [{ value, field: i as Unit['field'], amount: n }])); // one for each part
    const [, ...later] = used;
    // Each of several parts is added to the result of the earlier ones.
    return used.length === 0 || later.length > 0 ? addConstant(value, amount) : inYears(addConstant(value, amount), used, valueAt, c);
  }
  if (arg?.kind === 'call' && arg.fn.name === '$interval') {
    const part = arg.args[1];
    const unit = UNITS[part?.kind === 'date_part' ? part.part : ''];
    if (unit !== undefined) {
      if (unit.field === never) refusePart(c, arg.span, never);
      const count = bare(countOf(interval));
      // A TIME goes round the clock, however often.
      if (c.type.kind === 'TIME') {
        const within = infix('%', count, call('toInt64', lit(DAY_MICROS / unit.size)));
        return call(`${sign === 1 ? 'add' : 'subtract'}${unit.plural}`, value, within);
      }
      const most = (MOST[unit.field] ?? 0n) / unit.size;
      const signed = sign === 1 ? count : negate(count);
      // ClickHouse adds it where the result is NULL too, and fails.
      const isFar = infix('>', call('abs', count), lit(most));
      const shifted = call(`${sign === 1 ? 'add' : 'subtract'}${unit.plural}`, value, iff(isFar, lit(0), count));
      return c.failIf(isFar, OUT_OF_RANGE, inYears(shifted, [{ value, field: unit.field, amount: scaled(signed, unit.size) }], valueAt, c));
    }
  }
  const fields = [1, 2, 3].map((i) => call('tupleElement', interval, lit(i)));
  const stray = never === undefined ? [] : [infix('!=', fields[never] ?? lit(0), lit(0))];
  const tooMuch = [...fields.map((f, i) => infix('>', call('abs', f), lit(MOST[i] ?? 0n))), ...stray].reduce((any, test) =>
    infix('OR', any, test),
  );
  const verb = sign === 1 ? 'add' : 'subtract';
  const steps: Step[] = [];
  const shifted = ['Months', 'Days', 'Microseconds'].reduce((sum, plural, i) => {
    const amount = fields[i] ?? lit(0);
    if (i !== never) steps.push({ value: sum, field: i as Unit['field'], amount: sign === 1 ? amount : negate(amount) }); // one for each part
    return call(`${verb}${plural}`, sum, amount);
  }, value);
  return c.failIf(tooMuch, OUT_OF_RANGE, inYears(shifted, steps, valueAt, c));
}

/** `shifted`, unless it leads out of the years 1 to 9999, where ClickHouse stops or goes on with a year 0. Times near now don't, and those of events neither. */
function inYears(shifted: SqlExpression, steps: readonly Step[], valueAt: number, c: LowerCall): SqlExpression {
  if (c.args[valueAt] == null || c.nearNow(valueAt) || c.type.kind === 'TIME' || staysInside(steps, c.range(valueAt))) return shifted;
  const outside = steps.flatMap(({ value, field, amount }) => {
    const [first, last] = ENDS[field];
    // In days a month costs a quarter.
    if (field === 0 && typeof amount === 'bigint')
      return amount > 0n
        ? [infix('>=', positionOf(value, 1, c), lit(firstDayOf(last + 1n - amount)))]
        : [infix('<', positionOf(value, 1, c), lit(firstDayOf(first - amount)))];
    if (typeof amount !== 'bigint') return beyond(infix('+', positionOf(value, field, c), amount), first, last);
    return amount > 0n
      ? [infix('>', positionOf(value, field, c), lit(last - amount))]
      : [infix('<', positionOf(value, field, c), lit(first - amount))];
  });
  const isOutside = outside.reduce((any, test) => infix('OR', any, test));
  const [of, count] = shifted.kind === 'func' ? shifted.args : [];
  // The check of a constant number of parts is one of that number.
  if (shifted.kind === 'func' && of !== undefined && count?.kind === 'lit' && !c.safe && !isConstant(of))
    return { ...shifted, args: [of, c.numberUnless(isOutside, OUT_OF_RANGE, count)] };
  return c.failIf(isOutside, OUT_OF_RANGE, shifted);
}

/** The first day of a month of the calendar, which is counted as `positionOf` does, in days since 1970. */
const firstDayOf = (month: bigint): number => {
  const date = new Date(0);
  date.setUTCFullYear(Number((month - 1n) / 12n), Number((month - 1n) % 12n), 1);
  return date.getTime() / 86_400_000;
};

/** Microseconds of a month, which has 31 days at most, a day and a microsecond. */
const LONGEST_UNITS = [2.7e12, 8.64e10, 1] as const;

/** True if times of the range stay within BigQuery's years, as far as the steps are known. */
function staysInside(steps: readonly Step[], range: Range | undefined): boolean {
  if (range === undefined || steps.some(({ amount }) => typeof amount !== 'bigint')) return false;
  const most = steps.reduce((sum, { field, amount }) => sum + Math.abs(Number(amount)) * LONGEST_UNITS[field], 0);
  return range[0] - most >= Number(FIRST_MICROSECOND) && range[1] + most <= Number(LAST_MICROSECOND) - 1e9;
}

/** A DATE and a number of days, `sign` -1: before it. */
export function shiftDays(date: SqlExpression, days: SqlExpression, sign: 1 | -1, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  const by = typeof known === 'bigint' ? known * BigInt(sign) : undefined;
  const start = c.constant(0);
  const shifted = call(sign === 1 ? 'addDays' : 'subtractDays', date, days);
  if (by !== undefined && typeof start === 'bigint' && start + by >= BigInt(FIRST_DAY) && start + by <= BigInt(LAST_DAY)) return shifted;
  return inYears(shifted, [{ value: date, field: 1, amount: by ?? (sign === 1 ? days : negate(days)) }], 0, c);
}

interface Step {
  readonly value: SqlExpression;
  readonly field: Unit['field'];
  /** In months, days or microseconds. */
  readonly amount: bigint | SqlExpression;
}

const beyond = (position: SqlExpression, first: bigint, last: bigint): readonly SqlExpression[] => [
  infix('<', position, lit(first)),
  infix('>', position, lit(last)),
];

/** Months, days and microseconds at the ends of 1 and 9999, counted as positionOf does. */
const ENDS: Readonly<Record<Unit['field'], readonly [bigint, bigint]>> = [
  [13n, 120_000n],
  [BigInt(FIRST_DAY), BigInt(LAST_DAY)],
  [FIRST_MICROSECOND, LAST_MICROSECOND],
];

function positionOf(value: SqlExpression, field: Unit['field'], c: LowerCall): SqlExpression {
  if (field === 0) return infix('+', infix('*', call('toYear', value), lit(12)), call('toMonth', value));
  if (field === 1) return call('toInt32', c.type.kind === 'DATE' ? value : call('toDate32', value));
  return call('toUnixTimestamp64Micro', value);
}

const parts = ({ months, days, micros }: IntervalValue): readonly bigint[] => [months, days, micros];

/** The field that can't be added: months have no fixed length in UTC, a DATE has no clock. Positions as in Unit. */
const NEVER: Readonly<Record<string, 0 | 2>> = { TIMESTAMP: 0, TIME: 0, DATE: 2 };

function refusePart(c: LowerCall, span: Span, field: 0 | 2): never {
  const [what, hint] =
    field === 0 ? ['months and longer parts', 'convert to DATETIME first'] : ['hours and shorter parts', 'use DATETIME_ADD'];
  return fail('type', span, `${what} can’t be added to a ${c.type.kind}`, hint);
}

/** Finds amounts that lead out of the range of dates from anywhere, or from this literal. */
function leadsOut(amount: IntervalValue, c: LowerCall, valueAt: number): boolean {
  const absolute = (n: bigint): bigint => (n < 0n ? -n : n);
  if (parts(amount).some((n, i) => absolute(n) > (MOST[i] ?? 0n))) return true;
  const start = c.constant(valueAt);
  if (typeof start !== 'bigint') return false;
  const dated = c.typeOf(valueAt).kind === 'DATE';
  const clock = dated ? 0n : ((start % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const day = dated ? start : (start - clock) / DAY_MICROS;
  const end = new Date(Number(day) * 86_400_000);
  end.setUTCMonth(end.getUTCMonth() + Number(amount.months));
  if (Number.isNaN(end.getTime())) return true;
  const micros = (BigInt(Math.round(end.getTime() / 86_400_000)) + amount.days) * DAY_MICROS + clock + amount.micros;
  return micros < ENDS[2][0] || micros > ENDS[2][1];
}

/** Whole parts between two TIMESTAMPs or wall clocks, counted as elapsed time. */
export function elapsed(end: SqlExpression, start: SqlExpression, part: string): SqlExpression {
  if (part === 'MICROSECOND') return call('dateDiff', lit('microsecond'), start, end);
  return call('intDiv', call('dateDiff', lit('microsecond'), start, end), lit(PART_MICROS[part] ?? 1n));
}
