// Regular expressions, RE2 on both sides. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_contains
import { fail } from '../../fail.ts';
import type { Ch } from '../../target/ast.ts';
import { array, bare, call, iff, infix, isNull, lit, NULL } from '../../target/build.ts';
import { isConstant } from '../../target/constant.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullOf, strict } from '../strict.ts';
import { type RegexpFacts, regexpFacts } from './regexp-pattern.ts';
import { afterSkipping, latin1, pattern, text, unlatin1 } from './regexp-text.ts';
import { isBytes } from './string.ts';

/** Facts of the pattern (argument 2), or undefined if it is no constant. */
export function factsOf(c: LowerCall): RegexpFacts | undefined {
  const known = c.constant(1);
  return typeof known === 'string' ? regexpFacts(known) : undefined;
}

/** What `found` writes, unless the constant pattern is no regular expression. */
export function checkedPattern(c: LowerCall, found: () => Ch): Ch {
  if (factsOf(c)?.broken !== true) return found();
  return c.safe
    ? nullOf(c.type)
    : fail(
        'type',
        spanAt(c, 1),
        'a parenthesis or bracket of the regular expression lacks its partner',
        'write \\\\( for the character itself',
      );
}

export const spanAt = (c: LowerCall, position: number) => c.args[position]?.span ?? { start: 0, end: 0 };

/** Capturing groups of a pattern that is known only when the query runs. */
function countGroups(regexp: Ch): Ch {
  const plain = call('replaceRegexpAll', regexp, lit('\\\\.|\\[\\^?\\]?(\\\\.|\\[:\\w+:\\]|[^\\]])*\\]'), lit(''));
  return call('countMatches', plain, lit('\\([^?]|\\(\\?P?<|\\($'));
}

export function oneGroup(value: Ch, regexp: Ch, name: string, c: LowerCall): Ch {
  const facts = factsOf(c);
  const message = 'the regular expression has more than one capturing group';
  if (facts === undefined) return c.failIf(infix('>', countGroups(regexp), lit(1)), `${name}: ${message}`, value);
  return facts.groups <= 1 ? value : fail('type', spanAt(c, 1), message, 'make the others non-capturing: (?:…)');
}

/** ClickHouse goes on after an empty match in its own way. */
function refuseEmptyMatches(value: Ch, regexp: Ch, name: string, c: LowerCall): Ch {
  const facts = factsOf(c);
  const message = `${name} with a regular expression that can match nothing is not supported`;
  if (facts === undefined) return c.failIf(call('match', lit(''), regexp), message, value);
  return facts.emptyMatch ? fail('unsupported', spanAt(c, 1), message, 'use + instead of *, or anchor the expression with ^ or $') : value;
}

/** ClickHouse extracts by one pattern for all rows. */
function oneForAll(regexp: Ch, name: string, c: LowerCall): void {
  if (isConstant(regexp)) return;
  fail('unsupported', spanAt(c, 1), `${name} takes one regular expression for all rows`, 'write it as text or as a parameter');
}

/** The first match, or its group; ClickHouse gives '' where there is none. */
function firstMatch(value: Ch, re: Ch, facts: RegexpFacts | undefined): Ch {
  const found = call('extract', value, re);
  return facts?.fullCapture === true ? call('nullIf', found, lit('')) : iff(call('match', value, re), found, NULL);
}

function nthMatch(value: Ch, regexp: Ch, occurrence: Ch, name: string, c: LowerCall): Ch {
  const known = c.constant(3);
  const found = call('arrayElementOrNull', call('extractAll', value, pattern(regexp, c)), bare(occurrence));
  const valid =
    typeof known === 'bigint' && known > 0n
      ? found
      : c.failIf(infix('<', occurrence, lit(1)), `${name}: the occurrence is not positive`, found);
  return refuseEmptyMatches(valid, regexp, name, c);
}

