// Results that the embedded engine writes into files itself, which is the fastest way and for whole documents the only one.

import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { quoteString } from '../../clickhouse/quote.ts';
import { DamagedError } from '../../files/damaged.ts';
import { checkFrames } from '../../files/frames.ts';
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
  const whole = compression === undefined ? lastBytes(file, ending.length) === ending : await isWholeZstd(file);
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

async function isWholeZstd(file: string): Promise<boolean> {
  try {
    await checkFrames(file, 'zstd');
    return statSync(file).size > 0;
  } catch (error) {
    if (error instanceof DamagedError) return false;
    throw error;
  }
}
