// The door for BigQuery's clients: a large result through Google's client beside a bare server that hands it the same pages, and small queries one after
// another, before and after very many of them.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
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

const PATH = `/bigquery/v2/projects/${PROJECT}/queries`;

export async function bigQuery({ folder, env, quernArgs }) {
  process.env.METADATA_SERVER_DETECTION = 'none';
  const quern = await startServer(quernArgs('serve', '--port', '0', '--no-auth', '--bigquery', '--log-level', 'error'), env);
  try {
    const before = await smallQueries(quern.address);
    const memoryBefore = memoryMb(quern.child, 'VmRSS');
    const large = await largeResults(quern, folder, env);
    const memory = memoryMb(quern.child, 'VmHWM') - memoryBefore;
    await manyQueries(quern.address);
    const after = await smallQueries(quern.address);
    return [
      ...large,
      { what: 'memory that they took, at most', ours: memory, budgetMs: MEMORY_MB, unit: 'MB' },
      { what: `p50 of ${SMALL}`, ours: before, budgetMs: SMALL_MS },
      { what: `the same after ${MANY} queries`, ours: after, budgetMs: SMALL_MS },
    ].filter(({ ours }) => !Number.isNaN(ours));
  } finally {
    quern.child.kill('SIGTERM');
    await once(quern.child, 'exit');
  }
}

async function largeResults(quern, folder, env) {
  const file = join(folder, 'pages.json');
  writeFileSync(file, JSON.stringify(await pagesOf(quern.address, folder)));
  const bare = await startServer([fileURLToPath(new URL('./bare-pages.mjs', import.meta.url)), file], env);
  try {
    const times = { quern: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const turns = [
        ['bare', bare],
        ['quern', quern],
      ];
      for (const [name, { address }] of round % 2 === 0 ? turns : turns.reverse()) times[name].push(await readAll(address));
    }
    return [
      {
        what: `${ROWS} rows of three columns through Google's client`,
        ours: median(times.quern),
        reference: median(times.bare),
        than: 'bare server',
        budget: BUDGET,
      },
    ];
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

async function smallQueries(address) {
  const times = [];
  for (let i = 0; i < AT_A_TIME; i++) {
    const from = performance.now();
    await (await ask(address, SMALL)).arrayBuffer();
    times.push(performance.now() - from);
  }
  return median(times.slice(AT_A_TIME / 10));
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

/** What the system says of the memory of a process (Linux). */
function memoryMb({ pid }, field) {
  try {
    const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
