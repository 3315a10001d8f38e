// The tables of the store are what the catalog tells the translator, and what STORE_SCHEMA stands for.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { embeddedSources } from '../../src/catalog/log-catalog.ts';
import { LOG_SOURCES } from '../../src/catalog/log-sources.ts';
import { STORE_SCHEMA } from '../../src/store/manifest.ts';
import { createTableSql } from '../../src/store/tables.ts';
import { ndjson, tempStore } from '../support/temp-store.ts';

test('a change of the tables comes with a new STORE_SCHEMA', () => {
  const tables = LOG_SOURCES.map((source) => createTableSql(source, source.name)).join('\n');
  const fingerprint = createHash('sha256').update(tables).digest('hex').slice(0, 16);
  // When this fails: raise STORE_SCHEMA, say how older stores are brought up to it, and put the new pair here.
  expect([STORE_SCHEMA, fingerprint]).toEqual([3, '1550401cf5dd5bce']);
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
