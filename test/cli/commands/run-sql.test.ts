// quern run --sql: a caller's SQL over the WITH tables of a saved query, where its header allows it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { ndjson } from './events.ts';

const home = cliHome();
const open = `/*---
id: 4c01dc9a-90f3-4c81-99e0-1e85e62aab31
sandbox: enabled
max_rows: 2
cache: 900s
params:
  project: { type: string, required: true }
---*/
with requests as (
  select timestamp, request.method, request.path from edge_logs as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.request) as request
  where t.project = @project
)
select path from requests order by path
`;
const ask = (...argv: readonly string[]) => home.run(['run', 'requests.sql', '--project', 'demo', ...argv]);
const COUNTS = 'select method, count(*) as n from requests group by method order by method';
const counts = '{"method":"GET","n":2}\n{"method":"POST","n":1}\n';

beforeAll(async () => {
  home.write('requests.sql', open);
  home.write('closed.sql', open.replace('sandbox: enabled\n', '').replace('ab31', 'ab32'));
  home.write('events.ndjson', ndjson);
  home.write('counts.sql', `${COUNTS}\n`);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

test('its rows take the place of those of the saved query, which stay what they were', async () => {
  expect(await ask('--sql', COUNTS)).toEqual({ stdout: counts, stderr: '', exitCode: 0 });
  expect((await ask('--format', 'csv', '--quiet')).stdout).toBe('path\n"/auth/v1/token"\n"/rest/v1/a"\n');
  expect(await ask('--sql', COUNTS)).toEqual({ stdout: counts, stderr: '', exitCode: 0 });
});

test('the SQL comes from a file or from standard input as well', async () => {
  expect((await ask('--sql', '@counts.sql')).stdout).toBe(counts);
  expect((await home.run(['run', 'requests.sql', '--project', 'demo', '--sql', '-'], { stdin: COUNTS })).stdout).toBe(counts);
});

test('the flags of rows apply to it, and max_rows stays the bound', async () => {
  expect((await ask('--sql', 'select count(*) as n from requests', '--scalar')).stdout).toBe('3\n');
  expect(await ask('--sql', 'select path from requests order by path', '--format', 'csv', '--no-cache')).toEqual({
    stdout: 'path\n"/auth/v1/token"\n"/rest/v1/a"\n',
    stderr: `error[result]: standard output has only the first 2 rows: requests has max_rows: 2
   = hint: raise max_rows in the header of the query
`,
    exitCode: 1,
  });
  expect((await ask('--sql', COUNTS, '-o', 'counts.parquet')).exitCode).toBe(0);
  expect(readFileSync(join(home.folder, 'counts.parquet')).subarray(-4).toString()).toBe('PAR1');
});

test.each([
  [
    ['closed.sql', '--sql', COUNTS],
    'error[parameter]: closed does not accept SQL from callers\n   = hint: allow it in its header: sandbox: enabled\n',
  ],
  [
    ['requests.sql', '--sql', 'select 1 from edge_logs'],
    `error[unknown-source]: there is no WITH table named edge_logs
  --> --sql:1:15
   |
 1 | select 1 from edge_logs
   |               ^^^^^^^^^
   = hint: known tables: requests
`,
  ],
  [
    ['requests.sql', '--sql', '@wrong.sql'],
    `error[unknown-column]: there is no column or table pth here
  --> wrong.sql:2:8
   |
 2 | select pth from requests
   |        ^^^
   = hint: did you mean path?
`,
  ],
  [
    ['requests.sql', '--sql', '@nowhere.sql'],
    'error[usage]: there is no file nowhere.sql\n   = hint: name a file that you can read, or - for standard input\n',
  ],
  [
    ['requests.sql', '--sql', ' '],
    'error[usage]: --sql contains no SQL\n   = hint: write a query, @FILE for one in a file, or - for standard input\n',
  ],
  [
    ['requests.sql', '--sql', '-', '--params', '-'],
    'error[usage]: standard input cannot be both --sql and --params\n   = hint: put one of them in a file\n',
  ],
])('%j is refused', async (argv, stderr) => {
  home.write('wrong.sql', '-- typo\nselect pth from requests\n');
  expect(await home.run(['run', ...argv, '--project', 'demo'])).toEqual({ stdout: '', stderr, exitCode: 2 });
});
