// The schema of an Arrow file, with what the engine's own types cannot say.

import { Field, Schema } from 'apache-arrow/schema';
import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Decimal,
  Float64,
  Int64,
  List,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow/type';
import { structFieldNames } from '../../base/column-names.ts';
import type { ResultColumn } from '../../base/result.ts';
import type { Type } from '../../sql/base/types.ts';
import { isJsonText } from './shape.ts';

/** What the engine writes for a column that has been cast as shape.ts does; `bytes` is what BYTES are. */
function arrowType(type: Type, bytes: DataType): DataType {
  switch (type.kind) {
    case 'BOOL':
      return new Bool();
    case 'INT64':
      return new Int64();
    case 'FLOAT64':
      return new Float64();
    case 'NUMERIC':
      return new Decimal(9, 38, 128);
    case 'BIGNUMERIC':
      return new Decimal(38, 76, 256);
    case 'BYTES':
      return bytes;
    case 'DATE':
      return new DateDay();
    case 'TIME':
      return new TimeMicrosecond();
    case 'DATETIME':
      return new TimestampMicrosecond();
    case 'TIMESTAMP':
      return new TimestampMicrosecond('UTC');
    case 'ARRAY':
      return type.element.kind === 'RECORD' ? new Utf8() : new List(field({ name: 'item', type: type.element }, bytes));
    case 'STRUCT': {
      const names = structFieldNames(type.fields);
      return new Struct(type.fields.map((one, i) => field({ name: names[i] ?? '', type: one.type }, bytes)));
    }
    default:
      return new Utf8();
  }
}

/** The canonical extension for JSON: https://arrow.apache.org/docs/format/CanonicalExtensions.html#json */
const JSON_METADATA = [
  ['ARROW:extension:name', 'arrow.json'],
  ['ARROW:extension:metadata', ''],
] as const;

function field({ name, type }: ResultColumn, bytes: DataType): Field {
  const isJson = isJsonText(type) || (type.kind === 'ARRAY' && type.element.kind === 'RECORD');
  return new Field(name, arrowType(type, bytes), true, isJson ? new Map(JSON_METADATA) : undefined);
}

export const schemaOf = (columns: readonly ResultColumn[]): Schema => new Schema(columns.map((column) => field(column, new Binary())));

/** Throws when the engine's schema has other types than those that the new one may take the place of. */
export function assertAlike(written: Schema, columns: readonly ResultColumn[]): void {
  assertFields(
    written.fields,
    columns.map((column) => field(column, new Utf8())),
  );
}

function assertFields(written: readonly Field[], expected: readonly Field[]): void {
  if (written.length !== expected.length)
    throw new RangeError(`the file has ${written.length} fields where ${expected.length} are expected`);
  for (const [i, { type }] of expected.entries()) {
    const found = written[i]?.type as DataType;
    if (found.typeId !== type.typeId) throw new RangeError(`the file has type ${found} for ${type}`);
    assertFields(found.children ?? [], type.children ?? []);
  }
}
