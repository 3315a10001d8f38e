// Expressions that can match nothing. ClickHouse goes on after an empty match in its own way, so the text is first cut into what such an expression
// rather matches and single characters; each of these stands for a match of nothing before it.
import { fail } from '../../base/fail.ts';
import type { RegexpFacts } from '../../base/regexp-pattern.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, call, failIf, ident, iff, infix, lambda, lit } from '../../target/build.ts';
import type { LowerCall } from '../define.ts';
import { factsOf, pattern, spanAt } from './regexp-text.ts';

const withDot = (facts: RegexpFacts, re: string): string => (facts.dot ? `(?-s)${re}` : re);

/** Matches of `filled` (see RegexpFacts) and the characters between them, in their order. */
export function pieces(value: SqlExpression, facts: RegexpFacts, filled: string): SqlExpression {
  // A byte that is part of no character stays too.
  const single = '(?s:.)|\\C';
  return call('extractAll', value, lit(filled === '' ? single : withDot(facts, `(?:${filled})|${single}`)));
}

/** True if a piece is a match and not a single character. */
export const isMatch = (piece: SqlExpression, facts: RegexpFacts, filled: string): SqlExpression =>
  filled === '' ? lit(0) : call('match', piece, lit(withDot(facts, `^(?:${filled})`)));

/** Every match, or what its group took. */
export function allMatches(value: SqlExpression, regexp: SqlExpression, name: string, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const re = pattern(regexp, c);
  // An array that may be NULL is none to ClickHouse: the text is checked.
  if (facts === undefined) return call('extractAll', refuseEmptyMatches(value, regexp, name, c), re);
  const plain = call('extractAll', value, re);
  if (!facts.emptyMatch) return plain;
  if (facts.once) return iff(call('match', value, re), array(call('extract', value, re)), array());
  const { filled } = facts;
  if (filled === null) return refuseEmptyMatches(plain, regexp, name, c);
  const piece = c.fresh('piece');
  const found = call('arrayMap', lambda([piece], call('extract', ident(piece), re)), pieces(value, facts, filled));
  return iff(call('empty', value), array(lit('')), found);
}

/** Every match replaced by `to`: an empty one stands before each character, and at the end, unless a match that is not empty has just ended there. */
export function replaceAll(value: SqlExpression, regexp: SqlExpression, to: SqlExpression, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const filled = facts?.filled ?? null;
  const known = c.constant(2);
  const refers = typeof known !== 'string' || known.includes('\\');
  const re = refers ? asExpression(pattern(regexp, c)) : pattern(regexp, c);
  if (facts === undefined || !facts.emptyMatch || filled === null)
    return refuseEmptyMatches(call('replaceRegexpAll', value, re, to), regexp, 'REGEXP_REPLACE', c);
  const [piece, hit, before] = [c.fresh('piece'), c.fresh('hit'), c.fresh('before')];
  const found = pieces(value, facts, filled);
  const hits = call('arrayMap', lambda([piece], isMatch(ident(piece), facts, filled)), found);
  // Groups of a match of nothing are nothing.
  const nothing = call('replaceRegexpAll', to, lit('\\\\[0-9]|\\\\(\\\\)'), lit('\\1'));
  const kept = call('concat', iff(ident(before), lit(''), nothing), ident(piece));
  const each = iff(ident(hit), call('replaceRegexpOne', ident(piece), re, to), kept);
  const previous = call('arrayPopBack', call('arrayPushFront', hits, lit(0)));
  const all = call('arrayStringConcat', call('arrayMap', lambda([piece, hit, before], each), found, hits, previous));
  return call('concat', all, iff(infix('=', call('arrayElement', hits, lit(-1)), lit(1)), lit(''), nothing));
}

/** ClickHouse searches a plain text as such, and takes `\\0` in what it puts in its place for two characters. */
function asExpression(re: SqlExpression): SqlExpression {
  if (re.kind !== 'lit') return call('concat', lit('(?:'), re, lit(')'));
  return /[.^$|()[\]?*+{}\\]/.test(String(re.value)) ? re : lit(`(?:${re.value})`);
}

function refuseEmptyMatches(value: SqlExpression, regexp: SqlExpression, name: string, c: LowerCall): SqlExpression {
  const facts = factsOf(c);
  const message = `${name} with a regular expression that can match the empty string is not supported`;
  if (facts === undefined) return failIf(call('match', lit(''), regexp), message, value);
  return facts.emptyMatch ? fail('unsupported', spanAt(c, 1), message, 'use + instead of *, or anchor the expression with ^ or $') : value;
}
