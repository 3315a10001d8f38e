// The shipped queries over two and four shards beside hand-written SQL over the same Distributed tables: bytes that leave the shards, and processor time of
// all servers together. A query for one project, where each project lies on one shard, and a join by that key, are asked of the same tables.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openQuern } from '../dist/index.js';
import { startClickHouse } from './clickhouse-server.mjs';
import { missed } from './cluster-bounds.mjs';
import { BENCH_INSTANT, GENERATED } from './generated-logs.mjs';
import { createSql, DATABASE, insertStatements, LAYOUTS, projectFile, tableOf } from './layouts.mjs';
import { median } from './measure.mjs';
import { CASES, handwrittenSql, parametersOf } from './query-cases.mjs';
import { canonical, runOnce } from './query-measures.mjs';
import { importSource, leaveSettings, root } from './workspace.mjs';

const CLUSTER = 'bench';
/** The database of the shards' own tables. */
const OWN = 'shard';
const KEY = 'cityHash64(project)';
const WARM_RUNS = 1;

/** The condition cache would let all runs but the first skip what those of real life read. */
const PROFILE = { use_query_condition_cache: 0 };

const JOINS = [
  {
    name: 'a join by the key',
    bigquery: `select a.project, count(*) as n from edge_logs a join function_edge_logs b on a.project = b.project and a.timestamp = b.timestamp group by 1 order by 1`,
    clickhouse: (edge, functions) => `SELECT a.project AS project, count() AS n FROM ${edge.table} a
      INNER JOIN ${functions.table} b ON a.project = b.project AND a.timestamp = b.timestamp
      WHERE ${edge.rows('a.')} AND ${functions.rows('b.')} GROUP BY project ORDER BY project`,
  },
  {
    name: 'a join that gathers',
    bigquery: `select count(*) as n from (select * from edge_logs where project = 'project00') a full join (select * from function_edge_logs where project = 'project00') b on a.timestamp = b.timestamp`,
    clickhouse: (
      edge,
      functions,
    ) => `SELECT count() AS n FROM (SELECT timestamp FROM ${edge.table} WHERE ${edge.rows()} AND project = 'project00') a
      FULL JOIN (SELECT timestamp FROM ${functions.table} WHERE ${functions.rows()} AND project = 'project00') b ON a.timestamp = b.timestamp`,
  },
];

/** True if all results are the same, and no case costs more than its bounds. */
export async function cluster({ rows, runs, layouts, wanted }) {
  const scratch = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  leaveSettings(scratch);
  const { decodeRows } = (await importSource('execution/decode.ts', scratch)).module;
  let holds = true;
  try {
    for (const setup of [
      { shards: 2, key: 'rand()' },
      { shards: 4, key: 'rand()' },
      { shards: 4, key: KEY },
    ]) {
      const named = layouts.filter((name) => LAYOUTS[name].table !== undefined);
      const nodes = await startShards(setup, scratch);
      try {
        console.log(`\n${rows} edge requests over ${setup.shards} shards by ${setup.key}, medians of ${runs} runs in turns`);
        console.log(`${''.padEnd(52)} kB sent    hand  ratio   CPU ms     hand  ratio  shards  rows`);
        for (const layout of named) {
          await fill(nodes, LAYOUTS[layout], rows, setup.key);
          holds = (await measureLayout({ nodes, layout, setup, runs, wanted, scratch, decodeRows })) && holds;
        }
      } finally {
        await Promise.all(nodes.map((node) => node.stop()));
      }
    }
  } finally {
    process.chdir(root);
    rmSync(scratch, { recursive: true, force: true });
  }
  return holds;
}

