// The SQL of a column as Parquet and Arrow should hold it: the engine's own types say less than BigQuery's, or another thing.

import { structFieldNames } from '../../base/column-names.ts';
import type { EngineFormat } from '../../base/formats.ts';
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import type { Type } from '../../sql/base/types.ts';

/** The column's values with the names of their fields, BYTES as bytes, and integers that are signed: of the type that `typeOf` gives. */
export function shapedColumn(type: Type, column: string, format: EngineFormat): string {
  return `CAST(${converted(type, column, format, 0)}, ${quoteString(typeOf(type, format))})`;
}

/** Returns whether the engine's types cannot express the column's, so that the file must: see parquet.ts and arrow.ts. */
export function needsRetyping(type: Type, format: EngineFormat): boolean {
  switch (type.kind) {
    case 'ARRAY':
      return needsRetyping(type.element, format);
    case 'STRUCT':
      return type.fields.some((field) => needsRetyping(field.type, format));
    case 'TIME':
      return format === 'parquet';
    default:
      return type.kind === 'BYTES' || type.kind === 'DATETIME' || isJsonText(type);
  }
}

/** JSON, and records of log events, which travel as its text. */
export const isJsonText = ({ kind }: Type): boolean => kind === 'JSON' || kind === 'RECORD' || kind === 'DYNAMIC';

/** The type of a column; a CAST to it keeps NULLs, and a column without them stays one. */
function typeOf(type: Type, format: EngineFormat): string {
  switch (type.kind) {
    case 'BOOL':
      return 'Bool';
    case 'INT64':
      return 'Int64';
    case 'FLOAT64':
      return 'Float64';
    case 'NUMERIC':
      return 'Decimal(38, 9)';
    case 'BIGNUMERIC':
      return 'Decimal(76, 38)';
    case 'DATE':
      return 'Date32';
    case 'TIME':
      return format === 'parquet' ? 'Int64' : 'Time64(6)';
    case 'DATETIME':
    case 'TIMESTAMP':
      return "DateTime64(6, 'UTC')";
    case 'ARRAY':
      return type.element.kind === 'RECORD' ? 'String' : `Array(${nullable(type.element, format)})`;
    case 'STRUCT': {
      const names = structFieldNames(type.fields);
      return `Nullable(Tuple(${type.fields.map((field, i) => `${quoteIdentifier(names[i] ?? '')} ${nullable(field.type, format)}`).join(', ')}))`;
    }
    default:
      return 'String';
  }
}

const nullable = (type: Type, format: EngineFormat): string =>
  type.kind === 'STRUCT' || (type.kind === 'ARRAY' && type.element.kind !== 'RECORD')
    ? typeOf(type, format)
    : `Nullable(${typeOf(type, format)})`;

/** The value, ready to be cast. Fields of a tuple have no names then: those that a table's tuple has would decide which goes where. */
function converted(type: Type, value: string, format: EngineFormat, depth: number): string {
  if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') {
    const item = `x${depth}`;
    const element = converted(type.element, item, format, depth + 1);
    return element === item ? value : `arrayMap(${item} -> ${element}, ${value})`;
  }
  switch (type.kind) {
    case 'STRUCT': {
      const fields = type.fields.map((field, i) => converted(field.type, `tupleElement(${value}, ${i + 1})`, format, depth));
      return `if(isNull(${value}), NULL, tuple(${fields.join(', ')}))`;
    }
    case 'BYTES':
      return `base64Decode(${value})`;
    case 'TIME':
      return format === 'parquet' ? `toInt64(toDecimal64(${value}, 6) * 1000000)` : value;
    case 'ARRAY':
    case 'RECORD':
      // What a JSON column, a map or a tuple holds has no text of its own that is JSON.
      return `if(toTypeName(${value}) IN ('String', 'Nullable(String)'), CAST(${value}, 'String'), toJSONString(${value}))`;
    default:
      return value;
  }
}
