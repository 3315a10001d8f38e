// The table of ClickHouse's errors has the names that the engine itself gives to the numbers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERRORS, topicOf } from '../../src/clickhouse/errors.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { tempFolder } from '../support/temp-store.ts';

const folder = tempFolder();
let engine: EmbeddedEngine;
beforeAll(async () => {
  engine = await openEmbedded({ path: `${folder.path}/data` });
});
afterAll(async () => {
  await engine.close();
  folder.remove();
});

const rows = Object.values(ERRORS).flatMap((errors) => Object.entries<number>(errors));

test('the engine calls them so', async () => {
  const named = await engine.rows(`SELECT errorCodeToName(toInt32(arrayJoin([${rows.map(([, number]) => number)}])))`);
  expect(named).toEqual(rows.map(([name]) => [name]));
});

test('each is about one thing', () => {
  expect(new Set(rows.map(([, number]) => number)).size).toBe(rows.length);
  expect([topicOf(ERRORS.login.WRONG_PASSWORD), topicOf(47), topicOf(undefined)]).toEqual(['login', undefined, undefined]);
});
