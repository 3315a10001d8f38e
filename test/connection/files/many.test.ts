// Several files as one source: patterns, columns that differ, folders that are columns, and files that change.
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);

test('a pattern stands for all its files, each of which says its name', async () => {
  home.write('p/2026/01.csv', 'a\n1\n');
  home.write('p/2026/02.csv', 'a\n2\n');
  home.write('p/2027/01.csv', 'a\n3\n');
  home.write('p/2027/.hidden.csv', 'a\n4\n');
  const files = (pattern: string) => {
    project(`{ file: ${JSON.stringify(pattern)} }`);
    return home.rows('select string_agg(format("%s:%d", _FILE_NAME, a), " " order by a) as f from t');
  };
  const all = '{"f":"p/2026/01.csv:1 p/2026/02.csv:2 p/2027/01.csv:3"}\n';
  expect(await files('p/**/*.csv')).toBe(all);
  expect(await files('p/*/*.csv')).toBe(all);
  expect(await files('p/202[67]/0?.csv')).toBe(all);
  expect(await files('p/{2026,2027}/*.csv')).toBe(all);
  expect(await files('p/*/01.csv')).toBe('{"f":"p/2026/01.csv:1 p/2027/01.csv:3"}\n');
  project('{ file: [p/2026/02.csv, p/2027/*.csv, p/2027/01.csv] }');
  expect(await home.rows('select sum(a) as s from t')).toBe('{"s":5}\n'); // each file once
});

test('a pattern of many alternatives stands for all of them, and one of too many is refused', async () => {
  for (const name of ['0-0', '0-39', '20-20', '39-0', '39-39']) home.write(`braces/f${name}.csv`, 'a\n1\n');
  const numbers = `{${Array.from({ length: 40 }, (_, i) => i).join(',')}}`;
  project(`{ file: "braces/f${numbers}-${numbers}.csv" }`);
  expect(await home.rows('select sum(a) as s from t')).toBe('{"s":5}\n');
  project(`{ file: "braces/f${numbers}-${numbers}${numbers}.csv" }`);
  const { stderr, exitCode } = await home.query('select sum(a) as s from t');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(/sources\.t: braces\/f\S*: its braces stand for more than 10000 patterns\n/),
  ]);
  expect(stderr).toContain('hint: write * in place of some of them, or a list of patterns');
});

test('columns of CSV are found by their names, and one that a file lacks is NULL', async () => {
  home.write('c/1.csv', 'a,b\n1,x\n');
  home.write('c/2.csv', 'b,a\ny,2\n');
  home.write('c/3.csv', 'a\n3\n');
  project('{ file: c/*.csv }');
  expect(await home.rows('select * from t order by a')).toBe('{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n{"a":3,"b":null}\n');
});

test('columns of Parquet are those of all files, in the wider of their types', async () => {
  await home.make('q1.parquet', 'Parquet', "SELECT 1::Int32 AS a, 'x' AS b");
  await home.make('q2.parquet', 'Parquet', "SELECT 5000000000::Int64 AS a, 'y' AS c");
  project('{ file: q*.parquet }');
  expect(await home.rows('select * from t order by a')).toBe('{"a":1,"b":"x","c":null}\n{"a":5000000000,"b":null,"c":"y"}\n');
});

test('folders named key=value become columns, and a filter on them leaves files unread', async () => {
  home.write('h/day=2026-01-01/region=eu/a.csv', 'a\n1\n');
  home.write('h/day=2026-01-02/region=us/a.csv', 'a\n2\n');
  home.write('h/day=2026-01-02/region=eu/a.csv', 'a\n3\n');
  project('{ file: h/**/*.csv, hive_partitions: true }');
  expect(await home.rows('select day, region, a from t order by a')).toBe(
    '{"day":"2026-01-01","region":"eu","a":1}\n{"day":"2026-01-02","region":"us","a":2}\n{"day":"2026-01-02","region":"eu","a":3}\n',
  );
  // A file that cannot be read fails every query that reads it.
  home.write('h/day=2026-01-03/region=us/a.csv', 'a\nbroken\n');
  expect((await home.query('select sum(a) as s from t')).stderr).toContain('h/day=2026-01-03/region=us/a.csv:2: a: "broken" is not INT64');
  expect(await home.rows("select sum(a) as s from t where day < '2026-01-03'")).toBe('{"s":6}\n');
  expect(await home.rows("select sum(a) as s from t where region = 'eu'")).toBe('{"s":4}\n');
  expect(await home.rows("select sum(a) as s from t where _FILE_NAME like '%eu/a.csv'")).toBe('{"s":4}\n');
});

test('a file that lacks a folder of others, or whose folder says NULL, has NULL there', async () => {
  for (const [i, folder] of ['team=A', 'plain', 'team=__HIVE_DEFAULT_PARTITION__', 'TEAM=B/n=1', 'n=__HIVE_DEFAULT_PARTITION__'].entries())
    home.write(`some/${folder}/a.csv`, `a\n${i}\n`);
  project('{ file: some/**/*.csv, hive_partitions: true }');
  const rows = ['"A","n":null,"a":0', 'null,"n":null,"a":1', 'null,"n":null,"a":2', '"B","n":1,"a":3', 'null,"n":null,"a":4'];
  expect(await home.rows('select team, n, a from t order by a')).toBe(rows.map((row) => `{"team":${row}}\n`).join(''));
  expect(await home.rows('select team, count(*) as c from t group by team order by team')).toBe(
    '{"team":null,"c":3}\n{"team":"A","c":1}\n{"team":"B","c":1}\n',
  );
  expect(await home.rows("select a from t where team = 'B' and n + 1 = 2")).toBe('{"a":3}\n');
  expect(await home.rows('select sum(a) as s from t where team is null')).toBe('{"s":7}\n');
  // A file that cannot be read fails every query that reads it.
  home.write('some/plain/b.csv', 'a\nbroken\n');
  expect((await home.query('select sum(a) as s from t where team is null')).exitCode).toBe(1);
  expect(await home.rows("select sum(a) as s from t where team in ('A', 'B')")).toBe('{"s":3}\n');
  project('{ file: some/**/a.csv, hive_partitions: true, rows: { TEAM: A } }');
  expect(await home.rows('select * from t')).toBe('{"a":0,"TEAM":"A","n":null}\n');
});

