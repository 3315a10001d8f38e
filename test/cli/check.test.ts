// quern check as a process, as a CI job runs it.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'bin/quern.js');
const home = mkdtempSync(join(tmpdir(), 'quern-check-'));
const env = { PATH: process.env['PATH'], HOME: home };
const quern = (...argv: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [bin, ...argv], { cwd: home, env, encoding: 'utf8' });
  return { stdout, stderr, status };
};
const write = (name: string, text: string) => writeFileSync(join(home, name), text);

beforeAll(() => {
  if (!existsSync(join(root, 'dist/cli.cjs')))
    spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--no-types'], { stdio: 'inherit' });
  mkdirSync(join(home, 'checks'));
  write('numbers.sql', 'select n from unnest([1, 2, 3]) as n');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('what holds, what is doubtful and what fails have the exit codes 0, 0 and 1', () => {
  const run = (assertion: string, ...argv: string[]) => {
    write('checks/a.yaml', `checks:\n  - query: ../numbers.sql\n    assertions: [${assertion}]\n`);
    const { stdout, stderr, status } = quern('check', '--as-of', '2026-01-15T12:00:00Z', ...argv);
    return [stdout.replace(/\([\d.]+ s/, '(TIME'), stderr, status];
  };
  const total = (text: string) => `\n1 assertion: ${text} (TIME, as of 2026-01-15T12:00:00Z)\n`;
  expect(run('count(*) = 3')).toEqual([`numbers\n  ok    count(*) = 3\n${total('1 ok')}`, '', 0]);
  const warned = '{ assert: count(*) = 4, severity: warn }';
  const lines = (mark: string) => `numbers\n  ${mark}  count(*) = 4\n        count(*) is 3\n        checks/a.yaml:3\n`;
  expect(run(warned)).toEqual([lines('WARN') + total('1 warning'), '', 0]);
  const refusal = 'error[check]: 1 of 1 assertion failed\n   = hint: see the report\n';
  expect(run(warned, '--fail-on-warn')).toEqual([lines('WARN') + total('1 warning'), refusal, 1]);
  expect(run('count(*) = 4')).toEqual([lines('FAIL') + total('1 failed'), refusal, 1]);
  expect(run('count(*) = 4', '--reporter', 'github')).toEqual([
    '::error file=checks/a.yaml,line=3,col=18,title=numbers%3A count(*) = 4::count(*) is 3\n',
    refusal,
    1,
  ]);
});

test('what keeps the checks from running is annotated where it stands, and a report that cannot be written names its flag', () => {
  write('checks/a.yaml', 'checks:\n  - query: ../numbers.sql\n    assertions: [cunt(*) > 0]\n');
  const { stdout, status } = quern('check', '--reporter', 'github');
  expect([stdout, status]).toEqual([
    '::error file=checks/a.yaml,line=3,col=18,title=quern check%3A unknown-function::cunt is not a function quern can translate\n',
    2,
  ]);
  write('checks/a.yaml', 'checks:\n  - query: ../numbers.sql\n    assertions: [n > 0]\n');
  const unwritten = quern('check', '--reporter', 'junit=nowhere/report.xml');
  expect([unwritten.stderr, unwritten.status]).toEqual([
    `error[usage]: ${join(home, 'nowhere/report.xml')} cannot be written: there is no folder ${join(home, 'nowhere')}
   = hint: choose another file with --reporter junit=FILE
`,
    2,
  ]);
});

test('a JUnit report is XML', () => {
  write('checks/a.yaml', 'checks:\n  - query: ../numbers.sql\n    assertions: [n < 3, n < 9]\n');
  expect(quern('check', '--reporter', 'junit=report.xml').status).toBe(1);
  const text = readFileSync(join(home, 'report.xml'), 'utf8');
  expect(XMLValidator.validate(text)).toBe(true);
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(text);
  expect([testsuites.tests, testsuites.testsuite.testcase[0].failure]).toEqual([
    '2',
    { message: 'fails for 1 of 3 rows', type: 'fail', '#text': 'checks/a.yaml:3\n{"n":3}' },
  ]);
});

test('Ctrl-C cancels the queries, and leaves the report of an earlier run as it is', async () => {
  const slow = 'select max(sipHash64(number)) as n from numbers(1000000000000)';
  write('slow.sql', `/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab31\ndialect: clickhouse\n---*/\n${slow}`);
  write('slow.yaml', 'checks:\n  - { query: ./slow.sql, assertions: [n > 0] }\n  - { query: ./slow.sql, assertions: [n > 1] }\n');
  write('report.json', 'earlier');
  const argv = ['check', 'slow.yaml', '--store', 'other', '--reporter', 'json=report.json'];
  const child = spawn(process.execPath, [bin, ...argv], { cwd: home, env });
  const err: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => err.push(chunk));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  // The store's manifest appears when the engine opens, just before the first query.
  await expect.poll(() => existsSync(join(home, 'other/manifest.json')), { timeout: 20_000 }).toBe(true);
  child.kill('SIGINT');
  expect({ status: await ended, stderr: err.join('') }).toEqual({ status: 130, stderr: 'error[interrupted]: interrupted\n' });
  expect(readFileSync(join(home, 'report.json'), 'utf8')).toBe('earlier');
});
