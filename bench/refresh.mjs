// What the second run of a query costs that groups a week by days, an hour after the first: beside the whole run, with what both read. First runs too, which keep
// buckets, beside those that keep nothing. With `sets`, what it costs to warm so many sets of arguments.
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

/** A run that takes less keeps nothing: see FAST_MS in src/execution/buckets/keeping.ts. */
const FAST_MS = 200;
/** Windows of seven buckets. */
const WANTED = ['usage.api-counts daily', 'functions.invocation-stats 7day'];

/** True when kept rows are those of whole runs everywhere. */
export async function refresh({ rows, layouts, wanted, runs, sets, data }) {
  const scratch = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  leaveSettings(scratch);
  try {
    // The tables of all layouts take longer to make than to measure.
    const sources = GENERATED.filter(({ name }) => wanted.some((query) => SOURCES[query] === name));
    const say = (text) => console.error(text);
    const { store } = await prepareData({ folder: data ?? dataFolder(rows), rows, layouts, sources, scratch, say });
    const server = await startClickHouse({ path: join(store, 'data'), folder: scratch });
    try {
      return await (sets > 0
        ? warmAll({ server, scratch, layouts, rows, sets })
        : measureAll({ server, scratch, layouts, rows, wanted, runs }));
    } finally {
      await server.stop();
    }
  } finally {
    process.chdir(root);
    rmSync(scratch, { recursive: true, force: true });
  }
}

const cells = (values) => values.map((value) => String(value).padStart(12)).join('');
const ratio = (a, b) => (a / Math.max(1e-9, b)).toFixed(2);

async function measureAll({ server, scratch, layouts, rows, wanted, runs }) {
  console.log(
    `${rows} edge requests, ${rows / 2} function calls; the least of ${runs} runs in turns; milliseconds of a run, and of the processors for engine and client`,
  );
  console.log(
    `${'layout'.padEnd(13)} ${'query'.padEnd(33)}${cells(['whole', 'first', 'ratio', 'second', 'ratio', 'whole CPU', 'first CPU', 'ratio', 'second CPU', 'ratio', 'rows', 'rows read', 'ratio'])}`,
  );
  let same = true;
  for (const layout of layouts) {
    process.chdir(projectOf(layout, scratch));
    for (const shipped of CASES.filter(({ query, label }) => wanted.includes(query) && WANTED.includes(`${query} ${label}`)))
      same = (await measureOne({ server, scratch, layout, shipped, runs })) && same;
  }
  return same;
}

const NOW = Date.parse(`${BENCH_INSTANT.replace(' ', 'T')}Z`);

/** Runs of one client over the server, each with what it took. */
function timedRuns({ server, scratch }) {
  const client = openQuern({ url: server.url, cacheDir: mkdtempSync(join(scratch, 'cache-')), timeout: '10m' });
  return {
    close: () => client.close(),
    async run({ query, arguments: given }, hoursAgo, cache) {
      const asOf = new Date(NOW - hoursAgo * 3_600_000).toISOString();
      const readBefore = await rowsRead(server);
      const [own, engine, started] = [process.cpuUsage(), server.cpuMs(), performance.now()];
      const { rows } = await client.run(query, given, { cache, asOf });
      const ms = performance.now() - started;
      const { user, system } = process.cpuUsage(own);
      return { ms, cpu: (user + system) / 1000 + server.cpuMs() - engine, rows, read: (await rowsRead(server)) - readBefore };
    },
  };
}

