// BigQuery's types of the columns of plain tables: a Tuple is a STRUCT, an Array(Tuple(…)) an ARRAY<STRUCT<…>>, a Map one of keys and
// values.
import { bareType, type ClickHouseType, isNullable, literalArgument } from '../../../clickhouse/type.ts';
import { arrayOf, BIGNUMERIC, JSON_TYPE, NUMERIC, sameType, structOf, TIME, type Type, typeName } from '../../base/types.ts';
import { clickhouseType, plainType } from '../../target/types.ts';
import { plainType as scalarType } from './plain-type.ts';

/** How the column is read, or why it cannot be. */
type TableType = ReadableType | { readonly unread: string };

interface ReadableType {
  readonly type: Type;
  /** ClickHouse type that stands for `type`, where the stored one does not. */
  readonly castTo?: string;
  /** No CAST gives that type: `byParts` does. */
  readonly byParts?: true;
  /** Queries make it of a text, or of a number of days; of whole columns only. */
  readonly says?: 'text' | 'days';
}

/** `declared`: what the project says that it is; of a STRUCT the fields that it says something of. */
export function tableType(stored: ClickHouseType, declared?: Type): TableType {
  const type = bareType(stored);
  const { name, args } = type;
  switch (name) {
    case 'SimpleAggregateFunction':
      return tableType(args[1]?.type ?? type, declared);
    case 'Tuple':
      return structType(args, declared) ?? misfit(stored, declared);
    case 'Array':
    case 'Nested': {
      if (declared !== undefined && declared.kind !== 'ARRAY') return misfit(stored, declared, 'its mode is REPEATED');
      const element = name === 'Nested' ? structType(args, declared?.element) : tableType(args[0]?.type ?? type, declared?.element);
      if (element === undefined) return misfit(stored, declared);
      return 'unread' in element ? element : ofArray(element, type);
    }
    case 'Map': {
      if (declared !== undefined && declared.kind !== 'ARRAY') return misfit(stored, declared, 'its mode is REPEATED');
      const [key, value] = [args[0]?.type ?? type, args[1]?.type ?? type];
      const entry = structType(
        [
          { name: 'key', type: key },
          { name: 'value', type: value },
        ],
        declared?.element,
      );
      if (entry === undefined) return misfit(stored, declared);
      return 'unread' in entry ? entry : ofArray(entry, type);
    }
    default: {
      const own = ofValue(stored);
      if (declared === undefined || ('type' in own && sameType(own.type, declared))) return own;
      return declaredValue(stored, declared) ?? misfit(stored, declared, INTEGER.test(name) ? UNITS[declared.kind] : undefined);
    }
  }
}

const misfit = ({ text }: ClickHouseType, declared: Type | undefined, why = 'there is no conversion'): TableType => ({
  unread: `${text} cannot be ${declared === undefined ? 'that' : typeName(declared)}: ${why}`,
});

const COUNTED =
  'such a number may count seconds, milliseconds or microseconds: declare it INT64, and write TIMESTAMP_SECONDS, TIMESTAMP_MILLIS or TIMESTAMP_MICROS in queries';
/** Why a number is not declared to be a time. */
const UNITS: Readonly<Partial<Record<Type['kind'], string>>> = { TIMESTAMP: COUNTED, DATETIME: COUNTED };

/** The type of a single value, as far as ClickHouse's type determines it. */
function ofValue(stored: ClickHouseType): TableType {
  const type = bareType(stored);
  switch (type.name) {
    case 'JSON':
      return { type: JSON_TYPE, castTo: nullableIf(stored, 'String') };
    case 'Dynamic':
    case 'Variant':
      return { type: JSON_TYPE, byParts: true };
    case 'Time':
    case 'Time64':
      return { type: TIME, byParts: true };
    case 'Decimal':
      return decimal(stored, Number(literalArgument(type, 0)), Number(literalArgument(type, 1)));
    case 'UInt64':
      return { type: BIGNUMERIC, castTo: nullableIf(stored, plainType(BIGNUMERIC)) };
    default:
      return WIDE.test(type.name) ? { type: BIGNUMERIC, byParts: true } : scalar(stored);
  }
}

const nullableIf = (stored: ClickHouseType, type: string): string => (isNullable(stored) ? `Nullable(${type})` : type);

