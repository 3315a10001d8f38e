// DATE_BUCKET, DATETIME_BUCKET, TIMESTAMP_BUCKET: the start of the interval, counted from an origin, that a time lies in.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/time-series-functions#timestamp_bucket
import { FIRST_DAY, FIRST_MICROSECOND, PART_MICROS } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, failIf, iff, infix, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { UTC, wholeSecond } from './date-part.ts';

const DAY = PART_MICROS['DAY'] ?? 1n;
/** 10000 years in each unit: longer intervals lead out of the range of dates, unless the time is in the first one. */
const LONG = { months: 120_000n, days: 3_652_500n, micros: 3_652_500n * DAY };

type Unit = keyof typeof LONG;

/** The one unit that the constant interval is in, and how many of it. */
function widthOf(c: LowerCall, units: readonly Unit[]): { readonly unit: Unit; readonly size: bigint } {
  const span = c.args[1]?.span ?? { start: 0, end: 0 };
  const width = c.constant(1);
  if (width === undefined || width === null || typeof width !== 'object')
    return fail('unsupported', span, 'the width of buckets must be a constant interval', 'e.g. INTERVAL 5 MINUTE');
  const used = (['months', 'days', 'micros'] as const).filter((u) => width[u] !== 0n);
  const [unit] = used;
  if (unit === undefined || used.length > 1 || width[unit] < 0n || !units.includes(unit))
    return fail('type', span, 'the width of buckets must be a positive interval in one unit', 'e.g. INTERVAL 5 MINUTE');
  // A day always has 24 hours here: these are wall clocks or UTC.
  return unit === 'days' && units.includes('micros') ? { unit: 'micros', size: width.days * DAY } : { unit, size: width[unit] };
}

function bucket(value: SqlExpression, origin: SqlExpression, c: LowerCall, units: readonly Unit[]): SqlExpression {
  const { unit, size } = widthOf(c, units);
  if (size > LONG[unit]) return failIf(infix('<', value, origin), OUTSIDE, origin);
  return unit === 'months' ? monthBucket(value, origin, size, c) : evenBucket(value, origin, unit, size, c);
}

function evenBucket(value: SqlExpression, origin: SqlExpression, unit: 'days' | 'micros', size: bigint, c: LowerCall): SqlExpression {
  if (unit === 'days') {
    const past = call('positiveModulo', call('dateDiff', lit('day'), origin, value), int64(size));
    return inYears(infix('<', infix('-', call('toInt32', value), past), lit(BigInt(FIRST_DAY))), call('subtractDays', value, past), c);
  }
  const first = c.args[2] === null || c.args[2] === undefined ? 0n : c.constant(2);
  // Buckets that fill a day and start with it are ClickHouse's own, which an index can use.
  if (size === 1_000_000n && typeof first === 'bigint' && first % size === 0n) return call('toStartOfSecond', value);
  const known = c.constant(0);
  const modern = typeof known !== 'bigint' || known >= 0n;
  const aligned = modern && typeof first === 'bigint' && DAY % size === 0n && size % 1_000_000n === 0n && first % size === 0n;
  if (aligned) return call('toDateTime64', call('toStartOfInterval', wholeSecond(value, c), interval(size)), lit(6), UTC);
  const since = call('dateDiff', lit('microsecond'), origin, value);
  const past = call('positiveModulo', since, int64(size));
  const early = infix('<', infix('-', call('toUnixTimestamp64Micro', value), past), lit(FIRST_MICROSECOND));
  return inYears(early, call('subtractMicroseconds', value, past), c);
}

/** ClickHouse goes on before the year 1, or stops there. A constant that is later than its bucket can be long needs no test. */
function inYears(early: SqlExpression, start: SqlExpression, c: LowerCall): SqlExpression {
  const known = c.constant(0);
  const modern = typeof known === 'bigint' && known >= 0n && (c.args[2] ?? null) === null;
  return modern ? start : c.failIf(early, OUTSIDE, start);
}

const OUTSIDE = 'the bucket begins outside the years 0001 to 9999';

function interval(micros: bigint): SqlExpression {
  for (const [part, name] of [
    ['DAY', 'toIntervalDay'],
    ['HOUR', 'toIntervalHour'],
    ['MINUTE', 'toIntervalMinute'],
  ] as const) {
    const unit = PART_MICROS[part] ?? 1n;
    if (micros % unit === 0n) return call(name, lit(micros / unit));
  }
  return call('toIntervalSecond', lit(micros / 1_000_000n));
}

/** Whole widths of months from the origin; where the day or the clock of the origin is still to come, one less. */
function monthBucket(value: SqlExpression, origin: SqlExpression, size: bigint, c: LowerCall): SqlExpression {
  const months = call('dateDiff', lit('month'), origin, value);
  const steps = size === 1n ? months : infix('-', months, call('positiveModulo', months, int64(size)));
  const start = call('addMonths', origin, steps);
  const isLate = infix('>', start, value);
  const month = infix('+', infix('+', infix('*', call('toYear', origin), lit(12)), call('toMonth', origin)), steps);
  const early = infix('<', infix('-', month, iff(isLate, lit(size), lit(0))), lit(13));
  return inYears(early, iff(isLate, call('addMonths', origin, infix('-', steps, lit(size))), start), c);
}

/** A signed divisor keeps the remainder of negative numbers right. */
const int64 = (value: bigint): SqlExpression => call('toInt64', lit(value));

const FIRST_DATE = call('toDate32', lit('1950-01-01'));
const FIRST_TIME = call('toDateTime64', lit('1950-01-01 00:00:00'), lit(6), UTC);

const UNITS_OF: Readonly<Record<string, readonly Unit[]>> = {
  DATE: ['months', 'days'],
  DATETIME: ['months', 'days', 'micros'],
  TIMESTAMP: ['days', 'micros'],
};
const FIRST: Readonly<Record<string, SqlExpression>> = { DATE: FIRST_DATE, DATETIME: FIRST_TIME, TIMESTAMP: FIRST_TIME };

const byType = (value: SqlExpression, origin: SqlExpression | undefined, c: LowerCall): SqlExpression =>
  bucket(value, origin ?? FIRST[c.type.kind] ?? FIRST_TIME, c, UNITS_OF[c.type.kind] ?? []);

const OF_DATES = 'value DATE, width INTERVAL, [origin DATE] -> DATE';
const OF_DATETIMES = 'value DATETIME, width INTERVAL, [origin DATETIME] -> DATETIME';
const OF_TIMESTAMPS = 'value TIMESTAMP, width INTERVAL, [origin TIMESTAMP] -> TIMESTAMP';

/** BigQuery keeps the type of what is bucketed; a value converted to the function's type would give that type. */
function unconverted(value: SqlExpression, origin: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const [arg] = c.args;
  if (arg?.kind === 'cast' && (arg.operand.type.kind === 'DATE' || arg.operand.type.kind === 'DATETIME'))
    fail('unsupported', arg.span, `this function makes no buckets of ${arg.operand.type.kind}`, `use ${arg.operand.type.kind}_BUCKET`);
  return byType(value, origin, c);
}

export const bucketing = (): Family => ({
  DATE_BUCKET: strict(`${OF_DATES} | ${OF_DATETIMES} | ${OF_TIMESTAMPS}`, ({ value, origin }, c) => byType(value, origin, c)),
  DATETIME_BUCKET: strict(`${OF_DATETIMES} | ${OF_TIMESTAMPS}`, ({ value, origin }, c) => unconverted(value, origin, c)),
  TIMESTAMP_BUCKET: strict(OF_TIMESTAMPS, ({ value, origin }, c) => unconverted(value, origin, c)),
});
