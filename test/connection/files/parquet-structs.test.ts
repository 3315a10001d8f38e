// A NULL STRUCT of Parquet is read as one of NULLs. That is said where it can matter, by `quern load` and beside the rows, and nowhere else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

let home: FilesHome;
beforeAll(async () => {
  home = filesHome();
  const maybe = 'Nullable(Tuple(x Nullable(Int64), t Nullable(String)))';
  await home.make(
    'maybe.parquet',
    'Parquet',
    `SELECT * FROM (SELECT 1::Int64 AS id, CAST((1, 'a'), '${maybe}') AS s UNION ALL SELECT 2, NULL) ORDER BY id`,
  );
  await home.make('never.parquet', 'Parquet', "SELECT 1::Int64 AS id, CAST((1, 'a'), 'Tuple(x Int64, t Nullable(String))') AS s");
  home.write('quern.yaml', 'sources:\n  maybe: { file: maybe.parquet }\n  never: { file: never.parquet }\n');
});
afterAll(() => home.remove());

const TOLD = 'is NULL in the Parquet files of maybe, it is read as a STRUCT of NULLs';

describe('beside rows', () => {
  test.each([
    ['select * from maybe', true],
    ['select id from maybe where s is null', true],
    ['select count(m.s) as n from maybe as m', true],
    ['select id, s.x from maybe', false],
    ['select * from never', false],
  ])('%s', async (sql, told) => {
    const { stderr, exitCode } = await home.run(['query', sql], { terminal: 100 });
    expect([exitCode, stderr.includes(TOLD)]).toEqual([0, told]);
    expect((await home.run(['query', sql])).stderr).toBe('');
  });
});

test('quern load says it once for a file', async () => {
  const { stderr, exitCode } = await home.run(['load', 'maybe_table', 'maybe.parquet']);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'note: where s is NULL in maybe.parquet, a STRUCT of NULLs was loaded: ClickHouse cannot tell them apart in Parquet\n',
  );
  expect((await home.run(['load', 'never_table', 'never.parquet'])).stderr).not.toContain('STRUCT of NULLs');
});
