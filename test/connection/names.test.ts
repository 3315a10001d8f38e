// Names of BigQuery's tables: rules, wildcards with suffixes, INFORMATION_SCHEMA; on tables of the embedded engine.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { prepare } from '../../src/execution/prepare.ts';
import { run } from '../../src/execution/run.ts';
import { prepareSandbox } from '../../src/execution/sandbox.ts';
import { quietIo } from '../../src/process-io.ts';
import { openServices, type Services } from '../../src/services.ts';
import { tempFolder } from '../support/temp-store.ts';

const PROJECT = `
names:
  "my-proj.*.*": "{2}.{3}"
  "logs-proj.*.*": "{3}"
  "*.dotted.*": "shop.{3}"
  "*.INFORMATION_SCHEMA.JOBS": "shop.jobs"
  "*.*.INFORMATION_SCHEMA.JOBS_BY_PROJECT": "jobs_of_one"
  "*.*.INFORMATION_SCHEMA.TABLES": "shop.jobs"
sources:
  my-proj.one.orders_*: { table: shop.orders, suffix: created, partition: created }
  days_*: { table: shop.days, suffix: day }
  my-proj.many.events_*: { table: shop.events_* }
  jobs_of_one: { table: shop.jobs }
`;

const TABLES = [
  'CREATE DATABASE shop',
  "CREATE TABLE shop.orders (id Int64, created DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY created PARTITION BY toDate(created)",
  "INSERT INTO shop.orders SELECT number, toDateTime64('2026-01-01 06:00:00', 6, 'UTC') + toIntervalHour(number * 12) FROM numbers(20)",
  'CREATE TABLE shop.days (n Int64, day Date) ENGINE = MergeTree ORDER BY day',
  "INSERT INTO shop.days SELECT number, toDate('2026-01-01') + number FROM numbers(40)",
  ...['20260101', '20260102', '20260203'].flatMap((day, i) => [
    `CREATE TABLE shop.events_${day} (id Int64, name Nullable(String)${i === 0 ? '' : ', extra Nullable(Int64), strict Int64'}) ENGINE = MergeTree ORDER BY id`,
    `INSERT INTO shop.events_${day} (id, name) VALUES (${i}, 'n${i}'), (${i + 10}, NULL)`,
  ]),
  'CREATE DATABASE web',
  ...['20260101', '20260102', 'intraday_20260203'].flatMap((day, i) => [
    `CREATE TABLE web.logs_${day} (id Int64) ENGINE = MergeTree ORDER BY id`,
    `INSERT INTO web.logs_${day} (id) VALUES (${i})`,
  ]),
  'CREATE TABLE shop.jobs (job_id String, total_bytes_billed Int64) ENGINE = MergeTree ORDER BY job_id',
  "INSERT INTO shop.jobs VALUES ('a', 10), ('b', 20)",
  'CREATE TABLE shop.`odd-name` (a Int64) ENGINE = MergeTree ORDER BY a',
];

const folder = tempFolder();
let services: Services;

beforeAll(async () => {
  folder.write('quern.yaml', PROJECT);
  mkdirSync(join(folder.path, 'home'));
  const io = { ...quietIo(() => undefined), cwd: folder.path, env: { HOME: join(folder.path, 'home') } };
  const flags = () => ({ store: join(folder.path, 'store'), cacheDir: join(folder.path, 'cache') });
  services = openServices({ io, signal: new AbortController().signal, flags });
  const { engine } = await services.store();
  for (const statement of TABLES) await engine.command(statement);
});

afterAll(async () => {
  await services.close();
  folder.remove();
});

const outcome = (sql: string) => {
  const query = folder.write('asked.sql', sql);
  return services.running(async (current) => run(await prepare({ query }, current), { arguments: {}, cache: 'none' }, current));
};
const rows = async (sql: string): Promise<unknown> => (await outcome(sql)).result.rows;
/** Code, message and hint. */
async function refusal(sql: string): Promise<string> {
  try {
    return JSON.stringify(await rows(sql));
  } catch (error) {
    if (!(error instanceof QuernError)) throw error;
    return `${error.code}: ${error.message} (${error.details.hint ?? ''})`;
  }
}
const plan = async (sql: string): Promise<string> => {
  const { prepared } = await outcome(sql);
  const { engine } = await services.store();
  const { rows: lines } = await engine.execute({ sql: `EXPLAIN indexes = 1 ${prepared.sql}`, bindings: [], settings: prepared.settings });
  return lines.map(([line]) => String(line)).join('\n');
};

