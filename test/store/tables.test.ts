// The tables of the store are what the catalog tells the translator, and what STORE_SCHEMA stands for.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { embeddedSources } from '../../src/sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../../src/sources/log/log-sources.ts';
import { STORE_SCHEMA } from '../../src/store/manifest.ts';
import { openStore } from '../../src/store/store.ts';
import { createTableSql } from '../../src/store/tables.ts';
import { ndjson, tempFolder, tempStore } from '../support/temp-store.ts';

test('a change of the tables comes with a new STORE_SCHEMA', () => {
  const tables = LOG_SOURCES.map((source) => createTableSql(source, source.name)).join('\n');
  const fingerprint = createHash('sha256').update(tables).digest('hex').slice(0, 16);
  // When this fails: raise STORE_SCHEMA, say how older stores are brought up to it, and put the new pair here.
  expect([STORE_SCHEMA, fingerprint]).toEqual([4, 'a5fc667b0ae34054']);
});

test('every column of the catalog is in the table with the type it says', async () => {
  const { store } = await tempStore();
  const catalog = embeddedSources(store.manifest);
  for (const name of LOG_SOURCES.map((source) => source.name)) {
    const source = catalog.find(name);
    const actual = new Map(
      (await store.engine.rows(`SELECT name, type FROM system.columns WHERE database = 'quern' AND table = '${name}'`)).map(
        ([column, type]) => [column, type],
      ),
    );
    for (const column of source?.columns ?? []) {
      if (column.read.layout === 'column')
        expect([name, column.name, actual.get(column.read.column)]).toEqual([name, column.name, column.read.clickhouseType]);
      if (column.read.layout !== 'json') continue;
      const typed = [
        ...String(actual.get(column.read.column)).matchAll(/`?([\w.]+)`? (LowCardinality\(Nullable\(\w+\)\)|Nullable\(\w+\))/g),
      ].map(([, path, type]) => [path, type]);
      expect(Object.fromEntries(typed)).toEqual(column.read.typedPaths);
      expect([actual.get('metadata_records'), actual.get('metadata_text')]).toEqual(['Array(LowCardinality(String))', 'String']);
    }
  }
});

test('a pattern on the request URL is answered through the index', async () => {
  const { store, folder } = await tempStore();
  const events = Array.from({ length: 40_000 }, (_, i) => ({
    timestamp: 1767323045,
    project: `p${Math.floor(i / 8192)}`,
    metadata: { request: { url: `https://project${Math.floor(i / 8192)}.co/` } },
  }));
  await store.load('edge_logs', folder.write('a.ndjson', ndjson(...events)));
  const { rows } = await store.engine.execute({
    sql: 'EXPLAIN indexes = 1 SELECT count() FROM quern.edge_logs AS x WHERE match(x.metadata.request.url, {p:Nullable(String)})',
    bindings: [{ name: 'p', type: 'Nullable(String)', value: 'project3\\.co' }],
    settings: {},
  });
  const prepared = rows.map(([line]) => String(line).trim());
  const granules = prepared.slice(prepared.indexOf('Name: searched')).find((line) => line.startsWith('Granules: '));
  expect(granules).toMatch(/^Granules: [12]\/5$/);
});

/** Closes the store and says in its manifest that it is of another version. */
async function aged(store: Awaited<ReturnType<typeof openStore>>, dir: string, schema: number): Promise<void> {
  await store.close();
  const manifest = join(dir, 'manifest.json');
  const text = readFileSync(manifest, 'utf8');
  const old = text.replace(new RegExp(`"schema": ?${STORE_SCHEMA}\\b`), `"schema": ${schema}`);
  expect(old).not.toBe(text);
  writeFileSync(manifest, old);
}

test('a store of version 3 gets the log sources that are new since', async () => {
  const folder = tempFolder();
  onTestFinished(() => folder.remove());
  const dir = join(folder.path, 'store');
  const before = await openStore({ dir });
  await before.engine.command('DROP TABLE quern.workflow_run_logs');
  await aged(before, dir, 3);
  const store = await openStore({ dir });
  onTestFinished(() => store.close());
  expect(await store.engine.rows('SELECT workflow_run FROM quern.workflow_run_logs')).toEqual([]);
});

test('a store of version 1 gets the columns and types of today', async () => {
  const folder = tempFolder();
  onTestFinished(() => folder.remove());
  const dir = join(folder.path, 'store');
  const before = await openStore({ dir });
  await before.engine.command('ALTER TABLE quern.postgres_logs DROP COLUMN identifier');
  await before.engine.command('ALTER TABLE quern.auth_logs MODIFY COLUMN metadata JSON(status Nullable(String))');
  await before.engine.command(
    `INSERT INTO quern.auth_logs (id, timestamp, metadata) VALUES ('a', '2026-01-02 00:00:00', '{"status": 200}')`,
  );
  await aged(before, dir, 1);
  const store = await openStore({ dir });
  onTestFinished(() => store.close());
  await store.load(
    'postgres_logs',
    folder.write('p.ndjson', ndjson({ timestamp: 1767323045, identifier: 'replica', metadata: { host: 'h' } })),
  );
  expect(await store.engine.rows('SELECT identifier, metadata.host FROM quern.postgres_logs')).toEqual([['replica', 'h']]);
  expect(await store.engine.rows('SELECT toTypeName(metadata.status), metadata.status FROM quern.auth_logs')).toEqual([
    ['Nullable(Int64)', 200],
  ]);
});
