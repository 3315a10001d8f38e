// Parquet files need the types of their columns where the engine cannot give them: bytes that are no text, times of day, civil times, JSON.
// Only the schema in the footer changes, which ends the file, whatever its size. https://parquet.apache.org/docs/file-format/metadata/

import type { Type } from '../../sql/base/types.ts';
import { replaceFooter } from './footer.ts';
import { isJsonText } from './shape.ts';
import { listHeader, STRUCT, structBytes, type ThriftField, ThriftReader, varint } from './thrift.ts';

const MAGIC_BYTES = 4;
/** Fields of FileMetaData and SchemaElement in parquet.thrift. */
const SCHEMA = 2;
const NUMBER_OF_CHILDREN = 5;
const CONVERTED_TYPE = 6;
const LOGICAL_TYPE = 10;

/** Values of the union LogicalType, each with its older type if it has one. */
const JSON_TEXT = { logical: [0xcc, 0, 0], converted: 19 };
const CIVIL_MICROSECONDS = [0x12, 0x1c, 0x2c, 0, 0, 0, 0]; // not adjusted to UTC; the unit
const TIME_OF_DAY = { logical: [0x7c, ...CIVIL_MICROSECONDS] };
const CIVIL_TIME = { logical: [0x8c, ...CIVIL_MICROSECONDS] };

interface Retyping {
  /** Absent for plain bytes. */
  readonly logical?: readonly number[];
  readonly converted?: number;
}

const RETYPINGS: { readonly [K in Type['kind']]?: Retyping } = { BYTES: {}, TIME: TIME_OF_DAY, DATETIME: CIVIL_TIME };

const retyping = (type: Type): Retyping | undefined => (isJsonText(type) ? JSON_TEXT : RETYPINGS[type.kind]);

/** Rewrites the schema of a whole file for columns of these types. */
export const retypeParquet = (file: string, columns: readonly Type[]): Promise<void> =>
  replaceFooter(file, MAGIC_BYTES, (footer) => retypedFooter(footer, columns));

/** The footer with another schema; all else in it is as it was. */
function retypedFooter(footer: Buffer, columns: readonly Type[]): Buffer {
  const schema = new ThriftReader(footer).struct().find(({ id }) => id === SCHEMA);
  if (schema === undefined) throw new RangeError('the footer has no schema');
  const reader = new ThriftReader(schema.bytes);
  const elements = Array.from({ length: reader.structs() }, () => reader.struct());
  const out: ThriftField[][] = [];
  const next = (children: number): ThriftField[] => {
    const element = elements[out.length];
    if (element === undefined || childrenOf(element) !== children) throw new RangeError('the schema is not the one that was asked for');
    out.push(element);
    return element;
  };
  const walk = (type: Type): void => {
    if (type.kind === 'STRUCT') {
      next(type.fields.length);
      for (const field of type.fields) walk(field.type);
    } else if (type.kind === 'ARRAY' && type.element.kind !== 'RECORD') {
      next(1);
      next(1);
      walk(type.element);
    } else {
      const element = next(0);
      const how = retyping(type.kind === 'ARRAY' ? type.element : type);
      if (how !== undefined) out[out.length - 1] = retyped(element, how);
    }
  };
  next(columns.length);
  columns.forEach(walk);
  const list = Buffer.from([...listHeader(out.length), ...out.flatMap(structBytes)]);
  const before = schema.bytes.byteOffset - footer.byteOffset;
  return Buffer.concat([footer.subarray(0, before), list, footer.subarray(before + schema.bytes.length)]);
}

function childrenOf(element: readonly ThriftField[]): number {
  const field = element.find(({ id }) => id === NUMBER_OF_CHILDREN);
  return field === undefined ? 0 : new ThriftReader(field.bytes).integer();
}

const INTEGER = 5;

function retyped(element: readonly ThriftField[], { logical, converted }: Retyping): ThriftField[] {
  return [
    ...element.filter(({ id }) => id !== CONVERTED_TYPE && id !== LOGICAL_TYPE),
    ...(converted === undefined ? [] : [{ id: CONVERTED_TYPE, type: INTEGER, bytes: Uint8Array.from(varint(converted * 2)) }]),
    ...(logical === undefined ? [] : [{ id: LOGICAL_TYPE, type: STRUCT, bytes: Uint8Array.from(logical) }]),
  ].sort((a, b) => a.id - b.id);
}
