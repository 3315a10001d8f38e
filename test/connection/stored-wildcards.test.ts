// Wildcard tables over tables of the user's own in the embedded store: what `quern load` made of files of each day.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const load = async (table: string, csv: string, flags: readonly string[] = []) => {
  const { stderr, exitCode } = await home.run(['load', table, '-', '--format', 'csv', ...flags], { stdin: csv });
  if (exitCode !== 0) throw new Error(stderr);
};

const MANY = Array.from({ length: 2000 }, (_, i) => `${i},note ${i % 3}\n`).join('');

beforeAll(async () => {
  await load('notes_1', `id,note\n${MANY}`);
  await load('notes_2', 'id,note\n5000,other\n5001,\n');
  await load('days_1', 'day\n2026-01-01\n');
  await load('days_2', 'day\n0800-01-01\n', ['--schema', 'day:DATE']);
  await load('events_20260101', 'id,name\n1,a\n');
  await load('events_20260102', 'id,name,extra\n2,b,5\n');
  await load('events_20260203', 'id,name\n3,c\n');
  await load('eventsx', 'id\n100\n');
  await load('shop.sales_eu', 'amount,code\n1.5,1\n');
  await load('shop.sales_us', 'amount,code\n2,x\n', ['--schema', 'amount:NUMERIC']);
  home.write('quern.yaml', 'sources:\n  mine_*: { file: mine/m_*.csv }\nnames:\n  "my-proj.any.*": "{3}"\n');
  home.write('mine/m_1.csv', 'a\n1\n');
});

const ask = (sql: string, flags: readonly string[] = []) => home.run(['query', sql, ...flags]);

test.each([
  [
    'all of them',
    'select id, name, extra, _table_suffix as s from `events_*` order by id',
    '{"id":1,"name":"a","extra":null,"s":"20260101"}\n{"id":2,"name":"b","extra":5,"s":"20260102"}\n{"id":3,"name":"c","extra":null,"s":"20260203"}\n',
  ],
  ['some', "select id from `events_*` where _table_suffix between '20260102' and '20260131'", '{"id":2}\n'],
  ['more of the name', 'select id, _table_suffix as s from `events_202601*` order by id', '{"id":1,"s":"01"}\n{"id":2,"s":"02"}\n'],
  ['* without the suffix', "select * from `events_*` where _table_suffix = '20260101'", '{"id":1,"name":"a","extra":null}\n'],
  ['letters in either case', 'select count(*) as n from `EVENTS_*`', '{"n":3}\n'],
  ['a rule', 'select count(*) as n from `my-proj.any.events_*`', '{"n":3}\n'],
  [
    'texts that one table holds by a dictionary',
    'select note, count(*) as n from `notes_*` where id < 3 or id >= 5000 group by note order by note',
    '{"note":null,"n":1}\n{"note":"note 0","n":1}\n{"note":"note 1","n":1}\n{"note":"note 2","n":1}\n{"note":"other","n":1}\n',
  ],
  ['a table of the very name', 'select id from events_20260203', '{"id":3}\n'],
  ['a source of the project', 'select a, _table_suffix as s from `mine_*`', '{"a":1,"s":"1"}\n'],
])('%s', async (_, sql, expected) => {
  const { stdout, stderr } = await ask(sql);
  expect([stderr, stdout]).toEqual(['', expected]);
});

test('only the tables are read whose suffix passes', async () => {
  const { stdout } = await home.run([
    'explain',
    `./${home.write('w.sql', "select sum(id) as n from `events_*` where _table_suffix = '20260102'")}`,
    '--plan',
  ]);
  expect(stdout).toContain('quern_tables.events_20260102');
  expect(stdout).not.toMatch(/events_20260101|events_20260203/);
});

test('a column of several types is not read, and says why', async () => {
  const { stderr, exitCode } = await ask('select code from `shop.sales_*`');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('it is INT64 in shop.sales_eu and STRING in shop.sales_us');
  expect((await ask('select sum(amount) as n from `shop.sales_*`')).stderr).toContain(
    'it is FLOAT64 in shop.sales_eu and NUMERIC in shop.sales_us',
  );
});

test('days of all years are read together', async () => {
  const { stdout } = await ask('select day from `days_*` order by day');
  expect(stdout).toBe('{"day":"0800-01-01"}\n{"day":"2026-01-01"}\n');
});

test('tables whose names begin with other letters, if one looks closely', async () => {
  await load('cased_1', 'a\n1\n');
  await load('Cased_2', 'a\n1\n');
  expect((await ask('select 1 from `cased_*`')).stderr).toContain('the names of Cased_2 and cased_1 do not start with the same letters');
});

test('no such table', async () => {
  const { stderr, exitCode } = await ask('select 1 from `evnts_*`');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('evnts_*');
});

test('a table that is loaded later belongs to them, and cached rows are of the tables that there were', async () => {
  const sql = 'select sum(id) as n from `events_*`';
  expect((await ask(sql, ['--cache', '1h'])).stdout).toBe('{"n":6}\n');
  await load('events_20260301', 'id,name\n10,d\n');
  expect((await ask(sql, ['--cache', '1h'])).stdout).toBe('{"n":16}\n');
});

test('no rows of tables that have some is not said to be an empty store', async () => {
  const { stderr } = await ask("select id from `events_*` where name = 'nobody'");
  expect(stderr).not.toContain('empty');
});
