// A store without logs has no tables for them; whoever asks for a log source finds one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { tempStore } from '../support/temp-store.ts';

const tables = async (folder: string): Promise<boolean> => existsSync(join(folder, 'store/data/metadata/quern/edge_logs.sql'));
const ask = (store: Store, sql: string) => store.engine.execute({ sql, bindings: [], settings: {} });

test('a load into a table of the user’s own makes no tables for logs, and the first query that reads one makes them all', async () => {
  const { store, folder } = await tempStore();
  await store.loadTable('orders', [folder.write('orders.csv', 'id,note\n1,quern.csv\n')]);
  expect((await ask(store, 'SELECT note FROM quern_tables.orders')).rows).toEqual([['quern.csv']]);
  expect([await tables(folder.path), store.manifest.withoutLogTables]).toEqual([false, true]);

  const { generation } = store.manifest;
  const counts = ['edge_logs', 'auth_logs'].map((name) => ask(store, `SELECT count() FROM quern.${name} AS x`));
  expect((await Promise.all(counts)).map(({ rows }) => rows)).toEqual([[[0]], [[0]]]);
  expect([await tables(folder.path), store.manifest.withoutLogTables]).toEqual([true, undefined]);
  expect([store.manifest.generation, store.manifest.tables['orders']?.rows]).toEqual([generation, 1]);
});

test.each([
  ['by its database', "SELECT count() FROM system.tables WHERE database = 'quern' AND name = 'edge_logs'"],
  ['between backticks', 'SELECT count() + 1 FROM `quern`.`edge_logs`'],
])('tables for logs are there when they are looked up %s', async (_how, sql) => {
  const { store } = await tempStore();
  expect((await ask(store, sql)).rows).toEqual([[1]]);
});
