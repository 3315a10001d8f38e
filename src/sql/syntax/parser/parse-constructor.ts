// Reads arrays and structs: `[1, 2]`, `ARRAY<INT64>[]`, `STRUCT(1 AS a)`, `STRUCT<a INT64>(1)`.
import type { ArrayLiteral, StructLiteral, TypeRef } from '../ast.ts';
import { closeList, parseList, parseName } from './parse-name.ts';
import { parseType } from './parse-type.ts';
import { type Parser, parseExpression } from './parser.ts';

/** Reads the rest of an array after the word ARRAY, which began at `start`: `<type>[…]` or `[…]`. */
export function parseArrayAfterKeyword(s: Parser, start: number): ArrayLiteral {
  if (!s.take('<')) return parseArrayElements(s, start, null);
  const elementType = parseType(s);
  s.expect('>');
  return parseArrayElements(s, start, elementType);
}

export function parseArrayElements(s: Parser, start: number, elementType: TypeRef | null): ArrayLiteral {
  s.expect('[');
  const elements = s.is(']') ? [] : parseList(s, parseExpression);
  if (!s.take(']')) s.fail('"," or "]"');
  return { kind: 'array', elementType, elements, span: s.span(start) };
}

export function parseStruct(s: Parser): StructLiteral {
  const { start } = s.token;
  const typed = s.peek().text !== '(';
  const type = typed ? parseType(s) : null;
  if (!typed) s.advance();
  s.expect('(');
  const fields = s.is(')') ? [] : parseList(s, parseStructField);
  closeList(s);
  return { kind: 'struct', type, fields, span: s.span(start) };
}

function parseStructField(s: Parser): StructLiteral['fields'][number] {
  if (s.is('SELECT')) s.fail('a field', 'a subquery as a field needs its own parentheses: STRUCT((SELECT …))');
  const value = parseExpression(s);
  return { value, name: s.take('AS') ? parseName(s, 'the name of the field') : null };
}