test('a key of folders that is a column of the files as well is told', async () => {
  home.write('both/day=1/a.csv', 'Day\n2\n');
  project('{ file: both/*/a.csv, hive_partitions: true }');
  const { stderr, exitCode } = await home.query('select * from t');
  expect([exitCode, stderr.split('\n')[0]]).toEqual([
    2,
    'error[config]: sources.t: the files have a column Day, and their folders are named day=…',
  ]);
  expect(stderr).toContain('hint: leave out hive_partitions to read the column of the files, or rename the folders');
  project('{ file: both/*/a.csv }');
  expect(await home.rows('select * from t')).toBe('{"Day":2}\n');
});

test('a changed, a new and a missing file are told from the cached rows', async () => {
  const sql = '/*---\nid: 5e7b7bb7-0b0e-4d17-9c4c-0f0b5c8a2a11\nmax_rows: 10\ncache: 1h\n---*/\nselect sum(a) as s from t';
  const run = async () => (await home.run(['run', `./${home.write('cached.sql', sql)}`])).stdout.trim();
  const times = (seconds: number) => utimesSync(join(home.folder, 'k/1.csv'), seconds, seconds);
  home.write('k/1.csv', 'a\n1\n');
  times(1e9);
  project('{ file: k/*.csv }');
  expect(await run()).toBe('{"s":1}');
  home.write('k/1.csv', 'a\n7\n');
  times(1e9); // of the same size, and as old: nothing says that it is another
  expect(await run()).toBe('{"s":1}');
  times(9e8);
  expect(await run()).toBe('{"s":7}');
  home.write('k/2.csv', 'a\n2\n');
  expect(await run()).toBe('{"s":9}');
  home.write('k/2.csv', 'b,a\nx,1\n'); // other columns
  expect(await run()).toBe('{"s":8}');
  rmSync(join(home.folder, 'k/1.csv'));
  expect(await run()).toBe('{"s":1}');
});

test('what is wrong is said with its place', async () => {
  const told = async (settings: string, sql = 'select * from t') => {
    project(settings);
    const { stderr, exitCode } = await home.query(sql);
    return [exitCode, ...stderr.trimEnd().split('\n')];
  };
  expect(await told('{ file: nothing/*.csv }')).toEqual([
    2,
    `error[config]: sources.t: no file matches nothing/*.csv in ${home.folder}`,
    `  --> ${home.folder}/quern.yaml:2:14`,
    '   |',
    ' 2 |   t: { file: nothing/*.csv }',
    '   |              ^^^^^^^^^^^^^',
    '   = hint: relative paths start there; ** matches any folders',
  ]);
  expect(await told('{ file: gone.csv }')).toContain(`error[config]: sources.t: there is no file ${home.folder}/gone.csv`);
  home.write('broken.parquet', 'this is no Parquet');
  expect(await told('{ file: broken.parquet }')).toContain(
    'error[config]: sources.t: broken.parquet cannot be read: it is not a file of that format',
  );
  home.write('empty.csv', '');
  expect(await told('{ file: empty.csv }')).toContain(
    'error[config]: sources.t: empty.csv cannot be read: it is empty, so its columns are unknown',
  );
  home.write('cut.csv.gz', 'no gzip');
  expect(await told('{ file: cut.csv.gz }')).toContain(
    'error[config]: sources.t: cut.csv.gz cannot be read: it is damaged, or its compression does not match its name',
  );
  home.write('twice.csv', 'a,A\n1,2\n');
  expect(await told('{ file: twice.csv }')).toContain('error[config]: sources.t: twice.csv has the column A twice');
  home.write('b.csv', 'a\n1\n');
  expect(await told('{ file: b.csv, format: xlsx }')).toContain(
    'error[config]: sources.t.format: "xlsx" is not one of: parquet, csv, tsv, ndjson, json, arrow, orc, avro',
  );
  expect(await told('{ file: b.txt }')).toContain('error[config]: sources.t.file names b.txt, whose extension is not a known format');
  expect(await told('{ file: b.csv, table: x }')).toContain('error[config]: sources.t.table cannot be combined with file');
  expect(await told('{ file: b.csv, skip_leading_rows: -1 }')).toContain(
    'error[config]: sources.t.skip_leading_rows must be a number of lines',
  );
  expect(await told('{ file: b.csv, skip_leading_rows: 0, header: true }')).toContain(
    'error[config]: sources.t.skip_leading_rows is 0, but a header takes up a line',
  );
  expect(await told('{ table: x, header: true }')).toContain('error[config]: sources.t.header only applies to files');
  expect(await told('{ file: b.csv }', 'select amont from t')).toContain('error[unknown-column]: there is no column or table amont here');
});
