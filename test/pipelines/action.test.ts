// action.yml: its shell steps run the checks of a project, as a runner of GitHub Actions would run them.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { action, root, runAction } from './run-action.ts';

const folder = mkdtempSync(join(tmpdir(), 'quern-action-'));
const temp = (): string => mkdtempSync(join(folder, 'runner-'));
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHECKS = (most: number) => `checks:
  - query: numbers
    params: { most: 3 }
    tags: [small]
    assertions:
      - n < ${most}
      - { assert: count(*) > 5, severity: warn }
`;

beforeEach(() => {
  write('repo/.git/HEAD', '');
  write('repo/project/quern.yaml', 'queries: queries\n');
  write(
    'repo/project/queries/numbers.sql',
    `/*---
id: 7a0f9c1e-2b3c-4d5e-8f60-718293a4b5c6
params:
  most: { type: integer, required: true, description: the last number }
---*/
select n from unnest(generate_array(1, @most)) as n
`,
  );
  write('repo/project/checks/numbers.yaml', CHECKS(9));
});

const PROJECT = { 'working-directory': 'project' };

test('builds itself, looks over the queries, and runs all checks', () => {
  const { output, exitCode, outputs, summary, installed } = runAction(PROJECT, join(folder, 'repo'), temp());
  expect(exitCode, output).toBe(0);
  expect(installed.split('\n')).toEqual(['ci --no-fund --no-audit', expect.stringMatching(/^install --global --install-links .* \S+$/)]);
  expect(installed.endsWith(root)).toBe(true);
  expect(output).toMatch(/ {2}ok {4}n < 9\n {2}WARN {2}count\(\*\) > 5\n/);
  expect(output).toContain('::warning file=project/checks/numbers.yaml,line=7');
  expect(summary).toMatch(/^## Checks: 1 warning, 1 ok\n/);
  expect(JSON.parse(readFileSync(outputs['report'] ?? '', 'utf8')).summary).toMatchObject({ assertions: 2 });
});

test('installs another quern by its address, and none of the name in the registry, which is not ours', () => {
  const address = 'https://example.com/quern-0.1.0.tgz';
  expect(runAction({ ...PROJECT, version: address }, join(folder, 'repo'), temp()).installed).toMatch(
    /^install [^\n]* https:\/\/example\.com\/quern-0\.1\.0\.tgz$/,
  );
  const { output, exitCode, installed } = runAction({ ...PROJECT, version: '0.1.0' }, join(folder, 'repo'), temp());
  expect([exitCode, installed]).toEqual([1, '']);
  expect(output).toContain('::error::version: 0.1.0 is no address');
});

test('fails where an assertion does, and keeps the rows', () => {
  write('repo/project/checks/numbers.yaml', CHECKS(3));
  const { output, exitCode, outputs, summary } = runAction(PROJECT, join(folder, 'repo'), temp());
  expect(exitCode).toBe(1);
  expect(output).toContain('::error file=project/checks/numbers.yaml,line=6');
  expect(summary).toContain('n \\< 3');
  const [file = ''] = readdirSync(outputs['failures'] ?? '');
  expect(readFileSync(join(outputs['failures'] ?? '', file), 'utf8')).toBe('n\n3\n');
});

test('fails where a query cannot be translated, before anything is checked', () => {
  write('repo/project/queries/typo.sql', '/*---\nid: 7a0f9c1e-2b3c-4d5e-8f60-718293a4b5c7\n---*/\nselect cuont(*) as n\n');
  const { output, exitCode } = runAction(PROJECT, join(folder, 'repo'), temp());
  rmSync(join(folder, 'repo/project/queries/typo.sql'));
  expect([exitCode, /cuont is not a function/.test(output), output.includes('n < 9')]).toEqual([1, true, false]);
});

test('takes inputs as texts, never as commands', () => {
  const hostile = '$(touch hacked)`touch hacked`"; touch hacked; #';
  const given = {
    ...PROJECT,
    lint: 'false',
    'as-of': '2026-01-15T12:00:00Z',
    'fail-on-warn': 'true',
    params: '{"most": 2}',
    select: `n < 9\n${hostile}`,
  };
  const { output, exitCode } = runAction({ ...given, prepare: 'echo prepared in "$PWD"' }, join(folder, 'repo'), temp());
  expect(output).toMatch(/^prepared in .*\/repo\/project\n/);
  expect(exitCode, output).toBe(2);
  expect(output).toContain('error[usage]');
  expect(runAction({ ...given, select: 'count(*) > 5' }, join(folder, 'repo'), temp()).exitCode).toBe(1);
  for (const at of ['repo', 'repo/project', '.']) expect(existsSync(join(folder, at, 'hacked'))).toBe(false);
  for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
});

test('every input is read, and every step says how it runs', () => {
  const text = readFileSync(join(root, 'action.yml'), 'utf8');
  for (const name of Object.keys(action.inputs)) expect(text).toMatch(new RegExp(`\\binputs\\.${name}\\b`));
  expect(action.runs.using).toBe('composite');
  for (const step of action.runs.steps)
    expect(step.uses === undefined ? Object.hasOwn(step, 'shell') : /^actions\/[\w-]+@v\d+$/.test(step.uses)).toBe(true);
});
