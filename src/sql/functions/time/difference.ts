// DATE_ADD, DATE_SUB and DATE_DIFF, and their like of datetimes and timestamps, which take each other's types.
import { partsBetween } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit } from '../../target/build.ts';
import type { FunctionDefinition } from '../define.ts';
import { strict } from '../strict.ts';
import { ALL_PARTS, DATE_PARTS, partAt, startDate, startTime, TIME_PARTS } from './date-part.ts';
import { elapsed, shift } from './shift.ts';

const ELAPSED_PARTS = ['DAY', ...TIME_PARTS];

/** Boundaries of the part between two dates or wall clocks; weeks by their first day. */
export function boundaries(end: SqlExpression, start: SqlExpression, part: string): SqlExpression {
  if (part === 'ISOYEAR') return infix('-', call('toInt64', call('toISOYear', end)), call('toInt64', call('toISOYear', start)));
  // Before 1970 ClickHouse counts milliseconds towards 1970.
  if (part === 'MILLISECOND')
    return call('intDiv', call('dateDiff', lit('microsecond'), startTime(start, part), startTime(end, part)), lit(1000));
  if (!part.includes('WEEK')) return call('dateDiff', lit(part.toLowerCase()), start, end);
  // ClickHouse's own weeks are those of Monday, and one less across 1970.
  return call('intDiv', call('dateDiff', lit('day'), startDate(start, part), startDate(end, part)), lit(7));
}

/** The function of that name. Between times it counts as the clock has run, between dates and wall clocks the boundaries that lie there. */
export const difference = (name: string, ...types: readonly string[]): Omit<FunctionDefinition, 'name'> =>
  strict(
    types.map((type) => `end ${type}, start ${type}, part PART -> INT64`).join(' | ') as 'end DATE, start DATE, part PART -> INT64',
    ({ end, start }, c) => {
      const { kind } = c.typeOf(0);
      if (kind === 'TIMESTAMP') return elapsed(end, start, partAt(c, 2, ELAPSED_PARTS, name));
      return boundaries(end, start, partAt(c, 2, kind === 'DATE' ? DATE_PARTS : ALL_PARTS, name));
    },
    { range: partsBetween },
  );

/** The functions that add intervals, or take them away: of any of the types, and the first one for texts. */
export const shifted = (sign: 1 | -1, ...types: readonly string[]): Omit<FunctionDefinition, 'name'> =>
  strict(
    types.map((type) => `value ${type}, amount INTERVAL -> ${type}`).join(' | ') as 'value DATE, amount INTERVAL -> DATE',
    ({ value, amount }, c) => shift(value, amount, 1, 0, sign, c),
  );
