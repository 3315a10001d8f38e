// ERROR fails wherever its row is asked for, also where the engine could know the result without looking.
import { afterAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

async function run(sql: string): Promise<string> {
  home.write('q.sql', sql);
  const { stdout, stderr } = await home.run(['run', './q.sql']);
  return stdout || (stderr.split('\n').find((line) => line.startsWith('error')) ?? '');
}

test.each([
  "select error('boom') as a",
  'select if(1 < 7, error("boom"), 1) as a',
  "select ifnull(nullif(1, 1), error('boom')) as a",
  "select struct(error('boom') as z).z as a",
  "select array_length(if(true, error('boom'), [1])) as a",
  "select case when x > 0 then error('boom') else x end as a from unnest([0, 1]) as x",
])('%s', async (sql) => {
  expect(await run(sql)).toBe('error[data]: the query failed: boom');
});

test.each([
  "select if(1 > 7, error('boom'), 1) as a",
  "select coalesce(1, error('boom')) as a",
  "select case when x > 1 then error('boom') else 1 end as a from unnest([0]) as x",
])('a branch that is not taken does not fail: %s', async (sql) => {
  expect(await run(sql)).toBe('{"a":1}\n');
});
