// Opens what is to be loaded: a file or a stream, plain or compressed, and finds out how it is written.

import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { QuernError } from '../base/errors.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { compressionOf, unpackBzip2 } from '../files/compression.ts';
import { checkFrames } from '../files/frames.ts';
import { isUndecodable } from '../sources/files/file-trouble.ts';
import { isCombinedLog } from './combined-log.ts';
import { type EnginePath, enginePath } from './engine-path.ts';

const LOAD_FORMATS = ['ndjson', 'csv', 'parquet', 'combined'] as const;
export type LoadFormat = (typeof LOAD_FORMATS)[number];

export interface OpenInput {
  /** As the user named it; `<stdin>` for a stream. */
  readonly name: string;
  readonly format: LoadFormat;
  /** Size as stored, when known. Bytes. */
  readonly totalBytes: number | undefined;
  /** Bytes read so far, as stored. */
  bytesRead(): number;
  /** Decompressed content; for Parquet its rows as NDJSON. */
  readonly lines: AsyncIterable<Uint8Array>;
  /** Decompressed content to tell equal files by, when `lines` is not it. */
  readonly content: (() => AsyncIterable<Uint8Array>) | undefined;
  /** Lets go of the file or the stream. */
  close(): void;
}

const PARQUET = Buffer.from('PAR1');

/** `folder` takes what must be a file for the engine to read it. An aborted `signal` ends a read that waits for input. Throws QuernError `load`. */
export async function openInput(
  input: string | Readable,
  format: LoadFormat | undefined,
  folder: string,
  engine: EmbeddedEngine,
  signal?: AbortSignal,
): Promise<OpenInput> {
  const name = typeof input === 'string' ? input : '<stdin>';
  const totalBytes = typeof input === 'string' ? sizeOf(input) : undefined;
  const stream = typeof input === 'string' ? createReadStream(input, { highWaterMark: 1 << 20 }) : input;
  if (signal !== undefined) addAbortSignal(signal, stream);
  try {
    return await openStream(
      { name, totalBytes, stream, file: typeof input === 'string' ? input : undefined, signal },
      format,
      folder,
      engine,
    );
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

interface OpenStream {
  readonly name: string;
  readonly totalBytes: number | undefined;
  readonly stream: Readable;
  /** Where the content is, when it is a file. */
  readonly file: string | undefined;
  readonly signal: AbortSignal | undefined;
}

async function openStream(
  { name, totalBytes, stream, file, signal }: OpenStream,
  format: LoadFormat | undefined,
  folder: string,
  engine: EmbeddedEngine,
): Promise<OpenInput> {
  let read = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of stream) {
        read += chunk.length;
        yield Buffer.from(chunk);
      }
    } catch (cause) {
      throw unreadable(name, cause);
    }
  };
  const raw = await peek(counted(), 8);
  const starts = (magic: Buffer): boolean => raw.head.subarray(0, magic.length).equals(magic);

  const spooled = join(folder, 'input');
  let readable: EnginePath | undefined;
  /** A name by which the engine can read the whole content; the stream is used up, or no longer needed. */
  const asFile = async (): Promise<string> => {
    if (file === undefined) {
      mkdirSync(folder, { recursive: true });
      await pipeline(Readable.from(raw.bytes), createWriteStream(spooled));
    } else stream.destroy();
    readable = enginePath(file ?? spooled);
    return readable.path;
  };
  const close = (): void => {
    stream.destroy();
    readable?.release();
  };
  const base = { name, totalBytes, bytesRead: () => read, close };
  const extension = /\.([a-z0-9]+)(?:\.(?:gz|zst|xz|lz4|br|bz2))?$/i.exec(name)?.[1]?.toLowerCase();

  if (starts(PARQUET) || format === 'parquet') {
    if (!starts(PARQUET))
      throw new QuernError('load', `${name} is not a Parquet file`, { hint: 'leave out --format, or name the right one' });
    const stored = await asFile();
    const rows = engine.trustedStream(
      `SELECT * FROM file(${quoteString(stored)}, 'Parquet') SETTINGS date_time_output_format = 'iso', output_format_json_named_tuples_as_objects = 1`,
      'JSONEachRow',
    );
    return { ...base, format: 'parquet', lines: explained(rows, name), content: () => createReadStream(stored) };
  }

  const unpacked = async (): Promise<string> => {
    const stored = await asFile();
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'unpacked');
    await unpackBzip2(stored, path, signal);
    return path;
  };
  const text = await peek(await plain(raw, { name, asFile, unpacked, engine }), 1 << 16);
  return { ...base, format: format ?? formatOf(extension) ?? sniff(text.head, name), lines: text.bytes, content: undefined };
}

