// The built command as a process: its exit codes are what a script relies on.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const quern = new URL('../../bin/quern.js', import.meta.url).pathname;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quern-verify-'));
  writeFileSync(join(folder, 'one.json'), JSON.stringify({ name: 'one', query: 'select trim(@n) as n, 0.5 as x' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (argv: readonly string[], input = '') => {
  const env = { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [quern, ...argv], { cwd: folder, env, input, encoding: 'utf8' });
  return { stdout, stderr, status };
};

test('a query is imported, and its rows are verified', () => {
  expect(run(['import', 'dir', '.', '--out', 'queries'])).toEqual({
    stdout: 'ok         one\n',
    stderr: '1 file written to queries\n1 of 1 query translates\n',
    status: 0,
  });
  expect(readFileSync(join(folder, 'queries/one.sql'), 'utf8').endsWith('---*/\nselect trim(@n) as n, 0.5 as x\n')).toBe(true);
  const argv = ['verify', 'one', '--queries', 'queries', '--n', 'a', '--expected', '-'];
  expect(run(argv, '[{"n":"a","x":0.5}]')).toEqual({ stdout: 'one: the same, in any order: 1 row\n', stderr: '', status: 0 });
  expect(run([...argv, '--format', 'ndjson'], '[{"n":"b","x":0.5}]')).toEqual({
    stdout: '{"row":1,"column":"n","expected":"\\"b\\"","got":"\\"a\\""}\n',
    stderr:
      'error[check]: one differs from -: 1 row differs (1 row, 1 recorded)\n   = hint: if BigQuery does not guarantee this either, allow it with --tolerance, --ignore or --order any\n',
    status: 1,
  });
  expect(run(argv, 'not rows').status).toBe(1); // CSV of one column without rows
  expect(run(argv, '[1]').status).toBe(2);
});
