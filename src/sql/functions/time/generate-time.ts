// Arrays of dates and timestamps at equal steps.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions#generate_timestamp_array

import { PART_MICROS } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import { LONGEST } from '../../base/interval.ts';
import type { Expr } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, bare, call, cast, failIf, ident, iff, infix, isNull, lambda, lit, NULL } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { writtenOnce } from '../written-once.ts';
import { UTC } from './date-part.ts';
import { countOf, UNITS } from './shift.ts';

const DAY_MICROS = PART_MICROS['DAY'] ?? 1n;

interface Step {
  readonly unit: 'months' | 'days' | 'micros';
  readonly size: bigint | SqlExpression;
}

/** The step at argument 2, in one unit; the default is a day. */
function stepOf(step: SqlExpression | undefined, c: LowerCall): Step {
  const arg = c.args[2];
  if (step === undefined || arg === null || arg === undefined) return { unit: 'days', size: 1n };
  if (arg.kind === 'call' && arg.fn.name === '$interval') {
    const part = arg.args[1];
    const unit = UNITS[part?.kind === 'date_part' ? part.part : ''];
    const given = bare(countOf(step));
    // A longer step leads out of all years too, and stays a number of 64 bits.
    const most = (LONGEST[unit?.field ?? 0] ?? 0n) / (unit?.size ?? 1n);
    const count = given.kind === 'lit' ? given : call('greatest', call('least', given, lit(most)), lit(-most));
    if (unit !== undefined) return { unit: FIELD_UNITS[unit.field], size: unit.size === 1n ? count : infix('*', count, lit(unit.size)) };
  }
  if (arg.kind !== 'literal' || arg.value === null || typeof arg.value !== 'object')
    return fail('unsupported', arg.span, 'the step must be an interval of one unit', 'e.g. INTERVAL 1 HOUR');
  const value = arg.value;
  const used = FIELD_UNITS.filter((u) => value[u] !== 0n);
  const [unit] = used;
  if (unit === undefined) return fail('type', arg.span, 'the step of an array can’t be 0');
  if (used.length > 1) return fail('unsupported', arg.span, 'the step must be an interval of one unit', 'e.g. INTERVAL 1 HOUR');
  return { unit, size: value[unit] };
}

const FIELD_UNITS = ['months', 'days', 'micros'] as const;

/** Positions start, start + step … up to and with end: a range excludes its end. NULL bounds give no elements. */
function positions(
  start: SqlExpression,
  end: SqlExpression,
  step: bigint | SqlExpression,
  bounds: readonly SqlExpression[],
  c: LowerCall,
): SqlExpression {
  const nullable = bounds.filter((_, i) => mayBeNull(c.args[i]));
  if (typeof step === 'bigint') {
    const last = infix(step > 0n ? '+' : '-', end, lit(1));
    if (nullable.length === 0) return call('range', start, last, lit(step));
    return unlessNull(nullable, call('range', orZero(start), orZero(last), lit(step)));
  }
  const last = infix('+', end, call('sign', step));
  // A range fails on a step of 0, as BigQuery does, and where it may not, there is none.
  const some = c.safe ? call('nullIf', step, lit(0)) : step;
  const held = call('toInt64', call('ifNull', some, lit(1)));
  const made = call('range', orZero(start), call('toInt64', call('ifNull', last, lit(0))), held);
  return unlessNull([...bounds, some], made);
}

const orZero = (value: SqlExpression): SqlExpression => (value.kind === 'lit' ? value : call('ifNull', value, lit(0)));

const unlessNull = (values: readonly SqlExpression[], made: SqlExpression): SqlExpression =>
  iff(
    values.map(isNull).reduce((any, test) => infix('OR', any, test)),
    cast(array(), 'Array(Int64)'),
    made,
  );

/** Functions whose result is NULL only for a NULL argument. */
const KEEPS_VALUES = /^(TIMESTAMP|DATE|DATETIME)(_(TRUNC|ADD|SUB))?$/;

/** Constants, the current time, and what is computed from them are never NULL; anything else may be. */
function mayBeNull(expr: Expr | null | undefined): boolean {
  if (expr === null || expr === undefined) return false;
  if (expr.kind === 'literal') return expr.value === null;
  if (expr.kind === 'call') return expr.safe || !KEEPS_VALUES.test(expr.fn.name) || expr.args.some(mayBeNull);
  return expr.kind !== 'instant' && expr.kind !== 'date_part';
}

/** Months are added to the date before: once on a day that all months have, a series stays on that one. */
function keepingDays(dates: SqlExpression, start: SqlExpression, c: LowerCall): SqlExpression {
  if (isEarly(c.args[0])) return dates;
  return writtenOnce(dates, c.fresh('dates'), (every) =>
    iff(infix('>', call('toDayOfMonth', start), lit(28)), backToDays(every, c), every),
  );
}

