// Opens what is to be loaded: a file or a stream, plain or compressed, as the engine reads it.

import {
  closeSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { QuernError } from '../base/errors.ts';
import { quoteString } from '../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { COMPRESSIONS, type Compression, compressionOf } from '../files/compression.ts';
import { type Encoding, UndecodableError } from '../files/encoding.ts';
import { checkFrames } from '../files/frames.ts';
import { didYouMeanFile } from '../files/near-file.ts';
import { copyRecipe } from '../sources/files/copy-recipe.ts';
import { isUndecodable } from '../sources/files/file-trouble.ts';
import { type FileFormat, FORMATS, isCompressed } from '../sources/files/formats.ts';

export interface Input {
  /** As the user named it; `<stdin>` for a stream. */
  readonly name: string;
  readonly bytes: number;
  /** By which the engine reads it, and knows how it is compressed. */
  readonly path: string;
  /** Undefined for a file that can be read as it is. */
  readonly compression: Compression | undefined;
  /** Its first bytes; none of a compressed file. */
  readonly head: Buffer;
  /** The table function that reads it: `as` is the engine's name of a format, `structure` the columns. */
  from(as: string, structure?: string): string;
  release(): void;
}

export interface Opening {
  /** Of text that is not UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** Takes what does not lie in a file, and what is unpacked and decoded. */
  readonly folder: string;
  readonly engine: EmbeddedEngine;
  /** An aborted one ends a read that waits for input. */
  readonly signal?: AbortSignal | undefined;
}

const HEAD_BYTES = 1 << 16;

/** Throws QuernError `load`. */
export async function openInput(input: string | Readable, opening: Opening): Promise<Input> {
  const name = typeof input === 'string' ? input : '<stdin>';
  try {
    const stored = typeof input === 'string' && isRegular(input) ? input : await spool(input, opening);
    const { path, compression } = await readable(stored, name, opening);
    const linked = enginePath(path, compression === undefined ? '' : `.${COMPRESSIONS[compression].endings[0]}`);
    return {
      name,
      bytes: statSync(path).size,
      path: linked.path,
      compression,
      head: compression === undefined ? headOf(path) : Buffer.alloc(0),
      from: (as, structure = 'auto') => `file(${[linked.path, as, structure].map(quoteString).join(', ')})`,
      release: linked.release,
    };
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/** A file that the engine can read, and how that is compressed. */
async function readable(
  path: string,
  name: string,
  { encoding, folder, engine, signal }: Opening,
): Promise<{ readonly path: string; readonly compression?: Compression | undefined }> {
  const compression = compressionOf(headOf(path), name);
  const isRead = encoding === undefined && compression !== 'bz2';
  if (isRead && (compression === 'zstd' || compression === 'lz4')) await checkFrames(path, compression);
  const copy = isRead ? undefined : copyRecipe(compression, { encoding, ask: (sql) => engine.rows(sql, signal), signal });
  if (copy === undefined) return { path, compression };
  const plain = nextSpooled(folder);
  await copy(path, plain).catch((cause: unknown) => {
    if (!(cause instanceof UndecodableError)) throw cause;
    throw new QuernError('load', `${name}:${cause.line}: ${cause.message}`, { hint: 'nothing was loaded; check the encoding', cause });
  });
  return { path: plain };
}

function isRegular(file: string): boolean {
  const stats = statSync(file);
  if (stats.isDirectory()) throw new QuernError('load', `${file} is a folder`, { hint: 'name the files in it' });
  return stats.isFile();
}

let spooled = 0;

/** The path of a file in `folder` that is to be written. */
export function nextSpooled(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return join(folder, `input-${++spooled}`);
}

async function spool(input: string | Readable, { folder, signal }: Opening): Promise<string> {
  const path = nextSpooled(folder);
  const stream = typeof input === 'string' ? createReadStream(input) : input;
  await pipeline(stream, createWriteStream(path), signal === undefined ? {} : { signal });
  return path;
}

function headOf(path: string): Buffer {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.subarray(0, readSync(fd, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(fd);
  }
}

/** The first line that is not blank, without spaces around it; an empty text where there is none. */
export async function firstLine({ from }: Pick<Input, 'from'>, engine: EmbeddedEngine): Promise<string> {
  const [[line = ''] = []] = await engine.rows(
    `SELECT line FROM ${from('LineAsString', 'line String')} WHERE trimBoth(line) != '' LIMIT 1`,
  );
  return String(line)
    .replace(/^\ufeff/, '')
    .trim();
}

const MARKS: readonly (readonly [FileFormat, string])[] = [
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
  ['orc', 'ORC'],
  ['avro', 'Obj\x01'],
];

/** The format whose mark the file begins with. */
export const markedFormat = ({ head }: Pick<Input, 'head'>): FileFormat | undefined =>
  MARKS.find(([, mark]) => head.subarray(0, mark.length).toString('latin1') === mark)?.[0];

/** Throws QuernError `load` for a file that does not begin with the mark of its format. */
export function checkMark(input: Input, format: FileFormat): void {
  if (input.compression !== undefined || MARKS.every(([known]) => known !== format) || markedFormat(input) === format) return;
  throw new QuernError('load', `${input.name} is not a valid ${FORMATS[format].label} file`, {
    hint: 'leave out --format, or name the right one',
  });
}

/** The bytes of a file of texts, decompressed. */
export const linesOf = ({ from }: Pick<Input, 'from'>, engine: EmbeddedEngine): AsyncIterable<Uint8Array> =>
  engine.trustedStream(
    `SELECT line FROM ${from('LineAsString', 'line String')} SETTINGS max_threads = 1, input_format_parallel_parsing = 0`,
    'TSVRaw',
  );

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

/** What the engine says of compressed data that it cannot unpack. */
const DAMAGED = 'its compressed data is damaged or cut off';

export function unreadable(name: string, cause: unknown): QuernError {
  if (cause instanceof QuernError && cause.code === 'load') return cause;
  const code = cause instanceof Error ? String((cause as NodeJS.ErrnoException).code) : ''; // absent on other errors
  const reason = isUndecodable(cause) ? DAMAGED : (REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause)));
  return new QuernError('load', `${name} cannot be read: ${reason}`, {
    hint: `nothing was loaded; ${(code === 'ENOENT' ? didYouMeanFile(name, '') : undefined) ?? 'check the file and load it again'}`,
    cause,
  });
}

interface EnginePath {
  readonly path: string;
  release(): void;
}

/** What file() takes for a glob or for the inside of an archive. https://clickhouse.com/docs/sql-reference/table-functions/file */
const PATTERN = /[*?{}[\]]|::/;

/**
 * `file` itself, or a link to it when its name has characters that the engine's file() gives a meaning, or does not end with `ending`, by which the engine
 * knows how a file is compressed.
 */
function enginePath(file: string, ending?: string): EnginePath {
  const full = resolve(file);
  const saysSo = ending === undefined || (ending === '' ? !isCompressed(full) : full.toLowerCase().endsWith(ending));
  if (!PATTERN.test(full) && saysSo) return { path: full, release: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'quern-'));
  const path = join(folder, `input${ending ?? ''}`);
  symlinkSync(full, path);
  return { path, release: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Writes `text` into `file`, which is there while `use` has the engine read it by its path. */
export async function withEngineFile<T>(file: string, text: string, use: (path: string) => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  // At once: an asynchronous write goes in small pieces, each waiting for its turn between the lines that are being read.
  writeFileSync(file, text);
  const { path, release } = enginePath(file);
  try {
    return await use(path);
  } finally {
    release();
    rmSync(file, { force: true });
  }
}
