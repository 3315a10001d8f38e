// A file as the engine reads it: its format, its compression, and its text in FROM.
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, createWriteStream, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { QuernError } from '../../base/errors.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { type Compression, compressionOf } from '../../files/compression.ts';
import { type Encoding, UndecodableError } from '../../files/encoding.ts';
import { checkFrames } from '../../files/frames.ts';
import { createUtf8Check, type Utf8Check } from '../../files/utf8.ts';
import { copyRecipe } from '../../sources/files/copy-recipe.ts';
import type { Ask } from '../../sources/files/description.ts';
import { NO_COLUMNS } from '../../sources/files/file-trouble.ts';
import { type FileFormat, FORMATS, formatOf } from '../../sources/files/formats.ts';
import { jsonTextsOf, mayHoldTexts } from '../../sources/files/json-texts.ts';
import { mayBeOpen, quotesIn } from '../../sources/files/known-utf8.ts';
import { formatsText, takesOption } from '../../sources/files/options.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { enginePath } from '../engine-path.ts';
import { unreadable } from '../input.ts';

export interface Contents {
  readonly sha256: string;
  /** It is UTF-8. False for a file that is compressed: nobody has looked. */
  readonly utf8: boolean;
  /** Its number of quotes is odd: the last one may be open. False for a file that is compressed. */
  readonly mayEndQuoted: boolean;
}

export interface EngineFile {
  /** As the user named it; `<stdin>` for a stream. */
  readonly name: string;
  readonly format: FileFormat;
  readonly bytes: number;
  /** By which the engine reads it, and knows how it is compressed. */
  readonly path: string;
  /** The table function that reads it: `as` is the engine's name of a format, `structure` the columns. */
  from(as: string, structure?: string): string;
  /** Of a compressed file, whether its text may end within quotes: the engine takes such a rest for a cell. `contents` knows it of others. */
  mayEndQuoted(): Promise<boolean>;
  /** Whether all that is known of it so far is UTF-8; `contents` knows the rest. */
  readonly mayBeUtf8: boolean;
  /** Reads the file as it lies there. */
  contents(signal: AbortSignal | undefined): Promise<Contents>;
  /** A text that is not UTF-8 stands in the way of reading it so: its lines are to be read one by one. */
  readonly hasBadBytes: boolean;
  release(): void;
}

/** What the engine knows a compression by; bzip2 is unpacked before. */
const ENDINGS: Readonly<Record<Compression, string>> = { gz: '.gz', zstd: '.zst', xz: '.xz', lz4: '.lz4', br: '.br', bz2: '' };

const HEAD_BYTES = 1 << 16;

const MARKS: readonly (readonly [FileFormat, string])[] = [
  ['parquet', 'PAR1'],
  ['arrow', 'ARROW1'],
  ['orc', 'ORC'],
  ['avro', 'Obj\x01'],
];

interface Opening {
  readonly format?: FileFormat | undefined;
  /** Of text that is not UTF-8. */
  readonly encoding?: Encoding | undefined;
  /** What is known of columns. */
  readonly schema: readonly DeclaredColumn[];
  /** Takes what does not lie in a file, and what is unpacked and decoded. */
  readonly folder: string;
  readonly engine: EmbeddedEngine;
  readonly signal?: AbortSignal | undefined;
}

