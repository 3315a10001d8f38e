// Compressed files as sources: where one is cut off, a query has an error, and never fewer rows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
afterAll(() => home.remove());

const ROWS = 2000;
const PLACES = [0.001, 0.2, 0.5, 0.8, 0.999];

test.each([
  ['gz', /^error\[(?:config\]: sources\.t|data\]): cut\/t\.csv\.gz cannot be read: it is damaged, or/],
  ['zst', /^error\[config\]: sources\.t: cut\/t\.csv\.zst cannot be read: the zstd data is cut off\n/],
  ['xz', /^error\[(?:config\]: sources\.t|data\]): cut\/t\.csv\.xz cannot be read: it is damaged, or/],
  ['lz4', /^error\[config\]: sources\.t: cut\/t\.csv\.lz4 cannot be read: the lz4 data is cut off\n/],
  ['br', /^error\[(?:config\]: sources\.t|data\]): cut\/t\.csv\.br cannot be read: it is damaged, or/],
])('%s', async (ending, why) => {
  home.write('quern.yaml', `sources:\n  t: { file: cut/t.csv.${ending}, schema: "id:INT64, text:STRING" }\n`);
  await home.make(`cut/t.csv.${ending}`, 'CSVWithNames', `SELECT number AS id, toString(cityHash64(number)) AS text FROM numbers(${ROWS})`);
  expect(await home.rows('select count(*) as n, max(id) as id from t')).toBe(`{"n":${ROWS},"id":${ROWS - 1}}\n`);
  const whole = readFileSync(join(home.folder, `cut/t.csv.${ending}`));
  for (const place of PLACES) {
    home.write(`cut/t.csv.${ending}`, whole.subarray(0, Math.ceil(whole.length * place) - (place > 0.99 ? 1 : 0)));
    const { stdout, stderr, exitCode } = await home.query('select count(*) as n from t', ['--no-cache']);
    expect([exitCode === 0, stdout]).toEqual([false, '']);
    expect(stderr).toMatch(place < 0.01 ? /cannot be read/ : why);
  }
});

test('one of several files, and one with something behind it', async () => {
  await home.make('many/a.csv.zst', 'CSVWithNames', 'SELECT number AS id FROM numbers(3)');
  const whole = readFileSync(join(home.folder, 'many/a.csv.zst'));
  home.write('many/b.csv.zst', whole);
  home.write('quern.yaml', 'sources:\n  t: { file: "many/*.csv.zst" }\n');
  expect(await home.rows('select count(*) as n from t')).toBe('{"n":6}\n');
  home.write('many/c.csv.zst', Buffer.concat([whole, Buffer.from('more')]));
  const { stderr } = await home.query('select count(*) as n from t');
  expect(stderr).toMatch(/^error\[config\]: sources\.t: many\/c\.csv\.zst cannot be read: the zstd data is followed by something else\n/);
  expect(stderr).toContain('check that the file is complete');
});
