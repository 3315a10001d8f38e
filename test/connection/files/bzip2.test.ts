// Files that are compressed with bzip2, which the engine is built without.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64');
/** id,name: 1,one and 2,two. */
const ONE_TWO = bytes('QlpoOTFBWSZTWbGxH1sAAAZZgAAQAAQwACYjhIAgACGpkxG9U0IBoApHJqUWPsLx1nxdyRThQkLGxH1s');
/** id,name: 3,three. */
const THREE = bytes('QlpoOTFBWSZTWd7l+v4AAAXZgAAQAAQIACZjFAAgACIAGQQNA0KSpgaLPWTzeLuSKcKEhvcv1/A=');
/** id,name: 1,uno. */
const UNO = bytes('QlpoOTFBWSZTWfAB+RUAAARZgAAQAAQgACYjggAgACIAHqCAaaaKLqTSA638XckU4UJDwAfkVA==');
/** {"id":4,"tags":["a","b"]} and {"id":5,"tags":[]}. */
const NDJSON = bytes('QlpoOTFBWSZTWSEBQtAAABTbgAAQEAQGEAAKNKAMCiAAISpoAZD1ChppgARpzpD5QxrbwUBi8xDIgmIY8I+LuSKcKEgQgKFoAA==');

const project = (settings: string) => home.write('quern.yaml', `sources:\n  t: ${settings}\n`);
const unpacked = (): readonly string[] => {
  const folder = join(home.folder, '.cache/quern/unpacked');
  return !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [] : [entry.name]));
};

test('CSV and NDJSON have their rows, columns and file names', async () => {
  home.write('data/a.csv.bz2', ONE_TWO);
  project('{ file: data/a.csv.bz2 }');
  expect(await home.rows('select *, _FILE_NAME as file from t order by id')).toBe(
    '{"id":1,"name":"one","file":"data/a.csv.bz2"}\n{"id":2,"name":"two","file":"data/a.csv.bz2"}\n',
  );
  home.write('data/n.ndjson.bz2', NDJSON);
  project('{ file: data/n.ndjson.bz2 }');
  expect(await home.rows('select id, array_length(tags) as n, _FILE_NAME as file from t order by id')).toBe(
    '{"id":4,"n":2,"file":"data/n.ndjson.bz2"}\n{"id":5,"n":0,"file":"data/n.ndjson.bz2"}\n',
  );
});

test('several of them, and others beside them that are not compressed', async () => {
  home.write('many/day=1/x.csv.bz2', ONE_TWO);
  home.write('many/day=2/x.csv.bz2', THREE);
  home.write('many/day=3/x.csv', 'id,name\n4,four\n');
  project('{ file: "many/**/x.csv*", hive_partitions: true, format: csv }');
  expect(await home.rows('select *, _FILE_NAME as file from t where id > 1 order by id')).toBe(
    [
      '{"id":2,"name":"two","day":1,"file":"many/day=1/x.csv.bz2"}',
      '{"id":3,"name":"three","day":2,"file":"many/day=2/x.csv.bz2"}',
      '{"id":4,"name":"four","day":3,"file":"many/day=3/x.csv"}\n',
    ].join('\n'),
  );
  expect(await home.rows("select count(*) as n from t where _FILE_NAME like 'many/day=1/%' or day = 3")).toBe('{"n":3}\n');
  home.write('many/day=4/x.csv.gz', gzipSync('id,name\n5,five\n'));
  home.write('many/day=5/x.csv.gz', '');
  expect(await home.rows('select * from t where id > 3 order by id')).toBe(
    '{"id":4,"name":"four","day":3}\n{"id":5,"name":"five","day":4}\n',
  );
  home.write('many/day=5/x.csv.gz', gzipSync('id,name\n6,six\n').subarray(0, 20));
  const { stderr, exitCode } = await home.query('select * from t');
  expect([exitCode, stderr.split('\n')[0]]).toEqual([
    2,
    'error[config]: sources.t: many/day=5/x.csv.gz cannot be read: it is damaged, or its compression does not match its name',
  ]);
});

