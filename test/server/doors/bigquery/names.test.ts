// What names mean in the SQL of the door's callers, and the catalog, as the official clients read them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quietIo } from '../../../../src/process-io.ts';
import { openCatalog } from '../../../../src/queries/catalog.ts';
import { openServices } from '../../../../src/services.ts';
import { cliHome } from '../../../support/run-cli.ts';
import type { ServedOptions } from '../../server-support.ts';
import { call, cells, door, PROJECT } from './support.ts';

const home = cliHome();
const io = { ...quietIo(() => undefined), cwd: home.folder, env: { HOME: home.folder } };
const services = openServices({ io, signal: new AbortController().signal, flags: () => ({}) });
afterAll(async () => {
  await services.close();
  home.remove();
});

const saved = (id: number, params: string, sql: string) => `/*---\nid: 00000000-0000-4000-8000-00000000000${id}\n${params}---*/\n${sql}\n`;

beforeAll(async () => {
  const load = async (name: string, csv: string) =>
    expect(await home.run(['load', name, '-', '--format', 'csv'], { stdin: csv })).toMatchObject({ exitCode: 0 });
  await load('shop.orders', 'n,shop,day\n1,north,2026-01-01\n2,south,2026-01-02\n4,south,2026-01-02\n');
  await load('plain', 'id\n7\n');
  await load('shop.events_20260101', 'id\n1\n');
  await load('shop.events_20260102', 'id\n2\n');
  mkdirSync(join(home.folder, 'queries'));
  home.write(
    'queries/revenue.sql',
    saved(
      1,
      'params: { least: { type: integer, required: true } }\n',
      'select shop, sum(n) as total from shop.orders where n >= @least group by shop',
    ),
  );
  home.write('queries/per-day.sql', saved(2, '', 'select day, sum(n) as total from `x.shop.orders` group by day'));
  home.write(
    'queries/of-shop.sql',
    saved(3, 'params: { shop: { type: string, required: true } }\n', 'select n, shop from shop.orders where shop = @shop'),
  );
  home.write('quern.yaml', 'queries: queries\n');
});

const opened = async (key?: ServedOptions['key']) => {
  const connection = await services.connection();
  const { engine } = await services.store();
  const folder = join(home.folder, 'queries');
  const options = { snapshot: () => connection.snapshot(), catalog: openCatalog([folder]), folders: [folder] };
  return door(engine as never, { ...(key === undefined ? {} : { key }), options });
};

const ask = async (world: Awaited<ReturnType<typeof opened>>, query: string, more: object = {}) => {
  const { status, body } = await call(world, 'POST', '/queries', { query, ...more });
  return status === 200 ? cells(body) : [status, body.error.errors[0].reason, body.error.message];
};

test.each([
  ['select sum(n) from `demo-project.shop.orders`', [['7']]],
  ['select sum(n) from shop.orders', [['7']]],
  ['select id from plain', [['7']]],
  ['select id from main.plain', [['7']]],
  ['select sum(id) from `other.shop.events_*` where _table_suffix = "20260102"', [['2']]],
  ['select total from `queries.revenue`(2) order by 1', [['6']]],
  ['select total from queries.`per-day` order by day', [['1'], ['6']]],
  ['select schema_name from INFORMATION_SCHEMA.SCHEMATA order by 1', [['main'], ['queries'], ['shop']]],
  ['select catalog_name, count(*) from `a-project`.INFORMATION_SCHEMA.SCHEMATA group by 1', [['a-project', '3']]],
  ['select catalog_name, count(*) from `region-eu`.INFORMATION_SCHEMA.SCHEMATA group by 1', [[PROJECT, '3']]],
  ['select table_id, type from shop.__TABLES_SUMMARY__ where table_id like "o%"', [['orders', '1']]],
  ['select table_catalog, table_name from queries.INFORMATION_SCHEMA.TABLES', [[PROJECT, 'per-day']]],
  ['select routine_name from `any`.`region-us`.INFORMATION_SCHEMA.ROUTINES order by 1', [['of-shop'], ['revenue']]],
  ['select table_id, row_count from shop.__TABLES__ where table_id = "orders"', [['orders', '3']]],
])('%s', async (sql, rows) => {
  expect(await ask(await opened(), sql)).toEqual(rows);
});

test('the default dataset is part of the request', async () => {
  const world = await opened();
  const defaultDataset = { datasetId: 'shop' };
  expect(await ask(world, 'select count(*) from orders', { defaultDataset })).toEqual([['3']]);
  expect(
    await ask(
      world,
      'select columns.column_name, table_schema from INFORMATION_SCHEMA.COLUMNS where table_name = "orders" order by ordinal_position',
      { defaultDataset },
    ),
  ).toEqual([
    ['n', 'shop'],
    ['shop', 'shop'],
    ['day', 'shop'],
  ]);
  expect(await ask(world, 'select schema_name from INFORMATION_SCHEMA.SCHEMATA order by 1', { defaultDataset })).toHaveLength(3);
  expect(await ask(world, 'select count(*) from orders')).toEqual([404, 'notFound', expect.stringContaining('Not found: Table')]);
  expect(await ask(world, 'select count(*) from missing', { defaultDataset })).toEqual([
    404,
    'notFound',
    expect.stringMatching(/^Not found: Table [\w-]+:shop\.missing; .* at \[1:22\]$/),
  ]);
  expect(
    await ask(world, 'select total from revenue(@n)', {
      defaultDataset: { datasetId: 'queries' },
      parameterMode: 'NAMED',
      queryParameters: [{ name: 'n', parameterType: { type: 'INT64' }, parameterValue: { value: '2' } }],
    }),
  ).toEqual([['6']]);
});