describe('rules', () => {
  test.each([
    ['one pair of backticks', 'select count(*) from `my-proj.shop.orders`', [[20]]],
    ['many pairs', 'select count(*) from `my-proj`.`shop`.`orders`', [[20]]],
    ['none', 'select count(*) from my-proj.shop.orders', [[20]]],
    ['its name is an alias', 'select orders.id from my-proj.shop.orders where orders.id = 3', [[3]]],
    [
      'a path in one pair of backticks',
      'select `o.id`, `my-proj.shop.orders.id` from my-proj.shop.orders as orders join my-proj.shop.orders as o using (id) where o.id = 3',
      [[3, 3]],
    ],
    ['a name with a dash', 'select count(*) from `my-proj.shop.odd-name`', [[0]]],
    ['a log source', 'select count(*) from `logs-proj.any.edge_logs`', [[0]]],
    ['another source', 'select max(n) from `logs-proj.any.days_*`', [[39]]],
    ['the first rule that fits', 'select count(*) from x.dotted.orders', [[20]]],
    ['parts that no table’s name gets may hold anything', 'select count(*) from `<your project>.dotted.orders`', [[20]]],
    ['placeholders of INFORMATION_SCHEMA', 'select count(*) from `<project>`.`{region}`.INFORMATION_SCHEMA.JOBS_BY_PROJECT', [[2]]],
  ])('%s', async (_, sql, expected) => {
    expect(await rows(sql)).toEqual(expected);
  });

  test.each([
    [
      'a table that is not there',
      'select * from `my-proj.shop.ordrs`',
      'unknown-source: my-proj.shop.ordrs: the database shop has no table ordrs (did you mean orders?)',
    ],
    [
      'a database that is not there',
      'select * from `my-proj.shopp.orders`',
      'unknown-source: my-proj.shopp.orders: the database shopp has no table orders (the database shopp has no tables)',
    ],
    [
      'no table of a wildcard',
      'select * from `my-proj.shop.nothing_*`',
      'unknown-source: my-proj.shop.nothing_*: the database shop has no table whose name starts with nothing_ (its tables are: days, events_20260101, events_20260102, events_20260203, jobs, odd-name, orders)',
    ],
  ])('%s is a clear error', async (_, sql, expected) => {
    expect(await refusal(sql)).toBe(expected);
  });

  test.each([
    'my-proj.system.tables',
    'my-proj.SYSTEM.one',
    'my-proj.information_schema.tables_x',
    'my-proj._temporary_and_external_tables.x',
    'my-proj.default.passwd',
    'my-proj.default.*',
    'my-proj.quern.edge_logs',
    'my-proj.quern.*',
    'my-proj.shop.orders` where 1 or `x',
    'my-proj.shop./etc/passwd',
    "my-proj.shop.x') union all select 1 --",
    'my-proj.sh*.orders',
    'my-proj.*.*',
    'my-proj..orders',
    'other-proj.shop.orders',
    'shop.orders',
    'system.one',
    'default.passwd',
  ])('%s is never reached', async (name) => {
    const quoted = name.includes('` where') ? name : `\`${name}\``;
    expect(await refusal(`select * from ${quoted.startsWith('`') ? quoted : `\`${quoted}\``}`)).toMatch(
      /^(?:unknown-source|unknown-column|syntax|type): /,
    );
  });
});

describe('callers of a sandbox reach no table by its name', () => {
  test.each([
    'select * from `my-proj.shop.orders`',
    'select * from `my-proj`.shop.orders',
    'select * from `my-proj.shop.events_*`',
    'select * from `logs-proj.any.edge_logs`',
    'select * from `days_*`',
    'select * from INFORMATION_SCHEMA.TABLES',
    'select * from `my-proj.shop`.INFORMATION_SCHEMA.COLUMNS',
    'select * from `my-proj.system.tables`',
    'with x as (select * from `my-proj.shop.orders`) select * from x',
    'select (select count(*) from `my-proj.shop.orders`) from edge_logs',
  ])('%s', async (sql) => {
    const asked = services.running((held) => prepareSandbox('logs.all', sql, held, { enabled: () => true }));
    await expect(asked).rejects.toMatchObject({ code: 'unknown-source' });
  });
});

describe('wildcards', () => {
  test.each([
    [
      'tables, by suffix',
      "select id, name, _table_suffix from `my-proj.shop.events_*` where _table_suffix between '20260101' and '20260131' order by id",
      [
        [0, 'n0', '20260101'],
        [1, 'n1', '20260102'],
        [10, null, '20260101'],
        [11, null, '20260102'],
      ],
    ],
    [
      'the suffix as a key',
      'select _TABLE_SUFFIX as day, count(*) as n from `my-proj.many.events_*` group by day order by day',
      [
        ['20260101', 2],
        ['20260102', 2],
        ['20260203', 2],
      ],
    ],
    [
      'functions of the suffix',
      "select parse_date('%Y%m%d', _table_suffix) as d, e.id from `my-proj.shop.events_*` as e where e._table_suffix like '202602%' order by id",
      [
        ['2026-02-03', 2],
        ['2026-02-03', 12],
      ],
    ],
    [
      'functions of suffixes that another condition leaves',
      "select id from `my-proj.web.logs_*` where _table_suffix not like '%intraday%' and parse_date('%Y%m%d', _table_suffix) > '2026-01-01'",
      [[1]],
    ],
    [
      'the other condition comes last, with one on the rows',
      "select id from `my-proj.web.logs_*` where parse_date('%Y%m%d', _table_suffix) < '2026-02-01' and id < 1 and not starts_with(_table_suffix, 'intra')",
      [[0]],
    ],
    [
      'a column that older tables lack is NULL',
      'select id, extra from `my-proj.shop.events_*` where id < 3 order by id',
      [
        [0, null],
        [1, null],
        [2, null],
      ],
    ],
    ['* without the suffix', "select * from `my-proj.shop.events_*` where _table_suffix = '20260101' and id = 0", [[0, 'n0', null]]],
    [
      'more of the name',
      'select _table_suffix, count(*) from `my-proj.many.events_202601*` group by 1 order by 1',
      [
        ['01', 2],
        ['02', 2],
      ],
    ],
    ['one table of them', 'select id from `my-proj.many.events_20260203` order by id', [[2], [12]]],
    ['one table by a rule', 'select id from `my-proj.shop.events_20260203` order by id', [[2], [12]]],
    [
      'one table that stands for many',
      "select count(*), min(_table_suffix), max(_table_suffix) from `my-proj.one.orders_*` where _table_suffix between '20260102' and '20260103'",
      [[4, '20260102', '20260103']],
    ],
    ['a day of it', 'select min(id), max(id) from `my-proj.one.orders_20260102`', [[2, 3]]],
    ['a month of it', 'select count(*), min(_table_suffix) from `my-proj.one.orders_2026*`', [[20, '0101']]],
    ['a suffix of days', "select count(*) from `days_*` where _table_suffix >= '20260201'", [[9]]],
    [
      'a suffix that is no day',
      "select count(*) from `days_*` where _table_suffix >= '202602' and not starts_with(_table_suffix, 'intraday_')",
      [[9]],
    ],
    [
      'the suffix of today',
      "select count(*) from `days_*` where _table_suffix between format_date('%Y%m%d', date_sub(date '2026-01-10', interval 2 day)) and format_date('%Y%m%d', date '2026-01-10')",
      [[3]],
    ],
    [
      'joins and subqueries',
      'with e as (select id, _table_suffix as s from `my-proj.shop.events_*`) select s, (select count(*) from `my-proj.shop.events_*` as x where x._table_suffix = e.s) as n from e where id = 1',
      [['20260102', 2]],
    ],
    [
      'days of partitions',
      "select count(*), min(_partitiondate), max(_partitiontime) from `my-proj.one.orders_*` where _partitiontime >= timestamp '2026-01-02' and _PARTITIONDATE < '2026-01-04'",
      [[4, '2026-01-02', '2026-01-03T00:00:00Z']],
    ],
  ])('%s', async (_, sql, expected) => {
    expect(await rows(sql)).toEqual(expected);
  });

  test('a column that would not be NULL in tables without it is not read', async () => {
    expect(await refusal('select strict from `my-proj.shop.events_*`')).toContain('some of the tables events_* lack this column');
  });

  test('a suffix that no other condition leaves out and that is no day', async () => {
    expect(await refusal("select id from `my-proj.web.logs_*` where parse_date('%Y%m%d', _table_suffix) > '2026-01-01'")).toMatch(
      /PARSE_DATE|not a date|intraday/i,
    );
  });

  test('only the tables are read whose suffix passes the filter', async () => {
    const text = await plan(
      "select count(*) from `my-proj.shop.events_*` where _table_suffix between '20260102' and '20260131' and id >= 0",
    );
    expect(text).toContain('shop.events_20260102');
    expect(text).not.toMatch(/events_20260101|events_20260203/);
  });

  test.each([
    ["_table_suffix between '20260102' and '20260103'"],
    ["_table_suffix = '20260102' and id >= 0"],
    ["_table_suffix in ('20260102', '20260103')"],
    ["_partitiondate = '2026-01-02'"],
    ["_partitiontime >= timestamp '2026-01-02' and _partitiontime < timestamp '2026-01-04'"],
    ["date(_partitiontime) = '2026-01-02'"],
  ])('a filter on the time of one table uses its key: %s', async (filter) => {
    const text = await plan(`select count(*), sum(id) from \`my-proj.one.orders_*\` where ${filter}`);
    expect(text).toMatch(/Parts: [12]\/10/);
  });
});

describe('INFORMATION_SCHEMA', () => {
  test.each([
    [
      'columns of a dataset',
      "select table_name, column_name, ordinal_position, is_nullable, data_type from `my-proj`.shop.INFORMATION_SCHEMA.COLUMNS where table_name = 'orders' order by ordinal_position",
      [
        ['orders', 'id', 1, 'NO', 'INT64'],
        ['orders', 'created', 2, 'NO', 'TIMESTAMP'],
      ],
    ],
    [
      'tables of a dataset',
      "select table_catalog, table_schema, table_name, table_type from my-proj.shop.INFORMATION_SCHEMA.TABLES where table_name like 'e%1'",
      [['my-proj', 'shop', 'events_20260101', 'BASE TABLE']],
    ],
    [
      'in one pair of backticks',
      "select count(*) from `my-proj.shop.INFORMATION_SCHEMA.TABLES` where not starts_with(table_name, 'events')",
      [[4]],
    ],
    [
      'sources',
      "select column_name, data_type from INFORMATION_SCHEMA.COLUMNS where table_name = 'edge_logs' and column_name in ('id', 'timestamp') order by 1",
      [
        ['id', 'STRING'],
        ['timestamp', 'TIMESTAMP'],
      ],
    ],
    ['another view, by a rule', 'select sum(total_bytes_billed) from `region-us`.INFORMATION_SCHEMA.JOBS', [[30]]],
    ['by a rule to a source', 'select max(job_id) from `my-proj.region-us.INFORMATION_SCHEMA.JOBS_BY_PROJECT`', [['b']]],
    ['of a region', "select count(*) from `region-us`.INFORMATION_SCHEMA.TABLES where table_name = 'postgres_logs'", [[1]]],
  ])('%s', async (_, sql, expected) => {
    expect(await rows(sql)).toEqual(expected);
  });

  test('of the engine’s own databases there is none', async () => {
    expect(await refusal('select * from `my-proj`.system.INFORMATION_SCHEMA.TABLES')).toContain('cannot lead to the database system');
  });

  test.each([
    ['without a rule', 'INFORMATION_SCHEMA.PARTITIONS', '"INFORMATION_SCHEMA.PARTITIONS": "audit.partitions"', 'PARTITIONS'],
    ['by a rule to the engine', 'my-proj.INFORMATION_SCHEMA.STREAMS', '"*.INFORMATION_SCHEMA.STREAMS": "audit.streams"', 'STREAMS'],
  ])('a view that there is not, %s', async (_, name, rule, view) => {
    expect(await refusal(`select * from ${name}`)).toBe(
      `unknown-source: INFORMATION_SCHEMA.${view} is not supported (the views are SCHEMATA, TABLES, COLUMNS, COLUMN_FIELD_PATHS, VIEWS, ROUTINES, PARAMETERS; a rule can lead to a table of yours: names: { ${rule} })`,
    );
  });
});
