// Gives the engine a file by a name it cannot mistake for a pattern.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface EnginePath {
  readonly path: string;
  release(): void;
}

/** What file() takes for a glob or for the inside of an archive. https://clickhouse.com/docs/sql-reference/table-functions/file */
const PATTERN = /[*?{}[\]]|::/;

/** `file` itself, or a link to it when its name has characters that the engine's file() gives a meaning. */
export function enginePath(file: string): EnginePath {
  const full = resolve(file);
  if (!PATTERN.test(full)) return { path: full, release: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'quern-'));
  symlinkSync(full, join(folder, 'input'));
  return { path: join(folder, 'input'), release: () => rmSync(folder, { recursive: true, force: true }) };
}
