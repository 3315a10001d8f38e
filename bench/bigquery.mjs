// The door for BigQuery's clients: a large result through Google's client beside a bare server that hands it the same pages, and small queries one after
// another, before and after very many of them. Of a small query three times are measured: until a plain client on one connection has the reply, until Google's
// client has the rows, beside what that takes where the reply is there already, and the processor time of the server, which other work on the machine leaves alone.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BigQuery } from '@google-cloud/bigquery';
import autocannon from 'autocannon';
import { median } from './measure.mjs';
import { startServer } from './start-server.mjs';

const PROJECT = 'bench';
const ROWS = 1_000_000;
const LARGE = `select n as id, concat('name ', cast(n as string)) as name, n * 1.5 as x from unnest(generate_array(1, ${ROWS})) as n order by n`;
const SMALL = 'select 1 as one';
const ROUNDS = 5;
/** 0.7 of the speed, as time. */
const BUDGET = 1 / 0.7;
const MEMORY_MB = 150;
const SMALL_MS = 3;
/** Some of them of the same text, and each of them run. */
const MANY = 100_000;
const TEXTS = 500;
const AT_A_TIME = 1000;
const TICKS_PER_SECOND = 100;

const PATH = `/bigquery/v2/projects/${PROJECT}/queries`;

export async function bigQuery({ folder, env, quernArgs }) {
  process.env.METADATA_SERVER_DETECTION = 'none';
  const quern = await startServer(quernArgs('serve', '--port', '0', '--no-auth', '--bigquery', '--log-level', 'error'), env);
  try {
    const before = await smallQueries(quern);
    const throughGoogles = await smallThroughGoogles(quern, folder, env);
    const memoryBefore = memoryMb(quern.child, 'VmRSS');
    const large = await largeResults(quern, folder, env);
    const memory = memoryMb(quern.child, 'VmHWM') - memoryBefore;
    await manyQueries(quern.address);
    const after = await smallQueries(quern);
    return [
      ...large,
      { what: 'memory that they took, at most', ours: memory, budgetMs: MEMORY_MB, unit: 'MB' },
      { what: `p50 of ${SMALL} on one connection`, ours: before.p50, budgetMs: SMALL_MS },
      { what: `the same after ${MANY} queries`, ours: after.p50, budgetMs: SMALL_MS },
      { what: 'processor time of the server for it', ours: before.processorMs, budgetMs: SMALL_MS },
      { what: `the same after ${MANY} queries`, ours: after.processorMs, budgetMs: SMALL_MS },
      { what: "p50 of it through Google's client", ...throughGoogles, than: 'fixed reply', budgetMs: SMALL_MS },
    ].filter(({ ours }) => !Number.isNaN(ours));
  } finally {
    quern.child.kill('SIGTERM');
    await once(quern.child, 'exit');
  }
}

async function largeResults(quern, folder, env) {
  const file = join(folder, 'pages.json');
  writeFileSync(file, JSON.stringify(await pagesOf(quern.address, folder)));
  const times = await besideBare({ quern, file, env }, ROUNDS, readAll);
  return [{ what: `${ROWS} rows of three columns through Google's client`, ...times, than: 'bare server', budget: BUDGET }];
}

async function smallThroughGoogles(quern, folder, env) {
  const reply = join(folder, 'small.json');
  writeFileSync(reply, await (await ask(quern.address, SMALL)).text());
  const file = join(folder, 'small-pages.json');
  writeFileSync(file, JSON.stringify([{ token: '', file: reply }]));
  const clients = new Map();
  return besideBare({ quern, file, env }, AT_A_TIME, async (apiEndpoint) => {
    const client = clients.get(apiEndpoint) ?? new BigQuery({ projectId: PROJECT, apiEndpoint });
    clients.set(apiEndpoint, client);
    const from = performance.now();
    await client.query({ query: SMALL, useQueryCache: false });
    return performance.now() - from;
  });
}

/** Medians of rounds in which quern, and a server that has the pages in memory, are measured in turns. `file`: see bare-pages.mjs. */
async function besideBare({ quern, file, env }, rounds, measure) {
  const bare = await startServer([fileURLToPath(new URL('./bare-pages.mjs', import.meta.url)), file], env);
  try {
    const times = { quern: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      const turns = [
        ['bare', bare],
        ['quern', quern],
      ];
      for (const [name, { address }] of round % 2 === 0 ? turns : turns.reverse()) times[name].push(await measure(address));
    }
    return { ours: median(times.quern), reference: median(times.bare) };
  } finally {
    bare.child.kill('SIGTERM');
    await once(bare.child, 'exit');
  }
}

/** Keeps the pages in files, by their tokens; the first has none. */
async function pagesOf(address, folder) {
  const pages = [];
  let [token, jobId] = ['', ''];
  do {
    const reply = await (token === '' ? ask(address, LARGE) : fetch(`${address}${PATH}/${jobId}?pageToken=${token}`));
    const body = await reply.text();
    const file = join(folder, `page-${pages.length}.json`);
    writeFileSync(file, body);
    pages.push({ token, file });
    const { pageToken, jobReference } = JSON.parse(body);
    [token, jobId] = [pageToken ?? '', jobReference.jobId];
  } while (token !== '');
  return pages;
}

const ask = (address, query) =>
  fetch(`${address}${PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, useLegacySql: false, useQueryCache: false }),
  });

async function readAll(apiEndpoint) {
  const client = new BigQuery({ projectId: PROJECT, apiEndpoint });
  const from = performance.now();
  const [rows] = await client.query({ query: LARGE, useQueryCache: false });
  if (rows.length !== ROWS) throw new Error(`${rows.length} rows came`);
  return performance.now() - from;
}

/** Asks over one connection that stays open, the next when the last has its reply; the first tenth only warms up. */
async function smallQueries({ address, child }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = JSON.stringify({ query: SMALL, useLegacySql: false, useQueryCache: false });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const askOnce = () =>
    new Promise((resolve, reject) => {
      const asked = request(`${address}${PATH}`, { method: 'POST', agent, headers }, (reply) => reply.resume().once('end', resolve));
      asked.once('error', reject).end(body);
    });
  for (let i = 0; i < AT_A_TIME / 10; i++) await askOnce();
  const times = [];
  const processorMs = processorTime(child);
  for (let i = 0; i < AT_A_TIME; i++) {
    const from = performance.now();
    await askOnce();
    times.push(performance.now() - from);
  }
  agent.destroy();
  return { p50: median(times), processorMs: (processorTime(child) - processorMs) / AT_A_TIME };
}

async function manyQueries(address) {
  const { non2xx, errors } = await autocannon({
    url: `${address}${PATH}`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    requests: Array.from({ length: TEXTS }, (_, i) => ({
      body: JSON.stringify({ query: `select ${i} as number`, useLegacySql: false, useQueryCache: false }),
    })),
    connections: 4,
    amount: MANY,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} replies and ${errors} connections failed`);
}

/** Milliseconds that a process has computed (Linux). */
function processorTime({ pid }) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1000;
  } catch {
    return Number.NaN;
  }
}

/** What the system says of the memory of a process (Linux). */
function memoryMb({ pid }, field) {
  try {
    const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
