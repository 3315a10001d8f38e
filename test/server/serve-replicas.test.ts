// Several `quern serve` behind a balancer: they share a cache folder, and one that is killed takes nothing along.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf, queryText } from '../queries/support.ts';
import { startClickHouse } from '../support/clickhouse-server.ts';
import { type Serving, serveProcess } from '../support/serve-process.ts';

const ROWS = 300;
const FILES = {
  'numbers.sql': queryText(
    1,
    `select n, @k as k from unnest(generate_array(1, ${ROWS})) as n order by n`,
    'cache: 1h\nparams: { k: { type: integer, required: true } }',
  ),
};
/** What stands in for chance: the same rounds in every run of the test. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('three servers share results, and kill -9 of one, again and again, costs no row', { timeout: 240_000 }, async () => {
  const clickhouse = await startClickHouse();
  onTestFinished(() => clickhouse.stop());
  const cache = folderOf({});
  const start = () => serveProcess(FILES, { CLICKHOUSE_URL: clickhouse.url, QUERN_CACHE_DIR: cache, QUERN_ENGINE_QUERIES: '8' });
  const servers: Serving[] = await Promise.all([start(), start(), start()]);
  const random = chance(7);

  const askFrom = async ({ address }: Serving, k: number) => {
    const reply = await fetch(`${address}/api/endpoints/numbers?k=${k}`);
    expect(reply.status).toBe(200);
    const { result } = (await reply.json()) as { readonly result: readonly { readonly n: number; readonly k: number }[] };
    expect(result).toHaveLength(ROWS);
    expect(result.every((row, i) => row.n === i + 1 && row.k === k)).toBe(true);
    return reply.headers.get('x-cache');
  };

  // What one has run, the others find.
  const [first, second, third] = servers as [Serving, Serving, Serving];
  expect(await askFrom(first, 0)).toBe('miss');
  await expect.poll(() => askFrom(second, 0), { timeout: 10_000 }).toBe('hit');
  expect(await askFrom(third, 0)).toBe('hit');

  for (let round = 1; round <= 4; round++) {
    const victim = Math.floor(random() * servers.length);
    const dying = servers[victim] as Serving;
    const ended = once(dying.child, 'exit');
    const asked = Array.from({ length: 60 }, async (_, i) => {
      const server = servers[i % servers.length] as Serving;
      const k = round * 100 + Math.floor(random() * 30);
      // Who is asked while it dies gives no answer; whoever gives one gives all of it.
      return askFrom(server, k).catch((error: unknown) => {
        if (server !== dying) throw error;
        return 'killed';
      });
    });
    setTimeout(() => dying.child.kill('SIGKILL'), 5 + random() * 60);
    await Promise.all([...asked, ended]);
    servers[victim] = await start();
    // The new one finds what the dead one and the others have left: whole entries, or none.
    for (let k = round * 100; k < round * 100 + 30; k++) await askFrom(servers[victim], k);
    expect(new Set(await Promise.all(servers.map((server) => askFrom(server, round * 100))))).toEqual(new Set(['hit']));
  }
  const entries = readdirSync(join(cache, 'results'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.entry'));
  expect(entries.length).toBeGreaterThanOrEqual(1 + 4 * 30);
  for (const name of entries) expect(readFileSync(join(cache, 'results', name), 'utf8').length).toBeGreaterThan(100);
});
