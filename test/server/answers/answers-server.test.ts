// Answers over a real ClickHouse server: what it is asked, and what happens while it is away.

import { expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../../src/engine/server/server.ts';
import { queryText } from '../../queries/support.ts';
import { type ClickHouseServer, startClickHouse } from '../../support/clickhouse-server.ts';
import { fixedVersion } from '../../support/fixed-sources.ts';
import { LINES_RENDERER, type World, world } from './answers-support.ts';

const FILES = { 'ids.sql': queryText(1, 'select cast(current_timestamp() as string) as now', 'cache: 60s') };
const QUERY_LOG = { profiles: { default: { log_queries: 1 } }, config: { query_log: { database: 'system', table: 'query_log' } } };

/** Answers over the server at `url`; queries may take a second. */
function worldOf(url: string): World {
  const engine = openServer({ url });
  onTestFinished(() => engine.close());
  const snapshot = async () => ({
    version: fixedVersion('server'),
    limits: { usual: { maxExecutionSeconds: 1 } },
    engine: async () => engine,
    outdated: async () => false,
  });
  return world(engine, { files: FILES, options: { snapshot } });
}

async function started(options: Parameters<typeof startClickHouse>[0] = {}): Promise<ClickHouseServer> {
  const server = await startClickHouse(options);
  onTestFinished(() => server.stop());
  return server;
}

test('a thousand identical misses in two formats are one query in the log of the server', async () => {
  const server = await started(QUERY_LOG);
  const { ask } = worldOf(server.url);
  const answers = await Promise.all(Array.from({ length: 1000 }, (_, n) => ask({}, n % 2 === 0 ? {} : { render: LINES_RENDERER })));
  expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['miss']));
  await server.run('SYSTEM FLUSH LOGS');
  const logged = await server.run(
    `SELECT log_comment FROM system.query_log WHERE type = 'QueryFinish' AND log_comment LIKE '%"query":"ids"%'`,
  );
  expect(logged).toBe('{"query":"ids","request":"request-1"}\n');
});

test('old rows answer while the server is away, and new ones once it is back', async () => {
  const first = await started();
  const { told, ask, clock, events, stored } = worldOf(first.url);
  expect(await told()).toBe('miss [["2026-01-02 00:10:00+00"]]');
  await first.stop();
  clock.advance(300);
  expect(await told()).toBe('stale [["2026-01-02 00:10:00+00"]]');
  expect(events.map(({ kind, error }) => [kind, error.code])).toEqual([['stale-after-failure', 'unreachable']]);
  await started({ httpPort: first.httpPort });
  clock.advance(10);
  expect((await ask()).state).toBe('stale');
  await stored();
  expect(await told()).toBe('hit [["2026-01-02 00:15:10+00"]]');
});

test('old rows answer when the server says nothing for as long as a query may take', async () => {
  const server = await started();
  const { told, clock, events } = worldOf(server.url);
  await told();
  await server.freeze();
  onTestFinished(() => server.thaw());
  clock.advance(300);
  expect(await told()).toBe('stale [["2026-01-02 00:10:00+00"]]');
  expect(events.map(({ kind, error }) => [kind, error.code])).toEqual([['stale-after-failure', 'timeout']]);
});
