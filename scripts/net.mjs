// Compares what every text there is becomes with the lists in test/net: SQL, parameters, columns and settings, or the error.
//   npm run net [-- tests layouts/store …] [--update] [--jobs 2] [--show ID [--before HEAD]]
// --update writes the lists; --show prints what the text of a line becomes, and with --before also what it became in another commit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.mjs';
import { testFiles } from './net/recorder/plugin.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
if (process.argv[2] === '--worker') (await import(process.argv[3])).work();
else await start();

async function start() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      update: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(availableParallelism()) },
      show: { type: 'string' },
      before: { type: 'string' },
      lists: { type: 'string', default: join(root, 'test/net') },
    },
  });
  // One folder below the package's own, as dist/ is: the program finds what ships from there.
  const script = await bundle(join(root, 'scripts/net/index.ts'), join(root, '.quern'), [testFiles(translatorTests())]);
  try {
    process.env.NET_BUNDLE = pathToFileURL(script).href;
    const { main } = await import(process.env.NET_BUNDLE);
    const { update, jobs, show, lists, before } = values;
    process.exitCode = await main({ only: positionals, update, jobs: Number(jobs), show, lists });
    if (show !== undefined && before !== undefined) showBefore(before, show);
  } finally {
    rmSync(script);
  }
}

/** Those that ask the translator alone; texts of the fuzz are a suite of their own. */
function translatorTests() {
  return readdirSync(join(root, 'test/sql'), { recursive: true })
    .map((file) => `test/sql/${file}`)
    .filter((file) => file.endsWith('.test.ts') && !/fuzz|hostile/.test(file))
    .filter(
      (file) =>
        !/node:worker_threads|src\/(?:store|server|execution|cli\/main|cache)|layouts-support/.test(readFileSync(join(root, file), 'utf8')),
    )
    .sort();
}

/** The same script, as it is in another commit. */
function showBefore(commit, id) {
  const parent = mkdtempSync(join(tmpdir(), 'quern-net-'));
  const folder = join(parent, 'checkout');
  try {
    mkdirSync(folder);
    if (existsSync(join(root, '../shared'))) symlinkSync(join(root, '../shared'), join(parent, 'shared'));
    execFileSync('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder], { cwd: root });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    console.log(`\nin ${commit}:\n`);
    execFileSync(process.execPath, [join(folder, 'scripts/net.mjs'), '--show', id], { stdio: 'inherit' });
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
