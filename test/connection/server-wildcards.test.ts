// Wildcard tables on a ClickHouse server: of many tables, and of one with a column for the suffix.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
let server: ClickHouseServer;

const TABLES = [
  'CREATE DATABASE shop',
  ...['20260101', '20260102', '20260203'].flatMap((day, i) => [
    `CREATE TABLE shop.events_${day} (id Int64, name Nullable(String)${i === 2 ? ', extra Nullable(Int64)' : ''}) ENGINE = MergeTree ORDER BY id`,
    `INSERT INTO shop.events_${day} (id, name) VALUES (${i}, 'n${i}'), (${i + 10}, NULL)`,
  ]),
  'CREATE TABLE shop.days (n Int64, day Date) ENGINE = MergeTree ORDER BY day PARTITION BY day',
  "INSERT INTO shop.days SELECT number, toDate('2026-01-01') + number FROM numbers(40)",
  'CREATE TABLE shop.texts (n Int64, suffix String) ENGINE = MergeTree ORDER BY n PARTITION BY suffix',
  "INSERT INTO shop.texts SELECT number, formatDateTime(toDate('2026-01-01') + number, '%Y%m%d') FROM numbers(40)",
];

beforeAll(async () => {
  server = await startClickHouse();
  for (const statement of TABLES) await server.run(statement);
  home.write(
    'quern.yaml',
    `names:
  "my-proj.*.*": "{2}.{3}"
sources:
  many_*: { table: shop.events_* }
  days_*: { table: shop.days, suffix: day }
  texts_*: { table: shop.texts, suffix: suffix }
`,
  );
});

afterAll(async () => {
  await server.stop();
  home.remove();
});

const env = () => ({ CLICKHOUSE_URL: server.url });
const ask = (sql: string) => home.run(['query', sql], { env: env() });
const plan = async (sql: string) => (await home.run(['explain', `./${home.write('asked.sql', sql)}`, '--plan'], { env: env() })).stdout;

test.each([
  [
    'a rule',
    "select id, _table_suffix as s, extra from `my-proj.shop.events_*` where _table_suffix in ('20260101', '20260203') and id < 9 order by id",
    '{"id":0,"s":"20260101","extra":null}\n{"id":2,"s":"20260203","extra":null}\n',
  ],
  ['a source', "select count(*) as n from `many_*` where _table_suffix between '20260102' and '20260131'", '{"n":2}\n'],
  ['more of its name', 'select count(*) as n from `many_202601*`', '{"n":4}\n'],
  [
    'one table',
    "select n, _table_suffix as s from `days_*` where _table_suffix in ('20260102', '20260201') order by n",
    '{"n":1,"s":"20260102"}\n{"n":31,"s":"20260201"}\n',
  ],
  ['one table, by texts', "select n from `texts_*` where _table_suffix in ('20260102', '20260201') order by n", '{"n":1}\n{"n":31}\n'],
  ['a month of it', 'select count(*) as n, min(_table_suffix) as s from `texts_202602*`', '{"n":9,"s":"01"}\n'],
])('%s', async (_, sql, expected) => {
  const { stdout, stderr } = await ask(sql);
  expect([stderr, stdout]).toEqual(['', expected]);
});

test('only the tables are read whose suffix passes', async () => {
  const text = await plan("select count(*), sum(id) from `many_*` where _table_suffix in ('20260102', '20260131')");
  expect(text).toContain('shop.events_20260102');
  expect(text).not.toMatch(/events_20260101|events_20260203/);
});

test.each([
  ["select sum(n) from `days_*` where _table_suffix in ('20260102', '20260103')"],
  ["select sum(n) from `days_*` where _table_suffix in unnest(['20260102', '20260103'])"],
  ["select sum(n) from `texts_*` where _table_suffix in ('20260102', '20260103')"],
  ["select sum(n) from `days_*` where _table_suffix between '20260102' and '20260103'"],
])('only the partitions are read whose suffix passes: %s', async (sql) => {
  expect(await plan(sql)).toMatch(/Parts: 2\/40/);
});
