// Questions of quern's own have bounds, too: they look into files that may be anything.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { tempFolder } from '../support/temp-store.ts';

const folder = tempFolder();
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: `${folder.path}/data`, ownMemoryBytes: 50e6 });
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const ENDLESS = 'SELECT count() FROM system.numbers WHERE sipHash64(number) = 1';
const LARGE = 'SELECT length(groupArray(number)) FROM numbers(100000000)';

test('a signal ends them', async () => {
  await expect(engine.rows(ENDLESS, AbortSignal.timeout(200))).rejects.toMatchObject({ code: 'timeout' });
  await expect(engine.rows(ENDLESS, AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  expect(await engine.rows('SELECT 1')).toEqual([[1]]);
});

test('they have so much memory, and statements too', async () => {
  await expect(engine.rows(LARGE)).rejects.toMatchObject({ code: 'limit' });
  await expect(engine.command(LARGE)).rejects.toMatchObject({ code: 'limit' });
  const streamed = async (): Promise<void> => {
    for await (const _ of engine.trustedStream(LARGE, 'TSVRaw')) expect(_).toBeDefined();
  };
  await expect(streamed()).rejects.toMatchObject({ code: 'limit' });
});