function backToDays(dates: SqlExpression, c: LowerCall): SqlExpression {
  const [before, date] = [c.fresh('before'), c.fresh('date')];
  const last = call('arrayElement', ident(before), lit(-1));
  const back = call('least', lit(0), infix('-', call('toDayOfMonth', last), call('toDayOfMonth', ident(date))));
  const next = call('arrayPushBack', ident(before), call('addDays', ident(date), back));
  return call('arrayFold', lambda([before, date], next), call('arraySlice', dates, lit(2)), call('arraySlice', dates, lit(1), lit(1)));
}

/** True if a date is on a day that every month has. */
function isEarly(date: Expr | null | undefined): boolean {
  if (date?.kind === 'literal' && typeof date.value === 'bigint') return new Date(Number(date.value) * 86_400_000).getUTCDate() <= 28;
  return date?.kind === 'call' && date.fn.name === 'DATE_TRUNC' && MONTHS.has(date.args[1]?.kind === 'date_part' ? date.args[1].part : '');
}

const MONTHS = new Set(['MONTH', 'QUARTER', 'YEAR']);

function generate(start: SqlExpression, end: SqlExpression, step: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const dates = c.typeOf(0).kind === 'DATE';
  const { unit, size } = stepOf(step, c);
  const name = c.fresh('step');
  const at = ident(name);
  if (unit === 'months') {
    if (!dates) return fail('type', c.args[2]?.span ?? { start: 0, end: 0 }, 'the step between timestamps can’t be in months or years');
    const months = typeof size === 'bigint' ? lit(size) : size;
    const isStuck = infix('=', months, lit(0));
    // An array that may be NULL is none to ClickHouse, so what fails is checked where the step stands.
    const moving = c.safe ? iff(isStuck, NULL, months) : failIf(isStuck, 'GENERATE_DATE_ARRAY: the step is 0', months);
    const step_ = typeof size === 'bigint' ? months : moving;
    const between = call('dateDiff', lit('month'), start, end);
    const count = size === 1n ? between : call('intDiv', between, step_);
    const numbers =
      typeof size === 'bigint'
        ? positions(lit(0), count, 1n, [start, end], c)
        : unlessNull(
            [start, end, step_],
            call('range', call('toInt64', call('greatest', infix('+', call('ifNull', count, lit(0)), lit(1)), lit(0)))),
          );
    const every = call('arrayMap', lambda([name], call('addMonths', start, size === 1n ? at : infix('*', at, months))), numbers);
    const all = keepingDays(every, start, c);
    const element = c.fresh('day');
    const backwards = typeof size === 'bigint' ? lit(size < 0n) : infix('<', months, lit(0));
    const inside =
      backwards.kind === 'lit'
        ? infix(backwards.value === true ? '>=' : '<=', ident(element), end)
        : iff(backwards, infix('>=', ident(element), end), infix('<=', ident(element), end));
    // The last month may begin in time and still end too late.
    return call('arrayFilter', lambda([element], inside), all);
  }
  if (dates) {
    if (unit === 'micros') fail('type', c.args[2]?.span ?? { start: 0, end: 0 }, 'the step between dates can’t be shorter than a day');
    const days32 = (date: SqlExpression): SqlExpression => call('toInt64', date);
    return call('arrayMap', lambda([name], call('addDays', EPOCH, at)), positions(days32(start), days32(end), size, [start, end], c));
  }
  const unix = (time: SqlExpression): SqlExpression => call('toUnixTimestamp64Micro', time);
  const ofDays = typeof size === 'bigint' ? size * DAY_MICROS : infix('*', size, lit(DAY_MICROS));
  const width = unit === 'micros' ? size : ofDays;
  return call(
    'arrayMap',
    lambda([name], call('fromUnixTimestamp64Micro', at, UTC)),
    positions(unix(start), unix(end), width, [start, end], c),
  );
}

/** toDate32 takes great numbers for seconds. */
const EPOCH = call('toDate32', lit('1970-01-01'));

export const generation = (): Family => ({
  GENERATE_TIMESTAMP_ARRAY: strict(
    'start TIMESTAMP, end TIMESTAMP, step INTERVAL -> ARRAY<TIMESTAMP>',
    ({ start, end, step }, c) => generate(start, end, step, c),
    { series: true },
  ),
  GENERATE_DATE_ARRAY: strict(
    'start DATE, end DATE, [step INTERVAL] -> ARRAY<DATE>',
    ({ start, end, step }, c) => generate(start, end, step, c),
    { series: true },
  ),
});
