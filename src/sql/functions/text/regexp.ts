// Regular expressions, RE2 on both sides. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_contains
import { fail } from '../../base/fail.ts';
import type { RegexpFacts } from '../../base/regexp-pattern.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, bare, call, iff, infix, isNull, lit, NULL } from '../../target/build.ts';
import { isFolded } from '../../target/constant.ts';
import { mayFail } from '../../target/may-fail.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullOf, nullsPass, strict } from '../strict.ts';
import { allMatches, replaceAll } from './regexp-nothing.ts';
import { afterSkipping, factsOf, fromLatin1, latin1, pattern, spanAt, text, unlatin1 } from './regexp-text.ts';
import { isAscii, isBytes } from './string.ts';

/** Returns `found()`, unless the constant pattern is no regular expression. */
export function checkedPattern(c: LowerCall, found: () => SqlExpression): SqlExpression {
  const known = c.constant(1);
  const trouble = typeof known === 'string' ? troubleOf(known, c) : undefined;
  if (trouble === undefined) return found();
  return c.safe && c.type.kind !== 'ARRAY' ? nullOf(c.type) : fail('type', spanAt(c, 1), ...trouble);
}

/** Why the pattern is none, and what to write. */
function troubleOf(known: string, c: LowerCall): readonly [message: string, hint: string] | undefined {
  if (isBytes(c, 1) && BEYOND_BYTE.test(known))
    return ['a regular expression for BYTES has a character beyond 255', 'write its bytes, e.g. \\\\xc3\\\\xa9'];
  if (factsOf(c)?.broken !== true) return undefined;
  return /(?:^|[^\\])(?:\\\\)*\\$/.test(known)
    ? ['the regular expression ends with a backslash', 'write \\\\\\\\ for the character itself']
    : ['the regular expression has an unmatched parenthesis or bracket', 'write \\\\( for the character itself'];
}

const BEYOND_BYTE = /(?:^|[^\\])(?:\\\\)*\\(?:x\{0*[1-9a-fA-F][0-9a-fA-F]{2,}\}|[4-7][0-7]{2})/;

/** Capturing groups of a pattern that is known only when the query runs. */
function countGroups(regexp: SqlExpression): SqlExpression {
  const plain = call('replaceRegexpAll', regexp, lit('\\\\.|\\[\\^?\\]?(\\\\.|\\[:\\w+:\\]|[^\\]])*\\]'), lit(''));
  return call('countMatches', plain, lit('\\([^?]|\\(\\?P?<|\\($'));
}

export function oneGroup(value: SqlExpression, regexp: SqlExpression, name: string, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const message = 'the regular expression has more than one capturing group';
  if (facts === undefined) return c.failIf(infix('>', countGroups(regexp), lit(1)), `${name}: ${message}`, value);
  if (facts.groups <= 1) return value;
  // A NULL array, which it would be for each row, nothing could tell from [].
  return c.safe && c.type.kind !== 'ARRAY' ? nullOf(c.type) : fail('type', spanAt(c, 1), message, 'make the others non-capturing: (?:…)');
}

/** ClickHouse extracts by one pattern for all rows. */
function oneForAll(regexp: SqlExpression, name: string, c: LowerCall): void {
  // A value that may fail is checked for each row, and is not a constant.
  if (isFolded(regexp) && !mayFail(regexp)) return;
  fail('unsupported', spanAt(c, 1), `${name} takes one regular expression for all rows`, 'write it as a string or a parameter');
}

/** The first match, or its group; ClickHouse gives '' where there is none. */
function firstMatch(value: SqlExpression, re: SqlExpression, facts: RegexpFacts | undefined, c: LowerCall): SqlExpression {
  const found = call('extract', value, re);
  refuseDoubt(facts, c);
  return facts?.fullCapture === true ? call('nullIf', found, lit('')) : iff(call('match', value, re), found, NULL);
}

