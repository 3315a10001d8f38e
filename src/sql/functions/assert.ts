// The test behind the pipe operator ASSERT.
import { call, infix, lit, not } from '../clickhouse/build.ts';
import { define, type Family } from './define.ts';

export const assert: Family = {
  // TRUE, or the query fails; NULL counts as not true.
  $assert: define('condition BOOL, message STRING -> BOOL', ({ condition, message }) =>
    infix('=', call('throwIf', not(call('ifNull', condition, lit(false))), message), lit(0)),
  ),
};
