// What the next tokens begin.
import type { TokenStream } from '../lexer/token-stream.ts';

/** Whether a query begins here, leading parentheses aside; `WITH(` is an expression. */
export function startsQuery(s: TokenStream): boolean {
  return s.is('SELECT') || s.is('FROM') || (s.is('WITH') && s.peek().text !== '(');
}

/** Whether what follows a query in parentheses makes it part of a larger query. */
export function queryContinues(s: TokenStream): boolean {
  return seesSetOperator(s) || s.is('ORDER') || s.is('LIMIT') || s.is('|>');
}

/** Whether a set operation begins here, with its `FULL OUTER` and the like. */
export function seesSetOperator(s: TokenStream): boolean {
  const prefixed = s.is('FULL') || s.is('LEFT') || s.is('INNER');
  const word = prefixed ? s.peek(s.peek().text === 'OUTER' ? 2 : 1).text : s.token.text;
  return word === 'UNION' || word === 'INTERSECT' || word === 'EXCEPT';
}