async function startShards({ shards, key }, scratch) {
  const folders = Array.from({ length: shards }, (_, at) => join(scratch, `${shards}-${key === KEY ? 'keyed' : 'spread'}-${at}`));
  const { freePort } = await import('../test/support/clickhouse-process.mjs');
  const ports = [];
  for (const _ of folders) ports.push({ httpPort: await freePort(), tcpPort: await freePort() });
  const shard = ports.map(({ tcpPort }) => ({ replica: [{ host: '127.0.0.1', port: tcpPort }] }));
  const config = { remote_servers: { [CLUSTER]: { shard } } };
  return Promise.all(
    folders.map((folder, at) => {
      mkdirSync(join(folder, 'data'), { recursive: true });
      return startClickHouse({ path: join(folder, 'data'), folder, config, profile: PROFILE, ...ports[at] });
    }),
  );
}

async function fill(nodes, layout, rows, key) {
  const [first] = nodes;
  for (const source of GENERATED) {
    const table = tableOf(layout, source.name);
    const own = table.replace(DATABASE, OWN);
    const [, name] = table.split('.');
    for (const node of nodes) {
      for (const database of [DATABASE, OWN]) await node.query(`CREATE DATABASE IF NOT EXISTS ${database}`);
      await node.query(createSql(layout, source).replace(table, own));
    }
    await first.query(createSql(layout, source));
    for (const insert of insertStatements(layout, source, Math.round(rows * source.share))) await first.query(insert);
    await first.query(`RENAME TABLE ${table} TO ${OWN}.whole`);
    for (const node of nodes)
      await node.query(`CREATE TABLE ${table} AS ${own} ENGINE = Distributed('${CLUSTER}', '${OWN}', '${name}', ${key})`);
    await first.query(
      `INSERT INTO ${table} SELECT * FROM ${OWN}.whole SETTINGS distributed_foreground_insert = 1, json_type_escape_dots_in_keys = 1`,
    );
    await first.query(`DROP TABLE ${OWN}.whole SYNC`);
    for (const node of nodes) await node.query(`OPTIMIZE TABLE ${own} FINAL`);
  }
}

async function measureLayout({ nodes, layout, setup, runs, wanted, scratch, decodeRows }) {
  const isKeyed = setup.key === KEY;
  const cases = CASES.filter(({ query }) => wanted.includes(query)).map((shipped) => ({
    name: `${shipped.query} ${shipped.label}`,
    asked: shipped.query,
    arguments: shipped.arguments,
    parameters: parametersOf(shipped),
    hand: handwrittenSql(shipped, layout),
  }));
  const folder = join(scratch, layout);
  mkdirSync(folder, { recursive: true });
  const lines = projectFile(LAYOUTS[layout], GENERATED);
  writeFileSync(join(folder, 'quern.yaml'), isKeyed ? lines.replace(/^( +)table: .*$/gm, `$&\n$1sharding_key: ${KEY}`) : lines);
  for (const [at, { name, bigquery, clickhouse }] of JOINS.entries()) {
    const tables = ['edge_logs', 'function_edge_logs'].map((source) => ({
      table: tableOf(LAYOUTS[layout], source),
      // A table may hold several sources, whose SQL always says which one.
      rows: (table = '') => (layout === 'logflare' ? `${table}source_name = '${source}'` : 'true'),
    }));
    writeFileSync(join(folder, `join${at}.sql`), `${bigquery}\n`);
    if (isKeyed || at > 0) cases.push({ name, asked: `./join${at}.sql`, parameters: {}, hand: clickhouse(...tables) });
  }
  const handSettings = isKeyed
    ? { optimize_skip_unused_shards: 1, distributed_product_mode: 'local' }
    : { distributed_product_mode: 'global' };
  process.chdir(folder);
  const client = openQuern({ url: nodes[0].url, cacheDir: join(scratch, 'cache'), timeout: '10m' });
  const ratios = { sent: [], cpu: [] };
  let holds = true;
  try {
    for (const { name, asked, arguments: given = {}, parameters, hand } of cases) {
      const asOf = `${BENCH_INSTANT.replace(' ', 'T')}Z`;
      const measured = await inTurns(
        nodes,
        {
          quern: () => runOfQuern(nodes[0], () => client.run(asked, given, { cache: 'none', asOf })),
          hand: () => runOnce(nodes[0], { sql: hand, settings: handSettings, parameters }),
        },
        runs,
      );
      const { columns, rows } = measured.quern.answer;
      const isSame = canonical(rows) === canonical(decodeRows(columns, { rows: measured.hand.answer.rows }));
      const ratio = { sent: timesOf(measured.quern.sent, measured.hand.sent), cpu: measured.quern.cpuMs / measured.hand.cpuMs };
      for (const of of Object.keys(ratios)) ratios[of].push(ratio[of]);
      const faults = [...(isSame ? [] : ['DIFFERENT']), ...missed(layout, name, ratio)];
      holds &&= faults.length === 0;
      console.log(
        `${layout.padEnd(12)} ${name.padEnd(38)} ${kilo(measured.quern.sent)} ${kilo(measured.hand.sent)} ${ratio.sent.toFixed(2).padStart(6)} ` +
          `${measured.quern.cpuMs.toFixed(1).padStart(8)} ${measured.hand.cpuMs.toFixed(1).padStart(8)} ${ratio.cpu.toFixed(2).padStart(6)} ${String(measured.quern.shards).padStart(7)}  ${faults.join(', ') || 'same'}`,
      );
    }
  } finally {
    await client.close();
    process.chdir(root);
  }
  const mean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length).toFixed(2);
  console.log(`${layout}: ${mean(ratios.sent)} times the bytes, ${mean(ratios.cpu)} times the processor time (geometric means)`);
  return holds;
}

