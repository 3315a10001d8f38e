// Regular expressions, RE2 on both sides. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_contains
import { fail } from '../analyze/fail.ts';
import type { Ch } from '../clickhouse/ast.ts';
import { array, bare, call, iff, infix, isNull, lit, NULL } from '../clickhouse/build.ts';
import { define, type Family, type LowerCall } from './define.ts';
import { type RegexpFacts, regexpFacts } from './regexp-pattern.ts';

/** Facts of the pattern (argument 2), or undefined if it is no constant. */
function factsOf(c: LowerCall): RegexpFacts | undefined {
  const known = c.constant(1);
  return typeof known === 'string' ? regexpFacts(known) : undefined;
}

/**
 * ClickHouse's dot matches line feeds too, unless the flag s is off. Patterns without a dot stay as they are: plain texts are searched faster.
 * https://clickhouse.com/docs/sql-reference/functions/string-search-functions#match
 */
function pattern(regexp: Ch, c: LowerCall): Ch {
  const known = c.constant(1);
  if (typeof known === 'string' && regexp.kind === 'lit') return regexpFacts(known).dot ? lit(`(?-s)${known}`) : regexp;
  return known === undefined ? call('concat', lit('(?-s)'), regexp) : regexp;
}

/** Capturing groups of a pattern that is known only when the query runs. */
function countGroups(regexp: Ch): Ch {
  const plain = call('replaceRegexpAll', regexp, lit('\\\\.|\\[\\^?\\]?(\\\\.|\\[:\\w+:\\]|[^\\]])*\\]'), lit(''));
  return call('countMatches', plain, lit('\\([^?]|\\(\\?P?<|\\($'));
}

function oneGroup(value: Ch, regexp: Ch, name: string, c: LowerCall): Ch {
  const facts = factsOf(c);
  const message = `${name}: the regular expression has more than one capturing group`;
  if (facts === undefined) return c.constant(1) === null ? value : c.failIf(infix('>', countGroups(regexp), lit(1)), message, value);
  if (facts.groups <= 1) return value;
  return fail('type', c.args[1]?.span ?? { start: 0, end: 0 }, `${message.slice(name.length + 2)}`, 'make the others non-capturing: (?:…)');
}

function extract(value: Ch, regexp: Ch, c: LowerCall): Ch {
  const re = pattern(regexp, c);
  const found = call('extract', value, re);
  return factsOf(c)?.fullCapture === true ? call('nullIf', found, lit('')) : iff(call('match', value, re), found, NULL);
}

/** The value from a 1-based position on, for searches that start there. */
function from(value: Ch, position: Ch | undefined, c: LowerCall): Ch {
  const known = c.constant(2);
  if (position === undefined || known === 1n) return value;
  const rest = call(c.typeOf(0).kind === 'BYTES' ? 'substring' : 'substringUTF8', value, bare(position));
  return typeof known === 'bigint' && known > 0n
    ? rest
    : c.failIf(infix('<', bare(position), lit(1)), 'the position is not positive', rest);
}

function nth(value: Ch, regexp: Ch, occurrence: Ch, c: LowerCall): Ch {
  const known = c.constant(3);
  const found = call('arrayElementOrNull', call('extractAll', value, pattern(regexp, c)), bare(occurrence));
  return typeof known === 'bigint' && known > 0n
    ? found
    : c.failIf(infix('<', bare(occurrence), lit(1)), 'the occurrence is not positive', found);
}

const extraction = (name: string) =>
  define(
    'value STRING, regexp STRING, [position INT64], [occurrence INT64] -> STRING | value BYTES, regexp BYTES, [position INT64], [occurrence INT64] -> BYTES',
    ({ value, regexp, position, occurrence }, c) => {
      const searched = from(value, position, c);
      const found = occurrence === undefined || c.constant(3) === 1n ? extract(searched, regexp, c) : nth(searched, regexp, occurrence, c);
      return oneGroup(found, regexp, name, c);
    },
  );

export const regexp: Family = {
  REGEXP_CONTAINS: define('value STRING, regexp STRING -> BOOL | value BYTES, regexp BYTES -> BOOL', ({ value, regexp }, c) =>
    call('match', value, pattern(regexp, c)),
  ),
  REGEXP_EXTRACT: extraction('REGEXP_EXTRACT'),
  REGEXP_SUBSTR: extraction('REGEXP_SUBSTR'),
  REGEXP_EXTRACT_ALL: define(
    'value STRING, regexp STRING -> ARRAY<STRING> | value BYTES, regexp BYTES -> ARRAY<BYTES>',
    ({ value, regexp }, c) =>
      oneGroup(iff(isNull(value), array(), call('extractAll', value, pattern(regexp, c))), regexp, 'REGEXP_EXTRACT_ALL', c),
  ),
  REGEXP_REPLACE: define(
    'value STRING, regexp STRING, replacement STRING -> STRING | value BYTES, regexp BYTES, replacement BYTES -> BYTES',
    ({ value, regexp, replacement }, c) => call('replaceRegexpAll', value, pattern(regexp, c), replacement),
  ),
};
