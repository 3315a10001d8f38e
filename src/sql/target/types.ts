// GoogleSQL types as ClickHouse types. Every value may be NULL but arrays: ClickHouse has no NULL array, a NULL array is [], with a condition beside it (optimizer/null-arrays/).
import type { Type } from '../base/types.ts';

/** Of values that a column of a table can hold. */
export const STORED_SCALARS: Readonly<Record<string, string>> = {
  BOOL: 'Bool',
  INT64: 'Int64',
  FLOAT64: 'Float64',
  NUMERIC: 'Decimal(38, 9)',
  BIGNUMERIC: 'Decimal(76, 38)',
  STRING: 'String',
  BYTES: 'String',
  DATE: 'Date32',
  TIME: 'Time64(6)',
  DATETIME: "DateTime64(6, 'UTC')",
  TIMESTAMP: "DateTime64(6, 'UTC')",
  JSON: 'String',
};

const SCALARS: Readonly<Record<string, string>> = {
  ...STORED_SCALARS,
  DYNAMIC: 'String',
  RECORD: 'String',
  INTERVAL: 'Tuple(Int64, Int64, Int64)',
  GEOGRAPHY: 'Tuple(Float64, Float64)',
};

/** The type of a value that is not NULL. */
export function plainType(type: Type): string {
  switch (type.kind) {
    case 'ARRAY':
      // An array of records travels as JSON text.
      return type.element.kind === 'RECORD' ? 'String' : `Array(${clickhouseType(type.element)})`;
    case 'STRUCT':
      return `Tuple(${type.fields.map((f) => clickhouseType(f.type)).join(', ')})`;
    default:
      return SCALARS[type.kind] ?? 'String';
  }
}

/** The type of a value that may be NULL. */
export function clickhouseType(type: Type): string {
  return type.kind === 'ARRAY' && type.element.kind !== 'RECORD' ? plainType(type) : `Nullable(${plainType(type)})`;
}
