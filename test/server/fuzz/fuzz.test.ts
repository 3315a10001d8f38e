// Requests that nobody should send are answered in words. More of them: QUERN_FUZZ_REQUESTS=10000 npx vitest run test/server/fuzz
import { expect, test } from 'vitest';
import { queryText } from '../../queries/support.ts';
import { eventsEngine, served } from '../server-support.ts';
import { fuzzServer } from './exchange.ts';
import { requestOf } from './request.ts';

const engine = eventsEngine();
const COUNT = Number(process.env['QUERN_FUZZ_REQUESTS'] ?? 500);
const FIRST = Number(process.env['QUERN_FUZZ_SEED'] ?? 1);

test('a seed always makes the same request', () => {
  expect([1, 2, 3].map((seed) => requestOf(seed).bytes)).toEqual([1, 2, 3].map((seed) => requestOf(seed).bytes));
});

const OPEN = queryText(
  8,
  'with mine as (select id from events where area = @area) select id from mine',
  'sandbox: enabled',
  'cache: 60s',
  'params: { area: { type: string } }',
);

test.each([undefined, {}])(
  'odd requests are answered with a result or in words, without keys and with them',
  { timeout: 600_000 },
  async (key) => {
    const { server, ask } = await served(engine(), { files: { 'open.sql': OPEN }, ...(key === undefined ? {} : { key }) });
    const address = await server.listen('127.0.0.1', 0);
    expect(await fuzzServer(address, FIRST, COUNT / 2)).toEqual([]);
    expect((await ask('/api/endpoints/ids?area=auth&most=2')).json()).toEqual({
      result: [{ id: 2, area: 'auth', moment: '2026-01-02T00:02:00Z' }],
    });
  },
);
