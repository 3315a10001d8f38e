// What `SELECT *` leaves out of a file is told beside the rows: faint, on a terminal, never where data go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

let home: FilesHome;
beforeAll(async () => {
  home = filesHome();
  await home.make('m.parquet', 'Parquet', 'SELECT 1::Int64 AS id, [[1], [2]] AS grid, [[0.5]] AS weights');
  home.write('quern.yaml', 'queries: queries\nsources:\n  m: { file: m.parquet }\n');
});
afterAll(() => home.remove());

const NOTE = 'note: * leaves out the columns of m that queries cannot read: grid, weights; `quern sources m` says why';

test('on a terminal a faint line names the columns, after the rows', async () => {
  const { stdout, stderr } = await home.run(['query', 'select * from m', '--no-pager'], {
    terminal: 100,
    env: { TERM: 'xterm', NO_COLOR: '' },
  });
  expect(stdout).toContain('id');
  expect(stdout).not.toContain('grid');
  expect(stderr).toContain(`\u001b[2m${NOTE}`);
  const plain = await home.run(['query', 'select * from m'], { terminal: 100, env: { NO_COLOR: '1' } });
  expect(plain.stderr).toContain(`${NOTE}`);
  expect(plain.stderr).not.toContain('\u001b[2m');
});

test('a saved query says it at each run, also where it is answered from the cache', async () => {
  home.write('queries/all.sql', `/*---\nid: 0b8f9f0e-2a51-4f0e-9a6e-6a5a6e1c7d10\ncache: 900s\n---*/\nselect * from m\n`);
  for (const state of ['1 row in', 'cached'])
    expect((await home.run(['run', 'all'], { terminal: 100 })).stderr).toMatch(
      new RegExp(`leaves out the columns of m .*\\n.*${state}`, 's'),
    );
});

test.each([
  ['rows that go elsewhere', 'select * from m', {}],
  ['columns that are named', 'select id from m', { terminal: 100 }],
  ['a comment that turns it off', 'select * from m -- quern-lint: off star-leaves-out', { terminal: 100 }],
])('not for %s', async (_, sql, options) => {
  const { stderr, exitCode } = await home.run(['query', sql], options);
  expect([exitCode, stderr.includes('leaves out')]).toEqual([0, false]);
});

test('--quiet leaves it out', async () => {
  expect((await home.run(['query', 'select * from m', '--quiet'], { terminal: 100 })).stderr).toBe('');
});

test('a rule of names and a saved query that is read as a table are no trouble', async () => {
  home.write('quern.yaml', 'queries: queries\nnames: { "shop.*": "quern_tables.{1}" }\nsources:\n  m: { file: m.parquet }\n');
  home.write('queries/one.row.sql', '/*---\nid: 0b8f9f0e-2a51-4f0e-9a6e-6a5a6e1c7d12\n---*/\nselect id from m\n');
  expect(await home.run(['query', 'select * from `one.row`'])).toMatchObject({ stdout: '{"id":1}\n', stderr: '', exitCode: 0 });
});
