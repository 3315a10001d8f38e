// A folder of its own for a test, removed afterwards, and small events to load.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface TempFolder {
  readonly path: string;
  /** Writes a file (gzip for names that end in .gz) and returns its full name. */
  write(name: string, content: string | Buffer): string;
  remove(): void;
}

export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'quern-test-'));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      writeFileSync(file, name.endsWith('.gz') ? gzipSync(content) : content);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Events as NDJSON. */
export function ndjson(...events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
