// One value for a parameter: text or JSON in, the value to bind out.

import { nearest } from '../base/errors.ts';
import type { BoundValue } from '../engine/engine.ts';
import { arrayOf, BOOL, DATE, FLOAT64, INT64, STRING, TIMESTAMP, type Type } from '../sql/base/types.ts';
import { DATE_FORMS, readDate, readTimestamp, TIMESTAMP_FORMS } from './instant.ts';
import type { ParameterDeclaration, ParameterTypeName } from './saved-query.ts';
import { textFormatProblem } from './text-formats/text-format.ts';

interface ParameterType {
  readonly type: Type;
  /** Completes "… is not ". */
  readonly expected: string;
  /** Undefined when `raw` (text, or a JSON scalar) is not such a value. */
  read(raw: string | number | bigint | boolean): BoundValue | undefined;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const SPECIAL_FLOATS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  infinity: Number.POSITIVE_INFINITY,
};

const PARAMETER_TYPES: Readonly<Record<ParameterTypeName, ParameterType>> = {
  string: { type: STRING, expected: 'text', read: (raw) => String(raw) },
  integer: {
    type: INT64,
    expected: 'a 64-bit integer',
    read: (raw) => (typeof raw === 'boolean' ? undefined : readInteger(String(raw).trim())),
  },
  float: { type: FLOAT64, expected: 'a number', read: (raw) => (typeof raw === 'boolean' ? undefined : readFloat(String(raw).trim())) },
  boolean: { type: BOOL, expected: 'true or false', read: readBoolean },
  timestamp: {
    type: TIMESTAMP,
    expected: TIMESTAMP_FORMS,
    read: (raw) => (typeof raw === 'boolean' ? undefined : readTimestamp(String(raw))),
  },
  date: { type: DATE, expected: DATE_FORMS, read: (raw) => (typeof raw === 'string' ? readDate(raw) : undefined) },
};

export const PARAMETER_TYPE_NAMES = Object.keys(PARAMETER_TYPES) as readonly ParameterTypeName[]; // Object.keys only knows strings

/** The types that people write who think of those in SQL. */
const SQL_NAMES: Readonly<Record<string, ParameterTypeName>> = {
  INT64: 'integer',
  INT: 'integer',
  NUMBER: 'float',
  DOUBLE: 'float',
  STR: 'string',
  TEXT: 'string',
  VARCHAR: 'string',
  FLOAT64: 'float',
  NUMERIC: 'float',
  BOOL: 'boolean',
  DATETIME: 'timestamp',
};

/** The name that was meant by `text`, which is none. */
export function nearestTypeName(text: string): string | undefined {
  return SQL_NAMES[text.toUpperCase()] ?? nearest(text, PARAMETER_TYPE_NAMES);
}

/** The GoogleSQL type that `@name` has in the SQL. */
export function parameterType({ type, array }: Pick<ParameterDeclaration, 'type' | 'array'>): Type {
  return array ? arrayOf(PARAMETER_TYPES[type].type) : PARAMETER_TYPES[type].type;
}

/** As the header writes it: `array of integer`. */
export function parameterTypeText({ type, array }: Pick<ParameterDeclaration, 'type' | 'array'>): string {
  return array ? `array of ${type}` : type;
}

/** For people: `regexp string`, `array of regexp strings`; only strings have formats. */
export function parameterKindText(declaration: Pick<ParameterDeclaration, 'type' | 'array' | 'format'>): string {
  const { array, format } = declaration;
  if (format === undefined) return parameterTypeText(declaration);
  return array ? `array of ${format} strings` : `${format} string`;
}

type ReadValue = { readonly value: BoundValue } | { readonly problem: string };

/**
 * The value to bind for `raw`: text, a JSON scalar, or for arrays a list of those, JSON text of a list, or text with commas. In an array of
 * strings without an `enum` a comma belongs to the value. A problem says what is wrong and what is allowed.
 */
export function readValue(declaration: ParameterDeclaration, raw: unknown): ReadValue {
  if (!declaration.array) {
    const single = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw;
    return Array.isArray(single) ? { problem: `takes one value, but ${single.length} were given` } : readScalar(declaration, single);
  }
  const values: BoundValue[] = [];
  for (const item of listOf(declaration, raw)) {
    const element = readScalar(declaration, item);
    if ('problem' in element) return element;
    values.push(element.value);
  }
  return { value: values };
}

function readScalar(declaration: ParameterDeclaration, raw: unknown): ReadValue {
  const { expected, read } = PARAMETER_TYPES[declaration.type];
  const scalar = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint' || typeof raw === 'boolean';
  const value = scalar ? read(raw) : undefined;
  if (value === undefined) return { problem: `${shown(raw)} is not ${expected}` };
  const { enum: allowed, format, example } = declaration;
  if (allowed !== undefined && !allowed.some((candidate) => read(candidate) === value))
    return { problem: `${shown(raw)} is not one of: ${allowed.join(', ')}` };
  const wrong =
    format === undefined ? undefined : textFormatProblem(format, String(value), example === undefined ? undefined : String(example));
  return wrong === undefined ? { value } : { problem: `${shown(raw)} ${wrong}` };
}

function listOf(declaration: ParameterDeclaration, raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'string') return [raw];
  if (raw.trimStart().startsWith('[')) {
    try {
      const parsed = parseDigits(raw);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // Not JSON: then it is text like any other.
    }
  }
  return declaration.type === 'string' && declaration.enum === undefined ? [raw] : raw.split(',').map((item) => item.trim());
}

const LONG_NUMBER = /("(?:[^"\\]|\\.)*")|-?[\d.]{16,}(?:[eE][+-]?\d+)?/g;

/** JSON whose numbers of more digits than a double holds are texts. Throws SyntaxError. */
export const parseDigits = (text: string): unknown =>
  JSON.parse(text.replace(LONG_NUMBER, (found, string: string | undefined) => string ?? `"${found}"`));

function readInteger(text: string): number | bigint | undefined {
  if (!/^[+-]?\d{1,19}(\.0+)?$/.test(text)) return undefined;
  const exact = BigInt(text.replace(/^\+|\.0+$/g, ''));
  if (exact < MIN_INT64 || exact > MAX_INT64) return undefined;
  const number = Number(exact);
  return Number.isSafeInteger(number) ? number : exact;
}

function readFloat(text: string): number | undefined {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const special = SPECIAL_FLOATS[text.toLowerCase().replace(/^[+-]/, '')];
  return special !== undefined && text.startsWith('-') ? -special : special;
}

function readBoolean(raw: string | number | bigint | boolean): boolean | undefined {
  const text = String(raw).trim();
  if (/^(true|yes|on|1)$/i.test(text)) return true;
  return /^(false|no|off|0)$/i.test(text) ? false : undefined;
}

/** The value as the user gave it, cut to fit a line. */
export function shown(raw: unknown): string {
  const text = jsonOf(raw) ?? String(raw);
  return text.length > 60 ? `${text.slice(0, 57)}…${text.endsWith('"') ? '"' : ''}` : text;
}

/** Undefined for what has no JSON; JSON.parse reads deeper lists than JSON.stringify can print. */
function jsonOf(raw: unknown): string | undefined {
  try {
    return JSON.stringify(raw, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  } catch (error) {
    if (error instanceof RangeError) return 'a list nested too deeply';
    throw error;
  }
}
