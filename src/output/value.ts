// Prints values as JSON, and as bare text.
import { structFieldNames } from '../base/column-names.ts';
import type { ResultColumn, Value } from '../base/result.ts';

type Type = ResultColumn['type'];
type ValuePrinter = (value: Value) => string;

const numberTypes: ReadonlySet<Type['kind']> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC']);

export const isNumber = (type: Type): boolean => numberTypes.has(type.kind);

/** True for the types whose values are printed as JSON text in formats that hold only text. */
export const isNested = (type: Type): boolean => type.kind === 'ARRAY' || type.kind === 'STRUCT' || type.kind === 'RECORD';

/**
 * A number as JSON, with all digits of an integer and a float that reads back the same. NaN and the infinities, which JSON lacks, are
 * the strings `"NaN"`, `"Infinity"`, `"-Infinity"`.
 * the strings `"NaN"`, `"Infinity"`, `"-Infinity"`.
 */
function numberText(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isFinite(value) ? bareNumber(value) : `"${value}"`;
}

/** Prints a number as the engine does, which prints large results itself: `1e21`, not `1e+21`. */
function bareNumber(value: number | bigint): string {
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  return typeof value === 'number' && (value >= 1e21 || value <= -1e21) ? text.replace('e+', 'e') : text;
}

/** Sequences that the engine's JSON writes differently from JSON.stringify. */
const spelledOtherwise = /\\u00[01][a-f]|[\u2028\u2029]/;

/** A JSON string as the engine writes it: hexadecimal digits in capitals, and escapes for U+2028 and U+2029, which end lines in JavaScript. */
export function jsonString(text: string): string {
  const json = JSON.stringify(text);
  if (!spelledOtherwise.test(json)) return json;
  return json
    .replace(/\\(?:u00([01][a-f])|.)/g, (sequence, digits: string | undefined) =>
      digits === undefined ? sequence : `\\u00${digits.toUpperCase()}`,
    )
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

/** Returns the printer of values of one type as JSON. Built once per column, so that rows need no look at types. */
export function jsonPrinter(type: Type): ValuePrinter {
  const print = presentPrinter(type);
  return (value) => (value === null ? 'null' : print(value));
}

type Present = Exclude<Value, null>;

function presentPrinter(type: Type): (value: Present) => string {
  switch (type.kind) {
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return String;
    case 'JSON':
      // Line breaks inside JSON text are white space (strings escape theirs), and would break one-line formats.
      return (value) => (typeof value === 'string' ? value.replace(/[\r\n]+/g, ' ') : plainJson(value));
    case 'ARRAY': {
      const element = jsonPrinter(type.element);
      return (value) => (Array.isArray(value) ? `[${value.map(element).join(',')}]` : plainJson(value));
    }
    case 'STRUCT': {
      const keys = structFieldNames(type.fields).map(jsonString);
      const fields = type.fields.map((field) => jsonPrinter(field.type));
      return (value) =>
        Array.isArray(value)
          ? `{${fields.map((print, i) => `${keys[i]}:${print((value as readonly Value[])[i] ?? null)}`).join(',')}}`
          : plainJson(value);
    }
    default:
      return plainJson;
  }
}

/** A value as JSON, without knowledge of its type. */
export function plainJson(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberText(value);
  if (typeof value === 'string') return jsonString(value);
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, field]) => `${jsonString(key)}:${plainJson(field)}`)
    .join(',')}}`;
}

/** Returns the printer of values of one type as bare text: strings as they are, nested values as JSON. The caller handles NULL. */
export function textPrinter(type: Type): ValuePrinter {
  if (isNested(type)) return jsonPrinter(type);
  return (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'object') return plainJson(value);
    return typeof value === 'boolean' ? String(value) : bareNumber(value);
  };
}
