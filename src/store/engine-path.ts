// Gives the engine a file by a name it cannot mistake for a pattern.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isCompressed } from '../sources/files/formats.ts';

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
export function enginePath(file: string, ending?: string): EnginePath {
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
