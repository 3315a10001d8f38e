// DATE_BUCKET, DATETIME_BUCKET, TIMESTAMP_BUCKET: the start of the interval, counted from an origin, that a time lies in.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/time-series-functions#timestamp_bucket
import { fail } from '../../fail.ts';
import type { Ch } from '../../target/ast.ts';
import { call, failIf, iff, infix, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { PART_MICROS, UTC } from './date-part.ts';

const DAY = PART_MICROS['DAY'] ?? 1n;
/** 400 years in each unit: longer intervals lead out of the range of dates, unless the time is in the first one. */
const LONG = { months: 4800n, days: 146_097n, micros: 146_097n * DAY };

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

function bucket(value: Ch, origin: Ch, c: LowerCall, units: readonly Unit[]): Ch {
  const { unit, size } = widthOf(c, units);
  if (size > LONG[unit]) return failIf(infix('<', value, origin), 'the bucket begins outside of 1900 to 2299', origin);
  return unit === 'months' ? monthBucket(value, origin, size) : evenBucket(value, origin, unit, size, c);
}

function evenBucket(value: Ch, origin: Ch, unit: 'days' | 'micros', size: bigint, c: LowerCall): Ch {
  if (unit === 'days') return call('subtractDays', value, call('positiveModulo', call('dateDiff', lit('day'), origin, value), int64(size)));
  const first = c.args[2] === null || c.args[2] === undefined ? 0n : c.constant(2);
  // Buckets that fill a day and start with it are ClickHouse's own, which an index can use.
  const known = c.constant(0);
  const modern = typeof known !== 'bigint' || known >= 0n;
  const aligned = modern && typeof first === 'bigint' && DAY % size === 0n && size % 1_000_000n === 0n && first % size === 0n;
  if (aligned) return call('toDateTime64', call('toStartOfInterval', value, interval(size)), lit(6), UTC);
  const since = call('dateDiff', lit('microsecond'), origin, value);
  return call('subtractMicroseconds', value, call('positiveModulo', since, int64(size)));
}

function interval(micros: bigint): Ch {
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
function monthBucket(value: Ch, origin: Ch, size: bigint): Ch {
  const months = call('dateDiff', lit('month'), origin, value);
  const steps = size === 1n ? months : infix('-', months, call('positiveModulo', months, int64(size)));
  const start = call('addMonths', origin, steps);
  return iff(infix('>', start, value), call('addMonths', origin, infix('-', steps, lit(size))), start);
}

/** A signed divisor keeps the remainder of negative numbers right. */
const int64 = (value: bigint): Ch => call('toInt64', lit(value));

const FIRST_DATE = call('toDate32', lit('1950-01-01'));
const FIRST_TIME = call('toDateTime64', lit('1950-01-01 00:00:00'), lit(6), UTC);

const UNITS_OF: Readonly<Record<string, readonly Unit[]>> = {
  DATE: ['months', 'days'],
  DATETIME: ['months', 'days', 'micros'],
  TIMESTAMP: ['days', 'micros'],
};
const FIRST: Readonly<Record<string, Ch>> = { DATE: FIRST_DATE, DATETIME: FIRST_TIME, TIMESTAMP: FIRST_TIME };

const byType = (value: Ch, origin: Ch | undefined, c: LowerCall): Ch =>
  bucket(value, origin ?? FIRST[c.type.kind] ?? FIRST_TIME, c, UNITS_OF[c.type.kind] ?? []);

const OF_DATES = 'value DATE, width INTERVAL, [origin DATE] -> DATE';
const OF_DATETIMES = 'value DATETIME, width INTERVAL, [origin DATETIME] -> DATETIME';
const OF_TIMESTAMPS = 'value TIMESTAMP, width INTERVAL, [origin TIMESTAMP] -> TIMESTAMP';

/** BigQuery keeps the type of what is bucketed; a value converted to the function's type would give that type. */
function unconverted(value: Ch, origin: Ch | undefined, c: LowerCall): Ch {
  const [arg] = c.args;
  if (arg?.kind === 'cast' && (arg.operand.type.kind === 'DATE' || arg.operand.type.kind === 'DATETIME'))
    fail(
      'unsupported',
      arg.span,
      `buckets of ${arg.operand.type.kind} are not made by this function`,
      `use ${arg.operand.type.kind}_BUCKET`,
    );
  return byType(value, origin, c);
}

export const bucketing: Family = {
  DATE_BUCKET: strict(`${OF_DATES} | ${OF_DATETIMES} | ${OF_TIMESTAMPS}`, ({ value, origin }, c) => byType(value, origin, c)),
  DATETIME_BUCKET: strict(`${OF_DATETIMES} | ${OF_TIMESTAMPS}`, ({ value, origin }, c) => unconverted(value, origin, c)),
  TIMESTAMP_BUCKET: strict(OF_TIMESTAMPS, ({ value, origin }, c) => unconverted(value, origin, c)),
};