/** Each set of arguments as it is warmed: with buckets, after an hour of new rows, and without. */
async function warmAll({ server, scratch, layouts, rows, sets }) {
  console.log(`${rows} edge requests; milliseconds of the processors for engine and client that a warming of ${sets} sets takes`);
  console.log(`${'layout'.padEnd(13)} ${'query'.padEnd(33)}${cells(['whole', 'buckets', 'ratio', 'first two'])}`);
  const shipped = CASES.find(({ query, label }) => `${query} ${label}` === WANTED[0]);
  let same = true;
  for (const layout of layouts) {
    process.chdir(projectOf(layout, scratch));
    const { run, close } = timedRuns({ server, scratch });
    const sum = { whole: 0, buckets: 0, before: 0 };
    for (let set = 0; set < sets; set++) {
      // Regular expressions, so that there is no end of different ones for 50 projects.
      const call = {
        ...shipped,
        arguments: { ...shipped.arguments, project: `project${String(set % 50).padStart(2, '0')}(?:x{${Math.floor(set / 50)}})?` },
      };
      for (const hoursAgo of [2, 1]) sum.before += (await run(call, hoursAgo, 'use')).cpu;
      const takeBack = await newRows(server, tableOf(LAYOUTS[layout], SOURCES[shipped.query]));
      const whole = await run(call, 0, 'none');
      const kept = await run(call, 0, 'use');
      await takeBack();
      sum.whole += whole.cpu;
      sum.buckets += kept.cpu;
      same &&= JSON.stringify(kept.rows) === JSON.stringify(whole.rows);
      if ((set + 1) % 100 === 0 && set + 1 < sets)
        console.error(`${set + 1} sets: ${Math.round(sum.whole)} whole, ${Math.round(sum.buckets)} with buckets`);
    }
    await close();
    const numbers = [sum.whole, sum.buckets].map(Math.round);
    console.log(
      `${layout.padEnd(13)} ${`${shipped.query} ${shipped.label}`.padEnd(33)}${cells([...numbers, ratio(sum.buckets, sum.whole), Math.round(sum.before)])}${same ? '' : '  OTHER ROWS'}`,
    );
  }
  return same;
}

/** What each query reads. */
const SOURCES = { 'usage.api-counts': 'edge_logs', 'functions.invocation-stats': 'function_edge_logs' };

/** A thousand more of the last hour, as a part of its own; gives what takes them back. */
async function newRows(server, table) {
  const [database, name] = table.split('.');
  const parts = async () => {
    const { text } = await server.query(`SELECT name FROM system.parts WHERE active AND database = '${database}' AND table = '${name}'`);
    return text.split('\n').filter((part) => part !== '');
  };
  const before = new Set(await parts());
  await server.query(`SYSTEM STOP MERGES ${table}`);
  const hour = `timestamp > toDateTime64('${BENCH_INSTANT}', 6, 'UTC') - INTERVAL 1 HOUR AND timestamp < toDateTime64('${BENCH_INSTANT}', 6, 'UTC')`;
  await server.query(`INSERT INTO ${table} SELECT * FROM ${table} WHERE ${hour} LIMIT 1000`);
  return async () => {
    for (const part of await parts()) if (!before.has(part)) await server.query(`ALTER TABLE ${table} DROP PART '${part}'`);
  };
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
  const taken = { whole: [], first: [], second: [] };
  let same = true;
  for (let round = 0; round <= runs; round++) {
    const { run, close } = timedRuns({ server, scratch });
    await run(shipped, 2, 'none'); // prepares the query, and opens the connection
    await run(shipped, 2, 'use'); // tells whether it is worth it
    const first = await run(shipped, 1, 'use');
    const takeBack = await newRows(server, tableOf(LAYOUTS[layout], SOURCES[shipped.query]));
    const whole = await run(shipped, 0, 'none');
    const second = await run(shipped, 0, 'use');
    await takeBack();
    await close();
    same &&= JSON.stringify(second.rows) === JSON.stringify(whole.rows);
    if (round === 0) continue; // what the disk has not held yet
    for (const [name, one] of Object.entries({ whole, first, second })) taken[name].push(one);
  }
  // What else the machine does only adds.
  const least = (name, of) => Math.min(...taken[name].map((one) => one[of]));
  const beside = (of) => {
    const [whole, first, second] = ['whole', 'first', 'second'].map((name) => least(name, of));
    return [whole.toFixed(1), first.toFixed(1), ratio(first, whole), second.toFixed(1), ratio(second, whole)];
  };
  const [whole, second] = ['whole', 'second'].map((name) => median(taken[name].map((one) => one.read)));
  console.log(
    `${layout.padEnd(13)} ${`${shipped.query} ${shipped.label}`.padEnd(33)}${cells([...beside('ms'), ...beside('cpu'), whole, second, ratio(second, whole)])}${least('whole', 'ms') < FAST_MS ? '  too fast to keep anything' : ''}${same ? '' : '  OTHER ROWS'}`,
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
