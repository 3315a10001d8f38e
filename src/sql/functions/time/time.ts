// TIME functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/time_functions
import { parseTimestamp } from '../../base/civil.ts';
import { fail } from '../../base/fail.ts';
import { partsBetween } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { timeOf } from './civil-fields.ts';
import { clockOf, clockOfAnyDay, onFirstDay, partAt, startTime, TIME_PARTS } from './date-part.ts';
import { boundaries } from './difference.ts';
import { addConstant, shift } from './shift.ts';
import { textToTime, textToTimestamp } from './text-time.ts';
import { wallClock, zoneOf } from './time-zone.ts';

function toTime(value: SqlExpression, zone: SqlExpression | undefined, c: LowerCall): SqlExpression {
  switch (c.typeOf(0).kind) {
    case 'STRING': {
      const constant = c.constant(0);
      const context = { constant, safe: c.safe, span: c.args[0]?.span ?? { start: 0, end: 0 } };
      const timestamp = typeof constant === 'string' ? parseTimestamp(constant) : undefined;
      if (timestamp === undefined) return textToTime(value, context);
      // BigQuery takes the text for a TIMESTAMP. With a zone in it, the rows would hang on the default zone of the project.
      if (timestamp.zone !== '')
        return fail(
          'unsupported',
          context.span,
          'TIME of a text with a time zone is not translated',
          `write TIME(TIMESTAMP '${constant}', 'UTC')`,
        );
      return clockOfAnyDay(textToTimestamp(value, { kind: 'utc' }, context));
    }
    case 'TIMESTAMP':
      return clockOfAnyDay(wallClock(value, zoneOf(c.args[1], zone, c.safe)));
    case 'DATETIME':
      return clockOfAnyDay(value);
    default:
      return value;
  }
}

/** A TIME goes round the clock: midnight comes after 23:59. */
function shiftTime(time: SqlExpression, amount: SqlExpression, sign: 1 | -1, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  const clock = onFirstDay(time);
  if (known === undefined || known === null || typeof known !== 'object') return clockOfAnyDay(shift(clock, amount, 1, 0, sign, c));
  if (known.months !== 0n || known.days !== 0n)
    fail('type', c.args[1]?.span ?? { start: 0, end: 0 }, 'a TIME takes hours and shorter parts only');
  const forward = (((known.micros * BigInt(sign)) % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  return clockOf(addConstant(clock, { months: 0n, days: 0n, micros: forward }));
}
const DAY_MICROS = 86_400_000_000n;

export const time = (): Family => ({
  TIME: strict(
    'hour INT64, minute INT64, second INT64 -> TIME | value TIMESTAMP, [zone STRING] -> TIME | value DATETIME -> TIME | value TIME -> TIME | value STRING -> TIME',
    ({ hour, minute, second }, c) => (c.typeOf(0).kind === 'INT64' ? timeOf([hour, minute, second], c) : toTime(hour, minute, c)),
    { readsText: [0, 'time'] },
  ),
  TIME_TRUNC: strict('value TIME, part PART -> TIME', ({ value }, c) => {
    const part = partAt(c, 1, TIME_PARTS, 'TIME_TRUNC');
    return part === 'MICROSECOND' ? value : clockOf(startTime(onFirstDay(value), part));
  }),
  TIME_ADD: strict('value TIME, amount INTERVAL -> TIME', ({ value, amount }, c) => shiftTime(value, amount, 1, c)),
  TIME_SUB: strict('value TIME, amount INTERVAL -> TIME', ({ value, amount }, c) => shiftTime(value, amount, -1, c)),
  TIME_DIFF: strict(
    'end TIME, start TIME, part PART -> INT64',
    ({ end, start }, c) => boundaries(onFirstDay(end), onFirstDay(start), partAt(c, 2, TIME_PARTS, 'TIME_DIFF')),
    { range: partsBetween },
  ),
});
