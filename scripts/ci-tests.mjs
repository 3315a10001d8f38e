// The tests as .ci/run runs them: all, with coverage; then the few files that failed once more, alone. What fails twice has failed; what
// passes alone is named, so that a test that depends on the machine's pace is seen and mended. Ends with what failed and `N passed, N failed`,
// which it also writes into the file that is its argument: .ci/run shows that once more at its very end.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** More than these fail for a reason that no second run takes away. */
const MOST_FILES_AGAIN = 6;

/** The results by file that ci-report.mjs writes; one failure of no file when vitest did not come to an end. */
function results(folder, script, words) {
  const report = join(folder, `${words.length}.json`);
  const args = [...script, ...words, '--reporter=default', `--reporter=${join(root, 'scripts/ci-report.mjs')}`];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, CI_REPORT: report } });
  const ended = (files) => (status === 0 || files.some(isBroken) ? files : [...files, NO_END]);
  try {
    return ended(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return [NO_END];
  }
}

const NO_END = { name: '(no file)', seconds: 0, passed: 0, failures: [['  The tests did not come to an end.']] };
const isBroken = ({ failures }) => failures.length > 0;

function withSecondRun(folder, first) {
  const names = first.filter(isBroken).map(({ name }) => name);
  if (names.length === 0 || names.length > MOST_FILES_AGAIN || names.includes(NO_END.name)) return first;
  console.log(`\nOnce more, alone: ${names.join(' ')}`);
  const second = results(folder, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], names);
  for (const { name } of second.filter((file) => !isBroken(file))) console.log(`unsteady: ${name}`);
  return [...first.filter((file) => !isBroken(file)), ...second];
}

const folder = mkdtempSync(join(tmpdir(), 'quern-ci-'));
try {
  const first = results(folder, [join(root, 'scripts/coverage.mjs')], []);
  const files = withSecondRun(folder, first);
  console.log('\nThe files that took longest:');
  for (const { seconds, name } of first.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  const broken = files.filter(isBroken);
  const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
  const passed = sum(files.map((file) => file.passed));
  const lines = [
    ...broken.flatMap(({ name, failures }) => ['', `failed: ${name}`, ...failures.flat()]),
    `${passed} passed, ${sum(broken.map(({ failures }) => failures.length))} failed`,
  ];
  const text = `${lines.join('\n')}\n`;
  process.stdout.write(text);
  if (process.argv[2] !== undefined) writeFileSync(process.argv[2], text);
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
