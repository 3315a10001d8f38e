// What .ci/run shows of failed tests at its end, from a real run of vitest whose tests fail in each way there is.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quern-ci-report-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly name: string;
  readonly passed: number;
  readonly failures: readonly (readonly string[])[];
}
let results: readonly Result[] = [];
const resultOf = (name: string): Result => {
  const found = results.find((result) => result.name === name);
  if (found === undefined) throw new Error(`no result of ${name}`);
  return found;
};

beforeAll(() => {
  const file = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(folder, name), ["import { afterAll, describe, expect, test } from 'vitest';", ...lines].join('\n'));
  file('tests.test.js', [
    "test('right', () => expect(1).toBe(1));",
    "describe('numbers', () => test('wrong', () => expect({ a: 1 }).toEqual({ a: 2 })));",
    "test('far off', () => expect(Array.from({ length: 40 }, (_, i) => i)).toEqual(Array.from({ length: 40 }, (_, i) => -i)));",
    "test('throws', () => { throw new Error('first line\\nsecond line'); });",
  ]);
  file('hook.test.js', ["test('right', () => {});", "afterAll(() => { throw new Error('not closed'); });"]);
  file('unloadable.test.js', ["throw new Error('no such thing');"]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const report = join(folder, 'report.json');
  const args = ['run', '--root', folder, `--reporter=${join(root, 'scripts/ci-report.mjs')}`];
  spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, CI_REPORT: report },
  });
  results = JSON.parse(readFileSync(report, 'utf8')) as readonly Result[];
});

test('each failed test has its name, the first line of its message, its place and what was expected', () => {
  const { passed, failures } = resultOf('tests.test.js');
  expect(passed).toBe(1);
  expect(failures.map(([name]) => name)).toEqual(['  numbers > wrong', '  far off', '  throws']);
  expect(failures[0]?.slice(1)).toEqual([
    '    expected { a: 1 } to deeply equal { a: 2 }',
    '    at tests.test.js:3:64',
    '    - Expected',
    '    + Received',
    '      {',
    '    -   "a": 2,',
    '    +   "a": 1,',
    '      }',
  ]);
  expect(failures[2]?.slice(1)).toEqual(['    first line', '    at tests.test.js:5:30']);
});

test('a long difference is cut after twenty lines', () => {
  const far = resultOf('tests.test.js').failures[1] ?? [];
  expect(far).toHaveLength(24);
  expect(far.at(-1)).toMatch(/^ {4}… \d+ more lines$/);
});

test('a hook that fails and a file that cannot be loaded are failures', () => {
  expect(resultOf('hook.test.js')).toMatchObject({ passed: 1, failures: [['  (the file)', '    not closed', expect.anything()]] });
  expect(resultOf('unloadable.test.js')).toMatchObject({
    passed: 0,
    failures: [['  (the file)', '    no such thing', expect.anything()]],
  });
});
