// Reads the postfixes of an operand, which bind tightest: `[index]`, `.field`, `.method(…)`, `::type`.
import type { Argument, Call, Expr, Identifier, Subscript } from '../ast.ts';
import { RESERVED, RESERVED_FUNCTIONS } from '../keywords.ts';
import { parseCall } from './parse-call.ts';
import { parseNameAfterDot } from './parse-name.ts';
import { parsePostgresType } from './parse-type.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads the postfixes of `operand`, begun at `start`. */
export function parsePostfix(s: Parser, start: number, operand: Expr): Expr {
  for (;;) {
    if (s.is('[')) operand = parseSubscript(s, start, operand);
    else if (s.is('.') && s.peek().text !== '*') operand = parseAfterDot(s, start, operand);
    else if (s.is('::')) operand = parsePostgresCast(s, start, operand);
    else return operand;
  }
}

const MODES: Readonly<Record<string, Subscript['mode']>> = {
  OFFSET: 'offset',
  ORDINAL: 'ordinal',
  SAFE_OFFSET: 'safe_offset',
  SAFE_ORDINAL: 'safe_ordinal',
  KEY: 'key',
  SAFE_KEY: 'safe_key',
};

function parseSubscript(s: Parser, start: number, of: Expr): Subscript {
  s.expect('[');
  if (s.is('*')) throw s.unsupported('[*] is not translated', 'unnest the array: FROM UNNEST(array) AS element');
  const mode = s.peek().text === '(' ? MODES[s.token.text] : undefined;
  if (mode !== undefined) s.expect(s.token.text, '(');
  const index = parseExpression(s);
  if (mode !== undefined) s.expect(')');
  s.expect(']');
  return { kind: 'subscript', of, mode: mode ?? 'plain', index, span: s.span(start) };
}

function parseAfterDot(s: Parser, start: number, of: Expr): Expr {
  s.expect('.');
  if (s.is('(')) return parseChainedCall(s, start, of, parseParenthesisedFunctionName(s));
  const field = parseNameAfterDot(s);
  if (s.is('(')) return parseChainedCall(s, start, of, [field]);
  return { kind: 'field_access', of, field, span: s.span(start) };
}

/** Reads the `(SAFE.SQRT)` of `x.(SAFE.SQRT)()`. */
function parseParenthesisedFunctionName(s: Parser): Identifier[] {
  s.expect('(');
  const parts = [parseNameAfterDot(s)];
  while (s.take('.')) parts.push(parseNameAfterDot(s));
  s.expect(')');
  if (!s.is('(')) s.fail('"("', 'a name in parentheses after a dot is a function: x.(SAFE.SQRT)()');
  return parts;
}

/** Reads `x.f(y)`, which is f(x, y). https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-reference#chained_function_calls */
function parseChainedCall(s: Parser, start: number, of: Expr, name: readonly Identifier[]): Call {
  const [first] = name;
  const keyword = first?.name.toUpperCase() ?? '';
  const isReserved = (RESERVED.has(keyword) && !RESERVED_FUNCTIONS.has(keyword)) || keyword === 'SAFE_CAST';
  // Behind a dot a name may begin with a digit, but that of a function never does.
  if (first?.quoted === false && (isReserved || /^\d/.test(keyword))) {
    throw s.error(`${keyword} is not a function and cannot be called after a dot`, 'write it around the value');
  }
  const call = parseCall(s, start, name);
  if (call.star) throw s.error('* cannot be the argument of a call after a dot', 'write COUNT(*)');
  const receiver: Argument = { value: of, name: null, alias: null };
  return { ...call, args: [receiver, ...call.args] };
}

/** Reads `x::text` of Postgres, which BigQuery does not have, and which can only mean CAST. */
function parsePostgresCast(s: Parser, start: number, operand: Expr): Expr {
  s.expect('::');
  const to = parsePostgresType(s);
  return { kind: 'cast', operand, to, safe: false, format: null, timeZone: null, span: s.span(start) };
}
