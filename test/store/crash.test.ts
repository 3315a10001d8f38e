// A load that dies at any step leaves either nothing or everything; a store in use or of another make is refused.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { QuernError } from '../../src/base/errors.ts';
import { readManifest, storeDataId } from '../../src/store/manifest.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ndjson, type TempFolder, tempFolder } from '../support/temp-store.ts';

const events = (count: number, name: string) =>
  ndjson(...Array.from({ length: count }, (_, i) => ({ id: `${name}${i}`, timestamp: 1767323045 + i * 3600 })));
const failure = async (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'did not fail',
    (error: unknown) => (error instanceof QuernError ? `${error.code}: ${error.message}` : String(error)),
  );
const count = async (store: Store, sql: string): Promise<unknown> =>
  (await store.engine.execute({ sql, bindings: [], settings: {} })).rows[0]?.[0];

let folder: TempFolder;
let script: string;
let first: string;
let second: string;
beforeAll(async () => {
  folder = tempFolder();
  script = await bundle(join(import.meta.dirname, '../support/crashing-load.ts'));
  first = folder.write('first.ndjson', events(3, 'a'));
  second = folder.write('second.ndjson', events(5, 'b'));
  const store = await openStore({ dir: join(folder.path, 'before') });
  await store.load('edge_logs', first);
  await store.close();
});
afterAll(() => {
  folder.remove();
  rmSync(script, { force: true });
});

describe('a load killed after a step', () => {
  test.each([
    ['journal', 3],
    ['staging', 3],
    ['filled', 3],
    ['gathered', 3],
    ['committing', 3],
    ['exchanged', 8],
    ['manifest', 8],
    ['dropped', 8],
  ])('%s leaves %i rows', async (step, rows) => {
    const dir = join(folder.path, step);
    cpSync(join(folder.path, 'before'), dir, { recursive: true });
    const died = spawnSync(process.execPath, [script, dir, second, step], { encoding: 'utf8' });
    expect([died.signal, died.stderr]).toEqual(['SIGKILL', '']);
    const store = await openStore({ dir });
    expect(await count(store, 'SELECT count() FROM quern.edge_logs')).toBe(rows);
    expect(await count(store, "SELECT count() FROM system.tables WHERE database = 'quern' AND name LIKE '%staging%'")).toBe(0);
    expect(store.manifest.sources['edge_logs']?.rows).toBe(rows);
    expect([store.manifest.generation, storeDataId(dir, store.manifest)]).toEqual([
      rows === 3 ? 1 : 2,
      `embedded:${store.manifest.id}:${rows === 3 ? 1 : 2}`,
    ]);
    expect(existsSync(join(dir, 'journal.json'))).toBe(false);
    if (rows === 8) expect(await failure(store.load('edge_logs', second))).toMatch(/^load: .* was loaded into edge_logs before/);
    else expect((await store.load('edge_logs', second)).rows).toBe(5);
    expect(await count(store, 'SELECT uniqExact(id) FROM quern.edge_logs')).toBe(8);
    await store.close();
  });
});

test('a store in use is waited for, then refused by the name of its holder; freed in time, it opens', async () => {
  const dir = join(folder.path, 'before');
  const holder = spawn(process.execPath, [script, dir, 'hold'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  expect(await failure(openStore({ dir, waitMs: 100 }))).toBe(
    `unreachable: the store in ${dir} is in use by another process (${holder.pid})`,
  );
  const waiting = openStore({ dir, waitMs: 20_000 });
  holder.stdin.end();
  const store = await waiting;
  expect(await count(store, 'SELECT count() FROM quern.edge_logs')).toBe(3);
  await store.close();
});

test('a folder that is no store, and a store of a newer make, are left alone', async () => {
  const foreign = join(folder.path, 'foreign');
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'thesis.txt'), 'x');
  expect(await failure(openStore({ dir: foreign }))).toBe(`unreachable: ${foreign} is not a quern store: it contains thesis.txt`);
  const newer = join(folder.path, 'newer');
  mkdirSync(newer);
  expect(readManifest(newer)).toEqual({ schema: 4, id: '', generation: 0, sources: {}, tables: {}, loads: [] });
  writeFileSync(join(newer, 'manifest.json'), '{"schema":99}');
  const words = `unreachable: the store in ${newer} was made by a newer quern (store version 99, this quern knows 4)`;
  expect(await failure(openStore({ dir: newer }))).toBe(words);
  writeFileSync(join(newer, 'manifest.json'), '{"sche');
  expect(await failure(openStore({ dir: newer }))).toBe(`unreachable: the manifest of the store in ${newer} is damaged`);
  expect(existsSync(join(newer, 'data'))).toBe(false);
  expect(await failure(openStore({ dir: join(first, 'x') }))).toBe(`unreachable: ${join(first, 'x')} is not a folder`);
});

