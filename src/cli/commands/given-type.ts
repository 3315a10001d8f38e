// The types of `-p name:type:value`, as bq writes them.
import type { ParameterTypeName } from '../../queries/saved-query.ts';

/** Types that parameters of saved queries have too. */
const BOUND: Readonly<Record<string, ParameterTypeName>> = {
  '': 'string',
  STRING: 'string',
  INT64: 'integer',
  INTEGER: 'integer',
  INT: 'integer',
  FLOAT64: 'float',
  FLOAT: 'float',
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
  DATE: 'date',
};

const NAMES: Readonly<Record<ParameterTypeName, string>> = {
  string: 'STRING',
  integer: 'INT64',
  float: 'FLOAT64',
  boolean: 'BOOL',
  timestamp: 'TIMESTAMP',
  date: 'DATE',
};

/** Those whose values are given as texts, and what the SQL makes of such a text. */
const MADE: Readonly<Record<string, (text: string) => string>> = {
  NUMERIC: (text) => `CAST(${text} AS NUMERIC)`,
  BIGNUMERIC: (text) => `CAST(${text} AS BIGNUMERIC)`,
  DATETIME: (text) => `CAST(${text} AS DATETIME)`,
  TIME: (text) => `CAST(${text} AS TIME)`,
  BYTES: (text) => `FROM_BASE64(${text})`,
  JSON: (text) => `PARSE_JSON(${text})`,
};
const ALIASES: Readonly<Record<string, string>> = { DECIMAL: 'NUMERIC', BIGDECIMAL: 'BIGNUMERIC' };

export const TYPE_NAMES = 'STRING (or nothing), INT64, FLOAT64, BOOL, TIMESTAMP, DATE, NUMERIC, BIGNUMERIC, DATETIME, TIME, BYTES, JSON';

/** A type: `sql` is its text. */
export type GivenType =
  | { readonly kind: 'bound'; readonly sql: string; readonly type: ParameterTypeName }
  | { readonly kind: 'made'; readonly sql: string; make(text: string): string }
  | { readonly kind: 'array'; readonly sql: string; readonly element: GivenType }
  | { readonly kind: 'struct'; readonly sql: string; readonly fields: readonly { readonly name: string; readonly type: GivenType }[] };

/** undefined for what is no type of a parameter. */
export function readGivenType(text: string): GivenType | undefined {
  const written = text.trim();
  const upper = written.toUpperCase();
  const bound = BOUND[upper];
  if (bound !== undefined) return { kind: 'bound', sql: NAMES[bound], type: bound };
  const name = ALIASES[upper] ?? upper;
  const make = MADE[name];
  if (make !== undefined) return { kind: 'made', sql: name, make };
  const [, outer = '', inside = ''] = /^(ARRAY|STRUCT)\s*<(.*)>$/is.exec(written) ?? [];
  if (inside.trim() === '') return undefined;
  return outer.toUpperCase() === 'ARRAY' ? arrayType(inside) : structType(inside);
}

function arrayType(inside: string): GivenType | undefined {
  const element = readGivenType(inside);
  return element === undefined || element.kind === 'array' ? undefined : { kind: 'array', sql: `ARRAY<${element.sql}>`, element };
}

function structType(inside: string): GivenType | undefined {
  const fields = parts(inside).map((part) => {
    const [, name = '', type = ''] = /^\s*([A-Za-z_]\w*)\s+(.+)$/s.exec(part) ?? [];
    return { name, type: readGivenType(type) };
  });
  const known = fields.flatMap(({ name, type }) => (name === '' || type === undefined ? [] : [{ name, type }]));
  const names = new Set(known.map(({ name }) => name.toLowerCase()));
  if (names.size < fields.length) return undefined;
  return { kind: 'struct', sql: `STRUCT<${known.map(({ name, type }) => `\`${name}\` ${type.sql}`).join(', ')}>`, fields: known };
}

/** What stands between the commas that are in no angle brackets. */
function parts(text: string): readonly string[] {
  const found = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '<') depth++;
    if (character === '>') depth--;
    if (character === ',' && depth === 0) found.push('');
    else found.push(`${found.pop() ?? ''}${character}`);
  }
  return found;
}
