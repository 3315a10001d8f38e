// What the second run of a query costs that groups a week by days, an hour after the first: beside the whole run, with what both read. First runs too, which keep
// buckets, beside those that keep nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openQuern } from '../dist/index.js';
import { startClickHouse } from './clickhouse-server.mjs';
import { dataFolder, prepareData } from './data.mjs';
import { BENCH_INSTANT, GENERATED } from './generated-logs.mjs';
import { LAYOUTS, tableOf } from './layouts.mjs';
import { median } from './measure.mjs';
import { CASES } from './query-cases.mjs';
import { leaveSettings, root } from './workspace.mjs';

const WANTED = ['usage.api-counts daily', 'functions.invocation-stats 7day', 'functions.invocation-stats 1day', 'usage.api-counts hourly'];

/** True when kept rows are those of whole runs everywhere. */
export async function refresh({ rows, layouts, runs, data }) {
  const scratch = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  leaveSettings(scratch);
  try {
    const { store } = await prepareData({ folder: data ?? dataFolder(rows), rows, layouts, scratch, say: (text) => console.error(text) });
    const server = await startClickHouse({ path: join(store, 'data'), folder: scratch });
    try {
      return await measureAll({ server, scratch, layouts, rows, runs });
    } finally {
      await server.stop();
    }
  } finally {
    process.chdir(root);
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measureAll({ server, scratch, layouts, rows, runs }) {
  console.log(
    `${rows} edge requests, ${rows / 2} function calls; medians of ${runs} runs in turns; milliseconds of a run, rows that the engine read`,
  );
  console.log(
    `${'layout'.padEnd(13)} ${'query'.padEnd(33)} ${['whole', 'first', 'ratio', 'second', 'ratio', 'rows', 'rows read', 'ratio'].map((t) => t.padStart(10)).join('')}`,
  );
  let same = true;
  for (const layout of layouts) {
    process.chdir(projectOf(layout, scratch));
    for (const shipped of CASES.filter(({ query, label }) => WANTED.includes(`${query} ${label}`)))
      same = (await measureOne({ server, scratch, layout, shipped, runs })) && same;
  }
  return same;
}

/** A folder with a quern.yaml that shows the server's tables of the layout. */
function projectOf(name, scratch) {
  const layout = LAYOUTS[name];
  const folder = mkdtempSync(join(scratch, 'project-'));
  const lines = GENERATED.flatMap(({ name: source, fields }) => [
    `  ${source}:`,
    `    table: ${tableOf(layout, source)}`,
    ...(layout.yaml?.(source) ?? []).map((line) => `    ${line}`),
    ...(fields.project_ref === undefined ? [] : ['    same_as: { project: metadata.project_ref }']),
  ]);
  writeFileSync(join(folder, 'quern.yaml'), `sources:\n${lines.join('\n')}\n`);
  return folder;
}

async function measureOne({ server, scratch, layout, shipped, runs }) {
  const { query, label, arguments: given } = shipped;
  const now = Date.parse(`${BENCH_INSTANT.replace(' ', 'T')}Z`);
  const times = { whole: [], first: [], second: [] };
  const read = { whole: 0, second: 0 };
  let same = true;
  for (let round = 0; round <= runs; round++) {
    const client = openQuern({ url: server.url, cacheDir: mkdtempSync(join(scratch, 'cache-')), timeout: '10m' });
    const timed = async (hoursAgo, cache) => {
      const before = await rowsRead(server);
      const started = performance.now();
      const { rows } = await client.run(query, given, { cache, asOf: new Date(now - hoursAgo * 3_600_000).toISOString() });
      const ms = performance.now() - started;
      return { ms, rows, read: (await rowsRead(server)) - before };
    };
    await timed(2, 'none'); // prepares the query, and opens the connection
    await timed(2, 'use'); // tells whether it is worth it
    const first = await timed(1, 'use');
    const whole = await timed(0, 'none');
    const second = await timed(0, 'use');
    await client.close();
    same &&= JSON.stringify(second.rows) === JSON.stringify(whole.rows);
    if (round === 0) continue; // what the disk has not held yet
    times.first.push(first.ms);
    times.whole.push(whole.ms);
    times.second.push(second.ms);
    read.whole = whole.read;
    read.second = second.read;
  }
  const [whole, first, second] = [times.whole, times.first, times.second].map(median);
  const cells = [whole.toFixed(1), first.toFixed(1), (first / whole).toFixed(2), second.toFixed(1), (second / whole).toFixed(2)];
  const counts = [read.whole, read.second, (read.second / Math.max(1, read.whole)).toFixed(2)];
  console.log(
    `${layout.padEnd(13)} ${`${query} ${label}`.padEnd(33)} ${[...cells, ...counts].map((c) => String(c).padStart(10)).join('')}${same ? '' : '  OTHER ROWS'}`,
  );
  return same;
}

/** By queries of the benchmark's tables, since the server started. */
async function rowsRead(server) {
  await server.query('SYSTEM FLUSH LOGS');
  const { text } = await server.query(
    "SELECT sum(read_rows) FROM system.query_log WHERE type = 'QueryFinish' AND query_kind = 'Select' AND arrayExists(t -> t LIKE '%\\_logs%', tables)",
  );
  return Number(text);
}