function extract(value: Ch, regexp: Ch, position: Ch | undefined, occurrence: Ch | undefined, name: string, c: LowerCall): Ch {
  oneForAll(regexp, name, c);
  const facts = factsOf(c);
  const searched = text(value, c);
  const fromStart = position === undefined || c.constant(2) === 1n;
  const first = occurrence === undefined || c.constant(3) === 1n;
  const found = ((): Ch => {
    if (fromStart) return first ? firstMatch(searched, pattern(regexp, c), facts) : nthMatch(searched, regexp, occurrence, name, c);
    const known = c.constant(2);
    const at = bare(position);
    if (facts !== undefined && !facts.looksBack) {
      const rest = call('substringUTF8', searched, at);
      const inRest = first ? firstMatch(rest, pattern(regexp, c), facts) : nthMatch(rest, regexp, occurrence, name, c);
      const bounded = facts.emptyMatch ? iff(infix('>', at, call('lengthUTF8', searched)), NULL, inRest) : inRest;
      return typeof known === 'bigint' && known > 0n
        ? bounded
        : c.failIf(infix('<', at, lit(1)), `${name}: the position is not positive`, bounded);
    }
    if (typeof known !== 'bigint' || facts === undefined || !first)
      return fail(
        'unsupported',
        spanAt(c, 2),
        `${name} from a position that is not constant is not supported for this expression`,
        'search in SUBSTR(value, position)',
      );
    const re = afterSkipping(known, facts.groups === 0 ? `(${c.constant(1)})` : `(?:${c.constant(1)})`, facts, spanAt(c, 2));
    return firstMatch(searched, lit(re), facts);
  })();
  return oneGroup(unlatin1(found, c), regexp, name, c);
}

const extraction = (name: string) =>
  strict(
    'value STRING, regexp STRING, [position INT64], [occurrence INT64] -> STRING | value BYTES, regexp BYTES, [position INT64], [occurrence INT64] -> BYTES',
    ({ value, regexp, position, occurrence }, c) => checkedPattern(c, () => extract(value, regexp, position, occurrence, name, c)),
  );

function replace(value: Ch, regexp: Ch, replacement: Ch, c: LowerCall): Ch {
  const facts = factsOf(c);
  const known = c.constant(2);
  const to = isBytes(c) ? latin1(replacement, c, 2) : replacement;
  const bad = 'REGEXP_REPLACE: a backslash in the replacement stands before a digit or another backslash';
  if (typeof known === 'string') {
    const references = [...known.matchAll(/\\(.?)/gs)].map((m) => m[1] ?? '');
    if (references.some((r) => !/^[0-9\\]$/.test(r)))
      return fail('type', spanAt(c, 2), bad.slice(16), "write '\\\\1' or r'\\1' for a group");
    const most = Math.max(0, ...references.map((r) => (r === '\\' ? 0 : Number(r))));
    if (facts !== undefined && most > facts.groups)
      return fail('type', spanAt(c, 2), `there is no group ${most} in the regular expression, it has ${facts.groups}`);
  }
  const once = facts?.emptyMatch === true && facts.once;
  const replaced = unlatin1(call(once ? 'replaceRegexpOne' : 'replaceRegexpAll', text(value, c), pattern(regexp, c), to), c);
  const checked = known === undefined ? c.failIf(call('match', to, lit('\\\\([^0-9\\\\]|$)')), bad, replaced) : replaced;
  return once ? checked : refuseEmptyMatches(checked, regexp, 'REGEXP_REPLACE', c);
}

export const regexp: Family = {
  REGEXP_CONTAINS: strict(
    'value STRING, regexp STRING -> BOOL | value BYTES, regexp BYTES -> BOOL',
    ({ value, regexp }, c) => checkedPattern(c, () => call('match', text(value, c), pattern(regexp, c))),
    { searches: 'regexp' },
  ),
  REGEXP_EXTRACT: extraction('REGEXP_EXTRACT'),
  REGEXP_SUBSTR: extraction('REGEXP_SUBSTR'),
  REGEXP_EXTRACT_ALL: strict(
    'value STRING, regexp STRING -> ARRAY<STRING> | value BYTES, regexp BYTES -> ARRAY<BYTES>',
    ({ value, regexp }, c) =>
      checkedPattern(c, () => {
        oneForAll(regexp, 'REGEXP_EXTRACT_ALL', c);
        const all = call('extractAll', text(value, c), pattern(regexp, c));
        const found = isBytes(c) ? call('arrayMap', unlatin1Each(c), all) : all;
        const guarded = c.neverNull(0) ? found : iff(isNull(value), array(), found);
        return oneGroup(refuseEmptyMatches(guarded, regexp, 'REGEXP_EXTRACT_ALL', c), regexp, 'REGEXP_EXTRACT_ALL', c);
      }),
  ),
  REGEXP_REPLACE: strict(
    'value STRING, regexp STRING, replacement STRING -> STRING | value BYTES, regexp BYTES, replacement BYTES -> BYTES',
    ({ value, regexp, replacement }, c) => checkedPattern(c, () => replace(value, regexp, replacement, c)),
  ),
};

function unlatin1Each(c: LowerCall): Ch {
  const item = c.fresh('item');
  return { kind: 'lambda', parameters: [item], body: unlatin1({ kind: 'ident', parts: [item] }, c) };
}
