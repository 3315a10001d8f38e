// Wildcard tables that are files: what _TABLE_SUFFIX is there, and which files a filter on it leaves unread.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

beforeAll(() => {
  for (const [day, id] of Object.entries({ 20260101: 1, 20260102: 2, 20260203: 3 })) home.write(`data/events_${day}.csv`, `id\n${id}\n`);
  // A file that cannot be read fails every query that reads it.
  home.write('data/events_20270101.csv', 'id\nbroken\n');
  home.write('data/events_intraday_20260203.csv', 'id\n30\n');
  home.write('sharded/orders_20260101/part-0.csv', 'id\n1\n');
  home.write('sharded/orders_20260101/part-1.csv', 'id\n2\n');
  home.write('sharded/orders_20260102/part-0.csv', 'id\n3\n');
  home.write('hive/day=2026-01-01/a.csv', 'id\n1\n');
  home.write('hive/day=2026-01-02/a.csv', 'id\n2\n');
  home.write("odd/it's b+x-2026_1.csv", 'id\n1\n');
  home.write('odd/a(x-2027_2.csv', 'id\n2\n');
  home.write(
    'quern.yaml',
    `names: { "far.*.*": "{3}" }
sources:
  my-proj.shop.events_*: { file: data/events_*.csv }
  plain: { file: data/events_*.csv }
  orders_*: { file: sharded/orders_*/part-*.csv, suffix: "REGEXP_EXTRACT(_FILE_NAME, r'orders_([0-9]+)/')" }
  folders_*: { file: sharded/orders_*/part-0.csv }
  odd: { file: "odd/{it's b+,a(}x-202[67]_*.csv" }
  days_*: { file: 'hive/day=*/a.csv', hive_partitions: true, suffix: day }
`,
  );
});

test.each([
  [
    'a span of suffixes',
    "select id, _table_suffix as s from `my-proj.shop.events_*` where _TABLE_SUFFIX between '20260101' and '20260131' order by id",
    '{"id":1,"s":"20260101"}\n{"id":2,"s":"20260102"}\n',
  ],
  ['a list', "select sum(id) as n from `my-proj.shop.events_*` where _table_suffix in ('20260101', '20260203')", '{"n":4}\n'],
  ['a text behind the prefix', "select id from `my-proj.shop.events_*` where starts_with(_table_suffix, 'intraday_')", '{"id":30}\n'],
  [
    'computed days',
    "select id from `my-proj.shop.events_*` where _table_suffix = format_date('%Y%m%d', date_sub(date '2026-01-03', interval 1 day))",
    '{"id":2}\n',
  ],
  ['a part of the name', 'select _table_suffix as s from `my-proj.shop.events_202601*` order by s', '{"s":"01"}\n{"s":"02"}\n'],
  ['one of them', 'select id from `my-proj.shop.events_20260203`', '{"id":3}\n'],
  ['one of them by a rule', 'select sum(id) as n from `far.eu.orders_20260102`', '{"n":3}\n'],
  ['some of them by a rule', 'select sum(id) as n from far.eu.`orders_202601*`', '{"n":6}\n'],
  ['* without the suffix', "select * from `my-proj.shop.events_*` where _table_suffix = '20260101'", '{"id":1}\n'],
  ['a source that is no wildcard', "select id from plain where _table_suffix = '20260102'", '{"id":2}\n'],
  ['names of files', "select id from plain where _FILE_NAME = 'data/events_20260102.csv'", '{"id":2}\n'],
  ['a folder', 'select _table_suffix as s, id from `folders_*` order by s', '{"s":"20260101","id":1}\n{"s":"20260102","id":3}\n'],
  ['an expression of the name', "select sum(id) as n from `orders_*` where _table_suffix = '20260101'", '{"n":3}\n'],
  ['a part of those', 'select sum(id) as n from `orders_20260102`', '{"n":3}\n'],
  ['names with anything in them', 'select _table_suffix as s, id from odd order by id', '{"s":"1","id":1}\n{"s":"2","id":2}\n'],
  ['folders that are columns', "select id from `days_*` where _table_suffix >= '20260102'", '{"id":2}\n'],
])('%s', async (_, sql, expected) => {
  expect(await home.rows(sql)).toBe(expected);
});

test('a file whose suffix the filter does not rule out is read', async () => {
  const { stderr } = await home.query("select sum(id) as n from `my-proj.shop.events_*` where _table_suffix >= '20260203'");
  expect(stderr).toContain('data/events_20270101.csv:2: id: "broken" is not INT64');
});

test('a pattern typed in FROM has suffixes too', async () => {
  const { stdout, stderr } = await home.run([
    'query',
    "select id from `data/events_*.csv` where _table_suffix between @first and '20260131' order by id",
    '-p',
    'first::20260102',
  ]);
  expect([stderr, stdout]).toEqual(['', '{"id":2}\n']);
});

test('a wildcard whose pattern does not say what the suffix is', async () => {
  const other = filesHome();
  other.write('quern.yaml', 'sources:\n  orders_*: { file: sharded/orders_*/part-*.csv }\n');
  const { stderr, exitCode } = await other.run(['query', 'select 1 from `orders_*`']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('sources.orders_* ends with *, but its files do not have exactly one * to take the suffix from');
  expect(stderr).toContain("suffix: REGEXP_EXTRACT(_FILE_NAME, r'orders_([0-9]+)')");
  other.remove();
});

test('a rule that leads to nothing says what is not there', async () => {
  const { stderr, exitCode } = await home.query('select * from far.eu.customers');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('far.eu.customers: names: far.*.* leads to customers, which is no source, and no table that was loaded\n');
  expect(stderr).toContain('= hint: if it has yet to be loaded: quern load customers FILE\n');
});
