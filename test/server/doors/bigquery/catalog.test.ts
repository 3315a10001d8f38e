// The catalog of the door: projects, datasets, tables and routines, as the keys of callers let them be seen.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quietIo } from '../../../../src/process-io.ts';
import { openCatalog } from '../../../../src/queries/catalog.ts';
import { openServices } from '../../../../src/services.ts';
import { cliHome } from '../../../support/run-cli.ts';
import type { ServedOptions } from '../../server-support.ts';
import { cells, door } from './support.ts';

const home = cliHome();
const io = { ...quietIo(() => undefined), cwd: home.folder, env: { HOME: home.folder } };
const services = openServices({ io, signal: new AbortController().signal, flags: () => ({}) });
afterAll(async () => {
  await services.close();
  home.remove();
});

beforeAll(async () => {
  const load = async (name: string, csv: string) =>
    expect(await home.run(['load', name, '-', '--format', 'csv'], { stdin: csv })).toMatchObject({ exitCode: 0 });
  await load('orders', 'n,shop,day\n1,north,2026-01-01\n2,south,2026-01-02\n');
  await load('shop.items', 'id,name\n1,a\n');
  await load('shop.events_1', 'id\n1\n');
  await load('shop.events_2', 'id\n1\n2\n');
  mkdirSync(join(home.folder, 'queries'));
  const id = (n: number) => `id: 00000000-0000-4000-8000-00000000000${n}\n`;
  home.write('queries/per.day.sql', `/*---\n${id(1)}description: By day\n---*/\nselect day, sum(n) as total from orders group by day\n`);
  home.write(
    'queries/of-shop.sql',
    `/*---\n${id(2)}params: { shop: { type: string, required: true }, least: { type: integer } }\n---*/\nselect n from orders where shop = @shop and n >= ifnull(@least, 0)\n`,
  );
  home.write('quern.yaml', 'queries: queries\n');
});

const server = async (key?: ServedOptions['key']) => {
  const connection = await services.connection();
  const { engine } = await services.store();
  const folder = join(home.folder, 'queries');
  const world = await door(engine as never, {
    ...(key === undefined ? {} : { key }),
    options: { snapshot: () => connection.snapshot(), catalog: openCatalog([folder]), folders: [folder] },
  });
  return async (path: string) => {
    const reply = await world.ask(`/bigquery/v2/projects${path}`, { headers: { host: 'localhost' } });
    return { status: reply.statusCode, body: reply.json() };
  };
};

const ids = (all: readonly Record<string, string>[], name: string) => all.map((one) => one[name]);

