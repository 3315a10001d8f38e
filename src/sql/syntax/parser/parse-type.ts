// Reads types: `INT64`, `ARRAY<STRUCT<a INT64>>`, `NUMERIC(10, 2)`.
import { TYPE_ALIASES } from '../../base/types.ts';
import type { Identifier, TypeRef } from '../ast.ts';
import { closeList, isName, parseList, parseName, takeName } from './parse-name.ts';
import type { Parser } from './parser.ts';

/** The names in Postgres of types that BigQuery has too; read only after `::`. */
const POSTGRES_NAMES: Readonly<Record<string, string>> = {
  TEXT: 'STRING',
  VARCHAR: 'STRING',
  INT2: 'INT64',
  INT4: 'INT64',
  INT8: 'INT64',
  FLOAT: 'FLOAT64',
  FLOAT4: 'FLOAT64',
  FLOAT8: 'FLOAT64',
  REAL: 'FLOAT64',
  DOUBLE: 'FLOAT64',
  BYTEA: 'BYTES',
  TIMESTAMPTZ: 'TIMESTAMP',
  JSONB: 'JSON',
};

export function parseType(s: Parser): TypeRef {
  s.enter();
  const type = s.is('ARRAY') || s.is('STRUCT') || s.is('RANGE') ? parseComposedType(s) : parseNamedType(s);
  s.leave();
  return type;
}

/** Reads `TABLE<a INT64, b STRING>`, which table functions take and return. */
export function parseTableType(s: Parser): TypeRef {
  const { start } = s.token;
  s.expect('TABLE');
  return { kind: 'type', name: 'TABLE', element: null, fields: parseFields(s), parameters: [], span: s.span(start) };
}

/** Reads the type after Postgres' `::`, by its BigQuery or its Postgres name. */
export function parsePostgresType(s: Parser): TypeRef {
  const type = parseType(s);
  if (type.name === 'DOUBLE') s.take('PRECISION');
  return { ...type, name: POSTGRES_NAMES[type.name] ?? type.name, span: s.span(type.span.start) };
}

function parseNamedType(s: Parser): TypeRef {
  const { start } = s.token;
  // INTERVAL is the one reserved word that names a type alone.
  if (!isName(s.token) && !s.is('INTERVAL')) s.fail('a type');
  const written = takeName(s).name.toUpperCase();
  const parameters = s.take('(') ? parseTypeParameters(s) : [];
  return { kind: 'type', name: TYPE_ALIASES[written] ?? written, element: null, fields: [], parameters, span: s.span(start) };
}

function parseTypeParameters(s: Parser): bigint[] {
  const parameters = parseList(s, (stream) => {
    if (stream.token.kind !== 'int') stream.fail('a whole number');
    return BigInt(stream.advance().value);
  });
  closeList(s);
  return parameters;
}

function parseComposedType(s: Parser): TypeRef {
  const { start } = s.token;
  const name = s.token.text;
  if (name === 'RANGE') throw s.unsupported('the type RANGE is not translated', 'use two columns: a start and an end');
  s.advance();
  if (name === 'ARRAY') {
    s.expect('<');
    const element = parseType(s);
    s.expect('>');
    return { kind: 'type', name, element, fields: [], parameters: [], span: s.span(start) };
  }
  const fields = s.take('<>') ? [] : parseFields(s);
  return { kind: 'type', name, element: null, fields, parameters: [], span: s.span(start) };
}

function parseFields(s: Parser): { name: Identifier | null; type: TypeRef }[] {
  s.expect('<');
  if (s.take('>')) return [];
  const fields = parseList(s, parseField);
  if (!s.take('>')) s.fail('"," or ">"');
  return fields;
}

function parseField(s: Parser): { name: Identifier | null; type: TypeRef } {
  // Two words in a row are a field's name and its type; one is a type alone.
  const next = s.peek();
  const named = isName(s.token) && (isName(next) || next.text === 'ARRAY' || next.text === 'STRUCT' || next.text === 'INTERVAL');
  const name = named ? parseName(s) : null;
  return { name, type: parseType(s) };
}
