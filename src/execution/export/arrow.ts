// Arrow files need the types of their columns where the engine cannot give them: bytes that are no text, civil times, JSON. Their schema stands
// at the beginning, where the new one must fit in the place of the old, and once more in the footer; the batches between stay as they are.
// https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format

import { Footer } from 'apache-arrow/ipc/metadata/file';
import { Message } from 'apache-arrow/ipc/metadata/message';
import { QuernError } from '../../base/errors.ts';
import type { ResultColumn } from '../../base/result.ts';
import type { Type } from '../../sql/base/types.ts';
import { assertAlike, schemaOf } from './arrow-schema.ts';
import { readAt, replaceFooter } from './footer.ts';
import { isJsonText } from './shape.ts';

/** The magic number, and what precedes a message: a mark and its length. */
const HEAD_BYTES = 16;
const MAGIC_BYTES = 6;

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
    const schema = schemaOf(columns);
    const message = Message.encode(Message.from(schema));
    if (message.length > room)
      throw new QuernError('internal', `the schema of ${file} has no place in it: ${message.length} of ${room} bytes`);
    const written = Footer.decode(old);
    assertAlike(written.schema, columns);
    const [batches, dictionaries] = [[...written.recordBatches()], [...written.dictionaryBatches()]];
    await handle.write(Buffer.concat([message, Buffer.alloc(room - message.length)]), 0, room, HEAD_BYTES);
    return Footer.encode(new Footer(schema, written.version, batches, dictionaries));
  });
