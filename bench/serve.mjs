// Cached answers of `quern serve` beside a bare Fastify route that returns the same bytes with the same headers, in turns.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median } from './measure.mjs';
import { startServer } from './start-server.mjs';

const CONNECTIONS = 64;
const ROUNDS = 5;
const SECONDS = 3;
/** 0.8 of the requests per second, as time per request. */
const BUDGET = 1 / 0.8;
const P99_MS = 10;

/** Some kilobytes of rows, which stay the same whenever they are asked for. */
const QUERY = `/*---
id: 6b1f0c52-9b3e-4a35-8d0f-51d8f0a7c3e1
cache: 1h
params:
  project: { type: string, required: true }
---*/
select request.path, count(*) as requests, countif(response.status_code >= 400) as errors, min(t.timestamp) as first
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where t.project = @project
group by 1 order by requests desc, path limit 40
`;

const PATH = '/api/endpoints/bench.paths';

export async function serve({ folder, env, quernArgs }) {
  const queries = join(folder, 'queries');
  mkdirSync(queries);
  writeFileSync(join(queries, 'bench.paths.sql'), QUERY);
  const made = spawnSync(process.execPath, quernArgs('keys', 'create', '--name', 'bench', '--scope', '*'), { env, encoding: 'utf8' });
  const headers = { 'x-api-key': made.stdout.trim() };
  const quern = await startServer(quernArgs('serve', '--port', '0', '--queries', queries), env);
  const url = `${PATH}?project=demo`;
  const ask = () => fetch(quern.address + url, { headers: { ...headers, 'accept-encoding': 'identity' } });
  await (await ask()).text();
  const hit = await ask();
  const bare = await startBare(folder, env, hit);
  try {
    return await compare({ quern, bare, url, headers });
  } finally {
    for (const { child } of [quern, bare]) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }
}

async function startBare(folder, env, answer) {
  const kept = [...answer.headers].filter(([name]) => !['connection', 'keep-alive', 'date', 'content-length'].includes(name));
  const file = join(folder, 'bare.json');
  const body = Buffer.from(await answer.arrayBuffer());
  writeFileSync(file, JSON.stringify({ path: PATH, headers: Object.fromEntries(kept), body: body.toString('base64') }));
  return startServer([fileURLToPath(new URL('./bare-server.mjs', import.meta.url)), file], env);
}

/** The time that a process had the processors, where the system tells (Linux); on a busy machine it says more than the clock. */
function cpuMs({ pid }) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  const fields = readFileSync(file, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function compare({ quern, bare, url, headers }) {
  const load = async ({ address, child }, duration = SECONDS) => {
    const before = cpuMs(child);
    const { requests, latency, non2xx, errors } = await autocannon({ url: address + url, headers, connections: CONNECTIONS, duration });
    if (non2xx + errors > 0) throw new Error(`${non2xx} replies and ${errors} connections failed`);
    return { msPerThousand: 1e6 / requests.average, cpuPerThousand: (1000 * (cpuMs(child) - before)) / requests.total, p99: latency.p99 };
  };
  const measured = { quern: [], bare: [] };
  for (const server of [quern, bare]) await load(server, 2);
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in every other round: what else the machine does may grow or end.
    const turns = [
      ['bare', bare],
      ['quern', quern],
    ];
    for (const [name, server] of round % 2 === 0 ? turns : turns.reverse()) measured[name].push(await load(server));
  }
  const middle = (name, field) => median(measured[name].map((one) => one[field]));
  return [
    {
      what: `1,000 cached GETs (${Math.round(1e6 / middle('quern', 'msPerThousand'))}/s)`,
      ours: middle('quern', 'msPerThousand'),
      reference: middle('bare', 'msPerThousand'),
      than: 'bare Fastify',
      budget: BUDGET,
    },
    {
      what: 'CPU of 1,000 cached GETs, all threads',
      ours: middle('quern', 'cpuPerThousand'),
      reference: middle('bare', 'cpuPerThousand'),
      than: 'bare Fastify',
      budget: BUDGET,
    },
    {
      what: `p99 of a cached GET at ${CONNECTIONS} connections (bare Fastify: ${middle('bare', 'p99')} ms)`,
      ours: middle('quern', 'p99'),
      budgetMs: P99_MS,
    },
  ].filter(({ ours }) => !Number.isNaN(ours));
}
