// Scores the built package on a folder of GoogleSQL cases and compares the score with compliance-floor.json, which only rises.
//   npm run compliance -- <folder of the cases> [--raise] [--category core,time] [--jobs 2] [--timeout 20] [--causes 30] [--out report.json]
// The folder holds a script, which translates and runs the cases, and their data.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const floorFile = join(root, 'compliance-floor.json');

/** Percentage points that a raised floor stays below what was measured: on a busy machine a few cases time out. */
const SLACK = 0.3;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    raise: { type: 'boolean', default: false },
    category: { type: 'string', default: 'all' },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '20' },
    causes: { type: 'string', default: '0' },
    out: { type: 'string' },
  },
});
const [folder] = positionals;
if (folder === undefined || !existsSync(join(folder, 'run.mjs'))) {
  console.error('usage: npm run compliance -- <folder of the cases, with its run.mjs> [--raise] [--category a,b] [--causes 30]');
  process.exit(2);
}

const floor = existsSync(floorFile) ? JSON.parse(readFileSync(floorFile, 'utf8')) : {};
const report = measure();
const scores = Object.fromEntries(
  Object.entries(report.byCategory)
    .sort()
    .map(([category, counts]) => [category, score(counts)]),
);
printScores();
if (Number(options.causes) > 0) printCauses(Number(options.causes));
const failed = belowFloor();
if (failed.length > 0) console.error(`\nbelow the floor:\n${failed.map((line) => `  ${line}`).join('\n')}`);
else if (options.raise) raiseFloor();
process.exit(failed.length > 0 ? 1 : 0);

function measure() {
  const scratch = mkdtempSync(join(tmpdir(), 'quern-compliance-'));
  const out = options.out === undefined ? join(scratch, 'report.json') : resolve(options.out);
  const args = ['--dist', join(root, 'dist/index.js'), '--category', options.category, '--jobs', options.jobs];
  try {
    execFileSync(process.execPath, [resolve(folder, 'run.mjs'), ...args, '--timeout', options.timeout, '--out', out], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return JSON.parse(readFileSync(out, 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** `wrong` is the share of wrong rows among the cases that return rows: a refusal harms nobody, a wrong row does. */
function score(counts) {
  const { all, pass = 0, wrong = 0, timeout = 0 } = counts;
  const answered = pass + wrong;
  return {
    cases: all,
    pass: (100 * pass) / all,
    wrong: answered === 0 ? 0 : (100 * wrong) / answered,
    wrongCases: wrong,
    refused: counts['translate error'] ?? 0,
    failed: counts['engine error'] ?? 0,
    timeout,
  };
}

function printScores() {
  const percent = (value) => (value === undefined ? '' : `${value.toFixed(1)} %`);
  const rows = Object.entries(scores).map(([category, s]) => {
    const least = floor[category];
    return [
      category,
      s.cases,
      percent(s.pass),
      percent(least?.pass),
      s.wrongCases,
      percent(s.wrong),
      percent(least?.wrong),
      s.refused,
      s.failed,
      s.timeout,
    ];
  });
  const header = ['category', 'cases', 'pass', 'floor', 'wrong', 'of rows', 'ceiling', 'refused', 'failed in the engine', 'timeout'];
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => String(row[i]).length)));
  const line = (cells) => cells.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join('  ');
  console.log([header, ...rows].map(line).join('\n'));
}

/** Failures by what they say, with texts and numbers left out: the cause, and one case to look at. */
function printCauses(most) {
  const causes = new Map();
  for (const { status, why, id } of report.failures) {
    const text = String(why)
      .replace(/'[^']*'|"[^"]*"|`[^`]*`/g, '…')
      .replace(/\d+/g, 'n')
      .slice(0, 110);
    const cause = `${status}: ${text}`;
    const known = causes.get(cause) ?? { count: 0, id };
    causes.set(cause, { ...known, count: known.count + 1 });
  }
  const sorted = [...causes].sort(([, a], [, b]) => b.count - a.count);
  console.log(`\n${report.failures.length} failures, ${sorted.length} causes`);
  for (const [cause, { count, id }] of sorted.slice(0, most)) console.log(`${String(count).padStart(5)}  ${cause}   ${id}`);
}

function belowFloor() {
  return Object.entries(floor).flatMap(([category, least]) => {
    const now = scores[category];
    if (now === undefined) return [];
    const lines = [];
    if (now.pass < least.pass) lines.push(`${category}: ${now.pass.toFixed(1)} % pass, the floor is ${least.pass} %`);
    if (now.wrong > least.wrong)
      lines.push(`${category}: ${now.wrong.toFixed(2)} % of the rows are wrong, the ceiling is ${least.wrong} %`);
    return lines;
  });
}

function raiseFloor() {
  const raised = { ...floor };
  for (const [category, { pass, wrong }] of Object.entries(scores)) {
    const before = floor[category] ?? { pass: 0, wrong: 100 };
    raised[category] = {
      pass: Math.max(before.pass, Math.floor((pass - SLACK) * 10) / 10, 0),
      wrong: Math.min(before.wrong, Math.ceil((wrong + SLACK) * 10) / 10),
    };
  }
  const sorted = Object.fromEntries(Object.entries(raised).sort());
  const text = `${JSON.stringify(sorted, null, 2)}\n`;
  if (existsSync(floorFile) && readFileSync(floorFile, 'utf8') === text) return;
  writeFileSync(floorFile, text);
  console.log('\ncompliance-floor.json is raised');
}
