// Results that the embedded engine writes into files itself, which is the fastest way and for whole documents the only one.

import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { quoteString } from '../../clickhouse/quote.ts';
import type { FileTarget } from '../engine.ts';

/** The last bytes of formats that are one document. */
export const DOCUMENT_ENDINGS = { Parquet: 'PAR1', Arrow: 'ARROW1' } as const;

/**
 * The clause that replaces the file: https://clickhouse.com/docs/sql-reference/statements/select/into-outfile
 * An empty file is appended to, which the engine does not do compressed: what was truncated goes to the disk on some file systems, such as
 * ext4, before it is closed, which takes 0.3 s for a gigabyte.
 */
export function intoFile({ file, format, compression }: FileTarget): string {
  if (compression !== undefined)
    return `INTO OUTFILE ${quoteString(file)} TRUNCATE COMPRESSION ${quoteString(compression)} FORMAT ${format}`;
  const isFilled = existsSync(file) && statSync(file).size > 0;
  return `INTO OUTFILE ${quoteString(file)} ${isFilled ? 'TRUNCATE' : 'APPEND'} FORMAT ${format}`;
}

/** Throws when the file is not whole: the engine continues without an error when a disk is full. */
export async function assertWhole({ file, ending, compression }: FileTarget): Promise<void> {
  const whole = compression === undefined ? lastBytes(file, ending.length) === ending : await endsAsZstd(file);
  if (!whole) throw Object.assign(new Error(`${file} is incomplete`), { code: 'ENOSPC' });
}

/** Without another thread, which would take longer: what was just written is in memory. */
function lastBytes(file: string, count: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(count);
    const read = readSync(descriptor, bytes, 0, count, Math.max(0, fstatSync(descriptor).size - count));
    return bytes.toString('latin1', 0, read);
  } finally {
    closeSync(descriptor);
  }
}

async function endsAsZstd(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    return await isWholeZstd(handle);
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position });
  return buffer.subarray(0, bytesRead);
}

const LAST_BLOCK = 1;
const RUN_LENGTH_BLOCK = 1;

/** True when the file's only frame has its last block. https://datatracker.ietf.org/doc/html/rfc8878#section-3.1.1 */
async function isWholeZstd(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  const descriptor = (await readAt(handle, 4, 1))[0];
  if (descriptor === undefined) return false;
  const singleSegment = (descriptor >> 5) & 1;
  const contentSize = [singleSegment, 2, 4, 8][descriptor >> 6] ?? 0;
  const dictionaryId = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const checksum = ((descriptor >> 2) & 1) * 4;
  let at = 5 + (1 - singleSegment) + dictionaryId + contentSize;
  for (;;) {
    if (at + 3 > size) return false;
    const header = await readAt(handle, at, 3);
    const block = header.readUIntLE(0, 3);
    at += 3 + (((block >> 1) & 3) === RUN_LENGTH_BLOCK ? 1 : block >> 3);
    if ((block & LAST_BLOCK) === 1) return at + checksum === size;
  }
}
