// The embedded engine on a real data directory: the shared suite, and what only an engine in this process could do.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import { type TempFolder, tempFolder } from '../support/temp-store.ts';
import { ENDLESS, failure } from './asking.ts';
import { describeEngine } from './engine-suite.ts';

let folder: TempFolder;
let engine: EmbeddedEngine;
/** With slots of its own: it answers while the other is busy. */
let observer: EmbeddedEngine;
beforeAll(async () => {
  folder = tempFolder();
  engine = await openEmbedded({ path: folder.path });
  observer = await openEmbedded({ path: folder.path });
});
afterAll(async () => {
  await engine.close();
  await observer.close();
  folder.remove();
});

describeEngine(
  'embedded',
  () => engine,
  () => observer,
);

const execute = (sql: string) => engine.execute({ sql, bindings: [], settings: {} });

describe('what a query may not do', () => {
  test.each([
    ["SELECT 1 INTO /* */ OUTFILE '/tmp/x.csv' FORMAT CSV", 'INTO OUTFILE'],
    ["SELECT ‘'’ INTO OUTFILE '/tmp/x.csv'", 'INTO OUTFILE'],
    ["SELECT “'” INTO OUTFILE `'`", 'INTO OUTFILE'],
    ['SELECT 1 AS a$x$ ; SELECT 2 AS b$x$', 'more than one statement'],
    ['SELECT 1 -- a\n; SELECT 2', 'more than one statement'],
  ])('%s is refused before it runs', async (sql, what) => {
    expect(await failure(execute(sql))).toBe(`unsupported: the query contains ${what}, which quern does not run`);
  });

  test('SELECT * FROM `/etc/hostname` is refused by the engine', async () => {
    expect(await failure(execute('SELECT * FROM `/etc/hostname`'))).toMatch(/^engine: ClickHouse answered READONLY \(164\): /);
  });
});

test('whether it is alive is answered while as many queries run as may', async () => {
  const stop = new AbortController();
  const queries = Array.from({ length: 5 }, () =>
    failure(engine.execute({ sql: ENDLESS, bindings: [], settings: {}, signal: stop.signal })),
  );
  expect(await engine.rows('SELECT 1')).toEqual([[1]]);
  stop.abort();
  await Promise.all(queries);
});

test('a query has no more threads than it may', async () => {
  const { rows } = await engine.execute({ sql: "SELECT getSetting('max_threads')", bindings: [], settings: {}, limits: { maxThreads: 1 } });
  expect(rows).toEqual([[1]]);
});
