// The tests as .ci/run runs them: all, with coverage; then the few files that failed once more, alone. What fails twice has failed; what
// passes alone is named, so that a test that depends on the machine's pace is seen and mended. Ends with `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** More than these fail for a reason that no second run takes away. */
const MOST_FILES_AGAIN = 6;

/** Vitest's results by file, printed on the way; undefined when it could not even write them. */
function results(folder, script, words) {
  const report = join(folder, `${words.length}.json`);
  const args = [...script, ...words, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  try {
    return { status: status ?? 1, files: JSON.parse(readFileSync(report, 'utf8')).testResults };
  } catch {
    return { status: 1, files: undefined };
  }
}

const count = (files, status) => files.flatMap((file) => file.assertionResults).filter((test) => test.status === status).length;

/** A file that cannot be loaded, or whose cleaning up failed, has no failed test, and counts as one. */
const failures = (files) =>
  count(files, 'failed') + files.filter((file) => file.status === 'failed' && count([file], 'failed') === 0).length;

/** Ten files: seconds, name. */
const longest = (files) =>
  files
    .map((file) => [(file.endTime - file.startTime) / 1000, relative(root, file.name)])
    .sort(([a], [b]) => b - a)
    .slice(0, 10);

const folder = mkdtempSync(join(tmpdir(), 'quern-ci-'));
try {
  const first = results(folder, [join(root, 'scripts/coverage.mjs')], []);
  let files = first.files ?? [];
  let failed = files.filter((file) => file.status === 'failed');
  if (failed.length > 0 && failed.length <= MOST_FILES_AGAIN) {
    const names = failed.map((file) => relative(root, file.name));
    console.log(`\nOnce more, alone: ${names.join(' ')}`);
    const second = results(folder, [join(root, 'node_modules/vitest/vitest.mjs'), 'run'], names);
    if (second.files !== undefined) {
      files = [...files.filter((file) => file.status !== 'failed'), ...second.files];
      failed = second.files.filter((file) => file.status === 'failed');
      for (const name of names) if (!failed.some((file) => relative(root, file.name) === name)) console.log(`unsteady: ${name}`);
    }
  } else if (first.status !== 0 && failed.length === 0) {
    console.log('The tests did not come to an end.');
  }
  console.log('\nThe files that took longest:');
  for (const [seconds, name] of longest(first.files ?? [])) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  const broken = failed.length > 0 || (first.status !== 0 && first.files?.every((file) => file.status !== 'failed') !== false);
  console.log(`${count(files, 'passed')} passed, ${failures(files)} failed`);
  process.exitCode = broken ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