/** A group that took no part is NULL, one that took nothing is not; ClickHouse gives '' for both. */
function refuseDoubt(facts: RegexpFacts | undefined, c: LowerCall): void {
  if (facts === undefined || facts.groups !== 1 || facts.fullCapture || facts.surelyCaptures) return;
  fail(
    'unsupported',
    spanAt(c, 1),
    'extracting a group that is optional and can match the empty string is not supported',
    'use + instead of * in the group',
  );
}

function nthMatch(value: SqlExpression, regexp: SqlExpression, occurrence: SqlExpression, name: string, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const nth = call('arrayElementOrNull', allMatches(value, regexp, name, c), bare(occurrence));
  refuseDoubt(facts, c);
  return facts?.groups === 1 && !facts.surelyCaptures ? call('nullIf', nth, lit('')) : nth;
}

/** `found`, unless a position or occurrence, the argument at `at`, is not positive. */
function fromOne(
  found: SqlExpression,
  count: SqlExpression | undefined,
  at: number,
  what: string,
  name: string,
  c: LowerCall,
): SqlExpression {
  const known = c.constant(at);
  return count === undefined || (typeof known === 'bigint' && known > 0n)
    ? found
    : c.failIf(infix('<', bare(count), lit(1)), `${name}: the ${what} is not positive`, found);
}

function extract(
  value: SqlExpression,
  regexp: SqlExpression,
  position: SqlExpression | undefined,
  occurrence: SqlExpression | undefined,
  name: string,
  c: LowerCall,
): SqlExpression {
  oneForAll(regexp, name, c);
  const start = c.constant(2);
  if (typeof start === 'bigint' && start < 1n)
    return c.safe ? nullOf(c.type) : fail('type', spanAt(c, 2), `positions start at 1, so ${start} is not one`);
  const facts = factsOf(c);
  const searched = text(value, c);
  const fromStart = position === undefined || c.constant(2) === 1n;
  const first = occurrence === undefined || c.constant(3) === 1n;
  const found = ((): SqlExpression => {
    if (fromStart) return first ? firstMatch(searched, pattern(regexp, c), facts, c) : nthMatch(searched, regexp, occurrence, name, c);
    const known = c.constant(2);
    const nth = c.constant(3);
    // There is no second one.
    if (facts?.once === true && typeof known === 'bigint' && known > 0n && typeof nth === 'bigint' && nth > 1n) return nullOf(c.type);
    const at = bare(position);
    if (facts !== undefined && !facts.looksBack) {
      // ClickHouse looks at a position that it can compute before the check of it does.
      const rest = call('substringUTF8', searched, typeof known === 'bigint' ? at : call('greatest', at, lit(1)));
      const inRest = first ? firstMatch(rest, pattern(regexp, c), facts, c) : nthMatch(rest, regexp, occurrence, name, c);
      // BigQuery counts the bytes here: behind the last character of a text with wider ones nothing is found for a while. From 1 on an empty text is searched too.
      const last = typeof known === 'bigint' ? call('length', value) : call('greatest', call('length', value), lit(1));
      const bounded = facts.emptyMatch ? iff(infix('>', at, last), NULL, inRest) : inRest;
      return fromOne(bounded, at, 2, 'position', name, c);
    }
    if (typeof known !== 'bigint' || facts === undefined || !first)
      return fail(
        'unsupported',
        spanAt(c, 2),
        `${name} with this regular expression needs a constant position`,
        'search in SUBSTR(value, position)',
      );
    const re = afterSkipping(known, facts.groups === 0 ? `(${c.constant(1)})` : `(?:${c.constant(1)})`, facts, spanAt(c, 2));
    return firstMatch(searched, lit(re), facts, c);
  })();
  return oneGroup(fromOne(unlatin1(found, c), occurrence, 3, 'occurrence', name, c), regexp, name, c);
}

const extraction = (name: string) =>
  strict(
    'value STRING, regexp STRING, [position INT64], [occurrence INT64] -> STRING | value BYTES, regexp BYTES, [position INT64], [occurrence INT64] -> BYTES',
    ({ value, regexp, position, occurrence }, c) => checkedPattern(c, () => extract(value, regexp, position, occurrence, name, c)),
    { readsText: [1, 'regexp'] },
  );

