// INFORMATION_SCHEMA and `__TABLES__`: of the store with saved queries, and of a server.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let server: ClickHouseServer;
afterAll(async () => {
  await server.stop();
  home.remove();
});

const query = async (sql: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { stdout, stderr } = await home.run(['query', sql, '--format', 'csv'], { env });
  return (stdout + stderr).replace(/^[^\n]*\n/, '').replaceAll('"', '');
};

beforeAll(async () => {
  const load = async (name: string, text: string, ...flags: readonly string[]) =>
    expect(await home.run(['load', name, '-', ...flags], { stdin: text })).toMatchObject({ exitCode: 0 });
  await load('orders', 'n,day\n1,2026-01-01\n2,2026-01-02\n', '--format', 'csv');
  await load('shop.items', '{"id": 1, "size": {"w": 1.5, "tags": ["a"]}, "parts": [{"no": 7}]}\n', '--format', 'ndjson');
  mkdirSync(join(home.folder, 'queries'));
  const id = (n: number) => `id: 00000000-0000-4000-8000-00000000000${n}\n`;
  home.write('queries/per.day.sql', `/*---\n${id(1)}---*/\nselect day, sum(n) as total from orders group by day\n`);
  home.write(
    'queries/since.sql',
    `/*---\n${id(2)}description: Since a day\nparams: { day: { type: date, required: true }, ids: { type: array of integer } }\n---*/\nselect n from orders where orders.day >= @day and (@ids is null or n in unnest(@ids))\n`,
  );
  home.write('queries/broken.sql', `/*---\n${id(3)}---*/\nselect nothing from orders\n`);
  home.write('quern.yaml', 'queries: queries\n');
  server = await startClickHouse();
  await server.run('CREATE DATABASE shop');
  await server.run('CREATE TABLE shop.orders (n Int64, at DateTime, note Nullable(String)) ENGINE = MergeTree ORDER BY n');
  await server.run("INSERT INTO shop.orders VALUES (1, now(), 'x'), (2, now(), NULL)");
  await server.run('CREATE DATABASE empty');
  await server.run('CREATE DATABASE web');
  await server.run('CREATE TABLE web.hits (id Int64) ENGINE = MergeTree ORDER BY id');
});

describe('of the store', () => {
  test.each([
    [
      'columns of a dataset',
      'select table_catalog, table_schema, column_name, ordinal_position, is_nullable, data_type, is_hidden from `my-proj.shop`.INFORMATION_SCHEMA.COLUMNS order by ordinal_position',
      'my-proj,shop,id,1,YES,INT64,NO\nmy-proj,shop,size,2,YES,STRUCT<tags ARRAY<STRING>, w FLOAT64>,NO\nmy-proj,shop,parts,3,NO,ARRAY<STRUCT<no INT64>>,NO\n',
    ],
    [
      'paths of fields',
      'select field_path, data_type from shop.INFORMATION_SCHEMA.COLUMN_FIELD_PATHS where column_name != "id" and field_path != column_name order by 1',
      'parts.no,INT64\nsize.tags,ARRAY<STRING>\nsize.w,FLOAT64\n',
    ],
    [
      'tables without a dataset',
      'select table_schema, table_name, table_type from main.INFORMATION_SCHEMA.TABLES where table_name = "orders"',
      'main,orders,BASE TABLE\n',
    ],
    [
      'datasets of a region',
      'select catalog_name, schema_name from `my-proj`.`region-us`.INFORMATION_SCHEMA.SCHEMATA order by 2',
      'my-proj,main\nmy-proj,queries\nmy-proj,shop\n',
    ],
    ['rows of tables', 'select table_id, row_count, size_bytes > 0, type from `p.shop.__TABLES__`', 'items,1,true,1\n'],
    [
      'saved queries as views',
      'select table_name, table_type from queries.INFORMATION_SCHEMA.TABLES where table_name not like "usage%"',
      'per_day,VIEW\n',
    ],
    [
      'what a view is',
      "select table_name, regexp_contains(view_definition, r'sum\\(n\\)'), use_standard_sql from queries.INFORMATION_SCHEMA.VIEWS where table_name = 'per_day'",
      'per_day,true,YES\n',
    ],
    [
      'its columns',
      "select column_name, data_type from queries.INFORMATION_SCHEMA.COLUMNS where table_name = 'per_day'",
      'day,DATE\ntotal,INT64\n',
    ],
    [
      'table functions',
      "select routine_name, routine_type, data_type from queries.INFORMATION_SCHEMA.ROUTINES where routine_name = 'since'",
      'since,TABLE FUNCTION,TABLE<n INT64>\n',
    ],
    [
      'and their parameters',
      "select ordinal_position, parameter_name, data_type from `p.queries`.INFORMATION_SCHEMA.PARAMETERS where specific_name = 'since' order by 1",
      '1,day,DATE\n2,ids,ARRAY<INT64>\n',
    ],
    ['nothing of options', 'select count(*) from shop.INFORMATION_SCHEMA.TABLE_OPTIONS', '0\n'],
  ])('%s', async (_, sql, expected) => {
    expect(await query(sql)).toBe(expected);
  });

  test('a saved query does not read what there is of saved queries', async () => {
    home.write(
      'all.sql',
      '/*---\nid: 00000000-0000-4000-8000-000000000009\n---*/\nselect routine_name from queries.INFORMATION_SCHEMA.ROUTINES\n',
    );
    expect((await home.run(['run', './all.sql'])).stderr).toContain('lists saved queries, which a saved query cannot read');
  });
});

describe('of a server', () => {
  const env = () => ({ CLICKHOUSE_URL: server.url });
  test.each([
    [
      'columns of a database',
      'select table_name, column_name, is_nullable, data_type from shop.INFORMATION_SCHEMA.COLUMNS order by ordinal_position',
      'orders,n,NO,INT64\norders,at,NO,TIMESTAMP\norders,note,YES,STRING\n',
    ],
    [
      'tables of all databases',
      "select table_catalog, table_schema, table_name from `p`.`region-eu`.INFORMATION_SCHEMA.TABLES where table_schema in ('shop', 'web', 'system') order by 2, 3",
      'p,shop,orders\np,web,hits\n',
    ],
    ['rows of tables', 'select table_id, row_count from shop.__TABLES__', 'orders,2\n'],
    [
      'databases',
      "select schema_name from region-us.INFORMATION_SCHEMA.SCHEMATA where schema_name in ('empty', 'shop', 'system') order by 1",
      'empty\nshop\n',
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await query(sql, env())).toBe(expected);
  });
});

test('a dataset that is not there is refused, and an empty one has no tables', async () => {
  const on = { CLICKHOUSE_URL: server.url };
  for (const view of ['nope.INFORMATION_SCHEMA.TABLES', 'nope.INFORMATION_SCHEMA.ROUTINES', 'system.INFORMATION_SCHEMA.TABLES'])
    for (const env of [{}, on])
      expect((await home.run(['query', `select * from ${view}`], { env })).stderr).toContain(
        `error[unknown-source]: there is no dataset ${view.split('.')[0]}\n`,
      );
  expect(await home.run(['query', 'select * from empty.INFORMATION_SCHEMA.TABLES'], { env: on })).toMatchObject({
    exitCode: 0,
    stdout: '',
  });
});
