// Failing on purpose: ERROR, and the test behind the pipe operator ASSERT.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/debugging_functions#error
import { fail } from '../base/fail.ts';
import type { SqlExpression } from '../target/ast.ts';
import { array, call, cast, failing, infix, lit, NULL, not } from '../target/build.ts';
import { clickhouseType, plainType } from '../target/types.ts';
import { define, type Family, type LowerCall } from './define.ts';

/** The type is that of the place; the value is never seen. */
function error(c: LowerCall): SqlExpression {
  const value = c.type.kind === 'ARRAY' ? cast(array(), plainType(c.type)) : cast(NULL, clickhouseType(c.type));
  // ClickHouse takes only a constant message.
  const message = c.constant(0);
  if (c.safe) {
    const span = c.args[0]?.span ?? { start: 0, end: 0 };
    return message === undefined ? fail('unsupported', span, 'SAFE.ERROR takes a constant message', 'write NULL instead') : value;
  }
  // An IF of two NULLs would be NULL to ClickHouse, whatever its condition: the test says which element of an array is wanted.
  const test = failing(lit(true), typeof message === 'string' ? message : 'ERROR was called');
  return call('arrayElement', array(value), infix('+', test, lit(1)));
}

export const assert = (): Family => ({
  ERROR: define('message STRING -> INT64', (_args, c) => error(c), { approximate: 'a message that is not a constant is not shown' }),
  // TRUE, or the query fails; NULL counts as not true.
  $assert: define('condition BOOL, message STRING -> BOOL', ({ condition }, c) =>
    infix('=', failing(not(call('ifNull', condition, lit(false))), String(c.constant(1))), lit(0)),
  ),
});