test('a file that has changed is unpacked again, and one that has not is not', async () => {
  const path = join(home.folder, home.write('changing/t.csv.bz2', ONE_TWO));
  project('{ file: changing/t.csv.bz2 }');
  const rows = () => home.rows("select string_agg(name, ' ' order by id) as names from t");
  expect(await rows()).toBe('{"names":"one two"}\n');
  const before = unpacked().length;
  expect(await home.rows('select max(id) as id from t')).toBe('{"id":2}\n');
  expect(unpacked().length).toBe(before);
  home.write('changing/t.csv.bz2', UNO);
  utimesSync(path, new Date(), new Date(statSync(path).mtimeMs + 5000));
  expect(await rows()).toBe('{"names":"uno"}\n');
  expect(unpacked().length).toBe(before + 1); // a query that began before may still read it as it was
});

test('a path typed in FROM, from outside of the folder too', async () => {
  home.write('data/a.csv.bz2', ONE_TWO);
  const { stdout } = await home.run(['query', 'select id, _FILE_NAME as f from `data/a.csv.bz2` where id = 2', '--format', 'ndjson']);
  expect(stdout).toBe('{"id":2,"f":"data/a.csv.bz2"}\n');
  const elsewhere = mkdtempSync(join(tmpdir(), 'quern-bzip2-'));
  try {
    writeFileSync(join(elsewhere, 'b.csv.bz2'), THREE);
    const outside = await home.run(['query', `select id, _FILE_NAME as f from \`${elsewhere}/b.csv.bz2\``, '--format', 'ndjson']);
    expect(outside.stdout).toBe(`{"id":3,"f":"${elsewhere}/b.csv.bz2"}\n`);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test.each([
  ['damaged', Buffer.from(ONE_TWO.map((byte, i) => (i === 40 ? byte ^ 1 : byte))), 'the bzip2 data is damaged'],
  ['cut', ONE_TWO.subarray(0, 50), 'the bzip2 data is cut off'],
  ['other', Buffer.from('id,name\n1,one\n'), 'it is not bzip2 data'],
])('what is %s is told of the file, and nothing of it stays', async (name, content, why) => {
  const before = unpacked().length;
  home.write(`bad/${name}.csv.bz2`, content);
  project(`{ file: bad/${name}.csv.bz2 }`);
  const { stderr, exitCode } = await home.query('select * from t');
  expect([exitCode, stderr.split('\n')[0]]).toEqual([2, `error[config]: sources.t: bad/${name}.csv.bz2 cannot be read: ${why}`]);
  expect(unpacked().length).toBe(before);
});

test('what is wrong in its text is told with the name that people know', async () => {
  home.write('data/a.csv.bz2', ONE_TWO);
  project('{ file: data/a.csv.bz2, schema: "id:INT64, name:INT64" }');
  const { stderr, exitCode } = await home.query('select sum(name) as s from t');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('data/a.csv.bz2:2: name: "one" is not INT64');
  expect(stderr).not.toContain('unpacked');
});

test('what has not been used for a week goes, and quern cache clear removes all', async () => {
  home.write('old/a.csv.bz2', ONE_TWO);
  home.write('old/b.csv.bz2', THREE);
  project('{ file: old/a.csv.bz2 }');
  await home.rows('select count(*) as n from t');
  const folder = join(home.folder, '.cache/quern/unpacked');
  const weekAgo = new Date(Date.now() - 8 * 24 * 3600e3);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) utimesSync(join(entry.parentPath, entry.name), weekAgo, weekAgo);
  project('{ file: old/b.csv.bz2 }');
  await home.rows('select count(*) as n from t');
  expect(unpacked()).toEqual(['b.csv.bz2']);
  expect(readFileSync(join(home.folder, 'old/a.csv.bz2'))).toEqual(ONE_TWO);
  await home.run(['cache', 'clear']);
  expect(unpacked()).toEqual([]);
  expect(await home.rows('select count(*) as n from t')).toBe('{"n":1}\n');
});
