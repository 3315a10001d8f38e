// The flags that say how files of text are read, of `query` and `shell`: they apply to the files that the SQL names by their paths.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

home.write('p.csv', Buffer.from('made by hand\nname|price\nÉté|NA\nbe;ta|2\n', 'latin1'));
home.write('b.csv', 'x;y\n1;2\n');
const query = (sql: string, ...flags: readonly string[]) => home.run(['query', sql, '--format', 'ndjson', ...flags]);
const failure = async (sql: string, ...flags: readonly string[]) => {
  const { stderr, exitCode } = await query(sql, ...flags);
  return [exitCode, stderr.split('\n')[0]];
};

test('each of them is that of a source', async () => {
  const flags = ['--delimiter', '|', '--skip-leading-rows', '2', '--encoding', 'iso-8859-1', '--null-text', 'NA'];
  expect((await query('select * from `p.csv` order by name desc', ...flags)).stdout).toBe(
    '{"name":"Été","price":null}\n{"name":"be;ta","price":2}\n',
  );
  expect((await query('select * from `./b.csv`', '--delimiter', ',')).stdout).toBe('{"x;y":"1;2"}\n');
  expect((await query('select * from `./b.csv`', '--no-header')).stdout).toBe(
    '{"string_field_0":"x","string_field_1":"y"}\n{"string_field_0":"1","string_field_1":"2"}\n',
  );
  expect((await query('select * from `./b.csv`')).stdout).toBe('{"x":1,"y":2}\n');
  home.write('digits.csv', '1,2\n3,4\n');
  expect((await query('select * from `digits.csv`', '--header')).stdout).toBe('{"1":3,"2":4}\n');
});

test('a file that does not take one is read without it, beside one that does', async () => {
  home.write('n.ndjson', '{"a":1}\n');
  expect((await query('select a, x from `n.ndjson`, `b.csv`', '--delimiter', ';')).stdout).toBe('{"a":1,"x":1}\n');
  expect(await failure('select a from `n.ndjson`', '--delimiter', ';')).toEqual([
    2,
    'error[usage]: --delimiter only applies to CSV and TSV, and n.ndjson is none',
  ]);
});

test('without a file they are refused, and so is what they cannot be', async () => {
  expect(await failure('select 1 as one', '--no-header')).toEqual([
    2,
    'error[usage]: --no-header says how files are read, and the query names none by its path',
  ]);
  expect(await failure('select * from `b.csv`', '--delimiter', 'ab')).toEqual([2, 'error[usage]: --delimiter must be a single character']);
  expect(await failure('select * from `b.csv`', '--skip-leading-rows', 'x')).toEqual([
    2,
    'error[usage]: --skip-leading-rows must be a number of lines',
  ]);
  expect((await failure('select * from `b.csv`', '--encoding', 'UTF-17'))[1]).toContain('--encoding must be one of: UTF-8, UTF-16,');
});

test('a shell has them for all statements', async () => {
  const { stdout, stderr } = await home.run(['shell', '--format', 'ndjson', '--delimiter', ','], {
    stdin: 'select 1 as one; select * from `b.csv`;',
  });
  expect([stdout, stderr]).toEqual(['{"one":1}\n{"x;y":"1;2"}\n', '']);
});