function replace(value: SqlExpression, regexp: SqlExpression, replacement: SqlExpression, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const known = c.constant(2);
  const to = isBytes(c) ? latin1(replacement, c, 2) : replacement;
  const bad = 'REGEXP_REPLACE: a backslash in the replacement must come before a digit or another backslash';
  if (typeof known === 'string') {
    const references = [...known.matchAll(/\\(.?)/gs)].map((m) => m[1] ?? '');
    if (references.some((r) => !/^[0-9\\]$/.test(r)))
      return fail('type', spanAt(c, 2), bad.slice(16), "write '\\\\1' or r'\\1' for a group");
    const most = Math.max(0, ...references.map((r) => (r === '\\' ? 0 : Number(r))));
    if (facts !== undefined && most > facts.groups)
      return fail('type', spanAt(c, 2), `there is no group ${most} in the regular expression, which has ${facts.groups}`);
  }
  const searched = text(value, c);
  const once = facts?.emptyMatch === true && facts.once;
  const found = once ? call('replaceRegexpOne', searched, pattern(regexp, c), to) : replaceAll(searched, regexp, to, c);
  const made = facts?.emptyMatch === true && !once ? nullsPass(c, [value, regexp, replacement], found) : found;
  const replaced = isBytes(c) && !(typeof known === 'string' && isAscii(known)) ? fromLatin1(made) : unlatin1(made, c);
  return known === undefined ? c.failIf(call('match', to, lit('^([^\\\\]|\\\\[0-9\\\\])*\\\\([^0-9\\\\]|$)')), bad, replaced) : replaced;
}

export const regexp = (): Family => ({
  REGEXP_CONTAINS: strict(
    'value STRING, regexp STRING -> BOOL | value BYTES, regexp BYTES -> BOOL',
    ({ value, regexp }, c) => checkedPattern(c, () => call('match', text(value, c), pattern(regexp, c))),
    { searches: 'regexp', matches: true, readsText: [1, 'regexp'] },
  ),
  REGEXP_EXTRACT: extraction('REGEXP_EXTRACT'),
  REGEXP_SUBSTR: extraction('REGEXP_SUBSTR'),
  REGEXP_EXTRACT_ALL: strict(
    'value STRING, regexp STRING -> ARRAY<STRING> | value BYTES, regexp BYTES -> ARRAY<BYTES>',
    ({ value, regexp }, c) =>
      checkedPattern(c, () => {
        oneForAll(regexp, 'REGEXP_EXTRACT_ALL', c);
        // An array that may be NULL is none to ClickHouse: where a check may give NULL, it is one of the text.
        const isKnown = factsOf(c) !== undefined;
        const searched = isKnown ? value : oneGroup(value, regexp, 'REGEXP_EXTRACT_ALL', c);
        const all = allMatches(text(searched, c), regexp, 'REGEXP_EXTRACT_ALL', c);
        const found = isBytes(c) ? call('arrayMap', unlatin1Each(c), all) : all;
        const guarded = c.neverNull(0) && isKnown ? found : iff(isNull(searched), array(), found);
        return isKnown ? oneGroup(guarded, regexp, 'REGEXP_EXTRACT_ALL', c) : guarded;
      }),
    { neverFails: true, readsText: [1, 'regexp'] },
  ),
  REGEXP_REPLACE: strict(
    'value STRING, regexp STRING, replacement STRING -> STRING | value BYTES, regexp BYTES, replacement BYTES -> BYTES',
    ({ value, regexp, replacement }, c) => checkedPattern(c, () => replace(value, regexp, replacement, c)),
    { readsText: [1, 'regexp'] },
  ),
});

function unlatin1Each(c: LowerCall): SqlExpression {
  const item = c.fresh('item');
  return { kind: 'lambda', parameters: [item], body: unlatin1({ kind: 'ident', parts: [item] }, c) };
}
