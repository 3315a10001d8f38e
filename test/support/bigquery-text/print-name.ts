// Writes names, strings and types as BigQuery text.
import type { Identifier, TypeRef } from '../../../src/sql/syntax/ast.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', "'": "\\'", '`': '\\`', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function printString(value: string): string {
  return `'${value.replace(/[\\'\p{Cc}]/gu, escapeOne)}'`;
}

/** `value` holds one character per byte. */
export function printBytes(value: string): string {
  return `b'${value.replace(/[\\'\p{Cc}\x80-\xff]/gu, escapeOne)}'`;
}

function escapeOne(char: string): string {
  return ESCAPES[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

export function printName(identifier: Identifier): string {
  return identifier.quoted ? `\`${identifier.name.replace(/[\\`\p{Cc}]/gu, escapeOne)}\`` : identifier.name;
}

export function printNames(identifiers: readonly Identifier[]): string {
  return identifiers.map(printName).join(', ');
}

export function printPath(parts: readonly Identifier[]): string {
  return parts.map(printName).join('.');
}

/** ` AS name`, or nothing. */
export function printAlias(alias: Identifier | null): string {
  return alias === null ? '' : ` AS ${printName(alias)}`;
}

export function printType(type: TypeRef): string {
  if (type.element !== null) return `ARRAY<${printType(type.element)}>`;
  if (type.name === 'STRUCT') {
    return `STRUCT<${type.fields.map((field) => (field.name === null ? '' : `${printName(field.name)} `) + printType(field.type)).join(', ')}>`;
  }
  return type.parameters.length === 0 ? type.name : `${type.name}(${type.parameters.join(', ')})`;
}
