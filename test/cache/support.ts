// Cache folders for tests, and results to put into them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { QueryResult, Value } from '../../src/base/result.ts';
import { Cache, type StoredResult, type Wanted } from '../../src/cache/cache.ts';
import { STRING } from '../../src/sql/base/types.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quern-cache-'));
  folders.push(folder);
  return folder;
}

export interface TestCache {
  readonly cache: Cache;
  readonly folder: string;
  readonly notes: string[];
  /** Milliseconds; tests move it. */
  readonly clock: { now: number };
}

export function testCache(options: { readonly folder?: string; readonly maxBytes?: number } = {}): TestCache {
  const clock = { now: Date.UTC(2026, 0, 2) };
  const notes: string[] = [];
  const folder = options.folder ?? temporaryFolder();
  const cache = new Cache({ folder, maxBytes: options.maxBytes ?? 1e6, now: () => clock.now, onNote: (note) => notes.push(note) });
  return { cache, folder, notes, clock };
}

export function resultOf(...values: Value[]): QueryResult {
  return { columns: [{ name: 'v', type: STRING }], rows: values.map((value) => [value]), truncated: false };
}

/** A key made of one hexadecimal digit. */
export const keyOf = (digit: string): string => digit.repeat(64);

export function wantedOf(digit: string, changes: Partial<Wanted> = {}): Wanted {
  return { key: keyOf(digit), query: 'usage.api-counts', arguments: { project: 'abc' }, ttlSeconds: 60, ...changes };
}

/** Fills the cache with these rows, and waits until they are written. */
export async function fill(cache: Cache, wanted: Wanted, ...values: Value[]): Promise<StoredResult> {
  const { written, ...stored } = await cache.fill(wanted.key, async () => ({ wanted, result: resultOf(...values) }));
  await written;
  return stored;
}
