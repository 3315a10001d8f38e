// Skips the options that say how BigQuery keeps a thing: they change no rows.
import type { Parser } from './parser.ts';
import { parseExpression } from './parser.ts';

/** Skips `OPTIONS (…)`, if it follows. */
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
