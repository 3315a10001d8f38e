// INTERVAL values: months, days and microseconds as a tuple. Constructors, parts, arithmetic, text.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/interval_functions

import { PART_MICROS } from '../../base/civil.ts';
import { LONGEST } from '../../base/interval.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { bare, call, iff, infix, isNull, lit, negate } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { intervalMicros } from '../sort-key.ts';
import { strict } from '../strict.ts';
import { writtenOnce } from '../written-once.ts';
import { onFirstDay, partAt } from './date-part.ts';
import { NULL_INTERVAL } from './shift.ts';

const DAY = PART_MICROS['DAY'] ?? 1n;
/** Signed: a remainder by an unsigned number would be one of an unsigned number. */
const DAY_MICROS = call('toInt64', lit(DAY));

type Fields = readonly [months: SqlExpression, days: SqlExpression, micros: SqlExpression];

const fieldsOf = (interval: SqlExpression): Fields => [part(interval, 1), part(interval, 2), part(interval, 3)];
const part = (interval: SqlExpression, i: number): SqlExpression => call('tupleElement', interval, lit(i));

/** The interval of these fields, NULL where `source` (what they are made of) is NULL. */
function intervalFrom(fields: Fields, sources: readonly SqlExpression[]): SqlExpression {
  const whole = call('tuple', ...fields.map((f) => call('toInt64', call('assumeNotNull', f))));
  const [first, ...rest] = sources.map(isNull);
  return first === undefined
    ? whole
    : iff(
        rest.reduce((any, test) => infix('OR', any, test), first),
        NULL_INTERVAL,
        whole,
      );
}

const times = (value: SqlExpression, factor: number | bigint): SqlExpression => infix('*', value, lit(factor));
const sum = (...terms: readonly SqlExpression[]): SqlExpression => terms.reduce((left, right) => infix('+', left, right));

function makeInterval(args: readonly (SqlExpression | undefined)[], c: LowerCall): SqlExpression {
  /** Year, month, day, hour, minute, second. */
  const at = (i: number): SqlExpression => {
    const arg = bare(args[i] ?? lit(0));
    const isSmall = arg.kind === 'lit' && Math.abs(Number(arg.value)) <= 2 ** 31;
    return isSmall ? arg : call('toInt128', arg);
  };
  const fields: Fields = [
    sum(times(at(0), 12), at(1)),
    at(2),
    sum(times(at(3), 3_600_000_000), times(at(4), 60_000_000), times(at(5), 1_000_000)),
  ];
  const given = args.filter((a, i): a is SqlExpression => a !== undefined && c.constant(i) === undefined);
  return withinLongest(fields, intervalFrom(fields, given), c);
}

/** Sum or difference, field by field. */
export function combine(left: SqlExpression, right: SqlExpression, operator: '+' | '-', c: LowerCall): SqlExpression {
  const [a, b] = [fieldsOf(left), fieldsOf(right)];
  const fields: Fields = [infix(operator, a[0], b[0]), infix(operator, a[1], b[1]), infix(operator, a[2], b[2])];
  return withinLongest(fields, intervalFrom(fields, [left, right]), c);
}

export function multiply(interval: SqlExpression, factor: SqlExpression, c: LowerCall): SqlExpression {
  const [months, days, micros] = fieldsOf(interval);
  const by = call('toInt128', bare(factor));
  const fields: Fields = [infix('*', months, by), infix('*', days, by), infix('*', micros, by)];
  return withinLongest(fields, intervalFrom(fields, [interval, factor]), c);
}

/** `interval`, made of these fields, which must be within BigQuery's 10000 years. */
function withinLongest(fields: Fields, interval: SqlExpression, c: LowerCall): SqlExpression {
  return c.failIf(isBeyond(fields), 'the interval is longer than 10000 years', interval);
}

export const isBeyond = (fields: Fields): SqlExpression =>
  fields.map((f, i) => infix('>', call('abs', f), lit(LONGEST[i] ?? 0n))).reduce((any, test) => infix('OR', any, test));

/** A remainder continues as the next smaller field: a month has 30 days, a day 24 hours. */
export function divide(interval: SqlExpression, divisor: SqlExpression, c: LowerCall): SqlExpression {
  const [months, days, micros] = fieldsOf(interval);
  const by = bare(divisor);
  const allDays = sum(times(infix('%', months, by), 30), days);
  const allMicros = sum(times(infix('%', allDays, by), DAY), micros);
  const fields: Fields = [call('intDiv', months, by), call('intDiv', allDays, by), call('intDiv', allMicros, by)];
  return c.failIf(infix('=', by, lit(0)), 'division by zero', intervalFrom(fields, [interval, divisor]));
}

export function minus(interval: SqlExpression): SqlExpression {
  const [months, days, micros] = fieldsOf(interval);
  return intervalFrom([negate(months), negate(days), negate(micros)], [interval]);
}

