// Reads what says how BigQuery is to keep a thing, and changes no rows.
import type { Parser } from './parser.ts';
import { parseExpression } from './parser.ts';

/** `OPTIONS (…)`, or nothing. */
export function skipOptions(s: Parser): void {
  if (!s.is('OPTIONS') || s.peek().text !== '(') return;
  s.advance();
  s.expect('(');
  while (!s.is(')')) {
    s.advance();
    s.expect('=');
    parseExpression(s);
    if (!s.take(',')) break;
  }
  s.expect(')');
}
