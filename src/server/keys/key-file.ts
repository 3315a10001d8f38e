// The file of keys: refused unless it is whole and its owner's alone. It grows by a line for each change, and is rewritten now and then.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { QuernError } from '../../base/errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { realPath } from '../../files/real-path.ts';
import { isDiskFull, replaceFileSync } from '../../files/replace-file.ts';
import { withLock } from './file-lock.ts';
import { type KeyChange, type KeyLines, lineOf } from './key-lines.ts';
import { END, HEADER, KeyReader } from './key-reader.ts';
import { overwriteFileSync } from './overwrite-file.ts';

const PIECE_BYTES = 262_144;
/** So many lines more than keys may be out of force before the file is rewritten. */
const MOST_OUTDATED = 1000;

/** What a file said when it was read, and how much of it that was. */
interface KeyFile {
  readonly reader: KeyReader;
  readonly bytes: number;
}

/** The keys of the file; none without a file. Throws QuernError `config` for a file that is damaged, or that others may read or write. */
export function readKeyFile(file: string): KeyFile | undefined {
  const reading = readInPieces(file);
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}

/** The same, while others have their turns. */
export async function readLargeKeyFile(file: string): Promise<KeyFile | undefined> {
  const reading = readInPieces(file);
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function* readInPieces(file: string): Generator<undefined, KeyFile | undefined> {
  const pieces = piecesOf(file);
  if (pieces === undefined) return undefined;
  const reader = new KeyReader(file);
  let bytes = 0;
  for (const piece of pieces) {
    reader.push(piece);
    bytes += piece.length;
    yield;
  }
  reader.finish();
  return { reader, bytes };
}

/** Reads on in a file that has grown. False when it is no longer the file that was read, so that all of it must be. */
export function readOn(file: string, reader: KeyReader): boolean {
  const { end, last } = reader;
  const pieces = end === undefined ? undefined : piecesOf(file, end - last.length - 1);
  if (pieces === undefined) return false;
  let first = true;
  for (const piece of pieces) {
    // Each line is there once: where the last one is as it was, so are those before it.
    if (first && !piece.startsWith(`${last}\n`)) return false;
    reader.push(first ? piece.slice(last.length + 1) : piece);
    first = false;
  }
  reader.finish();
  return !first;
}

/** What is to become of the keys, and what the change is made for. */
interface Decision<T> {
  readonly change: KeyChange;
  readonly value: T;
}

/** Makes a change to the keys, alone among all processes. */
export async function updateKeyFile<T>(file: string, decide: (keys: KeyLines) => Decision<T>): Promise<T> {
  const target = realPath(file);
  prepareFolder(dirname(target), file);
  return withLock(target, () => {
    const found = readKeyFile(target);
    const reader = found?.reader ?? new KeyReader(target);
    const { change, value } = decide(reader.keys);
    const line = lineOf(change);
    reader.keys.apply(line);
    const { end, keys } = reader;
    const grows = found !== undefined && end !== undefined && keys.outdated <= keys.size + MOST_OUTDATED;
    try {
      if (grows) append(target, { end, bytes: found.bytes, line });
      else replaceFileSync(target, textOf(keys), { mode: 0o600 });
    } catch (cause) {
      // A key that has leaked must go, also where there is no room for another line or for a second file.
      if (!isDiskFull(cause) || !overwritten(target, textOf(keys))) throw unwritable(target, cause);
    }
    return value;
  });
}

function textOf(keys: KeyLines): Buffer {
  return Buffer.from(`${HEADER}\n${[...keys.lines()].map((line, i) => `${i === 0 ? '' : ','}${line}\n`).join('')}${END}`, 'latin1');
}

/** In one go after the last whole line, so that a process that is killed meanwhile has changed nothing, or all. */
function append(file: string, { end, bytes, line }: { readonly end: number; readonly bytes: number; readonly line: string }): void {
  const fd = openSync(file, 'r+');
  try {
    // A process that was killed has left a part of its line.
    if (bytes > end + END.length) ftruncateSync(fd, end);
    try {
      writeAt(fd, `${end === HEADER.length + 1 ? '' : ','}${line}\n${END}`, end);
      fsyncSync(fd);
    } catch (cause) {
      takeBack(fd, end);
      throw cause;
    }
  } finally {
    closeSync(fd);
  }
}

function takeBack(fd: number, end: number): void {
  try {
    ftruncateSync(fd, end);
    writeAt(fd, END, end);
  } catch {
    // The error of the write says what is wrong; a part of a line counts as nothing.
  }
}

function writeAt(fd: number, text: string, position: number): void {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
}

/** The file's text from a place on, a character for each byte; undefined without a file. It is open until all pieces have been taken. */
function piecesOf(file: string, from = 0): Iterable<string> | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // openSync throws system errors only
    if (code === 'ENOENT') return undefined;
    throw unreadable(file, cause);
  }
  return (function* () {
    try {
      assertPrivate(file, fstatSync(fd).mode);
      const buffer = Buffer.alloc(PIECE_BYTES);
      for (let at = from; ; ) {
        const read = readSync(fd, buffer, 0, buffer.length, at);
        if (read === 0) return;
        yield buffer.toString('latin1', 0, read);
        at += read;
      }
    } catch (cause) {
      throw cause instanceof QuernError ? cause : unreadable(file, cause);
    } finally {
      closeSync(fd);
    }
  })();
}

function assertPrivate(file: string, mode: number): void {
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new QuernError('config', `other users may read or change the keys in ${file}: its mode is ${(mode & 0o777).toString(8)}`, {
    hint: `run \`chmod 600 ${file}\`, and check with \`quern keys list\` that all keys are yours`,
  });
}

function overwritten(file: string, text: Buffer): boolean {
  try {
    return overwriteFileSync(file, text);
  } catch {
    return false; // the error of the replacement says why not
  }
}

function prepareFolder(folder: string, file: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): QuernError {
  return new QuernError('config', `the keys in ${file} cannot be read: ${reasonOf(cause)}`, {
    hint: 'name another file with keys_file',
    cause,
  });
}

function unwritable(file: string, cause: unknown): QuernError {
  if (isDiskFull(cause)) {
    return new QuernError('config', `the keys in ${file} cannot be changed: the disk is full`, {
      hint: 'free some space on it and try again; nothing has changed',
      cause,
    });
  }
  return new QuernError('config', `keys cannot be saved in ${file}: ${reasonOf(cause)}`, {
    hint: 'name another file with keys_file',
    cause,
  });
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message.replace(/, \w+ '.*$/s, '') : String(cause));
