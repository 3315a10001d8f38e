// quern lint: findings with their places.
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
const header = '/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b21\n';
afterAll(() => home.remove());

const lint = async (text: string, ...flags: readonly string[]) => {
  home.write('q.sql', text);
  return home.run(['lint', 'q.sql', ...flags]);
};
const lines = async (text: string) => (await lint(text)).stdout.split('\n').slice(0, -1);

describe('quern lint', () => {
  test('takes the name of a saved query of the project', async () => {
    home.write('mine/one.sql', `${header}---*/\nselect * from edge_logs order by id`);
    home.write('mine/two.sql', `${header}---*/\nselect 1`);
    const { stdout } = await home.run(['lint', 'one', '--queries', join(home.folder, 'mine')]);
    expect(stdout).toMatch(/^mine\/one\.sql:4:8: warning\[select-star\]: [^\n]*\n$/);
  });

  test('says once what is wrong with a table, at its place', async () => {
    home.write('ruled/quern.yaml', 'names:\n  "my-proj.*.*": "{2}_{3}"\n');
    home.write('ruled/a.sql', 'select n\nfrom `my-proj.shop.orders`\n');
    const { stdout } = await home.run(['lint', 'a.sql'], { folder: 'ruled' });
    expect(stdout).toMatch(/^a\.sql:2:6: error\[unknown-source\]: [^\n]*\n$/);
  });

  test('has little to say of the queries that ship', async () => {
    const { stdout, exitCode } = await home.run(['lint', join(import.meta.dirname, '../../../queries')]);
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes(': note['))).toEqual([]);
    expect(exitCode).toBe(0);
  });

  test('finds all problems of a header, each in its line', async () => {
    const { stdout, stderr, exitCode } = await lint('/*---\nid: no\ncach: 900s\nmax_rows: 0\n---*/\nselect 1');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^q\.sql:2:1: error\[config\]: id: "no" is not a UUID/),
      'q.sql:3:1: error[config]: cach is not a field of a header (did you mean cache?)',
      'q.sql:4:1: error[config]: max_rows: 0 is not a number of rows (write a whole number above 0)',
      '',
    ]);
    expect([stderr, exitCode]).toEqual(['error[check]: 3 findings in 1 of 1 file\n   = hint: fix the findings above, and lint again\n', 1]);
  });

  test('finds undeclared and unused parameters, and what cannot be translated besides', async () => {
    expect(await lines(`${header}params:\n  kind: { type: string }\n---*/\nselect @a, upper(@b),\n  regexp_contain('a', 'b')`)).toEqual([
      'q.sql:4:3: error[unused-parameter]: kind is declared but never used (use @kind in the SQL, or remove it from params:)',
      'q.sql:6:8: error[undeclared-parameter]: @a is not declared (declare it under params: in the header, e.g. a: { type: string })',
      'q.sql:6:18: error[undeclared-parameter]: @b is not declared (declare it under params: in the header, e.g. b: { type: string })',
      'q.sql:7:3: error[unknown-function]: regexp_contain is not a function quern can translate (did you mean REGEXP_CONTAINS(value, regexp)?)',
    ]);
  });

  test.each([
    ['select id from edge_logs limit 5', '6:32: warning[limit-without-order]'],
    ['select id from edge_logs', '6:1: warning[rows-without-order]'],
    ['select id from edge_logs order by id limit 100', '6:44: warning[limit-above-max-rows]'],
    ['select * from edge_logs order by id', '6:8: warning[select-star]'],
    ['select id from edge_logs where id = null order by id', '6:37: error[type]'],
    ['select approx_count_distinct(id) as n from edge_logs', '6:8: note[approximate]'],
  ])('%s', async (sql, finding) => {
    const found = await lines(`${header}max_rows: 50\n\n---*/\n${sql}`);
    expect(found.map((line) => line.split(': ').slice(0, 2).join(': '))).toEqual([`q.sql:${finding}`]);
  });

  test('finds WITH tables of a sandbox that do not filter by what a key could set', async () => {
    const sandbox = `${header}sandbox: enabled\nmax_rows: 50\nparams: { project: { type: string, required: true }, least: { type: integer } }\n---*/\n`;
    const tables = `with mine as (select id, project from edge_logs where project = @project),
  all_of_them as (select id, project from edge_logs),
  days as (select day from unnest(generate_array(1, ifnull(@least, 7))) as day)
`;
    const warning = (at: string, table: string) =>
      `q.sql:${at}: warning[sandbox-filter]: ${table} does not filter by @project, so keys that set project cannot send SQL here (compare a column with @project in the WHERE of ${table}: SQL from callers replaces the SELECT at the end)`;
    expect(await lines(`${sandbox}${tables}select id from mine order by id`)).toEqual([warning('8:3', 'all_of_them')]);
    const behind =
      'with requests as (select id, project from edge_logs where length(id) > @least) select id from requests where project = @project order by id';
    expect(await lines(`${sandbox}${behind}`)).toEqual([warning('7:6', 'requests')]);
    // Nobody can pin what nothing filters by, and without a sandbox nobody sends SQL.
    expect(await lines(`${sandbox}with w as (select id, @project as p, @least as l from edge_logs) select id from w order by id`)).toEqual(
      [],
    );
    expect(await lines(`${sandbox.replace('enabled', 'disabled')}${behind}`)).toEqual([]);
  });

  test.each([
    'select count(*) as n from edge_logs',
    'select 1 as one',
    'select id from (select id from edge_logs order by id desc)',
    'with t as (select id from edge_logs) select * from t order by id',
  ])('nothing is found in: %s', async (sql) => {
    expect(await lint(`${header}max_rows: 50\n---*/\n${sql}`)).toEqual({ stdout: '', stderr: '1 file: no findings\n', exitCode: 0 });
  });

  test('--strict takes warnings for errors, --format json prints findings as data', async () => {
    const text = `${header}---*/\nselect id from edge_logs limit 5`;
    expect((await lint(text)).exitCode).toBe(0);
    const { stdout, exitCode } = await lint(text, '--strict', '--format', 'json');
    expect(JSON.parse(stdout)).toEqual({
      result: [
        {
          file: 'q.sql',
          line: 4,
          column: 32,
          severity: 'warning',
          rule: 'limit-without-order',
          message: 'LIMIT without ORDER BY takes any rows, and may take others the next time',
          hint: 'add ORDER BY before it',
        },
      ],
    });
    expect(exitCode).toBe(1);
  });

  test('two files of one id are an error', async () => {
    home.write('twins/a.sql', `${header}---*/\nselect 1 as a`);
    home.write('twins/b.sql', `${header}---*/\nselect 2 as b`);
    const { stdout, exitCode } = await home.run(['lint', 'twins']);
    expect(stdout.replace(/ \(for .*/, '')).toBe('twins/b.sql:2:5: error[config]: this id is also used by twins/a.sql\n');
    expect(exitCode).toBe(1);
  });

  test('syntax errors and ClickHouse SQL are looked at', async () => {
    expect(await lines('select from t')).toEqual(['q.sql:1:8: error[syntax]: expected an expression after select, found from']);
    expect(await lines(`${header}dialect: clickhouse\nparams:\n  n: { type: integer }\n---*/\nselect 1`)).toEqual([
      expect.stringMatching(/^q\.sql:5:3: error\[config\]: n is declared but never used/),
    ]);
  });
});
