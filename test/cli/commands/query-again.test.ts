// SQL that is given again: what was read and translated of it is remembered, and is never that of another text, file, project, store or build.
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { removeFolder } from '../../support/remove-folder.ts';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
const plansFolder = join(home.folder, '.cache/quern/plans');
afterAll(() => home.remove());
beforeEach(() => {
  removeFolder(plansFolder);
  home.write('quern.yaml', '');
});

/** The files of the memory. A text leaves two, of what it says and of its translation. */
const plans = (): readonly string[] =>
  readdirSync(plansFolder, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.plan') ? [join(plansFolder, name)] : [],
  );

async function rows(sql: string, ...flags: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await home.run(['query', sql, ...flags]);
  expect([stderr, exitCode]).toEqual(['', 0]);
  return stdout;
}

test('it is remembered, and damaged files are made again', async () => {
  home.write('a.csv', 'n,d\n1,2026-01-01\n');
  const sql = 'select n, d from `a.csv`';
  const expected = '{"n":1,"d":"2026-01-01"}\n';
  expect(await rows(sql)).toBe(expected);
  const made = plans();
  expect(made).toHaveLength(2);
  const long = new Date('2026-01-01');
  for (const file of made) utimesSync(file, long, long);
  expect(await rows(sql)).toBe(expected);
  expect(plans().map((file) => statSync(file).mtimeMs)).toEqual([+long, +long]);
  for (const file of made) truncateSync(file, 100);
  expect(await rows(sql)).toBe(expected);
  expect(plans().every((file) => statSync(file).mtimeMs > +long)).toBe(true);
});

test('another file, or one that has changed, has its own columns and rows', async () => {
  const sql = 'select * from `a.csv`';
  home.write('a.csv', 'n\n1\n');
  expect(await rows(sql)).toBe('{"n":1}\n');
  home.write('a.csv', 'n\n1\n2\n');
  expect(await rows(sql)).toBe('{"n":1}\n{"n":2}\n');
  home.write('a.csv', 'n,m\nx,1\n');
  expect(await rows(sql)).toBe('{"n":"x","m":1}\n');
  home.write('below/a.csv', 'n,m\ntrue,2026-01-01\n');
  expect((await home.run(['query', sql], { folder: 'below' })).stdout).toBe('{"n":true,"m":"2026-01-01"}\n');
  expect(await rows(sql)).toBe('{"n":"x","m":1}\n');
});

test('options and parameters are those of the call', async () => {
  home.write('a.csv', 'n;m\n1;2\n');
  expect(await rows('select * from `a.csv`')).toBe('{"n":1,"m":2}\n');
  expect(await rows('select * from `a.csv`', '--delimiter', ',')).toBe('{"n;m":"1;2"}\n');
  expect(await rows('select * from `a.csv`', '--no-header')).toBe(
    '{"string_field_0":"n","string_field_1":"m"}\n{"string_field_0":"1","string_field_1":"2"}\n',
  );
  for (const [given, expected] of [
    ['x:INT64:1', '1'],
    ['x:INT64:2', '2'],
    ['x:STRING:1', '"1"'],
    ['x:ARRAY<INT64>:[1]', '[1]'],
  ] as const)
    expect(await rows('select @x as x', '-p', given)).toBe(`{"x":${expected}}\n`);
  expect((await home.run(['query', 'select @x as x'])).stderr).toContain('@x has no value');
  const many = 'select x from unnest([1, 2, 3]) as x order by x';
  expect((await rows(many)).split('\n')).toHaveLength(4);
  expect(await home.run(['query', many, '--max-rows', '1'])).toMatchObject({ stdout: '{"x":1}\n', exitCode: 1 });
});

test('names mean what the project, the store and the saved queries say now', async () => {
  home.write('a.csv', 'n\n1\n');
  home.write('b.csv', 'n\nb\n');
  const sql = 'select n from s';
  for (const [file, expected] of [
    ['a.csv', '1'],
    ['b.csv', '"b"'],
    ['a.csv', '1'],
  ] as const) {
    home.write('quern.yaml', `sources: { s: { file: ${file} } }\n`);
    expect(await rows(sql)).toBe(`{"n":${expected}}\n`);
  }
  home.write('quern.yaml', 'queries: saved\n');
  home.write('saved/s.sql', '/*--- description: s ---*/ select 2 as n');
  expect(await rows(sql)).toBe('{"n":2}\n');
  home.write('saved/s.sql', '/*--- description: s ---*/ select "two" as n');
  expect(await rows(sql)).toBe('{"n":"two"}\n');
  home.write('functions/f.sql', 'create function f(x int64) as (x + 1)');
  expect(await rows('select f(1) as n')).toBe('{"n":2}\n');
  home.write('functions/f.sql', 'create function f(x int64) as (concat("f", x))');
  expect(await rows('select f(1) as n')).toBe('{"n":"f1"}\n');
  const listed = 'select routine_name as name from queries.INFORMATION_SCHEMA.ROUTINES order by 1';
  const before = await rows(listed);
  home.write('saved/t.sql', '/*--- params: { x: { type: integer } } ---*/ select @x as x');
  expect(await rows(listed)).not.toBe(before);
  expect((await home.run(['load', 's', 'a.csv'])).exitCode).toBe(0);
  expect(await rows(sql)).toBe('{"n":1}\n');
});

test('wrong texts are not remembered, nor values', async () => {
  const wrong = ['select', 'select n from nowhere', 'select nothing(1)', 'select @x', 'select "secret" + 1'];
  for (const sql of wrong) expect((await home.run(['query', sql])).exitCode).toBe(2);
  expect((await home.run(['query', 'select @x as x', '-p', 'x:INT64:secret'])).exitCode).toBe(2);
  await rows('select @x as x', '-p', 'x:STRING:secret');
  expect(plans().every((file) => !readFileSync(file, 'utf8').includes('secret') && (statSync(file).mode & 0o777) === 0o600)).toBe(true);
});

test('several at once are fine, and `quern cache clear` forgets', async () => {
  home.write('a.csv', 'n\n1\n');
  const all = await Promise.all(Array.from({ length: 6 }, () => rows('select n + 1 as n from `a.csv`')));
  expect(all).toEqual(all.map(() => '{"n":2}\n'));
  expect(plans()).toHaveLength(2);
  expect((await home.run(['cache', 'clear', '--query', 'one'])).exitCode).toBe(0);
  expect(plans()).toHaveLength(2);
  expect((await home.run(['cache', 'clear'])).exitCode).toBe(0);
  expect(plans()).toEqual([]);
});
