// REGEXP_INSTR: ClickHouse finds no positions, so the text before the match is extracted and measured.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions#regexp_instr
import { fail } from '../../base/fail.ts';
import { COUNT } from '../../base/number-range.ts';
import { rewritePattern } from '../../base/regexp-pattern.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { call, iff, infix, isNull, lit, NULL, not } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullsPass, strict } from '../strict.ts';
import { checkedPattern, oneGroup } from './regexp.ts';
import { isMatch, pieces } from './regexp-nothing.ts';
import { afterSkipping, factsOf, pattern, spanAt, text } from './regexp-text.ts';

function constantAt(c: LowerCall, position: number, what: string, least: bigint): bigint {
  if ((c.args[position] ?? null) === null) return 1n;
  const known = c.constant(position);
  if (typeof known !== 'bigint')
    return fail('unsupported', spanAt(c, position), `REGEXP_INSTR takes a constant ${what}`, 'write it as a number');
  return known < least ? fail('type', spanAt(c, position), `the ${what} of REGEXP_INSTR must be ${least} or more, not ${known}`) : known;
}

function instr(value: SqlExpression, regexp: SqlExpression, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const known = c.constant(1);
  if (facts === undefined || typeof known !== 'string')
    return fail('unsupported', spanAt(c, 1), 'REGEXP_INSTR takes a constant regular expression', 'write it as a string');
  const position = constantAt(c, 2, 'position', 1n);
  const occurrence = constantAt(c, 3, 'occurrence', 1n);
  const side = (c.args[4] ?? null) === null ? 0n : constantAt(c, 4, 'occurrence_position', 0n);
  if (side > 1n) return fail('type', spanAt(c, 4), `the occurrence_position of REGEXP_INSTR must be 0 or 1, not ${side}`);
  const searched = text(value, c);
  const none = call('toInt64', lit(0));
  if (known === '' || known === '()') return iff(isNull(searched), NULL, none);
  // With SAFE the pattern makes no NULL of texts in which BigQuery does not search, whose bytes it counts.
  if (facts.groups > 1 && c.safe) return iff(infix('<', call('length', value), lit(position)), none, NULL);
  const { filled } = facts;
  if (facts.emptyMatch && facts.groups === 0 && filled !== null) {
    const found = pieces(position === 1n ? searched : call('substringUTF8', searched, lit(position)), facts, filled);
    const nth = call('arrayElement', found, lit(occurrence));
    const ahead = call('lengthUTF8', call('arrayStringConcat', call('arraySlice', found, lit(1), lit(occurrence - 1n))));
    // BigQuery gives the place behind the next character for a match of nothing.
    const own = iff(isMatch(nth, facts, filled), side === 0n ? lit(1) : infix('+', call('lengthUTF8', nth), lit(1)), lit(2));
    const place = infix('+', infix('+', call('toInt64', ahead), lit(position - 1n)), own);
    // BigQuery counts the bytes here: behind the last character of a text with wider ones nothing is found for a while.
    const behind = iff(infix('<=', lit(position), call('length', value)), call('toInt64', lit(position)), none);
    const missing = position > 1n && occurrence === 1n ? iff(call('empty', found), behind, none) : none;
    return iff(infix('<', call('length', found), lit(occurrence)), missing, place);
  }
  if (facts.emptyMatch)
    return fail(
      'unsupported',
      spanAt(c, 1),
      'REGEXP_INSTR with a regular expression that can match the empty string is not supported',
      'use + instead of *',
    );
  // The caller refuses more groups.
  if (facts.groups > 1) return NULL;
  const parts = facts.groups === 0 ? { before: '', group: `(${known})`, after: '' } : facts.split;
  if (parts === null)
    return fail(
      'unsupported',
      spanAt(c, 1),
      'REGEXP_INSTR with a group inside another part is not supported',
      'make it the only group at its level',
    );
  const { looksBack } = facts;
  if (looksBack && position > 1n && occurrence > 1n)
    return fail(
      'unsupported',
      spanAt(c, 3),
      'REGEXP_INSTR with position, occurrence and an anchor is not supported',
      'search in SUBSTR(value, position)',
    );
  const rest = position === 1n || looksBack ? searched : call('substringUTF8', searched, lit(position));
  const before = rest === searched ? 0n : position - 1n;
  const few = infix('<', call('countMatches', rest, pattern(regexp, c)), lit(occurrence));
  // RE2 repeats at most 1000 times.
  if (occurrence > 1000n) return c.failIf(not(few), 'REGEXP_INSTR counts at most 1000 occurrences', none);
  const gaps = occurrence === 1n ? '' : `(?:(?:${rewritePattern(known, { group: () => '(?:' })})(?s:.*?)){${occurrence - 1n}}`;
  const re = afterSkipping(
    looksBack ? position : 1n,
    `${parts.group}${parts.after}`,
    facts,
    spanAt(c, 2),
    (skip) => `(${skip}${gaps}${parts.before})`,
  );
  const groups = call('extractGroups', rest, lit(re));
  const lengthOf = (group: number): SqlExpression => call('lengthUTF8', call('arrayElement', groups, lit(group)));
  const start = infix('+', call('toInt64', lengthOf(1)), lit(before + 1n));
  const place = iff(call('empty', groups), none, side === 0n ? start : infix('+', start, lengthOf(2)));
  // Only where there are that many matches does the long expression find them as one search after the other would.
  return occurrence === 1n ? place : iff(few, none, place);
}

export const regexpInstr = (): Family => ({
  REGEXP_INSTR: strict(
    'value STRING, regexp STRING, [position INT64], [occurrence INT64], [occurrence_position INT64] -> INT64 | value BYTES, regexp BYTES, [position INT64], [occurrence INT64], [occurrence_position INT64] -> INT64',
    ({ value, regexp }, c) =>
      checkedPattern(c, () => {
        const found = instr(value, regexp, c);
        return nullsPass(c, [value], c.safe ? found : oneGroup(found, regexp, 'REGEXP_INSTR', c));
      }),
    { range: COUNT },
  ),
});
