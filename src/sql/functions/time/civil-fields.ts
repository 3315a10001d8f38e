// Dates and clock times from their fields, with every field checked: ClickHouse would roll 31 February over into March.
import type { Ch } from '../../target/ast.ts';
import { bare, call, failIf, infix, isNotNull, lit } from '../../target/build.ts';
import type { LowerCall } from '../define.ts';
import { UTC } from './date-part.ts';

const bareFields = ([a, b, c]: readonly [Ch, Ch, Ch]): readonly [Ch, Ch, Ch] => [bare(a), bare(b), bare(c)];

const outside = (value: Ch, low: number, high: number): Ch => infix('OR', infix('<', value, lit(low)), infix('>', value, lit(high)));

/** Years that BigQuery has and ClickHouse has not fail also under SAFE. */
function held(year: Ch, c: LowerCall, position: number, value: Ch): Ch {
  const known = c.constant(position);
  if (typeof known === 'bigint' && known >= 1900n && known <= 2299n) return value;
  return failIf(outside(year, 1900, 2299), 'the year is outside of 1900 to 2299', value);
}

/** DATE of year, month and day; a day that does not exist is an error. */
export function dateOf(fields: readonly [Ch, Ch, Ch], c: LowerCall): Ch {
  const [year, month, day] = bareFields(fields);
  const made = call('makeDate32', year, month, day);
  const wrong = [outside(month, 1, 12), infix('<', day, lit(1)), infix('!=', call('toDayOfMonth', made), day)];
  return held(year, c, 0, c.failIf(anyOf(wrong, c, fields), 'there is no such day', made));
}

/** TIME of hour, minute and second. */
export function timeOf(fields: readonly [Ch, Ch, Ch], c: LowerCall): Ch {
  const [hour, minute, second] = bareFields(fields);
  const wrong = [outside(hour, 0, 23), outside(minute, 0, 59), outside(second, 0, 59)];
  const seconds = infix('+', infix('+', infix('*', hour, lit(3600)), infix('*', minute, lit(60))), second);
  return c.failIf(anyOf(wrong, c, fields), 'there is no such time', call('toTime64', seconds, lit(6)));
}

/** DATETIME of all six fields. */
export function datetimeOf(date: readonly [Ch, Ch, Ch], clock: readonly [Ch, Ch, Ch], c: LowerCall): Ch {
  const [year, month, day] = bareFields(date);
  const [hour, minute, second] = bareFields(clock);
  const made = call('makeDateTime64', year, month, day, hour, minute, second, lit(0), lit(6), UTC);
  const wrong = [
    outside(month, 1, 12),
    infix('<', day, lit(1)),
    outside(hour, 0, 23),
    outside(minute, 0, 59),
    outside(second, 0, 59),
    infix('!=', call('toDayOfMonth', made), day),
  ];
  return held(year, c, 0, c.failIf(anyOf(wrong, c, [...date, ...clock]), 'there is no such date and time', made));
}

/** Whether a test holds while no field is NULL: a NULL field makes the result NULL, whatever the others are. */
function anyOf(tests: readonly Ch[], c: LowerCall, fields: readonly Ch[]): Ch {
  const any = tests.reduce((left, test) => infix('OR', left, test));
  const nullable = fields.filter((_, i) => c.constant(i) === undefined);
  return nullable.length === 0
    ? any
    : infix(
        'AND',
        nullable.map(isNotNull).reduce((all, test) => infix('AND', all, test)),
        any,
      );
}
