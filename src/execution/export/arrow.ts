// Arrow files need the types of their columns where the engine cannot give them: bytes that are no text, civil times, JSON. Their schema stands
// at the beginning, where the new one must fit in the place of the old, and once more in the footer; the batches between stay as they are.
// https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format

import { Builder, ByteBuffer, type Offset } from 'flatbuffers';
import { QuernError } from '../../base/errors.ts';
import type { ResultColumn } from '../../base/result.ts';
import type { Type } from '../../sql/base/types.ts';
import { assertAlike, writeSchema } from './arrow-schema.ts';
import { readAt, replaceFooter } from './footer.ts';
import { isJsonText } from './shape.ts';

/** The magic number, and what precedes a message: a mark and its length. */
const HEAD_BYTES = 16;
const MAGIC_BYTES = 6;
const BLOCK_BYTES = 24;
const VERSION_5 = 4;
const SCHEMA_MESSAGE = 1;

/** Returns by how much the engine's schema must be larger, so that the new one fits in its place. */
export function roomFor(columns: readonly { readonly type: Type }[]): number {
  const fields = (type: Type): number => {
    if (type.kind === 'ARRAY') return 1 + fields(type.element);
    if (type.kind === 'STRUCT') return type.fields.reduce((sum, field) => sum + fields(field.type), 1);
    return isJsonText(type) ? 4 : 1;
  };
  return 256 + 64 * columns.reduce((sum, { type }) => sum + fields(type), 0);
}

/** Gives a whole file the schema of these columns, which the engine wrote as shape.ts says. */
export const retypeArrow = (file: string, columns: readonly ResultColumn[]): Promise<void> =>
  replaceFooter(file, MAGIC_BYTES, async (old, handle) => {
    const room = (await readAt(handle, 12, 4)).readInt32LE();
    const message = schemaMessage(columns);
    if (message.length > room)
      throw new QuernError('internal', `the schema of ${file} has no place in it: ${message.length} of ${room} bytes`);
    const footer = newFooter(old, columns);
    await handle.write(Buffer.concat([message, Buffer.alloc(room - message.length)]), 0, room, HEAD_BYTES);
    return footer;
  });

function schemaMessage(columns: readonly ResultColumn[]): Uint8Array {
  const b = new Builder();
  const schema = writeSchema(b, columns);
  b.startObject(5);
  b.addFieldInt16(0, VERSION_5, 0);
  b.addFieldInt8(1, SCHEMA_MESSAGE, 0);
  b.addFieldOffset(2, schema, 0);
  b.finish(b.endObject());
  return b.asUint8Array();
}

/** A footer with the same blocks. */
function newFooter(old: Buffer, columns: readonly ResultColumn[]): Uint8Array {
  const from = new ByteBuffer(old);
  const root = from.readInt32(0);
  assertAlike(from, from.__indirect(root + from.__offset(root, 6)), columns);
  const b = new Builder();
  const [schema, dictionaries, batches] = [writeSchema(b, columns), copyBlocks(b, from, root, 2), copyBlocks(b, from, root, 3)];
  b.startObject(5);
  b.addFieldInt16(0, VERSION_5, 0);
  b.addFieldOffset(1, schema, 0);
  b.addFieldOffset(2, dictionaries, 0);
  b.addFieldOffset(3, batches, 0);
  b.finish(b.endObject());
  return b.asUint8Array();
}

/** Copies field `at` of the table, a vector of structs: where the batches are. */
function copyBlocks(b: Builder, from: ByteBuffer, root: number, at: number): Offset {
  const offset = from.__offset(root, 4 + 2 * at);
  const count = offset === 0 ? 0 : from.__vector_len(root + offset);
  b.startVector(BLOCK_BYTES, count, 8);
  for (let i = count - 1; i >= 0; i--) {
    const block = from.__vector(root + offset) + i * BLOCK_BYTES;
    b.prep(8, BLOCK_BYTES);
    b.writeInt64(from.readInt64(block + 16));
    b.pad(4);
    b.writeInt32(from.readInt32(block + 8));
    b.writeInt64(from.readInt64(block));
  }
  return b.endVector();
}
