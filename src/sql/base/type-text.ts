// Types as people write them outside of SQL: in `schema:`, `--schema` and `-p`. In SQL the parser reads them.
import { arrayOf, SCALAR_TYPES, type StructField, structOf, TYPE_ALIASES, type Type } from './types.ts';

const NAMED: Readonly<Record<string, Type>> = SCALAR_TYPES;

/** The name of FLOAT64 in bq and BigQuery's API, which SQL does not have. */
const NAMES_OF_BQ: Readonly<Record<string, string>> = { FLOAT: 'FLOAT64' };

/** Returns the type with a name such as `INT64` or `integer`; undefined where there is none. */
export function scalarNamed(name: string): Type | undefined {
  const upper = name.toUpperCase();
  return NAMED[TYPE_ALIASES[upper] ?? NAMES_OF_BQ[upper] ?? upper];
}

/**
 * Returns the type that a text such as `NUMERIC(10, 2)` or `ARRAY<STRUCT<sku STRING, qty INT64>>` names; undefined where it names none. `named` finds the
 * type of any other name.
 */
export const readTypeText = (text: string, named: Named = scalarNamed): Type | undefined => read(text, { named, unnamed: false });

/** Returns the type of a value, whose STRUCTs may have fields without names, as in `STRUCT<INT64, STRING>`. */
export const readValueType = (text: string): Type | undefined => read(text, { named: scalarNamed, unnamed: true });

type Named = (name: string) => Type | undefined;
interface Reading {
  readonly named: Named;
  /** True if a field may have no name. */
  readonly unnamed: boolean;
}

function read(text: string, reading: Reading): Type | undefined {
  const { named } = reading;
  const [, name = '', parameters, inside] = /^\s*(\w+)\s*(?:\(([\d\s,]*|MAX)\)|<(.*)>)?\s*$/is.exec(text) ?? [];
  if (inside === undefined) {
    const type = named(name);
    return parameters !== undefined && type !== undefined && !PARAMETRIC.includes(type.kind) ? undefined : type;
  }
  if (name.toUpperCase() === 'ARRAY') {
    const element = read(inside, reading);
    return element === undefined || element.kind === 'ARRAY' ? undefined : arrayOf(element);
  }
  if (name.toUpperCase() === 'STRUCT') return readStruct(inside, reading);
  return named(`${name}<${inside}>`);
}

/** The types whose names may be followed by a length, or by a precision and a scale: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#parameterized_data_types */
const PARAMETRIC: readonly string[] = ['STRING', 'BYTES', 'NUMERIC', 'BIGNUMERIC'];

function readStruct(inside: string, reading: Reading): Type | undefined {
  const fields: StructField[] = [];
  for (const part of splitOutside(inside)) {
    const [, quoted, plain, typeText = ''] = /^\s*(?:`([^`]+)`|([A-Za-z_]\w*))\s+(.+)$/s.exec(part) ?? [];
    const known = read(typeText, reading);
    const type = known ?? (reading.unnamed ? read(part, reading) : undefined);
    const name = known === undefined ? null : (quoted ?? plain ?? null);
    if (type === undefined) return undefined;
    if (name !== null && fields.some((field) => field.name?.toLowerCase() === name.toLowerCase())) return undefined;
    fields.push({ name, type });
  }
  return structOf(fields);
}

/** Splits the text at commas outside of brackets. */
export function splitOutside(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '<' || character === '(') depth++;
    else if (character === '>' || character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}