/** Throws QuernError `load`, and `usage` for an encoding of files that have none. */
export async function openEngineFile(input: string | Readable, opening: Opening): Promise<EngineFile> {
  const { format, encoding, folder, engine, signal } = opening;
  const name = typeof input === 'string' ? input : '<stdin>';
  try {
    const stored = typeof input === 'string' && isRegular(input) ? input : await spool(input, folder, signal);
    const { path, compression = 'none' } = await unpacked(stored, name, opening);
    const head = headOf(path);
    const bytes = statSync(path).size;
    if (bytes === 0) throw new QuernError('load', `${name} cannot be read: ${NO_COLUMNS}`, { hint: 'nothing was loaded' });
    const readable = enginePath(path, compression === 'none' ? '' : ENDINGS[compression]);
    const from = (as: string, structure = 'auto'): string => `file(${[readable.path, as, structure].map(quoteString).join(', ')})`;
    const known = format ?? formatOf(name) ?? (await sniff(name, compression === 'none' ? head : undefined, from, engine));
    if (encoding !== undefined && !takesOption(known, 'encoding'))
      throw new QuernError('usage', `--encoding only applies to ${formatsText('encoding')}, and ${name} is ${FORMATS[known].label}`, {
        hint: 'leave out the flag',
      });
    checkMark(name, known, compression === 'none' ? head : undefined);
    const isPlain = compression === 'none';
    const ask: Ask = (sql) => engine.rows(sql, signal);
    const mayEndQuoted = async (): Promise<boolean> => !isPlain && mayBeOpen(from('LineAsString', 'line String'), ask);
    const texts = await copyWithTexts({ path: readable.path, from, format: known }, isPlain ? undefined : compression, opening);
    return {
      name,
      format: known,
      bytes,
      mayBeUtf8: isPlain && createUtf8Check()(head, bytes > head.length),
      path: texts === 'bad bytes' ? readable.path : (texts?.path ?? readable.path),
      hasBadBytes: texts === 'bad bytes',
      from,
      mayEndQuoted,
      contents: (stop) => contentsOf(path, isPlain ? createUtf8Check() : undefined, stop),
      release: readable.release,
    };
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/** A file that the engine can read, and how that is compressed. */
async function unpacked(
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

/** The file with texts for JSON; undefined where it has them already. */
async function copyWithTexts(
  { path, from, format }: Pick<EngineFile, 'path' | 'from' | 'format'>,
  compression: Compression | undefined,
  { schema, folder, engine, signal }: Opening,
): Promise<{ readonly path: string } | 'bad bytes' | undefined> {
  const jsonTexts = jsonTextsOf(format, schema);
  const ask: Ask = (sql) => engine.rows(sql, signal);
  if (jsonTexts === undefined || !(await mayHoldTexts(from, jsonTexts, ask))) return undefined;
  const copy = nextSpooled(folder);
  try {
    await copyRecipe(compression, { jsonTexts, ask, signal })?.(path, copy);
    return { path: copy };
  } catch (cause) {
    if (cause instanceof UndecodableError) return 'bad bytes';
    throw cause;
  }
}

function isRegular(file: string): boolean {
  const stats = statSync(file);
  if (stats.isDirectory()) throw new QuernError('load', `${file} is a folder`, { hint: 'name the files in it' });
  return stats.isFile();
}

let spooled = 0;

function nextSpooled(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return join(folder, `input-${++spooled}`);
}

async function spool(input: string | Readable, folder: string, signal: AbortSignal | undefined): Promise<string> {
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

/** `head` is undefined where the file is compressed. */
async function sniff(name: string, head: Buffer | undefined, from: EngineFile['from'], engine: EmbeddedEngine): Promise<FileFormat> {
  const mark = MARKS.find(([, magic]) => head?.subarray(0, magic.length).toString('latin1') === magic);
  if (mark !== undefined) return mark[0];
  const [[line = ''] = []] = await engine.rows(
    `SELECT line FROM ${from('LineAsString', 'line String')} WHERE trimBoth(line) != '' LIMIT 1`,
  );
  const text = String(line)
    .replace(/^\ufeff/, '')
    .trim();
  if (text.startsWith('{')) return text.endsWith('}') ? 'ndjson' : 'json';
  if (text.startsWith('[')) return 'json';
  throw new QuernError('load', `cannot detect the format of ${name}`, { hint: `set it with --format ${Object.keys(FORMATS).join('|')}` });
}

function checkMark(name: string, format: FileFormat, head: Buffer | undefined): void {
  const mark = MARKS.find(([known]) => known === format)?.[1];
  if (mark === undefined || head === undefined || head.subarray(0, mark.length).toString('latin1') === mark) return;
  throw new QuernError('load', `${name} is not a valid ${FORMATS[format].label} file`, {
    hint: 'leave out --format, or name the right one',
  });
}

/** Into one buffer, again and again: a stream makes a new one for each piece, which takes longer than the hash of it. */
async function contentsOf(path: string, isUtf8: Utf8Check | undefined, signal: AbortSignal | undefined): Promise<Contents> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  let utf8 = isUtf8 !== undefined;
  let quotes = 0;
  const file = await open(path);
  try {
    for (;;) {
      throwIfAborted(signal);
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES, null);
      const bytes = buffer.subarray(0, bytesRead);
      utf8 = utf8 && isUtf8?.(bytes, bytesRead > 0) === true;
      if (bytesRead === 0) return { sha256: hash.digest('hex'), utf8, mayEndQuoted: quotes % 2 === 1 };
      hash.update(bytes);
      if (isUtf8 !== undefined) quotes += quotesIn(bytes);
    }
  } finally {
    await file.close();
  }
}

const READ_BYTES = 1 << 18;
