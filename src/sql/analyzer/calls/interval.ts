// INTERVAL expressions: constants as months, days and microseconds, everything else as calls of MAKE_INTERVAL's kind.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#interval_type
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { FIELDS, type IntervalValue, parseRange } from '../../base/interval.ts';
import { INT64, INTERVAL, STRING } from '../../base/types.ts';
import type { Expr } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { Context } from '../context.ts';
import { callFunction } from './call-function.ts';
import { coerce } from './coerce.ts';

/** The parts of an interval. */
const UNITS: Readonly<Record<string, IntervalValue>> = {
  MONTH: { months: 1n, days: 0n, micros: 0n },
  QUARTER: { months: 3n, days: 0n, micros: 0n },
  YEAR: { months: 12n, days: 0n, micros: 0n },
  DAY: { months: 0n, days: 1n, micros: 0n },
  WEEK: { months: 0n, days: 7n, micros: 0n },
  HOUR: { months: 0n, days: 0n, micros: 3_600_000_000n },
  MINUTE: { months: 0n, days: 0n, micros: 60_000_000n },
  SECOND: { months: 0n, days: 0n, micros: 1_000_000n },
  MILLISECOND: { months: 0n, days: 0n, micros: 1000n },
  MICROSECOND: { months: 0n, days: 0n, micros: 1n },
};

export function analyzeInterval({ value, from, to, span }: ast.IntervalExpr, context: Context): Expr {
  const amount = analyzeExpr(value, context);
  if (to !== null || amount.type.kind === 'STRING') return rangeInterval(amount, from, to, span);
  const count = coerce(amount, INT64, 'the amount of INTERVAL');
  const unit = UNITS[from];
  if (unit === undefined) return fail('type', span, `${from} is not a part of an interval`, `parts are ${Object.keys(UNITS).join(', ')}`);
  if (count.kind === 'literal' && typeof count.value === 'bigint') {
    const { value: times } = count;
    const value = { months: times * unit.months, days: times * unit.days, micros: times * unit.micros };
    return { kind: 'literal', value, type: INTERVAL, span };
  }
  return callFunction('$interval', [count, { kind: 'date_part', part: from, type: STRING, span }], span);
}

/** Analyzes `INTERVAL '1-2 3 4:5:6.7' YEAR TO SECOND` and shorter forms. */
function rangeInterval(amount: Expr, from: string, to: string | null, span: Span): Expr {
  const first = FIELDS.indexOf(from);
  const last = FIELDS.indexOf(to ?? from);
  if (amount.kind !== 'literal' || typeof amount.value !== 'string')
    return fail('type', span, 'INTERVAL … TO … needs a string literal', "write INTERVAL '1-2' YEAR TO MONTH");
  if (first < 0 || last < first)
    return fail('type', span, `INTERVAL can’t go from ${from} to ${to ?? from}`, `the order is ${FIELDS.join(', ')}`);
  const parsed = parseRange(amount.value, first, last);
  if (parsed === undefined)
    return fail(
      'type',
      span,
      `'${amount.value}' does not have the parts ${FIELDS.slice(first, last + 1).join(', ')}`,
      "e.g. INTERVAL '1-2 3 4:5:6.7' YEAR TO SECOND",
    );
  return { kind: 'literal', value: parsed, type: INTERVAL, span };
}
