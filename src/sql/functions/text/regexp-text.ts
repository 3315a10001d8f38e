// How values and patterns are handed to ClickHouse's RE2.

import type { Span } from '../../../base/source-text.ts';
import { fail } from '../../base/fail.ts';
import { type RegexpFacts, regexpFacts } from '../../base/regexp-pattern.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, lit } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import { BARE_DOT } from '../../target/known-value.ts';
import type { LowerCall } from '../define.ts';
import { isAscii, isBytes } from './string.ts';

/** Facts of the pattern (argument 2), or undefined if it is no constant. */
export function factsOf(c: LowerCall): RegexpFacts | undefined {
  const known = c.constant(1);
  return typeof known === 'string' ? regexpFacts(known) : undefined;
}

export const spanAt = (c: LowerCall, position: number) => c.args[position]?.span ?? { start: 0, end: 0 };

const LATIN1 = lit('ISO-8859-1');
const UTF8 = lit('UTF-8');

/** Bytes as characters of the same numbers: BigQuery matches BYTES as Latin-1, ClickHouse everything as UTF-8. */
export function latin1(value: SqlExpression, c: LowerCall, position: number): SqlExpression {
  const known = c.constant(position);
  return typeof known === 'string' ? lit(known) : call('convertCharset', value, LATIN1, UTF8);
}

/** The searched value (argument 1). */
export const text = (value: SqlExpression, c: LowerCall): SqlExpression => (isBytes(c) ? latin1(value, c, 0) : value);

/** A piece of the searched value, back in its own type. */
export function unlatin1(piece: SqlExpression, c: LowerCall): SqlExpression {
  const known = c.constant(0);
  return isBytes(c) && !(typeof known === 'string' && isAscii(known)) ? fromLatin1(piece) : piece;
}

export const fromLatin1 = (text: SqlExpression): SqlExpression => call('convertCharset', text, UTF8, LATIN1);

/**
 * The pattern (argument 2). ClickHouse's dot matches line feeds too, unless the flag s is off. Patterns without a dot stay as they are:
 * plain texts are searched faster. https://clickhouse.com/docs/sql-reference/functions/string-search-functions#match
 */
export function pattern(regexp: SqlExpression, c: LowerCall): SqlExpression {
  const known = c.constant(1);
  // ClickHouse looks at how a pattern begins: behind a flag it does not see that there is one match at most.
  if (typeof known === 'string') return lit(regexpFacts(known).undotted ?? `(?-s)${known}`);
  const re = isBytes(c, 1) ? latin1(regexp, c, 1) : regexp;
  const dotted = call('concat', lit('(?-s)'), re);
  // With the flag ClickHouse searches no plain text first: measured, 35 ms instead of 28. A pattern of the query's own can be looked at once.
  return isConstant(regexp) ? iff(call('match', re, lit(BARE_DOT)), dotted, re) : dotted;
}

/** `pattern` after the shortest possible text of at least `position - 1` characters from the start, which `head` may capture. */
export function afterSkipping(
  position: bigint,
  pattern: string,
  facts: RegexpFacts,
  span: Span,
  head: (skip: string) => string = (skip) => skip,
): string {
  if (position < 1n) return fail('type', span, `positions start at 1, so ${position} is not one`);
  const skipped = Number(position) - 1;
  // RE2 repeats at most 1000 times.
  if (skipped > 1000) return fail('unsupported', span, 'a position after 1001 is not supported here', 'search in SUBSTR(value, position)');
  return `${facts.dot ? '(?-s)' : ''}^${head(`(?s:.{${skipped},}?)`)}${pattern}`;
}