describe('for anybody', () => {
  test('everything is listed, and each thing is found', async () => {
    const get = await server();
    const { body } = await get('/my-proj/datasets');
    expect(body).toMatchObject({ kind: 'bigquery#datasetList' });
    expect(ids(body.datasets, 'id')).toEqual(['my-proj:main', 'my-proj:queries', 'my-proj:shop']);
    expect((await get('/my-proj/datasets?filter=labels.team:a')).body.datasets).toEqual([]);
    expect((await get('/my-proj/datasets/shop')).body).toMatchObject({
      selfLink: '/bigquery/v2/projects/my-proj/datasets/shop',
      id: 'my-proj:shop',
      datasetReference: { projectId: 'my-proj', datasetId: 'shop' },
      location: 'US',
    });
    const tables = (await get('/my-proj/datasets/shop/tables')).body;
    expect(tables.totalItems).toBe(3);
    expect(ids(tables.tables, 'id')).toEqual(['my-proj:shop.events_1', 'my-proj:shop.events_2', 'my-proj:shop.items']);
    expect(ids((await get('/p/datasets/main/tables')).body.tables, 'id')).toEqual(['p:main.orders']);
    expect((await get('/p/datasets/queries/tables')).body.tables).toMatchObject([
      { id: 'p:queries.per_day', type: 'VIEW', tableReference: { projectId: 'p', datasetId: 'queries', tableId: 'per_day' } },
    ]);
    expect((await get('')).body.projects).toHaveLength(1);
    expect((await get('/p/serviceAccount')).body.email).toContain('@');
    const page = (await get('/p/datasets/shop/tables?maxResults=2')).body;
    expect(page.tables).toHaveLength(2);
    const rest = (await get(`/p/datasets/shop/tables?maxResults=2&pageToken=${page.nextPageToken}`)).body;
    expect(ids(rest.tables, 'id')).toEqual(['p:shop.items']);
    expect(rest.nextPageToken).toBeUndefined();
    expect((await get('/p/datasets/shop/tables/events_2')).body).toMatchObject({
      kind: 'bigquery#table',
      type: 'TABLE',
      numRows: '2',
      schema: { fields: [{ name: 'id', type: 'INTEGER' }] },
    });
    expect((await get('/p/datasets/main/tables/orders?selectedFields=day,n')).body.schema.fields).toMatchObject([
      { name: 'n' },
      { name: 'day' },
    ]);
    const view = (await get('/p/datasets/queries/tables/per_day')).body;
    expect(view).toMatchObject({ type: 'VIEW', description: 'By day', schema: { fields: [{ name: 'day' }, { name: 'total' }] } });
    expect(view.view.query).toContain('sum(n)');
    const { routines } = (await get('/p/datasets/queries/routines')).body;
    expect(routines).toMatchObject([
      {
        routineReference: { projectId: 'p', datasetId: 'queries', routineId: 'of-shop' },
        routineType: 'TABLE_VALUED_FUNCTION',
        arguments: [
          { name: 'shop', dataType: { typeKind: 'STRING' } },
          { name: 'least', dataType: { typeKind: 'INT64' } },
        ],
      },
    ]);
    expect((await get('/p/datasets/queries/routines/of-shop')).body).toMatchObject({
      returnTableType: { columns: [{ name: 'n', type: { typeKind: 'INT64' } }] },
    });
    expect((await get('/p/datasets/shop/routines')).body).toEqual({ routines: [] });
    expect(cells((await get('/p/datasets/main/tables/orders/data?selectedFields=shop&maxResults=1')).body)).toEqual([['north']]);
  });

  test.each([
    ['/p/datasets/nothing', 'Not found: Dataset p:nothing'],
    ['/p/datasets/nothing/tables', 'Not found: Dataset p:nothing'],
    ['/p/datasets/shop/tables/nothing', 'Not found: Table p:shop.nothing'],
    ['/p/datasets/shop/tables/nothing/data', 'Not found: Table p:shop.nothing'],
    ['/p/datasets/queries/routines/nothing', 'Not found: Routine p:queries.nothing'],
    ['/p/datasets/shop/tables?maxResults=-1', 'Invalid value for maxResults: -1'],
    ['/p/datasets/shop/tables?pageToken=x', 'Invalid pageToken'],
  ])('%s', async (path, message) => {
    const get = await server();
    expect((await get(path)).body.error.message).toContain(message);
  });
});

test('a key sees the saved queries that it covers', async () => {
  const get = await server({ scopes: ['per.*', 'bigquery'] });
  expect(ids((await get('/p/datasets')).body.datasets, 'id')).toEqual(['p:main', 'p:queries', 'p:shop']);
  expect((await get('/p/datasets/queries/routines')).body).toEqual({ routines: [] });
  expect((await get('/p/datasets/queries/routines/of-shop')).status).toBe(404);
});

test('a key that sets a parameter sees saved queries that have it, without the parameter', async () => {
  const get = await server({ pins: { SHOP: 'south' } });
  expect(ids((await get('/p/datasets')).body.datasets, 'id')).toEqual(['p:queries']);
  expect((await get('/p/datasets/main/tables/orders')).status).toBe(404);
  expect((await get('/p/datasets/queries/routines/of-shop')).body.arguments).toMatchObject([{ name: 'least' }]);
  expect(ids((await get('/p/datasets/queries/tables')).body.tables, 'id')).toEqual(['p:queries.of-shop']);
});
