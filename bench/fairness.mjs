// How long one key waits for `quern serve` while another has 500 requests in flight for slow queries, beside how long it waits without that.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';
import { startServer } from './start-server.mjs';

const ROUNDS = 3;
const SECONDS = 3;
const IN_FLIGHT = 500;
/** For the flood to fill the queue, and for its last runs to be stopped. */
const SETTLE_MS = 2000;
const BUDGET = 2;

/** None is cached; `n` makes each request another. */
const QUERIES = {
  'bench.waits': { dialect: 'clickhouse', sql: 'select sum(sleepEachRow(0.1)) as slept, {n:Int64} as n from numbers(10)' },
  'bench.computes': {
    sql: `select countif(farm_fingerprint(concat(a.id, b.id)) = @n) as found
from edge_logs as a
cross join (select id from edge_logs order by id limit 60) as b`,
  },
  'bench.quick': {
    sql: `select request.path, count(*) + @n - @n as requests, countif(response.status_code >= 400) as errors
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where t.project = 'demo'
group by 1 order by requests desc, path limit 40`,
  },
};

export async function fairness({ folder, env, quernArgs }) {
  const queries = join(folder, 'fairness');
  mkdirSync(queries);
  for (const [i, [name, { dialect = 'bigquery', sql }]] of Object.entries(QUERIES).entries()) {
    const fields = [
      `id: 6b1f0c52-9b3e-4a35-8d0f-51d8f0a7c3e${i + 2}`,
      `dialect: ${dialect}`,
      'params: { n: { type: integer, required: true } }',
    ];
    writeFileSync(join(queries, `${name}.sql`), ['/*---', ...fields, '---*/', sql, ''].join('\n'));
  }
  const key = (name) =>
    spawnSync(process.execPath, quernArgs('keys', 'create', '--name', name, '--scope', '*'), { env, encoding: 'utf8' }).stdout.trim();
  const [greedy, modest] = [key('greedy'), key('modest')];
  const server = await startServer(quernArgs('serve', '--port', '0', '--queries', queries, '--log-level', 'silent'), env);
  try {
    await window(server.address, modest, 1);
    return [...(await compare(server.address, greedy, modest, 'waits')), ...(await compare(server.address, greedy, modest, 'computes'))];
  } finally {
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
  }
}

async function compare(address, greedy, modest, what) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await window(address, modest, SECONDS);
    const stop = flood(`${address}/api/endpoints/bench.${what}`, greedy);
    await pause(SETTLE_MS);
    const beside = await window(address, modest, SECONDS);
    await stop();
    await pause(SETTLE_MS);
    rounds.push({ alone, beside });
  }
  const middle = (which, part) => median(rounds.map((round) => at(round[which], part)));
  const medians = `median ${Math.round(middle('beside', 0.5))} ms, alone ${Math.round(middle('alone', 0.5))}`;
  return [
    {
      what: `p99 of an uncached GET beside ${IN_FLIGHT} of a query that ${what} (${medians})`,
      ours: middle('beside', 0.99),
      reference: middle('alone', 0.99),
      than: 'alone',
      budget: BUDGET,
    },
  ];
}

/** Milliseconds of requests, one after the other, for some seconds. */
async function window(address, key, seconds) {
  const times = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const startedAt = performance.now();
    const reply = await fetch(`${address}/api/endpoints/bench.quick?n=${++asked}`, { headers: { 'x-api-key': key } });
    await reply.arrayBuffer();
    if (reply.status !== 200) throw new Error(`the modest key was answered with ${reply.status}`);
    times.push(performance.now() - startedAt);
  }
  return times;
}
let asked = 0;

const at = (times, part) => [...times].sort((a, b) => a - b)[Math.floor(part * times.length)] ?? Number.NaN;

/** Keeps so many requests in flight, from a process that Linux schedules apart from the server, as one elsewhere would be; gives the function that ends it. */
function flood(url, key) {
  const script = fileURLToPath(new URL('./flood.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, url, key, String(IN_FLIGHT)], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}