interface Packed {
  readonly name: string;
  /** A name by which the engine can read the whole. */
  readonly asFile: () => Promise<string>;
  /** A file with what the whole is as bzip2. */
  readonly unpacked: () => Promise<string>;
  readonly engine: EmbeddedEngine;
}

/** The bytes as they were before they were compressed. */
async function plain({ head, bytes }: Peeked, { name, asFile, unpacked, engine }: Packed): Promise<AsyncGenerator<Uint8Array>> {
  const compression = compressionOf(head, name);
  if (compression === undefined) return bytes;
  if (compression === 'gz') {
    const gunzip = createGunzip({ chunkSize: 1 << 18 });
    // A failure of either stream comes out of `gunzip`.
    pipeline(Readable.from(bytes), gunzip).catch((cause) => gunzip.destroy(cause));
    return explained(gunzip, name);
  }
  try {
    if (compression === 'bz2') return explained(createReadStream(await unpacked()), name);
    const stored = await asFile();
    if (compression === 'zstd' || compression === 'lz4') await checkFrames(stored, compression);
    // What Node 20 cannot read, the engine can, line by line.
    const from = `file(${[stored, 'LineAsString', 'line String', compression].map(quoteString).join(', ')})`;
    return explained(engine.trustedStream(`SELECT line FROM ${from}`, 'TSVRaw'), name);
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

interface Peeked {
  readonly head: Buffer;
  readonly bytes: AsyncGenerator<Uint8Array>;
}

/** The first bytes (about `size`, fewer at the end), and the whole stream from its beginning. */
async function peek(bytes: AsyncGenerator<Uint8Array>, size: number): Promise<Peeked> {
  const taken: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const next = await bytes.next();
    if (next.done === true) break;
    taken.push(next.value);
    length += next.value.length;
  }
  const all = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield* taken;
      yield* bytes;
    } finally {
      await bytes.return(undefined);
    }
  };
  return { head: Buffer.concat(taken), bytes: all() };
}

async function* explained(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function formatOf(extension: string | undefined): LoadFormat | undefined {
  if (extension === 'ndjson' || extension === 'jsonl') return 'ndjson';
  return extension === 'csv' ? 'csv' : undefined;
}

function sniff(head: Buffer, name: string): LoadFormat {
  const line =
    head
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimStart()
      .split('\n', 1)[0]
      ?.trimEnd() ?? '';
  if (line === '' || line.startsWith('{')) return 'ndjson';
  if (isCombinedLog(line)) return 'combined';
  if (/^(?:"[^"]*"|[\w.]+)(?:,(?:"[^"]*"|[\w.]*))+$/.test(line) && /\btimestamp\b/.test(line)) return 'csv';
  throw new QuernError('load', `cannot detect the format of ${name}`, {
    hint: line.startsWith('[')
      ? 'JSON arrays are not supported: write one event per line (NDJSON)'
      : `set it with --format ${LOAD_FORMATS.join('|')}`,
  });
}

function sizeOf(file: string): number | undefined {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) throw new QuernError('load', `${file} is a folder`, { hint: 'name the files in it' });
    return stats.isFile() ? stats.size : undefined;
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  Z_BUF_ERROR: 'the gzip data ends too early',
  Z_DATA_ERROR: 'the gzip data is damaged',
};

/** What the engine says of compressed data that it cannot unpack. */
const DAMAGED = 'its compressed data is damaged or cut off';

export function unreadable(name: string, cause: unknown): QuernError {
  if (cause instanceof QuernError && cause.code === 'load') return cause;
  const code = cause instanceof Error ? String((cause as NodeJS.ErrnoException).code) : ''; // absent on other errors
  const reason = isUndecodable(cause) ? DAMAGED : (REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause)));
  return new QuernError('load', `${name} cannot be read: ${reason}`, {
    hint: 'nothing was loaded; check the file and load it again',
    cause,
  });
}
