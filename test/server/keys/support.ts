// A file of keys in a folder of its own, with a clock that tests move.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { KeyStore, NewKey } from '../../../src/server/keys/change-keys.ts';

export interface TestKeys extends KeyStore {
  readonly folder: string;
  readonly clock: { now: number };
}

/** Removed when the test ends. */
export function testKeys(): TestKeys {
  const folder = mkdtempSync(join(tmpdir(), 'quern-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = { now: Date.UTC(2026, 0, 2) };
  return { folder, file: join(folder, 'config', 'keys.json'), clock, now: () => clock.now };
}

export const rights = (name: string, changes: Partial<NewKey> = {}): NewKey => ({
  name,
  scopes: ['*'],
  pins: {},
  mayRefresh: false,
  ...changes,
});
