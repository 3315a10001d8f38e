// Functions that rules use for times that a table stores in nanoseconds, while queries see microseconds, cut towards 1970. Users cannot
// write their names.
import type { LiteralValue } from '../../logical/nodes.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit } from '../../target/build.ts';
import { define, type Family, type LowerCall } from '../define.ts';

const time = (text: string): SqlExpression => call('toDateTime64', lit(text), lit(6), lit('UTC'));
const EPOCH = time('1970-01-01 00:00:00.000000');
/** DateTime64(9) holds 807 nanoseconds more, and comparing it with what is later fails. */
const LAST = time('2262-04-11 23:47:16.854775');

/** The first time that DateTime64(9) holds; what lies before it comes before all stored times. */
const FIRST = call('toDateTime64', lit('1677-09-21 00:12:43.145224193'), lit(9), lit('UTC'));
const isBeforeAll = (micros: LiteralValue | undefined): boolean => typeof micros === 'bigint' && micros < -9_223_372_036_854_775n;

/** The time and so many nanoseconds; `unlike` says how many before 1970, and after the last time. */
function moved(shown: SqlExpression, nanoseconds: number, unlike: SqlExpression, c: LowerCall): SqlExpression {
  if (isBeforeAll(c.constant(0))) return FIRST;
  const [least, most] = c.range(0) ?? [-Infinity, Infinity];
  if (least > 0 && most <= 9.2e15) return call('addNanoseconds', shown, lit(nanoseconds));
  return call('addNanoseconds', call('least', shown, LAST), unlike);
}

export const storedTime = (): Family => ({
  /** The last time in nanoseconds that is cut to `time`. */
  $last_cut_to: define('time TIMESTAMP -> TIMESTAMP', ({ time: shown }, c) =>
    moved(shown, 999, call('multiIf', infix('>=', shown, LAST), lit(807), infix('>=', shown, EPOCH), lit(999), lit(0)), c),
  ),
  /** The last that is cut to an earlier one. */
  $last_cut_before: define('time TIMESTAMP -> TIMESTAMP', ({ time: shown }, c) =>
    moved(shown, -1, call('multiIf', infix('>', shown, LAST), lit(807), infix('>', shown, EPOCH), lit(-1), lit(-1000)), c),
  ),
  /** The second that it lies in, as keys are made of it. */
  $second_of: define('time TIMESTAMP -> TIMESTAMP', ({ time: stored }) => call('toDateTime', stored)),
});