test.each([
  ['select\n  1 / (n - n) from orders', { defaultDataset: { datasetId: 'shop' } }, '2:3'],
  ['select\n  cast(shop as int64) from orders', { defaultDataset: { datasetId: 'shop' } }, '2:3'],
  ['select\n  1 / (total - total) from queries.revenue(1)', {}, '2:3'],
  ['select\n  1 / (total - total) from queries.`per-day`', {}, '2:3'],
  ['select nothing from queries.revenue(1)', {}, '1:8'],
])('a failure of %s has its place', async (query, more, place) => {
  const [status, reason, message] = await ask(await opened(), query, more);
  expect([status, reason, message]).toEqual([400, 'invalidQuery', expect.stringMatching(new RegExp(` at \\[${place}\\]$`))]);
});

describe('a key', () => {
  test('reads the saved queries that it covers, and what they read', async () => {
    const world = await opened({ scopes: ['per-*', 'bigquery'] });
    expect(await ask(world, 'select count(*) from queries.`per-day`')).toEqual([['2']]);
    expect((await ask(world, 'select * from queries.revenue(1)'))[0]).toBe(400);
    expect(await ask(world, 'select table_name from queries.INFORMATION_SCHEMA.TABLES')).toEqual([['per-day']]);
    expect(await ask(world, 'select routine_name from queries.INFORMATION_SCHEMA.ROUTINES')).toEqual([]);
  });

  test('that sets a parameter reads saved queries with it, and nothing else', async () => {
    const world = await opened({ pins: { shop: 'south' } });
    expect(await ask(world, 'select sum(n) from queries.`of-shop`')).toEqual([['6']]);
    expect(await ask(world, 'select sum(n) from queries.`of-shop`()')).toEqual([['6']]);
    expect(await ask(world, 'select 1')).toEqual([['1']]);
    for (const sql of ['select * from shop.orders', 'select * from queries.`per-day`', 'select * from queries.`of-shop`, shop.orders'])
      expect(await ask(world, sql)).toEqual([403, 'accessDenied', expect.stringContaining('Access Denied: the API key sets shop')]);
    expect((await ask(world, 'select * from queries.`of-shop`("north")'))[0]).toBe(400);
    const other = { queryParameters: [{ name: 'shop', parameterType: { type: 'STRING' }, parameterValue: { value: 'north' } }] };
    expect((await ask(world, 'select n from queries.`of-shop` where shop = @shop', other))[0]).toBe(400);
    expect((await ask(world, 'select n from queries.`of-shop`', other))[0]).toBe(400);
    expect(await ask(world, 'select table_schema, table_name from INFORMATION_SCHEMA.TABLES')).toEqual([['queries', 'of-shop']]);
  });
});

test('both clients list and read what there is', async () => {
  const { clients } = await opened();
  for (const client of clients) {
    expect((await client.getDatasets())[0].map(({ id }) => id)).toEqual(['main', 'queries', 'shop']);
    expect(await client.dataset('shop').exists()).toEqual([true]);
    expect(await client.dataset('nope').exists()).toEqual([false]);
    expect(await client.dataset('shop').table('nope').exists()).toEqual([false]);
    expect((await client.dataset('shop').getTables({ maxResults: 2, autoPaginate: true }))[0].map(({ id }) => id)).toEqual([
      'events_20260101',
      'events_20260102',
    ]);
    expect((await client.dataset('queries').getTables())[0].map(({ id, metadata }) => [id, metadata.type])).toEqual([['per-day', 'VIEW']]);
    const [table] = await client.dataset('shop').table('orders').getMetadata();
    expect(table).toMatchObject({
      numRows: '3',
      schema: {
        fields: [
          { name: 'n', type: 'INTEGER' },
          { name: 'shop', type: 'STRING' },
          { name: 'day', type: 'DATE' },
        ],
      },
    });
    const [rows] = await client.dataset('shop').table('orders').getRows({ selectedFields: 'n', maxResults: 2 });
    expect(rows).toEqual([{ n: 1 }, { n: 2 }]);
    expect((await client.dataset('queries').table('per-day').getRows())[0]).toHaveLength(2);
    expect((await client.dataset('queries').getRoutines())[0].map(({ id }) => id)).toEqual(['of-shop', 'revenue']);
    expect((await client.dataset('queries').routine('revenue').getMetadata())[0]).toMatchObject({
      arguments: [{ name: 'least', dataType: { typeKind: 'INT64' } }],
    });
  }
});
