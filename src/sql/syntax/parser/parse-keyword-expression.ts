// Reads the expressions with a grammar of their own: CASE, CAST, EXTRACT, INTERVAL, WITH(…).
import type { Case, Cast, Expr, Extract, IntervalExpr, WithExpr } from '../ast.ts';
import { isName, parseName, takeName } from './parse-name.ts';
import { parseType } from './parse-type.ts';
import { type Parser, parseExpression } from './parser.ts';

export function parseCase(s: Parser): Case {
  const { start } = s.token;
  s.expect('CASE');
  const operand = s.is('WHEN') ? null : parseExpression(s);
  if (!s.is('WHEN')) s.fail('WHEN');
  const whens: { when: Expr; then: Expr }[] = [];
  while (s.take('WHEN')) {
    const when = parseExpression(s);
    if (!s.take('THEN')) s.fail('THEN');
    whens.push({ when, then: parseExpression(s) });
  }
  const otherwise = s.take('ELSE') ? parseExpression(s) : null;
  if (!s.take('END')) s.fail(otherwise === null ? 'WHEN, ELSE or END' : 'END', 'every CASE ends with END');
  return { kind: 'case', operand, whens, otherwise, span: s.span(start) };
}

/** Reads CAST and SAFE_CAST. */
export function parseCast(s: Parser): Cast {
  const { text, start } = s.advance();
  s.expect('(');
  const operand = parseExpression(s);
  if (!s.take('AS')) s.fail('AS and a type', 'write CAST(value AS type)');
  const to = parseType(s);
  const format = s.take('FORMAT') ? parseExpression(s) : null;
  const timeZone = parseTimeZone(s);
  if (!s.take(')')) s.fail('FORMAT or ")"');
  return { kind: 'cast', operand, to, safe: text === 'SAFE_CAST', format, timeZone, span: s.span(start) };
}

function parseTimeZone(s: Parser): Expr | null {
  if (!s.take('AT')) return null;
  s.expect('TIME', 'ZONE');
  return parseExpression(s);
}

export function parseExtract(s: Parser): Extract {
  const { start } = s.token;
  s.expect('EXTRACT', '(');
  const part = parseDatePart(s);
  if (!s.take('FROM')) s.fail('FROM', 'write EXTRACT(part FROM value)');
  const from = parseExpression(s);
  const timeZone = parseTimeZone(s);
  if (!s.take(')')) s.fail('AT TIME ZONE or ")"');
  return { kind: 'extract', part, from, timeZone, span: s.span(start) };
}

/** Reads `DAY` or `WEEK(MONDAY)`. */
function parseDatePart(s: Parser): string {
  if (!isName(s.token)) s.fail('a date part such as DAY');
  const part = takeName(s).name.toUpperCase();
  if (!s.take('(')) return part;
  const argument = parseName(s, 'a weekday').name.toUpperCase();
  s.expect(')');
  return `${part}(${argument})`;
}

export function parseInterval(s: Parser): IntervalExpr {
  const { start } = s.token;
  s.expect('INTERVAL');
  const value = parseExpression(s);
  if (!isName(s.token)) s.fail('a date part such as DAY', "write INTERVAL 5 DAY, or INTERVAL '1-2' YEAR TO MONTH");
  const from = parseDatePart(s);
  const to = s.take('TO') ? parseDatePart(s) : null;
  return { kind: 'interval', value, from, to, span: s.span(start) };
}

export function parseWithExpression(s: Parser): WithExpr {
  const { start } = s.token;
  s.expect('WITH', '(');
  const bindings: { name: WithExpr['bindings'][number]['name']; value: Expr }[] = [];
  while (isName(s.token) && s.peek().text === 'AS') {
    const name = takeName(s);
    s.expect('AS');
    bindings.push({ name, value: parseExpression(s) });
    if (!s.take(',')) s.fail('"," and the result of WITH(…)');
  }
  const body = parseExpression(s);
  s.expect(')');
  return { kind: 'with_expr', bindings, body, span: s.span(start) };
}
