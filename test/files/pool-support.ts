// Pools of files for tests, and waiting until a sweep behind a write has ended.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { FilePool } from '../../src/files/file-pool.ts';
import { temporaryFolder } from '../cache/support.ts';
import { used } from './used.ts';

export interface TestPool {
  readonly pool: FilePool;
  readonly folder: string;
  readonly troubles: (string | undefined)[];
}

/** Each file is a second younger than the one before. */
export function testPool(maxBytes: number, folder = join(temporaryFolder(), 'deep', 'pool')): TestPool {
  const troubles: (string | undefined)[] = [];
  let now = Date.UTC(2026, 0, 2);
  const pool = new FilePool({ folder, suffix: '.x', maxBytes, now: () => (now += 1000), onTrouble: ({ code }) => troubles.push(code) });
  folders.set(pool, folder);
  return { pool, folder, troubles };
}

const folders = new Map<FilePool, string>();

export async function namesOf(pool: FilePool, prefix?: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const names of pool.names(prefix)) found.push(...names);
  return found.sort();
}

/** Waits until nobody sweeps the pool, and it takes no more than `maxBytes` of the disk. */
export async function swept(pool: FilePool, maxBytes: number): Promise<void> {
  const folder = folders.get(pool) ?? '';
  const isLocked = () => lstatSync(join(folder, '.sweep'), { throwIfNoEntry: false }) !== undefined;
  await expect.poll(async () => [isLocked(), (await used(folder)) <= maxBytes], { timeout: 50_000 }).toEqual([false, true]);
  expect((await pool.measure()).bytes).toBeLessThanOrEqual(maxBytes);
}
