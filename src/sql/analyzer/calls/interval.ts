// INTERVAL expressions: constants as months, days and microseconds, everything else as calls of MAKE_INTERVAL's kind.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#interval_type
import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { INT64, INTERVAL, STRING } from '../../base/types.ts';
import { FIELDS, parseRange } from '../../functions/time/interval-text.ts';
import type { Expr, IntervalValue } from '../../logical/nodes.ts';
import type * as ast from '../../syntax/ast.ts';
import { analyzeExpr } from '../analyze.ts';
import type { Context } from '../context.ts';
import { callFunction } from './call-function.ts';
import { coerce } from './coerce.ts';

const MICROS: Readonly<Record<string, bigint>> = {
  HOUR: 3_600_000_000n,
  MINUTE: 60_000_000n,
  SECOND: 1_000_000n,
  MILLISECOND: 1000n,
  MICROSECOND: 1n,
};
const DAYS: Readonly<Record<string, bigint>> = { DAY: 1n, WEEK: 7n };
const MONTHS: Readonly<Record<string, bigint>> = { MONTH: 1n, QUARTER: 3n, YEAR: 12n };

/** `count` parts as an interval value, or undefined for an unknown part. */
function intervalOf(count: bigint, part: string): IntervalValue | undefined {
  const [months, days, micros] = [MONTHS[part], DAYS[part], MICROS[part]];
  if (months === undefined && days === undefined && micros === undefined) return undefined;
  return { months: count * (months ?? 0n), days: count * (days ?? 0n), micros: count * (micros ?? 0n) };
}

export function analyzeInterval({ value, from, to, span }: ast.IntervalExpr, context: Context): Expr {
  const amount = analyzeExpr(value, context);
  if (to !== null || amount.type.kind === 'STRING') return rangeInterval(amount, from, to, span);
  const count = coerce(amount, INT64, 'the amount of INTERVAL');
  const unit = intervalOf(1n, from);
  if (unit === undefined)
    return fail(
      'type',
      span,
      `${from} is not a part of an interval`,
      `parts are ${[...Object.keys(MONTHS), ...Object.keys(DAYS), ...Object.keys(MICROS)].join(', ')}`,
    );
  if (count.kind === 'literal' && typeof count.value === 'bigint') {
    return { kind: 'literal', value: intervalOf(count.value, from) ?? unit, type: INTERVAL, span };
  }
  return callFunction('$interval', [count, { kind: 'date_part', part: from, type: STRING, span }], span);
}

/** `INTERVAL '1-2 3 4:5:6.7' YEAR TO SECOND` and shorter forms. */
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
