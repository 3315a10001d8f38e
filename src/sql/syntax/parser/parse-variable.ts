// Reads DECLARE and SET.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/procedural-language#declare
import type { Assignment, Declaration } from '../ast.ts';
import { parseList, parseName, parseParenthesisedList } from './parse-name.ts';
import { parseType } from './parse-type.ts';
import { type Parser, parseExpression } from './parser.ts';

const parseVariable = (s: Parser) => parseName(s, 'the name of a variable');

/** Reads `DECLARE a, b INT64 DEFAULT 5`. */
export function parseDeclaration(s: Parser): Declaration {
  const { start } = s.token;
  s.expect('DECLARE');
  const names = parseList(s, parseVariable);
  const type = s.is('DEFAULT') || s.is(';') || s.token.kind === 'end' ? null : parseType(s);
  const value = s.take('DEFAULT') ? parseExpression(s) : null;
  if (type === null && value === null) s.fail('a type or DEFAULT', 'write DECLARE name INT64, or DECLARE name DEFAULT 5');
  return { kind: 'declare', names, type, value, span: s.span(start) };
}

/** Reads `SET a = 5` and `SET (a, b) = (1, 2)`. */
export function parseAssignment(s: Parser): Assignment {
  const { start } = s.token;
  s.expect('SET');
  if (s.token.text.startsWith('@@')) {
    throw s.unsupported(
      `SET ${s.token.text} sets a system variable`,
      'quern has none: pass the time zone to the functions that take one, e.g. DATE(timestamp, "Europe/Zurich")',
      start,
    );
  }
  const each = s.is('(');
  const names = each ? parseParenthesisedList(s, parseVariable) : [parseVariable(s)];
  s.expect('=');
  const value = parseExpression(s);
  return { kind: 'set', names, each, value, span: s.span(start) };
}
