// The limits a header sets for its query, and who goes before whom.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
const query = (fields: string) => `/*---
id: 3c1d1f0e-5b1a-4c39-9d7f-0f6f6a2b7c11
${fields}---*/
select count(distinct id) as n from edge_logs`;

const events = Array.from({ length: 50 }, (_, i) => `{"id":"${i}","timestamp":"2026-01-01T00:00:00Z","event_message":"x"}\n`).join('');

beforeAll(async () => {
  await home.run(['load', 'edge_logs', '-'], { stdin: events });
});
afterAll(() => home.remove());

const messageOf = (stderr: string) => stderr.split('\n')[0];

test('a query may not read more rows than its header allows', async () => {
  home.write('few.sql', query('max_scan: 20\n'));
  const { stderr, exitCode } = await home.run(['run', './few.sql']);
  expect([messageOf(stderr), exitCode]).toEqual(['error[limit]: the query reads more rows than 20', 1]);
});

test('a flag goes before the header, and the header before quern.yaml', async () => {
  home.write('few.sql', query('max_scan: 20\n'));
  expect((await home.run(['run', './few.sql', '--max-scan', '50'])).stdout).toBe('{"n":50}\n');
  home.write('plain.sql', query(''));
  home.write('quern.yaml', 'max_scan: 30\n');
  expect((await home.run(['run', './plain.sql'])).exitCode).toBe(1);
  home.write('more.sql', query('max_scan: 60\n'));
  expect((await home.run(['run', './more.sql'])).stdout).toBe('{"n":50}\n');
  home.write('quern.yaml', '');
});

test('limits that do not fit are problems of the header', async () => {
  home.write('odd.sql', query('timeout: 5\nmax_memory: lots\nmax_scan: 0\nmax_result_bytes: -1\n'));
  const { stderr, exitCode } = await home.run(['run', './odd.sql', '--json-errors']);
  expect([JSON.parse(stderr).error.problems.map((p: { name: string; message: string }) => `${p.name} ${p.message}`), exitCode]).toEqual([
    [
      'timeout 5 is not a duration (for example 30s or 5m)',
      'max_memory "lots" is not a size (for example 500MB or 2GiB)',
      'max_scan 0 is not a number of rows (write a whole number above 0)',
      'max_result_bytes -1 is not a size (for example 500MB or 2GiB)',
    ],
    2,
  ]);
});