/** Where a query is answered by the shard that was asked, nothing is sent. */
const timesOf = (ours, theirs) => (ours === theirs ? 1 : ours / theirs);

const kilo = (bytes) => (bytes / 1000).toFixed(1).padStart(7);

/** What quern sends for these arguments is shorter than what it shows for all, so it is what has run that counts. */
async function runOfQuern(node, run) {
  const answer = await run();
  await node.query('SYSTEM FLUSH LOGS');
  const { text } = await node.query(
    `SELECT query_id FROM system.query_log WHERE type = 'QueryFinish' AND is_initial_query AND query LIKE '%edge_logs%' AND startsWith(query_id, 'quern-')
     ORDER BY event_time_microseconds DESC LIMIT 1 FORMAT TSV`,
  );
  return { ...answer, id: text.trim() };
}

async function inTurns(nodes, statements, runs) {
  const ids = Object.fromEntries(Object.keys(statements).map((name) => [name, []]));
  const answers = {};
  for (let round = -WARM_RUNS; round < runs; round++) {
    const turn = Object.entries(statements);
    if (round % 2 === 0) turn.reverse();
    for (const [name, run] of turn) {
      answers[name] = await run();
      if (round >= 0) ids[name].push(answers[name].id);
    }
  }
  const result = {};
  for (const [name, all] of Object.entries(ids)) result[name] = { answer: answers[name], ...(await costOf(nodes, all)) };
  return result;
}

/** Medians of what each run cost on all servers: bytes that left shards, processor time, and how many servers had a part of it. */
async function costOf(nodes, ids) {
  const found = new Map(ids.map((id) => [id, { sent: 0, cpuMs: 0, shards: 0 }]));
  const wanted = ids.map((id) => `'${id}'`).join(', ');
  for (const node of nodes) {
    await node.query('SYSTEM FLUSH LOGS');
    const { text } = await node.query(
      `SELECT initial_query_id, sumIf(ProfileEvents['NetworkSendBytes'], NOT is_initial_query),
         sum(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds']), count()
       FROM system.query_log WHERE type = 'QueryFinish' AND initial_query_id IN (${wanted}) GROUP BY 1 FORMAT JSONCompactEachRow`,
    );
    for (const line of text.split('\n').filter((each) => each !== '')) {
      const [id, sent, micros] = JSON.parse(line);
      const cost = found.get(id);
      cost.sent += Number(sent);
      cost.cpuMs += Number(micros) / 1000;
      cost.shards++;
    }
  }
  const all = [...found.values()];
  return Object.fromEntries(['sent', 'cpuMs', 'shards'].map((of) => [of, median(all.map((one) => one[of]))]));
}
