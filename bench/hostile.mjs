// Cached answers of `quern serve` while fifty callers send SQL that was made to take long: how long the slowest of them wait for that.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { startServer } from './start-server.mjs';

const TEXTS = 50;
const SIZE = 32_700;
const SECONDS = 6;
/** Few enough that the server is mostly idle: what is measured is waiting, not throughput. */
const RATE = 300;
const P99_MS = 10;

const CACHED = `/*---
id: 6b1f0c52-9b3e-4a35-8d0f-51d8f0a7c3e2
cache: 1h
---*/
select 1 as one, 'text' as two
`;
const OPEN = `/*---
id: 6b1f0c52-9b3e-4a35-8d0f-51d8f0a7c3e3
sandbox: enabled
---*/
with numbers as (select n, n as m from unnest([1, 2, 3]) as n), logs as (select * from edge_logs) select * from numbers
`;

/** `unit` as often as it fits. */
function filled(before, unit, by = ' ', after = '') {
  const units = [];
  for (let length = before.length + after.length, i = 0; ; i++) {
    const text = typeof unit === 'string' ? unit : unit(i);
    length += text.length + by.length;
    if (length > SIZE) return before + units.join(by) + after;
    units.push(text);
  }
}

const HOSTILE = [
  () => filled('from logs ', '|> where true'),
  () => filled('from numbers ', (i) => `|> extend ${i === 0 ? 'n' : `a${i - 1}`} + 1 as a${i}`),
  () => filled('from numbers ', '|> set n = n + n'),
  () => filled('from numbers ', '|> union all (from numbers)'),
  () => filled('select ', (i) => `sum(n + ${i})`, ', ', ' from numbers'),
  () => filled('select ', 'r.*', ', ', ' from logs as r'),
  () => filled('select n from numbers where ', (i) => `n = ${i}`, ' or '),
  () => filled('select 1 as x from numbers as a ', (i) => `full join numbers as a${i} using (n)`),
  () => filled('select n from numbers group by n having ', (i) => `sum(m + ${i}) > 1`, ' and '),
  () => filled("select json_value('{}', '$", '[0]', '', "') as v"),
];

export async function hostile({ folder, env, quernArgs }) {
  const queries = join(folder, 'hostile');
  mkdirSync(queries);
  writeFileSync(join(queries, 'bench.cached.sql'), CACHED);
  writeFileSync(join(queries, 'bench.open.sql'), OPEN);
  const { child, address } = await startServer(quernArgs('serve', '--no-auth', '--port', '0', '--queries', queries), env);
  try {
    const url = `${address}/api/endpoints/bench.cached`;
    await (await fetch(url)).text();
    await probe(url, after(3));
    const alone = await probe(url, after(SECONDS));
    let replies;
    const sent = performance.now();
    const together = probe(url, () => replies !== undefined);
    const all = await Promise.all(Array.from({ length: TEXTS }, (_, i) => send(address, HOSTILE[i % HOSTILE.length](), i)));
    replies = all;
    const tookMs = performance.now() - sent;
    const attacked = await together;
    console.log(`replies to ${TEXTS} hostile texts, within ${Math.round(tookMs)} ms: ${counted(replies)}`);
    return [
      {
        what: `p99 of a cached GET at ${RATE}/s (p50 ${alone.p50.toFixed(2)}, slowest ${alone.max.toFixed(1)} ms)`,
        ours: alone.p99,
        budgetMs: P99_MS,
      },
      {
        what: `the same beside ${TEXTS} hostile texts (p50 ${attacked.p50.toFixed(2)}, slowest ${attacked.max.toFixed(1)} ms)`,
        ours: attacked.p99,
        budgetMs: P99_MS,
      },
    ];
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

function after(seconds) {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
}

/** One request after another at a steady pace, over one connection; each waits for itself alone. */
async function probe(url, until) {
  const agent = new Agent({ keepAlive: true });
  const took = [];
  while (!until()) {
    const from = performance.now();
    await new Promise((resolve, reject) => {
      get(url, { agent }, (reply) => {
        reply.resume().on('end', () => (reply.statusCode === 200 ? resolve() : reject(new Error(`status ${reply.statusCode}`))));
      }).on('error', reject);
    });
    took.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 1000 / RATE));
  }
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.min(took.length - 1, Math.floor(share * took.length))];
  return { p50: at(0.5), p99: at(0.99), max: took.at(-1) };
}

async function send(address, sql, i) {
  const reply = await fetch(`${address}/api/endpoints/bench.open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // No two are the same.
    body: JSON.stringify({ sql: `${sql} -- ${i}` }),
  });
  const { error } = await reply.json();
  return `${reply.status} ${error?.code ?? ''}`.trim();
}

function counted(replies) {
  const counts = new Map();
  for (const reply of replies) counts.set(reply, (counts.get(reply) ?? 0) + 1);
  return [...counts].map(([reply, count]) => `${count} × ${reply}`).join(', ');
}
