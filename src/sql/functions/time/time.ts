// TIME functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/time_functions
import { fail } from '../../fail.ts';
import type { Ch } from '../../target/ast.ts';
import { call, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { strict } from '../strict.ts';
import { timeOf } from './civil-fields.ts';
import { boundaries } from './date.ts';
import { clockOf, onFirstDay, partAt, startTime, TIME_PARTS } from './date-part.ts';
import { addConstant, shift } from './shift.ts';
import { textToTime } from './text-time.ts';
import { wallClock, zoneOf } from './time-zone.ts';

function toTime(value: Ch, zone: Ch | undefined, c: LowerCall): Ch {
  switch (c.typeOf(0).kind) {
    case 'STRING':
      return textToTime(value, { constant: c.constant(0), safe: c.safe, span: c.args[0]?.span ?? { start: 0, end: 0 } });
    case 'TIMESTAMP':
      return clockOf(wallClock(value, zoneOf(c.args[1], zone)));
    case 'DATETIME':
      return clockOf(value);
    default:
      return value;
  }
}

/** A TIME goes round the clock: midnight comes after 23:59. */
function shiftTime(time: Ch, amount: Ch, sign: 1 | -1, c: LowerCall): Ch {
  const known = c.constant(1);
  const clock = onFirstDay(time);
  if (known === undefined || known === null || typeof known !== 'object') return roundTheClock(shift(clock, amount, 1, 0, sign, c));
  if (known.months !== 0n || known.days !== 0n)
    fail('type', c.args[1]?.span ?? { start: 0, end: 0 }, 'a TIME takes hours and shorter parts only');
  const forward = (((known.micros * BigInt(sign)) % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  return clockOf(addConstant(clock, { months: 0n, days: 0n, micros: forward }));
}
const DAY_MICROS = 86_400_000_000n;

/** The clock's time also for days before 1970, where ClickHouse gives negative times. */
const roundTheClock = (datetime: Ch): Ch =>
  call(
    'addMicroseconds',
    call('toTime64', lit('00:00:00'), lit(6)),
    call('positiveModulo', call('toUnixTimestamp64Micro', datetime), call('toInt64', lit(DAY_MICROS))),
  );

export const time: Family = {
  TIME: strict(
    'hour INT64, minute INT64, second INT64 -> TIME | value TIMESTAMP, [zone STRING] -> TIME | value DATETIME -> TIME | value TIME -> TIME | value STRING -> TIME',
    ({ hour, minute, second }, c) => (c.typeOf(0).kind === 'INT64' ? timeOf([hour, minute, second], c) : toTime(hour, minute, c)),
  ),
  TIME_TRUNC: strict('value TIME, part PART -> TIME', ({ value }, c) => {
    const part = partAt(c, 1, TIME_PARTS, 'TIME_TRUNC');
    return part === 'MICROSECOND' ? value : clockOf(startTime(onFirstDay(value), part));
  }),
  TIME_ADD: strict('value TIME, amount INTERVAL -> TIME', ({ value, amount }, c) => shiftTime(value, amount, 1, c)),
  TIME_SUB: strict('value TIME, amount INTERVAL -> TIME', ({ value, amount }, c) => shiftTime(value, amount, -1, c)),
  TIME_DIFF: strict('end TIME, start TIME, part PART -> INT64', ({ end, start }, c) =>
    boundaries(onFirstDay(end), onFirstDay(start), partAt(c, 2, TIME_PARTS, 'TIME_DIFF')),
  ),
};
