// Files whose last bytes are a footer, its length and a magic number: Parquet and Arrow.
import { type FileHandle, open } from 'node:fs/promises';

/** Puts what `change` returns in the place of the footer of a whole file; `magic` is the length of the number. */
export async function replaceFooter(
  file: string,
  magic: number,
  change: (footer: Buffer, handle: FileHandle) => Uint8Array | Promise<Uint8Array>,
): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    const tail = await readAt(handle, size - 4 - magic, 4 + magic);
    const length = tail.readUInt32LE();
    const start = size - tail.length - length;
    const footer = await change(await readAt(handle, start, length), handle);
    tail.writeUInt32LE(footer.length);
    const end = Buffer.concat([footer, tail]);
    await handle.write(end, 0, end.length, start);
    await handle.truncate(start + end.length);
  } finally {
    await handle.close();
  }
}

export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  return (await handle.read(Buffer.alloc(length), 0, length, position)).buffer;
}
