// Parquet and Arrow files read by libraries of others: Rust's parquet, hyparquet, and Arrow's own for JavaScript.
import { type Data, DataType, type Field, tableFromIPC } from 'apache-arrow';
import { parquetMetadata } from 'hyparquet';
import { readParquet } from 'parquet-wasm';
import type { Value } from '../../src/base/result.ts';

export interface ReadFile {
  /** Name, type and what else is said of each column. */
  readonly columns: readonly string[];
  /** As a result of quern has them. */
  readonly rows: readonly (readonly Value[])[];
}

export function readArrowFile(bytes: Uint8Array): ReadFile {
  const table = tableFromIPC(bytes);
  const rows = table.batches.flatMap((batch) =>
    Array.from({ length: batch.numRows }, (_, i) => batch.data.children.map((child) => valueAt(child, i))),
  );
  return { columns: table.schema.fields.map(described), rows };
}

/** The same file by Rust's parquet. */
export const readParquetFile = (bytes: Uint8Array): ReadFile => readArrowFile(readParquet(bytes).intoIPCStream());

/** The leaves of a Parquet file, as its footer has them, by hyparquet. */
export function parquetLeaves(bytes: Uint8Array): readonly string[] {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const path: { name: string; left: number }[] = [];
  return parquetMetadata(buffer)
    .schema.slice(1)
    .flatMap(({ name, type, num_children, repetition_type, converted_type, logical_type }) => {
      while (path.at(-1)?.left === 0) path.pop();
      const above = path.at(-1);
      if (above !== undefined) above.left--;
      path.push({ name, left: num_children ?? 0 });
      if (type === undefined) return [];
      const { type: logical, ...more } = logical_type ?? { type: '' };
      const said = [type, repetition_type, converted_type, logical, ...Object.entries(more).map(([key, value]) => `${key}=${value}`)];
      return [`${path.map((part) => part.name).join('.')}: ${said.filter((word) => word !== undefined && word !== '').join(' ')}`];
    });
}

const described = ({ name, type, metadata }: Field): string =>
  [`${name}: ${type}`, ...metadata.values()].filter((text) => text !== '').join(' ');

function valueAt(data: Data, i: number): Value {
  if (!data.getValid(i)) return null;
  const { type, values, valueOffsets, children } = data;
  const part = <T extends { subarray(from: number, to: number): T }>(of: T): T => of.subarray(valueOffsets[i], valueOffsets[i + 1]);
  if (DataType.isBool(type)) return (values[(data.offset + i) >> 3] & (1 << ((data.offset + i) & 7))) !== 0;
  if (DataType.isUtf8(type)) return new TextDecoder().decode(part(values as Uint8Array));
  if (DataType.isBinary(type)) return Buffer.from(part(values as Uint8Array)).toString('base64');
  if (DataType.isList(type)) {
    const [start, end] = [valueOffsets[i] ?? 0, valueOffsets[i + 1] ?? 0];
    return Array.from({ length: end - start }, (_, at) => valueAt(children[0] as Data, start + at));
  }
  if (DataType.isStruct(type)) return Object.fromEntries(children.map((child, at) => [type.children[at]?.name ?? '', valueAt(child, i)]));
  if (DataType.isDecimal(type)) {
    const words = type.bitWidth / 32;
    return decimalText(values.subarray(i * words, (i + 1) * words), type.scale);
  }
  if (DataType.isDate(type)) return new Date(values[i] * 86_400_000).toISOString().slice(0, 10);
  if (DataType.isTime(type)) return clock(values[i] as bigint);
  if (DataType.isTimestamp(type)) return dateTime(values[i] as bigint) + (type.timezone === 'UTC' ? 'Z' : (type.timezone ?? ''));
  const value: number | bigint = values[i];
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const MICROS = 1_000_000n;

function clock(micros: bigint): string {
  const text = new Date(Number(micros / MICROS) * 1000).toISOString().slice(11, 19);
  const fraction = micros % MICROS;
  return fraction === 0n ? text : `${text}.${String(fraction).padStart(6, '0')}`;
}

function dateTime(micros: bigint): string {
  const day = 86_400n * MICROS;
  const rest = ((micros % day) + day) % day;
  return `${new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 10)}T${clock(rest)}`;
}

function decimalText(words: Uint32Array, scale: number): string {
  const bits = BigInt(words.length * 32);
  const unsigned = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const value = unsigned >> (bits - 1n) === 1n ? unsigned - (1n << bits) : unsigned;
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const text = `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '');
  return value < 0n ? `-${text}` : text;
}
