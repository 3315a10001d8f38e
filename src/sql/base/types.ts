// GoogleSQL types as data, plus the record types that only sources have.

export type ScalarName =
  | 'BOOL'
  | 'INT64'
  | 'FLOAT64'
  | 'NUMERIC'
  | 'BIGNUMERIC'
  | 'STRING'
  | 'BYTES'
  | 'DATE'
  | 'TIME'
  | 'DATETIME'
  | 'TIMESTAMP'
  | 'INTERVAL'
  | 'JSON';

export interface ScalarType {
  readonly kind: ScalarName;
}

interface ArrayType {
  readonly kind: 'ARRAY';
  readonly element: Type;
}

export interface StructField {
  /** null for an anonymous field. */
  readonly name: string | null;
  readonly type: Type;
}

interface StructType {
  readonly kind: 'STRUCT';
  readonly fields: readonly StructField[];
}

/**
 * A record of a log event (`metadata` and what nests in it): held in the source's physical layout, with some declared
 * fields; any other field may be read too and is DYNAMIC.
 */
export interface RecordType {
  readonly kind: 'RECORD';
  readonly fields: readonly StructField[];
}

/** An undeclared field of a record: a record when used as one, else converted to what its context wants (STRING by default). */
interface DynamicType {
  readonly kind: 'DYNAMIC';
}

export type Type = ScalarType | ArrayType | StructType | RecordType | DynamicType;

const scalar = (kind: ScalarName): ScalarType => ({ kind });
export const BOOL = scalar('BOOL');
export const INT64 = scalar('INT64');
export const FLOAT64 = scalar('FLOAT64');
export const NUMERIC = scalar('NUMERIC');
export const BIGNUMERIC = scalar('BIGNUMERIC');
export const STRING = scalar('STRING');
export const BYTES = scalar('BYTES');
export const DATE = scalar('DATE');
export const TIME = scalar('TIME');
export const DATETIME = scalar('DATETIME');
export const TIMESTAMP = scalar('TIMESTAMP');
export const INTERVAL = scalar('INTERVAL');
export const JSON_TYPE = scalar('JSON');
/** The scalar types by their names. */
export const SCALAR_TYPES: Readonly<Record<ScalarName, ScalarType>> = {
  BOOL,
  INT64,
  FLOAT64,
  NUMERIC,
  BIGNUMERIC,
  STRING,
  BYTES,
  DATE,
  TIME,
  DATETIME,
  TIMESTAMP,
  INTERVAL,
  JSON: JSON_TYPE,
};
/** Second names of scalar types in SQL. https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types#numeric_types */
export const TYPE_ALIASES: Readonly<Record<string, string>> = {
  INT: 'INT64',
  SMALLINT: 'INT64',
  INTEGER: 'INT64',
  BIGINT: 'INT64',
  TINYINT: 'INT64',
  BYTEINT: 'INT64',
  BOOLEAN: 'BOOL',
  DECIMAL: 'NUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
};
export const DYNAMIC: DynamicType = { kind: 'DYNAMIC' };

export const arrayOf = (element: Type): ArrayType => ({ kind: 'ARRAY', element });
export const structOf = (fields: readonly StructField[]): StructType => ({ kind: 'STRUCT', fields });
export const recordOf = (fields: readonly StructField[]): RecordType => ({ kind: 'RECORD', fields });

/** Whether the type is or has a RECORD, at any depth. */
export function holdsRecord(type: Type): boolean {
  if (type.kind === 'ARRAY') return holdsRecord(type.element);
  return type.kind === 'STRUCT' ? type.fields.some((f) => holdsRecord(f.type)) : type.kind === 'RECORD';
}

/** The type as BigQuery writes it: `ARRAY<STRUCT<a INT64, b STRING>>`. */
export function typeName(type: Type): string {
  switch (type.kind) {
    case 'ARRAY':
      return `ARRAY<${typeName(type.element)}>`;
    case 'STRUCT':
      return `STRUCT<${type.fields.map((f) => (f.name === null ? typeName(f.type) : `${f.name} ${typeName(f.type)}`)).join(', ')}>`;
    case 'RECORD':
      return 'RECORD';
    default:
      return type.kind;
  }
}

/** Same type; struct field names do not matter (GoogleSQL calls such structs equivalent), their number and types do. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'ARRAY' && b.kind === 'ARRAY') return sameType(a.element, b.element);
  if (a.kind === 'STRUCT' && b.kind === 'STRUCT') {
    return a.fields.length === b.fields.length && a.fields.every((f, i) => sameType(f.type, b.fields[i]?.type ?? DYNAMIC));
  }
  return a.kind !== 'RECORD';
}

/** What a text is read as, where any other fails. */
export type TextKind = 'regexp' | 'timestamp' | 'datetime' | 'date' | 'time';
