// Writes a file so that it is either all there or unchanged: into a temporary file in its folder, which is then renamed.
import { rmSync } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { QuernError } from '../base/errors.ts';
import { removeAbandonedTemporaries, temporaryBeside } from '../files/temporary.ts';
import type { Compression } from './index.ts';

type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/**
 * Replaces `file`, which the user named with `flag`, by `chunks`; a device or a pipe is written to as it is. Throws `usage` when the file cannot be
 * written; nothing is left behind then.
 */
export async function writeFileAtomically(
  file: string,
  chunks: Chunks,
  { compression, flag = '--output' }: { readonly compression?: Compression | undefined; readonly flag?: string } = {},
): Promise<void> {
  const compressor = compression === undefined ? undefined : compressorFor(compression, file);
  await reportFailure(file, flag, async () => {
    if (await isReplaceable(file)) await writeAndRename(file, (temporary) => write(temporary, 'r+', chunks, compressor));
    else await write(file, 'w', chunks, compressor);
  });
}

/** Replaces `file`, which must not be a device or a pipe, by the file that `fill` makes under the name it is given. Throws as writeFileAtomically does. */
export async function replaceFile(file: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  await reportFailure(file, '--output', () => writeAndRename(file, fill));
}

/** False for a device, a pipe or a folder. */
export async function isReplaceable(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? true;
}

/** True if this version of Node has the compression. */
export const canCompress = (compression: Compression): boolean => compression === 'gzip' || createZstd !== undefined;

/** Exists in Node 22.15 and newer. */
const createZstd = (zlib as { readonly createZstdCompress?: () => Transform }).createZstdCompress;

function compressorFor(compression: Compression, file: string): Transform {
  if (compression === 'gzip') return zlib.createGzip();
  if (createZstd !== undefined) return createZstd();
  throw new QuernError('usage', `${file}: Node ${process.versions.node} has no zstd`, {
    hint: 'end the file with .gz, or use Node 22.15 or newer',
  });
}

async function reportFailure(file: string, flag: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (cause instanceof QuernError || !(cause instanceof Error) || !('code' in cause) || cause.code === 'EPIPE') throw cause;
    throw new QuernError('usage', `${file} cannot be written: ${trouble(String(cause.code), file) ?? cause.message}`, {
      hint: flag.endsWith('-dir') ? `choose another folder with ${flag}` : `choose another file with ${flag}`,
      cause,
    });
  }
}

async function writeAndRename(file: string, fill: (temporary: string) => Promise<void>): Promise<void> {
  const old = await stat(file).catch(() => undefined);
  const place = old === undefined ? file : await realpath(file);
  const temporary = temporaryBeside(place);
  removeAbandonedTemporaries(place);
  const remove = (): void => rmSync(temporary, { force: true });
  process.prependOnceListener('exit', remove); // before other listeners: after a second Ctrl-C nothing waits
  try {
    await open(temporary, 'w', old?.mode ?? 0o666).then((handle) => handle.close()); // fails at once where no file can be made
    await fill(temporary);
    if (old !== undefined) await chmod(temporary, old.mode);
    await rename(temporary, place);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  } finally {
    process.off('exit', remove);
  }
}

/** With `r+` nothing is truncated: some file systems, such as ext4, write a truncated file to the disk before it is closed. */
async function write(file: string, flags: 'r+' | 'w', chunks: Chunks, compressor: Transform | undefined): Promise<void> {
  const handle = await open(file, flags);
  try {
    for await (const chunk of inLargePieces(compressor === undefined ? chunks : compressed(chunks, compressor)))
      await handle.writeFile(chunk);
  } finally {
    await handle.close();
  }
}

/** Each write goes through a thread and back: for pieces of 64 KiB that takes longer than the writing. */
const PIECE_BYTES = 1 << 20;

/** The same bytes in pieces of a megabyte; a piece is overwritten once the next is asked for. */
async function* inLargePieces(chunks: Chunks): AsyncIterable<Uint8Array> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (filled > 0 && filled + bytes.length > PIECE_BYTES) {
      yield piece.subarray(0, filled);
      filled = 0;
    }
    if (bytes.length > PIECE_BYTES) yield bytes;
    else {
      // A copy, because whoever made the chunk may use its memory again.
      piece.set(bytes, filled);
      filled += bytes.length;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

async function* compressed(chunks: Chunks, compressor: Transform): AsyncIterable<Uint8Array> {
  const source = Readable.from(chunks);
  source.on('error', (error) => compressor.destroy(error));
  try {
    yield* source.pipe(compressor) as AsyncIterable<Uint8Array>; // a compressor without an encoding yields bytes
  } finally {
    source.destroy();
  }
}

function trouble(code: string, file: string): string | undefined {
  const troubles: Readonly<Record<string, string>> = {
    ENOENT: `there is no folder ${dirname(file)}`,
    ENOTDIR: `${dirname(file)} is not a folder`,
    EISDIR: 'it is a folder',
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is exceeded',
    EROFS: 'its disk is read-only',
    EACCES: 'its permissions do not allow it',
    EPERM: 'its permissions do not allow it',
  };
  return troubles[code];
}
