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
  | 'JSON'
  | 'GEOGRAPHY';

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

/** A record of a log event (`metadata` and what nests in it), stored in the source's layout. Any field may be read; one that is not declared is DYNAMIC. */
export interface RecordType {
  readonly kind: 'RECORD';
  readonly fields: readonly StructField[];
}

/** The type of an undeclared field of a record: a record when used as one, else converted to what its context wants (STRING by default). */
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
/** Points alone: other shapes are known where they are written, as constants. */
export const GEOGRAPHY = scalar('GEOGRAPHY');
/** The names of the scalar types that columns of tables and parameters may have. */
export type StoredScalarName = Exclude<ScalarName, 'GEOGRAPHY'>;
/** These types by their names. */
export const SCALAR_TYPES: Readonly<Record<StoredScalarName, ScalarType>> = {
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

/** True if the type is of that kind, or has a part that is, at any depth. */
export function holdsKind(type: Type, kind: 'RECORD' | 'JSON' | 'GEOGRAPHY'): boolean {
  if (type.kind === 'ARRAY') return holdsKind(type.element, kind);
  return type.kind === 'STRUCT' ? type.fields.some((f) => holdsKind(f.type, kind)) : type.kind === kind;
}

/** Writes the type as BigQuery does: `ARRAY<STRUCT<a INT64, b STRING>>`. */
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

/** True if the types are the same; names of struct fields do not matter (GoogleSQL calls such structs equivalent), their number and types do. */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'ARRAY' && b.kind === 'ARRAY') return sameType(a.element, b.element);
  if (a.kind === 'STRUCT' && b.kind === 'STRUCT') {
    return a.fields.length === b.fields.length && a.fields.every((f, i) => sameType(f.type, b.fields[i]?.type ?? DYNAMIC));
  }
  return a.kind !== 'RECORD';
}

/** A kind of text that a function reads, failing for any other text. */
export type TextKind = 'regexp' | 'timestamp' | 'datetime' | 'date' | 'time';

/** Kinds whose values have no more than a hundred characters as text. BigQuery casts them where it joins texts. */
export const SHORT_KINDS: ReadonlySet<Type['kind']> = new Set(
  [BOOL, INT64, FLOAT64, NUMERIC, BIGNUMERIC, DATE, TIME, DATETIME, TIMESTAMP, INTERVAL].map(({ kind }) => kind),
);