/** Time between two points: days of DATEs, days and time of DATETIMEs, time of TIMEs and TIMESTAMPs. */
export function between(end: SqlExpression, start: SqlExpression, kind: string): SqlExpression {
  if (kind === 'TIME') return between(onFirstDay(end), onFirstDay(start), 'TIMESTAMP');
  if (kind === 'DATE') return intervalFrom([lit(0), call('dateDiff', lit('day'), start, end), lit(0)], [end, start]);
  const micros = call('dateDiff', lit('microsecond'), start, end);
  if (kind !== 'DATETIME') return intervalFrom([lit(0), lit(0), micros], [end, start]);
  return intervalFrom([lit(0), call('intDiv', micros, DAY_MICROS), infix('%', micros, DAY_MICROS)], [end, start]);
}

const EXTRACTED = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MICROSECOND'];

/** EXTRACT(part FROM interval): the sign is that of the field. */
export function extractInterval(interval: SqlExpression, c: LowerCall): SqlExpression {
  const [months, days, micros] = fieldsOf(interval);
  const within = (unit: bigint, modulo: number): SqlExpression =>
    infix('%', unit === 1n ? micros : call('intDiv', micros, lit(unit)), lit(modulo));
  const name = partAt(c, 0, EXTRACTED, 'EXTRACT from an INTERVAL');
  switch (name) {
    case 'YEAR':
      return call('intDiv', months, lit(12));
    case 'MONTH':
      return infix('%', months, lit(12));
    case 'DAY':
      return days;
    case 'HOUR':
      return call('intDiv', micros, lit(PART_MICROS['HOUR'] ?? 1n));
    case 'MILLISECOND':
      return within(1000n, 1000);
    case 'MICROSECOND':
      return within(1n, 1_000_000);
    default:
      return within(PART_MICROS[name] ?? 1n, 60);
  }
}

/** `1-2 3 4:5:6.789`: years and months, days, time, each with its own sign; 0, 3 or 6 decimals. */
export const intervalText = (interval: SqlExpression): SqlExpression => writtenOnce(interval, 'interval', textOfFields);

function textOfFields(interval: SqlExpression): SqlExpression {
  const [months, days, micros] = fieldsOf(interval);
  const text = (value: SqlExpression): SqlExpression => call('toString', value);
  const sign = (value: SqlExpression): SqlExpression => iff(infix('<', value, lit(0)), lit('-'), lit(''));
  const month = call('abs', months);
  const micro = call('abs', micros);
  const clock = (unit: bigint): SqlExpression => text(infix('%', call('intDiv', micro, lit(unit)), lit(60)));
  const fraction = infix('%', micro, lit(1_000_000));
  const digits = call('concat', lit('.'), call('leftPad', text(fraction), lit(6), lit('0')));
  return call(
    'concat',
    sign(months),
    text(call('intDiv', month, lit(12))),
    lit('-'),
    text(infix('%', month, lit(12))),
    lit(' '),
    text(days),
    lit(' '),
    sign(micros),
    text(call('intDiv', micro, lit(PART_MICROS['HOUR'] ?? 1n))),
    lit(':'),
    clock(60_000_000n),
    lit(':'),
    clock(1_000_000n),
    call('replaceRegexpOne', digits, lit('(\\.000)?000$'), lit('')),
  );
}

const total = (...fields: readonly SqlExpression[]): SqlExpression => call('toInt64', sum(...fields));

export const intervals = (): Family => ({
  MAKE_INTERVAL: strict(
    '[year INT64], [month INT64], [day INT64], [hour INT64], [minute INT64], [second INT64] -> INTERVAL',
    ({ year, month, day, hour, minute, second }, c) => makeInterval([year, month, day, hour, minute, second], c),
  ),
  JUSTIFY_HOURS: strict('interval INTERVAL -> INTERVAL', ({ interval }) => {
    const [months, days, micros] = fieldsOf(interval);
    const all = total(times(days, DAY), micros);
    return intervalFrom([months, call('intDiv', all, DAY_MICROS), infix('%', all, DAY_MICROS)], [interval]);
  }),
  JUSTIFY_DAYS: strict('interval INTERVAL -> INTERVAL', ({ interval }) => {
    const [months, days, micros] = fieldsOf(interval);
    const all = total(times(months, 30), days);
    return intervalFrom([call('intDiv', all, lit(30)), infix('%', all, lit(30)), micros], [interval]);
  }),
  JUSTIFY_INTERVAL: strict('interval INTERVAL -> INTERVAL', ({ interval }) => {
    const all = total(intervalMicros(interval));
    const days = call('intDiv', all, DAY_MICROS);
    return intervalFrom([call('intDiv', days, lit(30)), infix('%', days, lit(30)), infix('%', all, DAY_MICROS)], [interval]);
  }),
});
