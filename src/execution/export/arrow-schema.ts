// The schema of an Arrow file as a flatbuffer: the tables of Schema.fbs, of which flatbuffers knows neither names nor order.
// https://github.com/apache/arrow/blob/main/format/Schema.fbs

import type { Builder, ByteBuffer, Offset } from 'flatbuffers';
import { structFieldNames } from '../../base/column-names.ts';
import type { ResultColumn } from '../../base/result.ts';
import type { Type } from '../../sql/base/types.ts';
import { isJsonText } from './shape.ts';

/** Members of the union Type. */
const INT = 2;
const FLOATING_POINT = 3;
const BINARY = 4;
const UTF8 = 5;
const BOOL = 6;
const DECIMAL = 7;
const DATE = 8;
const TIME = 9;
const TIMESTAMP = 10;
const LIST = 12;
const STRUCT = 13;
const MICROSECOND = 2;
const DOUBLE = 2;

interface ArrowType {
  readonly member: number;
  /** Writes its table. */
  readonly table: (b: Builder) => Offset;
}

function table(b: Builder, fields: readonly (() => void)[]): Offset {
  b.startObject(fields.length);
  for (const add of fields) add();
  return b.endObject();
}

const bare = (member: number): ArrowType => ({ member, table: (b) => table(b, []) });
const int32 = (b: Builder, at: number, value: number) => () => b.addFieldInt32(at, value, 0);
const int16 = (b: Builder, at: number, value: number, usual: number) => () => b.addFieldInt16(at, value, usual);

const decimal = (precision: number, scale: number, bits: number): ArrowType => ({
  member: DECIMAL,
  table: (b) => table(b, [int32(b, 0, precision), int32(b, 1, scale), () => b.addFieldInt32(2, bits, 128)]),
});

function timestamp(zone: string | undefined): ArrowType {
  return {
    member: TIMESTAMP,
    table: (b) => {
      const text = zone === undefined ? 0 : b.createString(zone);
      return table(b, [int16(b, 0, MICROSECOND, 0), () => b.addFieldOffset(1, text, 0)]);
    },
  };
}

/** What the engine writes for a column that has been cast as shape.ts does, with what its types cannot say. */
function arrowType(type: Type): ArrowType {
  switch (type.kind) {
    case 'BOOL':
      return bare(BOOL);
    case 'INT64':
      return { member: INT, table: (b) => table(b, [int32(b, 0, 64), () => b.addFieldInt8(1, 1, 0)]) };
    case 'FLOAT64':
      return { member: FLOATING_POINT, table: (b) => table(b, [int16(b, 0, DOUBLE, 0)]) };
    case 'NUMERIC':
      return decimal(38, 9, 128);
    case 'BIGNUMERIC':
      return decimal(76, 38, 256);
    case 'BYTES':
      return bare(BINARY);
    case 'DATE':
      return { member: DATE, table: (b) => table(b, [int16(b, 0, 0, 1)]) }; // days
    case 'TIME':
      return { member: TIME, table: (b) => table(b, [int16(b, 0, MICROSECOND, 1), () => b.addFieldInt32(1, 64, 32)]) };
    case 'DATETIME':
      return timestamp(undefined);
    case 'TIMESTAMP':
      return timestamp('UTC');
    case 'ARRAY':
      return bare(type.element.kind === 'RECORD' ? UTF8 : LIST);
    case 'STRUCT':
      return bare(STRUCT);
    default:
      return bare(UTF8);
  }
}

const childrenOf = (type: Type): readonly { readonly name: string; readonly type: Type }[] => {
  if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') return [{ name: 'item', type: type.element }];
  if (type.kind !== 'STRUCT') return [];
  const names = structFieldNames(type.fields);
  return type.fields.map((field, i) => ({ name: names[i] ?? '', type: field.type }));
};

/** A vector of offsets. */
function vector(b: Builder, offsets: readonly Offset[]): Offset {
  b.startVector(4, offsets.length, 4);
  for (const offset of [...offsets].reverse()) b.addOffset(offset);
  return b.endVector();
}

/** The canonical extension for JSON: https://arrow.apache.org/docs/format/CanonicalExtensions.html#json */
function jsonMetadata(b: Builder): Offset {
  const pair = (key: string, value: string): Offset => {
    const [k, v] = [b.createString(key), b.createString(value)];
    return table(b, [() => b.addFieldOffset(0, k, 0), () => b.addFieldOffset(1, v, 0)]);
  };
  return vector(b, [pair('ARROW:extension:name', 'arrow.json'), pair('ARROW:extension:metadata', '')]);
}

function field(b: Builder, { name, type }: { readonly name: string; readonly type: Type }, isNullable: boolean): Offset {
  const isJson = isJsonText(type) || (type.kind === 'ARRAY' && type.element.kind === 'RECORD');
  const metadata = isJson ? jsonMetadata(b) : 0;
  const nested = vector(
    b,
    childrenOf(type).map((child) => field(b, child, true)),
  );
  const { member, table: typeTable } = arrowType(type);
  const [text, typed] = [b.createString(name), typeTable(b)];
  return table(b, [
    () => b.addFieldOffset(0, text, 0),
    () => b.addFieldInt8(1, isNullable ? 1 : 0, 0),
    () => b.addFieldInt8(2, member, 0),
    () => b.addFieldOffset(3, typed, 0),
    () => {}, // no dictionary
    () => b.addFieldOffset(5, nested, 0),
    () => b.addFieldOffset(6, metadata, 0),
  ]);
}

/** Writes a Schema. */
export function writeSchema(b: Builder, columns: readonly ResultColumn[]): Offset {
  const fields = vector(
    b,
    columns.map((column) => field(b, column, true)),
  );
  return table(b, [() => {}, () => b.addFieldOffset(1, fields, 0)]);
}

/** Throws when the schema that begins at `schema` has other types than those that the new one may take the place of. */
export function assertAlike(from: ByteBuffer, schema: number, columns: readonly ResultColumn[]): void {
  assertFields(from, schema, 1, columns);
}

/** The fields are a vector in field `at` of the table. */
function assertFields(from: ByteBuffer, table: number, at: number, expected: readonly { readonly type: Type }[]): void {
  const offset = from.__offset(table, 4 + 2 * at);
  const count = offset === 0 ? 0 : from.__vector_len(table + offset);
  if (count !== expected.length) throw new RangeError(`the file has ${count} fields where ${expected.length} are expected`);
  expected.forEach(({ type }, i) => {
    const child = from.__indirect(from.__vector(table + offset) + 4 * i);
    const member = from.readUint8(child + from.__offset(child, 8));
    const wanted = type.kind === 'BYTES' ? UTF8 : arrowType(type).member;
    if (member !== wanted) throw new RangeError(`the file has type ${member} for ${type.kind}`);
    assertFields(from, child, 5, childrenOf(type));
  });
}
