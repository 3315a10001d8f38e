// A journal that is damaged: whatever is left of it, a load is undone or stays whole, and no rows are lost.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.mjs';
import { parseJournal } from '../../src/store/journal.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ndjson, type TempFolder, tempFolder } from '../support/temp-store.ts';
import { failureOf } from '../support/told.ts';

const events = (count: number, name: string) =>
  ndjson(...Array.from({ length: count }, (_, i) => ({ id: `${name}${i}`, timestamp: 1767323045 + i * 3600 })));
const count = async (store: Store, sql: string): Promise<unknown> =>
  (await store.engine.execute({ sql, bindings: [], settings: {} })).rows[0]?.[0];

let folder: TempFolder;
let script: string;
let second: string;
const storeAfter = (step: string) => join(folder.path, step);
const journalOf = (dir: string) => join(dir, 'journal.json');

beforeAll(async () => {
  folder = tempFolder();
  script = await bundle(join(import.meta.dirname, '../support/crashing-load.ts'));
  second = folder.write('second.ndjson', events(5, 'b'));
  const store = await openStore({ dir: join(folder.path, 'before') });
  await store.load('edge_logs', folder.write('first.ndjson', events(3, 'a')));
  await store.close();
  for (const step of ['filled', 'committing', 'exchanged', 'manifest']) {
    cpSync(join(folder.path, 'before'), storeAfter(step), { recursive: true });
    spawnSync(process.execPath, [script, storeAfter(step), second, step]);
  }
});
afterAll(() => {
  folder.remove();
  rmSync(script, { force: true });
});

test.each(['filled', 'exchanged'])('a journal after %s that is cut off anywhere is known as such', (step) => {
  const text = readFileSync(journalOf(storeAfter(step)), 'utf8');
  expect(parseJournal(text)).toEqual(JSON.parse(text));
  for (let length = 0; length < text.length; length++) expect(parseJournal(text.slice(0, length))).toBeUndefined();
});

const EMPTY = () => '';
const HALF = (text: string) => text.slice(0, text.length / 2);
const NEARLY_WHOLE = (text: string) => text.slice(0, -1);
const ZEROS = (text: string) => '\0'.repeat(text.length); // what a crash of the machine may leave of a file
const FOREIGN = () => '{"phase":"committing","source":"edge_logs"}';

test.each<[string, number, string, (text: string) => string]>([
  ['filled', 3, 'is empty', EMPTY],
  ['committing', 3, 'is cut off', HALF],
  ['exchanged', 3, 'is empty', EMPTY],
  ['exchanged', 3, 'is all but its last letter', NEARLY_WHOLE],
  ['exchanged', 3, 'is zeros', ZEROS],
  ['exchanged', 3, 'is something else', FOREIGN],
  ['manifest', 8, 'is cut off', HALF],
])('a store whose load died after the step %s has %i rows when its journal %s, and goes on', async (step, rows, _, damage) => {
  const dir = join(folder.path, 'damaged');
  cpSync(storeAfter(step), dir, { recursive: true });
  writeFileSync(journalOf(dir), damage(readFileSync(journalOf(dir), 'utf8')));
  const store = await openStore({ dir });
  expect(await count(store, 'SELECT count() FROM quern.edge_logs')).toBe(rows);
  expect(await count(store, "SELECT count() FROM system.tables WHERE database = 'quern' AND name LIKE '%staging%'")).toBe(0);
  expect([store.manifest.sources['edge_logs']?.rows, existsSync(journalOf(dir))]).toEqual([rows, false]);
  if (rows === 3) expect((await store.load('edge_logs', second)).rows).toBe(5);
  expect(await count(store, 'SELECT uniqExact(id) FROM quern.edge_logs')).toBe(8);
  await store.close();
  rmSync(dir, { recursive: true });
});

test('a damaged journal beside tables that nobody can explain is an error that names it, and nothing is changed', async () => {
  const dir = join(folder.path, 'unexplained');
  cpSync(storeAfter('exchanged'), dir, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  manifest.sources.edge_logs.rows = 4;
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(journalOf(dir), '');
  expect(await failureOf(openStore({ dir }))).toEqual({
    code: 'unreachable',
    message: `the load journal ${journalOf(dir)} is damaged, and edge_logs does not match the manifest`,
    hint: `nothing was changed; load the files listed in ${join(dir, 'manifest.json')} again, into a new store, with --store`,
  });
  expect(readFileSync(journalOf(dir), 'utf8')).toBe('');
});

test('a journal that cannot be read is an error that names it', async () => {
  const dir = join(folder.path, 'unreadable');
  cpSync(join(folder.path, 'before'), dir, { recursive: true });
  mkdirSync(journalOf(dir));
  expect(await failureOf(openStore({ dir }))).toEqual({
    code: 'unreachable',
    message: `the load journal ${journalOf(dir)} cannot be read (EISDIR)`,
    hint: 'check its permissions',
  });
});

test('what a load left whose journal was removed by hand is not loaded with the next one', async () => {
  const dir = join(folder.path, 'removed');
  cpSync(storeAfter('filled'), dir, { recursive: true });
  rmSync(journalOf(dir));
  const store = await openStore({ dir });
  await store.load('edge_logs', second);
  expect(await count(store, 'SELECT count() FROM quern.edge_logs')).toBe(8);
  await store.close();
});
