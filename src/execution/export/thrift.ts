// Structs of Thrift's compact protocol, as far as a list of them in the footer of a Parquet file is read and written again.
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md

/** A field of a struct: its value is kept as the bytes that it was read from. */
export interface ThriftField {
  readonly id: number;
  readonly type: number;
  readonly bytes: Uint8Array;
}

export const STRUCT = 12;
const LIST = 9;

export class ThriftReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  private byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError('the footer ends within a value');
    return byte;
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** A signed integer of 16 or 32 bits. */
  integer(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  struct(): ThriftField[] {
    const fields: ThriftField[] = [];
    let id = 0;
    for (;;) {
      const header = this.byte();
      if (header === 0) return fields;
      id = header >> 4 === 0 ? this.integer() : id + (header >> 4);
      const start = this.at;
      this.skip(header & 15);
      fields.push({ id, type: header & 15, bytes: this.bytes.subarray(start, this.at) });
    }
  }

  /** How many elements follow. Throws when they are no structs. */
  structs(): number {
    const header = this.byte();
    if ((header & 15) !== STRUCT) throw new RangeError('the footer has no list of structs there');
    return header >> 4 === 15 ? this.varint() : header >> 4;
  }

  private skip(type: number): void {
    switch (type) {
      case 1:
      case 2: // a boolean, which its header holds
        return;
      case 3:
        this.at += 1;
        return;
      case 4:
      case 5:
      case 6:
        this.varint();
        return;
      case 7:
        this.at += 8;
        return;
      case 8: {
        const length = this.varint();
        this.at += length;
        return;
      }
      case LIST:
      case 10: {
        const header = this.byte();
        const count = header >> 4 === 15 ? this.varint() : header >> 4;
        const type = header & 15;
        for (let i = 0; i < count; i++) this.skip(type <= 2 ? 3 : type);
        return;
      }
      case STRUCT:
        this.struct();
        return;
      default:
        throw new RangeError(`the footer has a value of the unknown type ${type}`);
    }
  }
}

/** The fields as a struct; their ids rise. */
export function structBytes(fields: readonly ThriftField[]): number[] {
  const out: number[] = [];
  let before = 0;
  for (const { id, type, bytes } of fields) {
    if (id - before > 0 && id - before < 16) out.push(((id - before) << 4) | type);
    else out.push(type, ...varint(id * 2));
    for (const byte of bytes) out.push(byte); // a list of many columns is longer than the arguments of a call may be
    before = id;
  }
  return [...out, 0];
}

/** What stands before the structs of a list. */
export const listHeader = (count: number): number[] => (count < 15 ? [(count << 4) | STRUCT] : [0xf0 | STRUCT, ...varint(count)]);

export function varint(value: number): number[] {
  const out: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...out, rest];
    out.push((rest % 128) + 128);
  }
}
