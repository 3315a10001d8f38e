// Arrays of dates and timestamps at equal steps.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions#generate_timestamp_array
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { array, call, cast, ident, iff, infix, isNull, lambda, lit } from '../clickhouse/build.ts';
import type { Expr, IntervalValue } from '../resolved.ts';
import { PART_MICROS, UTC } from './date-part.ts';
import type { Family, LowerCall } from './define.ts';
import { strict } from './strict.ts';

const DAY_MICROS = PART_MICROS['DAY'] ?? 1n;

/** The constant step at argument 2; the default is a day. */
function stepOf(c: LowerCall): IntervalValue {
  const step = c.args[2];
  if (step === null || step === undefined) return { months: 0n, days: 1n, micros: 0n };
  if (step.kind !== 'literal' || step.value === null || typeof step.value !== 'object')
    return fail('unsupported', step.span, 'the step must be a constant interval', 'e.g. INTERVAL 1 HOUR');
  const { months, days, micros } = step.value;
  if (months === 0n && days === 0n && micros === 0n) return fail('type', step.span, 'the step of an array can’t be 0');
  return step.value;
}

/** Positions start, start + step … up to and with end: a range excludes its end. NULL bounds give no elements. */
function positions(start: Ch, end: Ch, step: bigint, bounds: readonly Ch[], c: LowerCall): Ch {
  const last = infix(step > 0n ? '+' : '-', end, lit(1));
  const nullable = bounds.filter((_, i) => mayBeNull(c.args[i]));
  if (nullable.length === 0) return call('range', start, last, lit(step));
  const known = call('range', call('ifNull', start, lit(0)), call('ifNull', last, lit(0)), lit(step));
  const anyNull = nullable.map(isNull).reduce((any, test) => infix('OR', any, test));
  return iff(anyNull, cast(array(), 'Array(Int64)'), known);
}

/** Functions whose result is NULL only for a NULL argument. */
const KEEPS_VALUES = /^(TIMESTAMP|DATE|DATETIME)(_(TRUNC|ADD|SUB))?$/;

/** Constants, the current time, and what is computed from them are never NULL; anything else may be. */
function mayBeNull(expr: Expr | null | undefined): boolean {
  if (expr === null || expr === undefined) return false;
  if (expr.kind === 'literal') return expr.value === null;
  if (expr.kind === 'call') return expr.safe || !KEEPS_VALUES.test(expr.fn.name) || expr.args.some(mayBeNull);
  return expr.kind !== 'instant' && expr.kind !== 'date_part';
}

function generate(start: Ch, end: Ch, c: LowerCall): Ch {
  const dates = c.typeOf(0).kind === 'DATE';
  const { months, days, micros } = stepOf(c);
  const name = c.fresh('step');
  const at = ident(name);
  if (months !== 0n) {
    if (!dates) return fail('type', c.args[2]?.span ?? { start: 0, end: 0 }, 'the step of timestamps can’t be in months or years');
    const count = call('intDiv', call('dateDiff', lit('month'), start, end), lit(months));
    const all = call(
      'arrayMap',
      lambda([name], call('addMonths', start, infix('*', at, lit(months)))),
      positions(lit(0), count, 1n, [start, end], c),
    );
    const element = c.fresh('day');
    // The last month may begin in time and still end too late.
    return call('arrayFilter', lambda([element], infix(months > 0n ? '<=' : '>=', ident(element), end)), all);
  }
  if (dates) {
    const days32 = (date: Ch): Ch => call('toInt64', date);
    return call(
      'arrayMap',
      lambda([name], call('toDate32', call('toInt32', at))),
      positions(days32(start), days32(end), days, [start, end], c),
    );
  }
  const unix = (time: Ch): Ch => call('toUnixTimestamp64Micro', time);
  const step = days * DAY_MICROS + micros;
  return call(
    'arrayMap',
    lambda([name], call('fromUnixTimestamp64Micro', at, UTC)),
    positions(unix(start), unix(end), step, [start, end], c),
  );
}

export const generation: Family = {
  GENERATE_TIMESTAMP_ARRAY: strict('start TIMESTAMP, end TIMESTAMP, step INTERVAL -> ARRAY<TIMESTAMP>', ({ start, end }, c) =>
    generate(start, end, c),
  ),
  GENERATE_DATE_ARRAY: strict('start DATE, end DATE, [step INTERVAL] -> ARRAY<DATE>', ({ start, end }, c) => generate(start, end, c)),
};
