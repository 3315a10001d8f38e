// The line of a text file on which the engine could not read on, as an editor counts lines, with what is wrong there.
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);
const failure = async (sql: string) => (await home.query(sql)).stderr.split('\n')[0];
const rows = (count: number, row: (i: number) => string): string => Array.from({ length: count }, (_, i) => row(i)).join('');
const BAD = 'id: "x" is not INT64';

test('counts the header, skipped lines, and line breaks in quotes', async () => {
  home.write('a.csv', `id,n\n${rows(30_000, (i) => `${i},1\n`)}x,1\n`);
  project('{ file: a.csv }');
  expect(await failure('select sum(id) as s from t')).toBe(`error[data]: a.csv:30002: ${BAD}`);
  home.write('a.csv', `made\nby "hand\nid,n\n${rows(30_000, (i) => `${i},"1\n1"\n`)}x,1\n`);
  project('{ file: a.csv, skip_leading_rows: 3, schema: "n:STRING" }');
  expect(await failure('select sum(id) as s from t')).toBe(`error[data]: a.csv:60004: ${BAD}`);
  home.write('a.csv', `${rows(30_000, (i) => `${i};1\n`)}x;1\n`);
  project('{ file: a.csv, schema: "id:INT64, n:INT64" }');
  expect(await failure('select sum(id) as s from t')).toBe('error[data]: a.csv:30001: id: "x" is not INT64');
  home.write('a.csv', ` id ,n\n${rows(30_000, (i) => `${i},1\n`)}5x,1\n`);
  project('{ file: a.csv }');
  expect(await failure('select sum(id) as s from t')).toBe('error[data]: a.csv:30002: id: "5x" is not INT64');
});

test('is right in a part of a large file that the engine reads beside others', async () => {
  home.write('large.csv', `id,n\n${rows(3_000_000, (i) => `${i},abc\n`)}x,1\n${rows(100, (i) => `${i},abc\n`)}`);
  project('{ file: large.csv }');
  expect(await failure('select sum(id) as s from t')).toBe(`error[data]: large.csv:3000002: ${BAD}`);
});

test('is that of the file, of several, compressed and decoded ones', async () => {
  const text = `id,n\n${rows(30_000, (i) => `${i},1\n`)}x,1\n`;
  home.write('many/a.csv', 'id,n\n1,1\n');
  home.write('many/b.csv.gz', gzipSync(text));
  project('{ file: many/*, format: csv }');
  expect(await failure('select sum(id) as s from t')).toBe(`error[data]: many/b.csv.gz:30002: ${BAD}`);
  home.write('u.csv', Buffer.from(text, 'utf16le'));
  project('{ file: u.csv, encoding: UTF-16LE }');
  expect(await failure('select sum(id) as s from t')).toBe(`error[data]: u.csv:30002: ${BAD}`);
});

test('says how many cells there are', async () => {
  home.write('l.csv', `a,b\n${'1,2\n'.repeat(30_000)}1,2,3\n`);
  project('{ file: l.csv }');
  expect(await failure('select sum(a) as s from t')).toBe('error[data]: l.csv:30002: 3 cells, but the header has 2');
  home.write('l.csv', 'a,b\n1,2\n3\n');
  expect(await failure('select sum(a) as s from t')).toBe('error[config]: sources.t: l.csv:3: 1 cell, but the header has 2');
  home.write('l.csv', 'a,b\n1,2\n\n3,4\n');
  expect(await failure('select sum(a) as s from t')).toBe('error[config]: sources.t: l.csv:3: 1 cell, but the header has 2');
  home.write('l.csv', '1,2\n3\n');
  expect(await failure('select * from t')).toBe('error[config]: sources.t: l.csv:2: 1 cell, but there are 2 columns');
});

test('of JSON is that on which the object begins', async () => {
  home.write('j.ndjson', `\n${rows(30_000, (i) => `{"a":${i}}\n`)}\n{"a":"x"}\n`);
  project('{ file: j.ndjson }');
  expect(await failure('select sum(a) as s from t')).toBe('error[data]: j.ndjson:30003: a: "x" is not INT64');
  home.write('j.ndjson', `${rows(30_000, (i) => `{"a":${i}}\n`)}{"a":1\n`);
  expect(await failure('select sum(a) as s from t')).toMatch(/^error\[data\]: j\.ndjson:30001: not JSON$/);
  home.write('j.json', `[${rows(30_000, (i) => `{"a":\n${i}, "b":"[{\\""},\n`)}{"a":"x"}]\n`);
  project('{ file: j.json }');
  expect(await failure('select sum(a) as s from t')).toBe('error[data]: j.json:60001: a: "x" is not INT64');
});

test('of a text that is no value of its column is told as a load tells it', async () => {
  home.write('d.csv', 'id,day,seen\n1,2026-01-31,\n2,"2026-02-30",x\n');
  project('{ file: d.csv, schema: "day:DATE, seen:TIMESTAMP" }');
  expect(await failure('select max(day) as day from t')).toBe('error[data]: d.csv:3: day: "2026-02-30" is not DATE');
  expect(await failure('select max(seen) as seen from t')).toBe('error[data]: d.csv:3: seen: "x" is not TIMESTAMP');
  home.write('d.ndjson', '{"id":1}\n\n{"id":2,"price":"1.5x"}\n');
  project('{ file: d.ndjson, schema: price:NUMERIC }');
  expect(await failure('select sum(price) as p from t')).toBe('error[data]: d.ndjson:3: price: "1.5x" is not NUMERIC');
  home.write('d.csv.gz', gzipSync('id,day,n\n1,2026-01-31,1\n2,2026-02-30,9223372036854775808\n'));
  project('{ file: d.csv.gz, encoding: ISO-8859-1, schema: "day:DATE, n:INT64" }');
  expect(await failure('select max(day) as day from t')).toBe('error[data]: d.csv.gz:3: day: "2026-02-30" is not DATE');
  expect(await failure('select id, n from t order by 1')).toBe('error[data]: d.csv.gz:3: n: "9223372036854775808" is not INT64');
  project('{ file: d.ndjson, schema: price:NUMERIC }');
  expect(await failure('select cast(cast(id as string) || "-" as date) as d from t')).toMatch(/^error\[data\]: .*the text is not a DATE$/);
});

test('a column of NDJSON that the schema names is NULL where no object has it', async () => {
  home.write('s.ndjson', '{"id":1}\n');
  project('{ file: s.ndjson, schema: "note:STRING, items:ARRAY<INT64>, o:STRUCT<n NUMERIC>" }');
  expect(await home.rows('select * from t')).toBe('{"id":1,"note":null,"items":[],"o":null}\n');
});