test('a process works with one store at a time, and says so', async () => {
  const [one, other] = [join(folder.path, 'one'), join(folder.path, 'other')];
  const store = await openStore({ dir: one });
  expect(await failure(openStore({ dir: other }))).toBe(
    `unreachable: the store in ${other} cannot be opened while this process uses the one in ${one}`,
  );
  const twin = await openStore({ dir: one });
  await store.close();
  expect(await count(twin, 'SELECT count() FROM quern.edge_logs')).toBe(0);
  await twin.close();
  await (await openStore({ dir: other })).close();
});

test('a store whose opening was cut off opens', async () => {
  const dir = join(folder.path, 'cut');
  const gone = spawnSync(process.execPath, ['-e', '']).pid;
  mkdirSync(dir);
  writeFileSync(join(dir, 'data.opening'), `PID: ${gone}\n`);
  await (await openStore({ dir })).close();
  writeFileSync(join(dir, 'data.opening'), `PID: ${process.ppid}\n`);
  expect(await failure(openStore({ dir, waitMs: 50 }))).toBe(`unreachable: the store in ${dir} is being opened by another process`);
  const longAgo = new Date(Date.now() - 120_000);
  utimesSync(join(dir, 'data.opening'), longAgo, longAgo);
  await (await openStore({ dir })).close();
});

test('a definition that a full disk has left empty shuts nobody out: neither of a load that died, nor of a store that was being made', async () => {
  const dir = join(folder.path, 'torn');
  cpSync(join(folder.path, 'before'), dir, { recursive: true, verbatimSymlinks: true });
  spawnSync(process.execPath, [script, dir, second, 'staging']);
  truncateSync(join(dir, 'data/metadata/quern/edge_logs__staging.sql'), 0);
  const store = await openStore({ dir });
  expect((await store.load('edge_logs', second)).rows).toBe(5);
  expect(await count(store, 'SELECT count() FROM quern.edge_logs')).toBe(8);
  await store.close();

  const begun = join(folder.path, 'torn-new');
  const beginning = await openStore({ dir: begun });
  expect(await count(beginning, 'SELECT count() FROM quern.edge_logs')).toBe(0); // which makes the tables
  await beginning.close();
  const manifest = join(begun, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ ...readManifest(begun), withoutLogTables: true }));
  const tear = () => truncateSync(join(begun, 'data/metadata/quern/edge_logs.sql'), 0);
  tear();
  const made = await openStore({ dir: begun });
  expect(await count(made, 'SELECT count() FROM quern.edge_logs')).toBe(0);
  await made.close();
  rmSync(manifest);
  tear();
  const other = await openStore({ dir: begun });
  expect((await other.load('edge_logs', first)).rows).toBe(3);
  await other.close();
});

test('processes that load into one new store at the same time take turns', async () => {
  const dir = join(folder.path, 'shared');
  const files = [1, 2, 3, 4].map((n) => folder.write(`load${n}.ndjson`, events(10 * n, `n${n}-`)));
  const codes = files.map(
    (file) => new Promise((resolve) => spawn(process.execPath, [script, dir, file, 'none'], { stdio: 'ignore' }).once('exit', resolve)),
  );
  expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
  const store = await openStore({ dir });
  expect(await count(store, 'SELECT uniqExact(id) FROM quern.edge_logs')).toBe(100);
  expect([store.manifest.generation, store.manifest.loads.length, store.manifest.sources['edge_logs']?.rows]).toEqual([4, 4, 100]);
  await store.close();
});

test('what a process leaves that dies while it writes the first manifest is no other’s, and goes', async () => {
  const dir = join(folder.path, 'begun');
  mkdirSync(dir);
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  writeFileSync(join(dir, `.manifest.json.${dead}.tmp`), '{');
  writeFileSync(join(dir, `.journal.json.${dead}.tmp`), '{');
  writeFileSync(join(dir, `.journal.json.${process.ppid}.tmp`), '{');
  const store = await openStore({ dir });
  await store.close();
  expect(readdirSync(dir).sort()).toEqual([`.journal.json.${process.ppid}.tmp`, 'data', 'manifest.json']);
});

test('a store is made for its owner alone', async () => {
  const dir = join(folder.path, 'above', 'store');
  const store = await openStore({ dir });
  await store.close();
  expect([join(folder.path, 'above'), dir].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
});
