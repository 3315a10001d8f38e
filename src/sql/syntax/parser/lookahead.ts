// Tests for the construct that the next tokens begin.
import type { TokenStream } from '../lexer/token-stream.ts';

/** True if a query begins here, leading parentheses aside; `WITH(` is an expression. */
export function startsQuery(s: TokenStream): boolean {
  return s.is('SELECT') || s.is('FROM') || (s.is('WITH') && s.peek().text !== '(');
}

/** True if the next token makes a query in parentheses part of a larger query. */
export function queryContinues(s: TokenStream): boolean {
  return seesSetOperator(s) || s.is('ORDER') || s.is('LIMIT') || s.is('|>');
}

/** True if a set operation begins here, also with `FULL OUTER` and the like. */
export function seesSetOperator(s: TokenStream): boolean {
  const prefixed = s.is('FULL') || s.is('LEFT') || s.is('INNER');
  const word = prefixed ? s.peek(s.peek().text === 'OUTER' ? 2 : 1).text : s.token.text;
  return word === 'UNION' || word === 'INTERSECT' || word === 'EXCEPT';
}

/** True if PIVOT, UNPIVOT or TABLESAMPLE begins here; PIVOT and UNPIVOT alone are names. */
export function startsTableOperator(s: TokenStream): boolean {
  if (s.is('MATCH_RECOGNIZE') && s.peek().text === '(') {
    throw s.unsupported('MATCH_RECOGNIZE is not translated', 'compare rows with LAG and LEAD');
  }
  const next = s.peek().text;
  if (s.is('PIVOT')) return next === '(';
  return s.is('TABLESAMPLE') || (s.is('UNPIVOT') && (next === '(' || next === 'INCLUDE' || next === 'EXCLUDE'));
}