/** Types that the project may declare for a type of ClickHouse that has no other. */
function declaredValue(stored: ClickHouseType, declared: Type): TableType | undefined {
  const type = bareType(stored);
  const { name } = type;
  const castTo = nullableIf(stored, plainType(declared));
  switch (declared.kind) {
    case 'BYTES':
      if (name === 'String') return { type: declared };
      return name === 'FixedString' ? { type: declared, byParts: true } : undefined;
    case 'JSON':
      return name === 'String' ? { type: declared, byParts: true } : undefined;
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      if (declared.kind === 'DATE' && DAYS.test(name)) return { type: declared, castTo: nullableIf(stored, 'Int64'), says: 'days' };
      return ofText(stored, declared);
    case 'DATETIME': {
      if (name === 'String' || name === 'FixedString') return ofText(stored, declared);
      if (name !== 'DateTime' && name !== 'DateTime64') return undefined;
      const zone = literalArgument(type, name === 'DateTime' ? 0 : 1);
      // A clock in that zone shows another text than the column has in UTC.
      if (zone !== '' && zone !== 'UTC') return { unread: `${stored.text} cannot be DATETIME: its time zone is not UTC` };
      return { type: declared, castTo };
    }
    case 'BOOL':
      return /^U?Int8$/.test(name) ? { type: declared, castTo } : ofText(stored, declared);
    case 'INT64':
      return name === 'UInt64' || WIDE.test(name) ? { type: declared, byParts: true } : ofText(stored, declared);
    case 'FLOAT64':
      return INTEGER.test(name) ? { type: declared, castTo } : ofText(stored, declared);
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return name === 'Decimal' || (INTEGER.test(name) && !WIDE.test(name)) ? { type: declared, castTo } : ofText(stored, declared);
    default:
      return undefined;
  }
}

/** A date or a time. */
function ofText(stored: ClickHouseType, type: Type): ReadableType | undefined {
  const { name } = bareType(stored);
  if (name === 'String') return { type, says: 'text' };
  return name === 'FixedString' ? { type, castTo: nullableIf(stored, 'String'), says: 'text' } : undefined;
}

const DAYS = /^(?:U?Int(?:8|16|32)|Int64)$/;
const INTEGER = /^U?Int\d+$/;
/** Integers that ClickHouse converts to a Decimal by way of their digits only. */
const WIDE = /^U?Int(128|256)$/;

function scalar(stored: ClickHouseType): TableType {
  const plain = scalarType(stored);
  if (plain === undefined)
    return { unread: NO_VALUES[bareType(stored).name] ?? 'BigQuery has no such type; a view can give it as another' };
  const { type, cast } = plain;
  return { type, ...(cast === undefined ? {} : { castTo: nullableIf(stored, cast) }) };
}

const GEOGRAPHY = 'GEOGRAPHY is not supported; a view can give it as text, with wkt';
const NO_VALUES: Readonly<Record<string, string>> = {
  AggregateFunction: 'it holds aggregate states, which a view would have to merge',
  ...Object.fromEntries(
    ['Point', 'Ring', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon', 'Geometry'].map((name) => [name, GEOGRAPHY]),
  ),
};

/** BigQuery's NUMERIC has 29 digits before the point and 9 after it, its BIGNUMERIC 38 and 38. */
function decimal(stored: ClickHouseType, precision: number, scale: number): TableType {
  if (scale > 38) return { unread: 'BIGNUMERIC has at most 38 digits after the point; a view can round it' };
  const type = scale <= 9 && precision - scale <= 29 ? NUMERIC : BIGNUMERIC;
  return precision - scale > 38 ? { type, byParts: true } : { type, castTo: nullableIf(stored, plainType(type)) };
}

/** undefined where it is declared to be something else, or to have other fields. */
function structType(parts: ClickHouseType['args'], declared: Type | undefined): TableType | undefined {
  if (declared !== undefined && declared.kind !== 'STRUCT') return undefined;
  const said = new Map(declared?.fields.map(({ name, type }) => [name?.toLowerCase(), type]));
  const fields = parts.map(({ name, type }) => ({ name, read: tableType(type, said.get(name?.toLowerCase())) }));
  for (const { name, read } of fields) {
    said.delete(name?.toLowerCase());
    if ('unread' in read) return { unread: `its field ${name ?? ''}: ${read.unread}` };
    if (read.says !== undefined) return { unread: `its field ${name ?? ''}: ${notInside(read)}` };
  }
  for (const [name] of said) return { unread: `it has no field ${name ?? ''}` };
  const readable = fields.flatMap(({ name, read }) => ('unread' in read ? [] : [{ name, ...read }]));
  const type = structOf(readable.map(({ name, type: field }) => ({ name, type: field })));
  return { type, castTo: clickhouseType(type), ...(readable.some(({ byParts }) => byParts) ? { byParts: true } : {}) };
}

const notInside = ({ type, says }: ReadableType): string =>
  `a ${says === 'days' ? 'number' : 'text'} can be ${typeName(type)} only in a column of its own; CAST it in queries`;

function ofArray(element: ReadableType, { text, args: [first] }: ClickHouseType): TableType {
  if (element.type.kind === 'ARRAY')
    return { unread: `BigQuery has no arrays of ${first?.type.name === 'Map' ? 'maps, which are arrays' : 'arrays'}` };
  if (element.says !== undefined) return { unread: notInside(element) };
  const type = arrayOf(element.type);
  const castTo = clickhouseType(type);
  return { type, ...(castTo === text ? {} : { castTo }), ...(element.byParts ? { byParts: true } : {}) };
}
