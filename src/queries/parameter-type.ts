// The types of parameters as people write them, in quern's words or in SQL's: `array of integer`, `ARRAY<INT64>`, `STRUCT<a INT64, b STRING>`.
import { nearest } from '../base/errors.ts';
import { readValueType } from '../sql/base/type-text.ts';
import type { Type } from '../sql/base/types.ts';
import { PARAMETER_TYPES, SCALAR_PARAMETER_NAMES } from './parameter-types.ts';
import type { ParameterField, ParameterType, ScalarParameterName } from './saved-query.ts';

/** Completes "the types are …". */
export const TYPES_TEXT = `${SCALAR_PARAMETER_NAMES.join(', ')}, SQL's names such as INT64 and STRUCT<a INT64>, and \`array of\` each`;

/** Returns the type that a text names; undefined where it names none. */
export function readParameterType(text: string): ParameterType | undefined {
  const [, array, rest = ''] = /^(array\s+of\s+)?(.*)$/is.exec(text.trim()) ?? [];
  const type = elementNamed(rest);
  if (type === undefined || array === undefined) return type;
  return type.array ? undefined : { ...type, array: true };
}

function elementNamed(text: string): ParameterType | undefined {
  const word = SCALAR_PARAMETER_NAMES.find((name) => name === text.toLowerCase());
  if (word !== undefined) return { type: word, array: false };
  // The length of a text or the digits of a number are no part of a parameter's type.
  if (text.replace(/`[^`]*`/g, '').includes('(')) return undefined;
  const type = readValueType(text);
  return type === undefined ? undefined : parameterTypeOf(type);
}

/** Returns the type for parameters of a GoogleSQL type; undefined for types that only sources have. */
export function parameterTypeOf(type: Type): ParameterType | undefined {
  if (type.kind === 'ARRAY') {
    const element = type.element.kind === 'ARRAY' ? undefined : parameterTypeOf(type.element);
    return element === undefined ? undefined : { ...element, array: true };
  }
  if (type.kind === 'STRUCT') {
    const fields = type.fields.flatMap(({ name, type: of }): readonly ParameterField[] => {
      const field = parameterTypeOf(of);
      return field === undefined ? [] : [{ ...field, name }];
    });
    return fields.length < type.fields.length ? undefined : { type: 'struct', array: false, fields };
  }
  const name = SCALAR_PARAMETER_NAMES.find((one) => PARAMETER_TYPES[one].sql === type.kind);
  return name === undefined ? undefined : { type: name, array: false };
}

/** The types that people write who think of those of other databases. */
const OTHER_NAMES: Readonly<Record<string, ScalarParameterName>> = {
  NUMBER: 'float',
  DOUBLE: 'float',
  REAL: 'float',
  STR: 'string',
  TEXT: 'string',
  VARCHAR: 'string',
};

/** Returns what to do about a text that names no type. */
export function typeHint(text: string): string {
  const element = text.trim().replace(/^array\s+of\s+/i, '');
  if (/^(?:array|struct)\s*</i.test(element) && element.split('<').length !== element.split('>').length)
    return 'put the type in quotes: within { } a comma ends it';
  const near = OTHER_NAMES[element.toUpperCase()] ?? nearest(element, SCALAR_PARAMETER_NAMES);
  return near === undefined ? `the types are ${TYPES_TEXT}` : `did you mean ${near}?`;
}
