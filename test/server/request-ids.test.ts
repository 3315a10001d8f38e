// Callers who choose the same X-Request-Id, before several quern servers and one ClickHouse: nobody's query is refused or stopped for it.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
// Some seconds.
home.write(
  'mine/slow.sql',
  queryText(
    1,
    'select sum(slept) as slept, {word:String} as word from slow_rows',
    'dialect: clickhouse',
    'params: { word: { type: string, required: true } }',
  ),
);

const ID = 'the-same-for-all';

async function replicas(clickhouse: ClickHouseServer, count: number): Promise<readonly string[]> {
  const flags = ['--no-auth', '--queries', 'mine', '--url', clickhouse.url, '--log-level', 'silent'];
  const servers = await Promise.all(Array.from({ length: count }, () => serveCli(home, flags)));
  onTestFinished(async () => void (await Promise.all(servers.map(({ stop }) => stop()))));
  return servers.map(({ address }) => address);
}

test('one caller neither takes the place of another’s query nor stops it by leaving', async () => {
  const clickhouse = await startClickHouse();
  onTestFinished(() => clickhouse.stop());
  await clickhouse.run('CREATE VIEW slow_rows AS SELECT sleepEachRow(0.1) AS slept FROM numbers(25)');
  const [first = '', second = ''] = await replicas(clickhouse, 2);
  const running = async () =>
    (
      await clickhouse.run(
        "SELECT query_id, log_comment FROM (SELECT query_id, Settings['log_comment'] AS log_comment FROM system.processes) WHERE log_comment LIKE '%slow%'",
      )
    )
      .split('\n')
      .filter((line) => line !== '');

  const leaver = new AbortController();
  const ask = (address: string, word: string, signal?: AbortSignal) =>
    fetch(`${address}/api/endpoints/slow?word=${word}`, { headers: { 'x-request-id': ID }, ...(signal === undefined ? {} : { signal }) });
  const left = ask(first, 'left', leaver.signal).catch(() => 'left');
  const here = ask(first, 'here');
  const there = ask(second, 'there');
  await expect.poll(running, { timeout: 10_000, interval: 50 }).toHaveLength(3);
  const seen = (await running()).map((line) => line.split('\t'));
  expect(new Set(seen.map(([, comment]) => comment))).toEqual(new Set([`{"query":"slow","request":"${ID}"}`]));
  for (const [id] of seen) expect(id).toMatch(/^quern-[0-9a-f-]{36}$/);

  leaver.abort();
  expect(await left).toBe('left');
  await expect.poll(running, { timeout: 10_000, interval: 50 }).toHaveLength(2);
  await pause(100); // orders to stop are repeated
  for (const [reply, word] of [
    [await here, 'here'],
    [await there, 'there'],
  ] as const) {
    expect([reply.status, await reply.json()]).toEqual([200, { result: [{ slept: 0, word }] }]);
    expect(reply.headers.get('x-request-id')).toBe(ID);
  }
});
