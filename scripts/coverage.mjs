// Runs all tests and prints how much of src/ they pass through, by folder. Further arguments go to vitest: npm run coverage -- test/sql
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'quern-coverage-'));
const COLUMNS = ['lines', 'branches', 'functions'];

function run() {
  const flags = ['--coverage', '--coverage.reporter=json-summary', `--coverage.reportsDirectory=${folder}`, '--coverage.reportOnFailure'];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...flags, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  return status ?? 1;
}

/** Folder of src/ → column → how many there are and how many were passed. */
function byFolder({ total: _, ...files }) {
  const folders = new Map();
  for (const [file, counts] of Object.entries(files)) {
    const [first, ...rest] = relative(join(root, 'src'), file).split('/');
    const name = rest.length === 0 ? '(files)' : first;
    for (const key of [name, 'all of src/']) {
      const sums = folders.get(key) ?? Object.fromEntries(COLUMNS.map((column) => [column, { total: 0, covered: 0 }]));
      for (const column of COLUMNS) {
        sums[column].total += counts[column].total;
        sums[column].covered += counts[column].covered;
      }
      folders.set(key, sums);
    }
  }
  return [...folders].sort(([a], [b]) => Number(a === 'all of src/') - Number(b === 'all of src/') || (a < b ? -1 : 1));
}

const percent = ({ total, covered }) => `${total === 0 ? '–' : ((100 * covered) / total).toFixed(1)} %`.padStart(10);

try {
  process.exitCode = run();
  const summary = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'));
  console.log(`\n${'src/'.padEnd(14)}${COLUMNS.map((column) => column.padStart(10)).join('')}`);
  for (const [name, sums] of byFolder(summary)) console.log(name.padEnd(14) + COLUMNS.map((column) => percent(sums[column])).join(''));
  console.log(
    '\nOnly what the processes of the tests run is counted: not the built command that tests start as a process, nor the console in the browser.',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
