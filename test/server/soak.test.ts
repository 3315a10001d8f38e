// A server under everything at once: hits, misses, bad keys, bad parameters, clients that leave, an engine that goes and comes back, a cache
// folder that is deleted. For longer: QUERN_SOAK_SECONDS=120 npx vitest run test/server/soak
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Random, seededRandom } from '../../src/cli/demo/random.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { startClickHouse } from '../support/clickhouse-server.ts';

const SECONDS = Number(process.env['QUERN_SOAK_SECONDS'] ?? 2);
const WORKERS = 16;
/** How often the cache folder goes, and then the engine. */
const ROUNDS = SECONDS < 10 ? 1 : 4;
const bin = new URL('../../bin/quern.js', import.meta.url).pathname;

const FILES = {
  'queries/kept.sql': queryText(
    1,
    'select n, n * @by as m from unnest(generate_array(1, 50)) as n order by n',
    'cache: 2s',
    'params: { by: { type: integer, required: true } }',
  ),
  'queries/direct.sql': queryText(2, 'select @word as word', 'params: { word: { type: string } }'),
};

/** What an engine that is away, just back, or asked too much may answer. */
const OUTAGE = new Set(['unreachable', 'busy', 'timeout']);

interface Serving {
  readonly child: ChildProcess;
  readonly address: string;
  readonly key: string;
}

async function serving(home: string, url: string): Promise<Serving> {
  // So little that it is full within seconds: what grows after that is a leak.
  const env = { PATH: process.env['PATH'], HOME: home, QUERN_ANSWER_MEMORY: '4MB', QUERN_CACHE_SIZE: '16MB' };
  const made = spawnSync(process.execPath, [bin, 'keys', 'create', '--name', 'soak', '--scope', '*', '--may-refresh'], {
    env,
    encoding: 'utf8',
  });
  const flags = ['--port', '0', '--url', url, '--queries', join(home, 'queries'), '--timeout', '5s', '--log-level', 'error'];
  const child = spawn(process.execPath, [bin, 'serve', ...flags], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /^listening on (.*)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stderr.resume();
    return { child, address, key: made.stdout.trim() };
  }
  throw new Error('the server did not start');
}

const rssOf = (child: ChildProcess): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);

type Judged = string | undefined;

/** One request of a random kind; what was wrong with its answer. */
async function askSomething({ address, key }: Serving, random: Random): Promise<Judged> {
  const ask = async (path: string, init: RequestInit = {}) => {
    const reply = await fetch(address + path, { ...init, headers: { 'x-api-key': key, ...init.headers } });
    return {
      status: reply.status,
      body: (await reply.json()) as { readonly result?: unknown; readonly error?: { readonly code: string } },
    };
  };
  const rows = async (path: string, expected: unknown, headers: Record<string, string> = {}): Promise<Judged> => {
    const { status, body } = await ask(path, { headers });
    if (status === 200)
      return JSON.stringify(body.result) === JSON.stringify(expected) ? undefined : `${path}: ${JSON.stringify(body).slice(0, 200)}`;
    return OUTAGE.has(body.error?.code ?? '') ? undefined : `${path}: ${JSON.stringify(body)}`;
  };
  const refusal = async (path: string, wanted: number, headers: Record<string, string> = {}): Promise<Judged> => {
    const { status, body } = await ask(path, { headers });
    return status === wanted ? undefined : `${path}: ${status} ${JSON.stringify(body)}`;
  };
  const multiples = (by: number) => Array.from({ length: 50 }, (_, i) => ({ n: i + 1, m: (i + 1) * by }));
  const by = random.below(20);
  switch (random.below(12)) {
    case 0:
    case 1: {
      const word = random.hex(8);
      return rows(`/api/endpoints/direct?word=${word}`, [{ word }]);
    }
    case 2: {
      const rare = random.below(1_000_000);
      return rows(`/api/endpoints/kept?by=${rare}`, multiples(rare));
    }
    case 3:
      return refusal('/api/endpoints/kept?by=1', 401, { 'x-api-key': 'quern_wrong' });
    case 4:
      return refusal(`/api/endpoints/kept?by=x${random.hex(4)}`, 400);
    case 5:
      return refusal(`/api/endpoints/${random.hex(6)}`, 404);
    case 6:
      await fetch(`${address}/api/endpoints/direct?word=${random.hex(8)}`, {
        headers: { 'x-api-key': key },
        signal: AbortSignal.timeout(random.below(5)),
      }).catch(() => undefined);
      return undefined;
    case 7:
      return rows(`/api/endpoints/kept?by=${by}`, multiples(by), { 'cache-control': 'no-cache' });
    default:
      return rows(`/api/endpoints/kept?by=${by}`, multiples(by));
  }
}

test('no answer is wrong, none is missing, and the memory stays as it is', { timeout: SECONDS * 1000 + 60_000 }, async () => {
  const home = folderOf(FILES);
  let clickhouse = await startClickHouse();
  onTestFinished(() => clickhouse.stop());
  const server = await serving(home, clickhouse.url);
  const end = performance.now() + SECONDS * 1000;
  const wrong: string[] = [];
  let answered = 0;
  const memory: number[] = [];
  const heap: number[] = [];

  const work = async (seed: number) => {
    const random = seededRandom(seed);
    while (performance.now() < end) {
      const fault = await askSomething(server, random).catch((error: unknown) => `no answer: ${String(error)}`);
      answered++;
      if (fault !== undefined) wrong.push(fault);
    }
  };
  const disturb = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await pause((SECONDS * 1000) / ROUNDS / 2);
      const cache = join(home, '.cache/quern');
      // At once, while files are being written into it.
      if (existsSync(cache)) renameSync(cache, `${cache}-${round}`);
      await pause((SECONDS * 1000) / ROUNDS / 4);
      await clickhouse.stop();
      clickhouse = await startClickHouse({ httpPort: clickhouse.httpPort });
    }
  };
  const watch = async () => {
    for (; performance.now() < end; await pause(500)) {
      memory.push(rssOf(server.child));
      const metrics = await (await fetch(`${server.address}/metrics`, { headers: { 'x-api-key': server.key } })).text();
      heap.push(Number(/^nodejs_heap_size_used_bytes (\d+)/m.exec(metrics)?.[1]) / 1024);
    }
  };
  await Promise.all([...Array.from({ length: WORKERS }, (_, i) => work(i + 1)), disturb(), watch()]);
  expect([...new Set(wrong)].slice(0, 5)).toEqual([]);
  expect(answered).toBeGreaterThanOrEqual(WORKERS);

  const ready = await fetch(`${server.address}/ready`);
  expect(ready.status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);

  if (SECONDS < 60) return; // the memory of a young process grows by itself
  const quarter = Math.floor(memory.length / 4);
  const shown = (values: readonly number[]) =>
    values
      .filter((_, i) => i % 10 === 0)
      .map((kb) => Math.round(kb / 1024))
      .join(' ');
  console.log(`${answered} requests\nRSS in MB: ${shown(memory)}\nheap in MB: ${shown(heap)}`);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(memory.slice(-quarter)) / mean(memory.slice(-2 * quarter, -quarter))).toBeLessThan(1.1);
});
