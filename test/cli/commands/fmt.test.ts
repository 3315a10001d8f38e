// quern fmt: files are laid out, checked, and left alone where they are wrong.
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
const header = (n: number, more = '') => `/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b2${n}\n${more}---*/\n`;
const read = (name: string) => readFileSync(join(home.folder, name), 'utf8');

beforeEach(() => {
  home.write('quern.yaml', 'queries: mine\n');
  home.write('mine/good.sql', `${header(1)}select 1 as a\n`);
  home.write('mine/loose.sql', `${header(2)}SELECT   1 AS a,2 AS b -- two\n`);
});
afterAll(() => home.remove());

describe('quern fmt', () => {
  test('writes the files of the project that are not laid out, with their rights', async () => {
    chmodSync(join(home.folder, 'mine/loose.sql'), 0o640);
    expect(await home.run(['fmt'])).toEqual({ stdout: 'mine/loose.sql\n', stderr: '1 of 2 files changed\n', exitCode: 0 });
    expect(read('mine/loose.sql')).toBe(`${header(2)}SELECT 1 AS a, 2 AS b -- two\n`);
    expect(statSync(join(home.folder, 'mine/loose.sql')).mode & 0o777).toBe(0o640);
    expect(await home.run(['fmt'])).toEqual({ stdout: '', stderr: '0 of 2 files changed\n', exitCode: 0 });
  });

  test('--check names them, writes nothing, and exits with 1', async () => {
    expect(await home.run(['fmt', '--check', 'mine'])).toEqual({
      stdout: 'mine/loose.sql\n',
      stderr: 'error[check]: 1 of 2 files would change\n   = hint: format them with `quern fmt`\n',
      exitCode: 1,
    });
    expect(read('mine/loose.sql')).toBe(`${header(2)}SELECT   1 AS a,2 AS b -- two\n`);
    expect((await home.run(['fmt', '--check', 'mine/good.sql'])).exitCode).toBe(0);
  });

  test('standard input goes to standard output', async () => {
    expect(await home.run(['fmt', '-', '--keywords', 'upper'], { stdin: 'select 1  as a' })).toEqual({
      stdout: 'SELECT 1 AS a\n',
      stderr: '',
      exitCode: 0,
    });
  });

  test('a file that is wrong stays as it is, the others are formatted, and ClickHouse SQL is left alone', async () => {
    home.write('odd/bad.sql', 'select   from t');
    home.write('odd/loose.sql', 'select   1');
    home.write('odd/native.sql', `${header(3, 'dialect: clickhouse\n')}select   1`);
    const { stdout, stderr, exitCode } = await home.run(['fmt', 'odd']);
    expect([stdout, stderr.split('\n').slice(0, 3), exitCode]).toEqual([
      'odd/loose.sql\n',
      [
        'note: odd/native.sql is ClickHouse SQL and is left as it is',
        'error[syntax]: expected an expression after select, found from',
        '  --> odd/bad.sql:1:10',
      ],
      2,
    ]);
    expect([read('odd/bad.sql'), read('odd/loose.sql')]).toEqual(['select   from t', 'select 1\n']);
  });

  test('what cannot be found is said', async () => {
    expect((await home.run(['fmt', 'none.sql'])).stderr).toBe(
      'error[usage]: there is no file none.sql\n   = hint: name a file that you can read, or - for standard input\n',
    );
    expect((await home.run(['fmt', '--keywords', 'uper'])).stderr).toBe(
      'error[usage]: --keywords "uper" is not one of: lower, upper, keep\n   = hint: did you mean upper?\n',
    );
    home.write('quern.yaml', '');
    expect((await home.run(['fmt'])).stderr).toBe(
      'error[usage]: there are no saved queries of your own\n   = hint: name files, or a folder with --queries; `quern init` creates a project\n',
    );
  });
});
