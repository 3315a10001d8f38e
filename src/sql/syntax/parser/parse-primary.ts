// Reads the operands of expressions: literals, names, and expressions that begin with a keyword.
import type { Expr, Identifier, Path, TypedLiteralType } from '../ast.ts';
import { BARE_FUNCTIONS, RESERVED_FUNCTIONS } from '../keywords.ts';
import type { TokenKind } from '../lexer/token.ts';
import { emptyCall, parseCall } from './parse-call.ts';
import { parseArrayAfterKeyword, parseArrayElements, parseStruct } from './parse-constructor.ts';
import { parseCase, parseCast, parseExtract, parseInterval, parseWithExpression } from './parse-keyword-expression.ts';
import { isName, parseNameAfterDot, takeName } from './parse-name.ts';
import { parseParenthesised, parseSubquery, toExpression } from './parse-parenthesised.ts';
import type { Parser } from './parser.ts';

export function parsePrimary(s: Parser): Expr {
  const { kind, value, start } = s.token;
  switch (kind) {
    case 'word':
    case 'quoted':
      return parseWord(s);
    case 'int':
      s.advance();
      return { kind: 'int_literal', value: BigInt(value), span: s.span(start) };
    case 'float':
      s.advance();
      return { kind: 'float_literal', text: value, span: s.span(start) };
    case 'string':
    case 'bytes':
      return { kind: `${kind}_literal`, value: takeLiteral(s, kind), span: s.span(start) };
    case 'parameter':
      s.advance();
      return { kind: 'parameter', name: value, span: s.span(start) };
    default:
      return parseSymbol(s);
  }
}

function parseSymbol(s: Parser): Expr {
  const { start } = s.token;
  if (s.is('(')) return toExpression(s, start, parseParenthesised(s));
  if (s.is('[')) return parseArrayElements(s, start, null);
  return s.fail('an expression');
}

/** Reads one string, or several with blanks between them: `'a' 'b'` is `'ab'`. */
function takeLiteral(s: Parser, kind: TokenKind & ('string' | 'bytes')): string {
  const parts = [s.advance().value];
  for (; s.token.kind === 'string' || s.token.kind === 'bytes'; parts.push(s.advance().value)) {
    if (s.token.start === s.end) {
      throw s.error(
        'there is no space between these two strings',
        'a quote inside a string is written \\\' or \\"; to join strings, put a space between them',
      );
    }
    if (s.token.kind !== kind)
      throw s.error('a string and a bytes literal cannot be joined', 'write both with the prefix b, or both without');
  }
  return parts.join('');
}

const TYPED_LITERALS: Readonly<Record<string, TypedLiteralType>> = {
  DATE: 'DATE',
  TIME: 'TIME',
  DATETIME: 'DATETIME',
  TIMESTAMP: 'TIMESTAMP',
  NUMERIC: 'NUMERIC',
  DECIMAL: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
  JSON: 'JSON',
};

function parseWord(s: Parser): Expr {
  const { text, start } = s.token;
  if (text === '') return parsePathOrCall(s);
  const type = s.peek().kind === 'string' ? TYPED_LITERALS[text] : undefined;
  if (type !== undefined) {
    s.advance();
    return { kind: 'typed_literal', type, text: takeLiteral(s, 'string'), span: s.span(start) };
  }
  const next = s.peek().text;
  if (text === 'SAFE_CAST' && next === '(') return parseCast(s);
  if (BARE_FUNCTIONS.has(text) && next !== '(' && next !== '.') return { ...emptyCall([takeName(s)]), span: s.span(start) };
  if (isName(s.token) || (RESERVED_FUNCTIONS.has(text) && next === '(')) return parsePathOrCall(s);
  return parseReserved(s);
}

function parseReserved(s: Parser): Expr {
  const { text, start } = s.token;
  switch (text) {
    case 'NULL':
      s.advance();
      return { kind: 'null_literal', span: s.span(start) };
    case 'TRUE':
    case 'FALSE':
      s.advance();
      return { kind: 'bool_literal', value: text === 'TRUE', span: s.span(start) };
    case 'CASE':
      return parseCase(s);
    case 'CAST':
      return parseCast(s);
    case 'EXTRACT':
      return parseExtract(s);
    case 'INTERVAL':
      return parseInterval(s);
    case 'STRUCT':
      return parseStruct(s);
    case 'ARRAY':
      s.advance();
      return s.is('(') ? parseSubquery(s, start, 'array') : parseArrayAfterKeyword(s, start);
    case 'EXISTS':
      s.advance();
      return parseSubquery(s, start, 'exists');
    case 'WITH':
      if (s.peek().text === '(') return parseWithExpression(s);
      break;
    case 'UNNEST':
      s.fail('an expression', 'UNNEST makes a table: use it in FROM, or after IN');
      break;
    case 'SELECT':
      s.fail('an expression', 'a subquery needs parentheses');
      break;
    case 'RANGE':
      throw s.unsupported('the type RANGE is not translated', 'use two columns: a start and an end');
  }
  return s.fail('an expression');
}

/** Reads `a.b.c`, or a call of that name. */
function parsePathOrCall(s: Parser): Expr {
  const { start } = s.token;
  const parts: Identifier[] = [takeName(s)];
  while (s.is('.') && s.peek().text !== '*' && s.peek().text !== '(') {
    s.advance();
    parts.push(parseNameAfterDot(s));
  }
  if (s.is('(')) return parseCall(s, start, parts);
  const path: Path = { kind: 'path', parts, span: s.span(start) };
  return path;
}
