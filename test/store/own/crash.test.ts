// Whatever is done to a table of the user's own: killed at any step it leaves all or nothing, and so does a journal that is lost with it.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../../scripts/bundle.mjs';
import { openStore, type Store } from '../../../src/store/store.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';

let folder: TempFolder;
let script: string;
let more: string;
beforeAll(async () => {
  folder = tempFolder();
  script = await bundle(join(import.meta.dirname, '../../support/crashing-table.ts'));
  const store = await openStore({ dir: join(folder.path, 'before') });
  await store.loadTable('shop.t', [folder.write('one.csv', 'k\n1\n')]);
  await store.loadTable('shop.t', [folder.write('two.csv', 'k\n2\n3\n')]);
  await store.close();
  more = folder.write('more.csv', 'k\n4\n5\n6\n7\n');
});
afterAll(() => {
  folder.remove();
  rmSync(script, { force: true });
});

/** Table → its keys, as the engine has them; beside what the manifest says. */
async function held(store: Store): Promise<Readonly<Record<string, readonly number[]>>> {
  const names = await store.engine.rows("SELECT name FROM system.tables WHERE database = 'quern_tables' ORDER BY name");
  const tables: Record<string, readonly number[]> = {};
  for (const [name] of names) {
    tables[String(name)] = (await store.engine.rows(`SELECT k FROM quern_tables.\`${name}\` ORDER BY k`)).map(([k]) => Number(k));
  }
  const known = Object.values(store.manifest.tables).sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(known.map(({ name, rows }) => [name, rows])).toEqual(Object.entries(tables).map(([name, keys]) => [name, keys.length]));
  const uuids = await store.engine.rows("SELECT toString(uuid) FROM system.tables WHERE database = 'quern_tables' ORDER BY name");
  expect(known.map(({ uuid }) => uuid)).toEqual(uuids.map(([uuid]) => uuid));
  return tables;
}

const BEFORE = { 'shop.t': [1, 2, 3] };
const STEPS = ['journal', 'staging', 'filled', 'gathered', 'committing', 'exchanged', 'manifest', 'dropped'] as const;
const CASES: readonly (readonly [what: string, after: Readonly<Record<string, readonly number[]>>, done: string])[] = [
  ['load', { 'shop.t': [1, 2, 3, 4, 5, 6, 7] }, 'exchanged'],
  ['new', { 'shop.new': [4, 5, 6, 7], 'shop.t': [1, 2, 3] }, 'exchanged'],
  ['replace', { 'shop.t': [4, 5, 6, 7] }, 'exchanged'],
  ['undo', { 'shop.t': [1] }, 'exchanged'],
  ['drop', {}, 'committing'],
];

describe.each(CASES)('%s killed after', (what, after, done) => {
  test.each(STEPS.filter((step) => what === 'load' || STEPS.indexOf(step) > 3))('%s', async (step) => {
    const happened = STEPS.indexOf(step) >= STEPS.indexOf(done as (typeof STEPS)[number]);
    for (const lost of what === 'load' && happened === false ? [false] : [false, true]) {
      const dir = join(folder.path, 'killed');
      cpSync(join(folder.path, 'before'), dir, { recursive: true, verbatimSymlinks: true });
      const died = spawnSync(process.execPath, [script, dir, what, more, step], { encoding: 'utf8' });
      expect([died.signal, died.stderr]).toEqual(['SIGKILL', '']);
      const journal = join(dir, 'journal.json');
      if (lost && existsSync(journal)) writeFileSync(journal, '');
      const store = await openStore({ dir });
      // Without its journal what was under way is undone, unless the manifest has it.
      const stays = happened && (!lost || ['manifest', 'dropped'].includes(step) || (what === 'drop' && step === 'exchanged'));
      expect(await held(store)).toEqual(stays ? after : BEFORE);
      expect(existsSync(journal)).toBe(false);
      if (!stays) expect((await store.loadTable('shop.t', [more])).rows).toBe(4);
      await store.close();
      rmSync(dir, { recursive: true });
    }
  });
});

test('a store of version 1 becomes one of this version when it is opened, and its loads stay', async () => {
  const dir = join(folder.path, 'old');
  const events = folder.write('e.ndjson', '{"timestamp": 1768471200, "project": "p"}\n');
  const before = await openStore({ dir });
  await before.load('edge_logs', events);
  // What version 1 had: no numbers of loads, and no tables.
  for (const [name] of await before.engine.rows("SELECT name FROM system.tables WHERE database = 'quern'")) {
    await before.engine.command(`ALTER TABLE quern.${name} DROP COLUMN _quern_load`);
  }
  await before.engine.command('DROP DATABASE quern_tables');
  const { tables: _, loads, ...manifest } = before.manifest;
  await before.close();
  const oldLoads = loads.map(({ number: _number, facts: _facts, ...load }) => load);
  writeFileSync(join(dir, 'manifest.json'), JSON.stringify({ ...manifest, schema: 1, loads: oldLoads }));
  const store = await openStore({ dir });
  expect([store.manifest.schema, store.manifest.id, store.manifest.generation]).toEqual([4, manifest.id, 1]);
  await store.load('edge_logs', folder.write('f.ndjson', '{"timestamp": 1768471201, "project": "q"}\n'));
  await store.loadTable('t', [more]);
  await store.undo(2);
  expect(
    (await store.engine.rows('SELECT project, _quern_load FROM quern.edge_logs')).map(([project, load]) => [project, Number(load)]),
  ).toEqual([['p', 0]]);
  expect(store.manifest.sources['edge_logs']).toMatchObject({ rows: 1, lastTimestamp: '2026-01-15T10:00:00.000000Z' });
  await store.close();
});

test.each([true, false])('a drop on a full disk that was killed goes on, whether the table is there: %s', async (there) => {
  const dir = join(folder.path, `full-${there}`);
  cpSync(join(folder.path, 'before'), dir, { recursive: true });
  const before = await openStore({ dir });
  const uuid = before.manifest.tables['shop.t']?.uuid ?? '';
  if (!there) await before.engine.command('DROP TABLE quern_tables.`shop.t` SYNC');
  await before.close();
  symlinkSync(`dropping ${uuid}`, join(dir, 'journal.json'));
  const store = await openStore({ dir });
  expect([await held(store), store.manifest.loads]).toEqual([{}, []]);
  await store.close();
});
