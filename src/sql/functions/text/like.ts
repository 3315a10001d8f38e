// LIKE: what a backslash of a pattern means, and BYTES that are no UTF-8.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/operators#like_operator
import type { SqlExpression } from '../../target/ast.ts';
import { call, infix, lit } from '../../target/build.ts';

/** A backslash and what it stands before, other than ClickHouse's own: %, _ and the backslash. */
const ESCAPED = '(\\\\[%_\\\\])|\\\\(.)';

/** `value LIKE pattern`; `known`: the pattern, where it is constant. */
export function likes(value: SqlExpression, pattern: SqlExpression, known: unknown, ofBytes: boolean): SqlExpression {
  const mayEscape = typeof known !== 'string' || /\\(?![%_])/.test(known.replaceAll('\\\\', ''));
  // Before any other character a backslash stands for that character alone, where ClickHouse reads it as one more.
  const escaped = mayEscape ? call('replaceRegexpAll', pattern, lit(`(?s)${ESCAPED}`), lit('\\1\\2')) : pattern;
  return ofBytes ? infix('LIKE', latin1(value), latin1(escaped)) : infix('LIKE', value, escaped);
}

/** Each byte as a character, so that % and _ find those that are no text. */
export const latin1 = (value: SqlExpression): SqlExpression => call('convertCharset', value, lit('ISO-8859-1'), lit('UTF-8'));
