// A file of rows as the engine reads it: its format, and what its bytes show.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { QuernError } from '../../base/errors.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { UndecodableError } from '../../files/encoding.ts';
import { createUtf8Check, type Utf8Check } from '../../files/utf8.ts';
import { copyRecipe } from '../../sources/files/copy-recipe.ts';
import type { Ask } from '../../sources/files/description.ts';
import { NO_COLUMNS } from '../../sources/files/file-trouble.ts';
import { type FileFormat, FORMATS, formatOf, TEXT_FORMATS } from '../../sources/files/formats.ts';
import { jsonTextsOf, mayHoldTexts } from '../../sources/files/json-texts.ts';
import { hasOddQuotes, mayBeOpen, PIECE_BYTES } from '../../sources/files/known-utf8.ts';
import { formatsText, takesOption } from '../../sources/files/options.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { checkMark, firstLine, type Input, markedFormat, nextSpooled, type Opening, openInput, unreadable } from '../input.ts';

export interface Contents {
  readonly sha256: string;
  /** It is UTF-8. False for a file that is compressed: nobody has looked. */
  readonly utf8: boolean;
  /** Its number of quotes is odd: the last one may be open. False for a file that is compressed, or has no quotes by its format. */
  readonly mayEndQuoted: boolean;
}

export interface EngineFile extends Pick<Input, 'name' | 'bytes' | 'path' | 'from' | 'release'> {
  readonly format: FileFormat;
  /** Of a compressed file, whether its text may end within quotes: the engine takes such a rest for a cell. `contents` knows it of others. */
  mayEndQuoted(): Promise<boolean>;
  /** Whether all that is known of it so far is UTF-8; `contents` knows the rest. */
  readonly mayBeUtf8: boolean;
  /** Reads the file as it lies there. */
  contents(signal: AbortSignal | undefined): Promise<Contents>;
  /** A text that is not UTF-8 stands in the way of reading it so: its lines are to be read one by one. */
  readonly hasBadBytes: boolean;
}

interface FileOpening extends Opening {
  readonly format?: FileFormat | undefined;
  /** What is known of columns. */
  readonly schema: readonly DeclaredColumn[];
}

/** Throws QuernError `load`, and `usage` for an encoding of files that have none. */
export async function openEngineFile(given: string | Readable, opening: FileOpening): Promise<EngineFile> {
  const input = await openInput(given, opening);
  const { name, bytes, head, from, release } = input;
  const { format, encoding, engine, signal } = opening;
  try {
    if (bytes === 0 && opening.schema.length === 0)
      throw new QuernError('load', `${name} cannot be read: ${NO_COLUMNS}`, { hint: 'nothing was loaded' });
    const known = format ?? formatOf(name) ?? markedFormat(input) ?? (await sniff(input, engine));
    if (encoding !== undefined && !takesOption(known, 'encoding'))
      throw new QuernError('usage', `--encoding only applies to ${formatsText('encoding')}, and ${name} is ${FORMATS[known].label}`, {
        hint: 'leave out the flag',
      });
    checkMark(input, known);
    const isPlain = input.compression === undefined;
    const ask: Ask = (sql) => engine.rows(sql, signal);
    const mayEndQuoted = async (): Promise<boolean> => !isPlain && mayBeOpen(from('LineAsString', 'line String'), ask);
    const texts = await copyWithTexts(input, known, opening);
    return {
      name,
      format: known,
      bytes,
      mayBeUtf8: isPlain && createUtf8Check()(head, bytes > head.length),
      path: texts === 'bad bytes' ? input.path : (texts?.path ?? input.path),
      hasBadBytes: texts === 'bad bytes',
      from,
      mayEndQuoted,
      contents: (stop) =>
        contentsOf(input.path, { isUtf8: isPlain ? createUtf8Check() : undefined, quotes: isPlain && TEXT_FORMATS.includes(known) }, stop),
      release,
    };
  } catch (cause) {
    release();
    throw unreadable(name, cause);
  }
}

/** The file with texts for JSON; undefined where it has them already. */
async function copyWithTexts(
  { path, from, compression }: Input,
  format: FileFormat,
  { schema, folder, engine, signal }: FileOpening,
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

async function sniff(input: Input, engine: EmbeddedEngine): Promise<FileFormat> {
  const line = await firstLine(input, engine);
  if (line.startsWith('{')) return line.endsWith('}') ? 'ndjson' : 'json';
  if (line.startsWith('[')) return 'json';
  throw new QuernError('load', `cannot detect the format of ${input.name}`, {
    hint: `set it with --format ${Object.keys(FORMATS).join('|')}`,
  });
}

/** Into one buffer, again and again: a stream makes a new one for each piece, which takes longer than the hash of it. */
async function contentsOf(
  path: string,
  { isUtf8, quotes }: { readonly isUtf8: Utf8Check | undefined; readonly quotes: boolean },
  signal: AbortSignal | undefined,
): Promise<Contents> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  let utf8 = isUtf8 !== undefined;
  let isOdd = false;
  const file = await open(path);
  try {
    for (;;) {
      throwIfAborted(signal);
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, null);
      const bytes = buffer.subarray(0, bytesRead);
      utf8 = utf8 && isUtf8?.(bytes, bytesRead > 0) === true;
      if (bytesRead === 0) return { sha256: hash.digest('hex'), utf8, mayEndQuoted: isOdd };
      hash.update(bytes);
      if (quotes && hasOddQuotes(bytes)) isOdd = !isOdd;
    }
  } finally {
    await file.close();
  }
}
