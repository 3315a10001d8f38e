// `quern serve` in front of a ClickHouse server: side by side, away, silent, and back.
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { queryText } from '../queries/support.ts';
import { startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';

const home = cliHome();
afterAll(() => home.remove());
home.write(
  'mine/numbers.sql',
  queryText(1, 'select n, @word as word from unnest(generate_array(1, 3)) as n order by n', 'params: { word: { type: string } }'),
);
home.write('mine/kept.sql', queryText(2, 'select 1 as a', 'cache: 1s'));

interface Body {
  readonly result?: unknown;
  readonly error?: { readonly code: string };
  readonly status?: string;
  readonly engine?: { readonly code: string };
}

test('requests are answered by the server, many at once, and /ready tells how it is', { timeout: 120_000 }, async () => {
  const clickhouse = await startClickHouse();
  let current = clickhouse;
  onTestFinished(() => current.stop());
  const { address, stop } = await serveCli(home, [
    '--no-auth',
    '--queries',
    'mine',
    '--url',
    clickhouse.url,
    '--timeout',
    '5s',
    '--log-level',
    'silent',
  ]);
  const ask = async (path: string) => {
    const reply = await fetch(address + path);
    return { status: reply.status, body: (await reply.json()) as Body };
  };
  const words = Array.from({ length: 20 }, (_, i) => `w${i}`);
  const replies = await Promise.all(words.map((word) => ask(`/api/endpoints/numbers?word=${word}`)));
  expect(replies.map(({ status, body }) => [status, body])).toEqual(
    words.map((word) => [200, { result: [1, 2, 3].map((n) => ({ n, word })) }]),
  );
  expect((await ask('/api/endpoints/kept')).body).toEqual({ result: [{ a: 1 }] });
  expect((await ask('/ready')).body.status).toBe('ready');

  await clickhouse.stop();
  expect((await ask('/api/endpoints/numbers?word=x')).body.error?.code).toBe('unreachable');
  await expect.poll(async () => (await ask('/ready')).body.engine?.code).toBe('unreachable');
  expect((await ask('/api/endpoints/kept')).body).toEqual({ result: [{ a: 1 }] });

  current = await startClickHouse({ httpPort: clickhouse.httpPort });
  await expect.poll(async () => (await ask('/ready')).status).toBe(200);
  expect((await ask('/api/endpoints/numbers?word=x')).status).toBe(200);
  expect((await stop()).exitCode).toBe(0);
});

test('with more queries at once than there are connections by default, the server still hears that it is to stop one', {
  timeout: 120_000,
}, async () => {
  const clickhouse = await startClickHouse();
  onTestFinished(() => clickhouse.stop());
  await clickhouse.run('CREATE VIEW slow_rows AS SELECT sleepEachRow(1) AS slept FROM numbers(3)');
  home.write(
    'mine/slow.sql',
    queryText(
      3,
      'select sum(slept) as s, {n:Int64} as n from slow_rows',
      'dialect: clickhouse',
      'params: { n: { type: integer, required: true } }',
    ),
  );
  const { address, stop } = await serveCli(home, ['--no-auth', '--queries', 'mine', '--url', clickhouse.url, '--log-level', 'silent'], {
    env: { QUERN_ENGINE_QUERIES: '12' },
  });
  onTestFinished(async () => void (await stop()));
  const running = async () =>
    Number(
      await clickhouse.run(
        "SELECT count() FROM system.processes WHERE query LIKE '%slow_rows%' AND NOT is_cancelled AND query NOT LIKE '%system.processes%'",
      ),
    );
  const leaver = new AbortController();
  const asked = Array.from({ length: 12 }, (_, n) =>
    fetch(`${address}/api/endpoints/slow?n=${n}`, n < 2 ? { signal: leaver.signal } : {}).then(
      ({ status }) => status,
      () => 'left',
    ),
  );
  await expect.poll(running, { timeout: 10_000 }).toBe(12);
  leaver.abort();
  await expect.poll(running).toBe(10);
  expect((await Promise.all(asked)).slice(2)).toEqual(Array.from({ length: 10 }, () => 200));
});
