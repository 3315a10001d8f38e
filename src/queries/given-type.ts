// The types of `-p name:type:value`, as bq writes them.

import { readTypeText } from '../sql/base/type-text.ts';
import type { Type } from '../sql/base/types.ts';
import type { ParameterTypeName } from './saved-query.ts';

/** Types that parameters of saved queries have too. */
const BOUND: Readonly<Record<string, ParameterTypeName>> = {
  STRING: 'string',
  INT64: 'integer',
  FLOAT64: 'float',
  BOOL: 'boolean',
  TIMESTAMP: 'timestamp',
  DATE: 'date',
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

export const TYPE_NAMES = 'STRING (or nothing), INT64, FLOAT64, BOOL, TIMESTAMP, DATE, NUMERIC, BIGNUMERIC, DATETIME, TIME, BYTES, JSON';

/** A type: `sql` is its text. */
export type GivenType =
  | { readonly kind: 'bound'; readonly sql: string; readonly type: ParameterTypeName }
  | { readonly kind: 'made'; readonly sql: string; make(text: string): string }
  | { readonly kind: 'array'; readonly sql: string; readonly element: GivenType }
  | { readonly kind: 'struct'; readonly sql: string; readonly fields: readonly { readonly name: string; readonly type: GivenType }[] };

/** undefined for what is no type of a parameter. */
export function readGivenType(text: string): GivenType | undefined {
  const type = readTypeText(text.trim() === '' ? 'STRING' : text);
  return type === undefined ? undefined : given(type);
}

function given(type: Type): GivenType | undefined {
  if (type.kind === 'ARRAY') {
    const element = given(type.element);
    return element === undefined ? undefined : { kind: 'array', sql: `ARRAY<${element.sql}>`, element };
  }
  if (type.kind === 'STRUCT') {
    const fields = type.fields.flatMap((field) => {
      const known = given(field.type);
      return known === undefined || field.name === null ? [] : [{ name: field.name, type: known }];
    });
    if (fields.length < type.fields.length) return undefined;
    return { kind: 'struct', sql: `STRUCT<${fields.map((field) => `\`${field.name}\` ${field.type.sql}`).join(', ')}>`, fields };
  }
  const bound = BOUND[type.kind];
  if (bound !== undefined) return { kind: 'bound', sql: type.kind, type: bound };
  const make = MADE[type.kind];
  return make === undefined ? undefined : { kind: 'made', sql: type.kind, make };
}
