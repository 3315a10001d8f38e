// Writes beside the CommonJS files of a build what V8 has compiled of them: node scripts/code-cache.mjs. It holds their place on this machine, and is for
// the Node that makes it, so packages go without it. A function is in it once it has been called, so
// this first answers what is to start quickly: the help, a run from the cache, queries, loads, and the translations of the queries that ship.
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { load, scripts } = createRequire(import.meta.url)('../bin/load.js');

const { main } = load('cli.cjs');
const queries = fileURLToPath(new URL('../queries/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'quern-code-cache-'));
const unread = { isTerminal: false, write: async () => undefined };
const io = {
  stdin: process.stdin,
  stdout: unread,
  stderr: unread,
  env: { HOME: folder, PATH: process.env.PATH },
  cwd: folder,
  peakMemoryBytes: () => 0,
  onInterrupt: () => () => undefined,
};
try {
  if ((await main(['--help'], io)) !== 0) throw new Error('quern --help fails');
  const run = ['run', 'usage.api-counts', '--project', 'p', '--interval', 'daily', '--as-of', '2026-01-15T12:00:00Z'];
  // The second is answered from the cache. Where the engine is not installed, both end before that, and the code cache has less.
  for (const _ of ['run', 'cached']) await main(run, io);
  await main(['query', 'select 1 as n'], io);
  writeFileSync(join(folder, 'rows.csv'), 'id,word,day\n1,a,2026-01-01\n2,b,2026-01-02\n');
  await main(['query', 'select * from `rows.csv`', '--output', 'rows.ndjson'], io);
  await main(['query', 'select * from `rows.ndjson`', '--output', 'rows.parquet'], io);
  // What is known of a file is remembered: the second finds it there.
  for (const _ of ['described', 'known'])
    await main(
      ['query', 'select day, count(*) as n, max(word) as word from `rows.parquet` where id > 0 group by day order by day limit 10'],
      io,
    );
  for (const ending of ['csv', 'ndjson', 'parquet']) await main(['load', ending, `rows.${ending}`], io);
  for (const file of readdirSync(queries).filter((name) => name.endsWith('.sql')))
    if ((await main(['translate', join(queries, file)], io)) !== 0) throw new Error(`quern translate ${file} fails`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
// V8 only compares the length of a text with that of the one it has compiled: names with a hash do the rest.
for (const [file, script] of [...scripts].filter(([name]) => basename(name).startsWith('chunk-'))) {
  writeFileSync(`${file}.cache.new`, script.createCachedData());
  renameSync(`${file}.cache.new`, `${file}.cache`);
}
process.exit(); // whatever the engine still has open
