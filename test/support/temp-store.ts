// A folder of its own for a test, removed afterwards, and small events to load.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { type OpenStoreOptions, openStore, type Store } from '../../src/store/store.ts';

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

/** A store in a folder of its own; closed and removed when the test ends. */
export async function tempStore(
  options: Omit<OpenStoreOptions, 'dir'> = {},
): Promise<{ readonly store: Store; readonly folder: TempFolder }> {
  const folder = tempFolder();
  const store = await openStore({ dir: join(folder.path, 'store'), ...options });
  onTestFinished(async () => {
    await store.close();
    folder.remove();
  });
  return { store, folder };
}

/** Events as NDJSON. */
export function ndjson(...events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}
