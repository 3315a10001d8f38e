// Decides where a blank stands between two tokens on a line. Where a blank could change the meaning of the text, it stays as it was written.

import { RESERVED } from '../keywords.ts';
import type { Piece } from './format-pieces.ts';

/** The reserved words that are written like functions. */
const CALLED = new Set('UNNEST IF CAST EXTRACT ARRAY STRUCT LEFT RIGHT GROUPING ROLLUP CUBE COLLATE RANGE'.split(' '));
/** The words before a parenthesis that is no call. */
const APART = new Set(['SETS', 'OVER', 'ANY', 'SOME', 'ALL']);
const OPERATORS = new Set('+ - * / % = < > <= >= <> != == || & | ^ << >> ~ => -> ( [ , { |> ;'.split(' '));

export function spaceBetween(beforeLast: Piece | undefined, last: Piece, next: Piece): boolean {
  const a = last.token;
  const b = next.token;
  if (b.kind === 'end') return false;
  // The two parts of `>>` stay together.
  if (last.isOperator || next.isOperator) return !(last.isOperator && next.isOperator) || next.spaceBefore;
  if (a.text === '.' || b.text === '.') return false;
  if ([',', ')', ']', ';', '}'].includes(b.text)) return false;
  if (['(', '[', '~'].includes(a.text)) return false;
  // `::`, `{…}`, names with dashes, `ARRAY<…>` and `>>` stay as they were written.
  if ('<>:{}$!'.includes(b.text.charAt(0) || ' ') || '<>:{}$!'.includes(a.text.charAt(0) || ' ')) {
    if (/^(?:<=|>=|<>|!=|<<)$/.test(b.text) || /^(?:<=|>=|<>|!=|<<)$/.test(a.text)) return !isUnary(beforeLast, last);
    return next.spaceBefore;
  }
  if (b.text === '-' && !next.spaceBefore) return OPERATORS.has(a.text) && a.text !== '-';
  if (a.text === '-' || a.text === '+') {
    if (isUnary(beforeLast, last)) return b.text === '-' || b.text === '+';
    return a.text === '+' || last.spaceBefore || next.spaceBefore;
  }
  if (b.text === '(') return spaceBeforeCall(a.kind === 'word', a.text, next);
  if (b.text === '[')
    return (
      !(a.kind === 'word' || a.kind === 'quoted' || a.kind === 'parameter' || a.text === ')' || a.text === ']') || isClause(a.text, a.kind)
    );
  return true;
}

function spaceBeforeCall(isName: boolean, word: string, next: Piece): boolean {
  if (!isName) return OPERATORS.has(word) || next.spaceBefore;
  if (APART.has(word)) return true;
  return RESERVED.has(word) && !CALLED.has(word);
}

const isClause = (word: string, kind: string): boolean => kind === 'word' && RESERVED.has(word) && word !== 'ARRAY' && word !== 'END';

/** True of a sign, which is no difference or sum. */
function isUnary(before: Piece | undefined, { token }: Piece): boolean {
  if (token.text !== '-' && token.text !== '+') return false;
  if (before === undefined) return true;
  const { kind, text } = before.token;
  return OPERATORS.has(text) || (kind === 'word' && RESERVED.has(text) && !['END', 'NULL', 'TRUE', 'FALSE'].includes(text));
}
