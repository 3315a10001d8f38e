// functions.invocation-stats against rows computed without SQL.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../support/told.ts';
import { FUNCTION_EVENTS, INSTANTS, NOW, NOW_TEXT, ODD_PROJECT, SEVERAL_FUNCTION_EVENTS } from './events.ts';
import { invocationStats, micros, type StatsArguments } from './reference.ts';
import { openShipped, type ShippedRun } from './run-shipped.ts';

const NAME = 'functions.invocation-stats';

describe.each([
  ['records of one element', FUNCTION_EVENTS, false],
  ['records of several elements', SEVERAL_FUNCTION_EVENTS, true],
] as const)('%s', (_layout, events, several) => {
  let shipped: ShippedRun;
  beforeAll(async () => {
    shipped = await openShipped({ function_edge_logs: events }, NOW / 1000);
    expect(shipped.several('function_edge_logs')).toBe(several);
  });
  afterAll(() => shipped.close());

  async function agree(given: StatsArguments, asOf: string = NOW_TEXT): Promise<number> {
    const { result } = await shipped.run(NAME, { ...given }, { asOf, cache: 'none' });
    expect(result.rows).toEqual(invocationStats(events, given, micros(asOf)));
    expect(result.truncated).toBe(false);
    return result.rows.length;
  }

  test.each(['5min', '15min', '1hr', '1day', '7day'])('%s counts from the first bucket start to the bucket of now', async (interval) => {
    expect(await agree({ project: 'alpha', interval })).toBeGreaterThan(7);
    for (const asOf of INSTANTS) await agree({ project: 'alpha', interval }, asOf);
  });

  test.each([undefined, '', '1DAY', '30day', '5min ', "1day' or '1'='1", 'day_hour'])('interval %j reads as 1day', async (interval) => {
    const given = interval === undefined ? { project: 'alpha' } : { project: 'alpha', interval };
    expect(invocationStats(events, given, NOW)).toEqual(invocationStats(events, { project: 'alpha', interval: '1day' }, NOW));
    await agree(given);
  });

  test.each(['f1', 'f2', "f'2", 'F1', 'f', 'none', ''])('function_id %j', async (function_id) => {
    for (const interval of ['5min', '1day', '7day']) await agree({ project: 'alpha', function_id, interval });
  });

  test('an empty function_id and none mean all functions', async () => {
    const all = invocationStats(events, { project: 'alpha', interval: '7day' }, NOW);
    expect(invocationStats(events, { project: 'alpha', interval: '7day', function_id: '' }, NOW)).toEqual(all);
    await agree({ project: 'alpha', interval: '7day' });
  });

  test.each([ODD_PROJECT, 'beta', 'alphabet', 'ALPHA', 'alph', 'al%', '', 'nobody', '.*'])(
    'project %j is compared as it is',
    async (project) => {
      for (const interval of ['5min', '7day']) await agree({ project, interval });
    },
  );
});

describe('the saved query', () => {
  let shipped: ShippedRun;
  beforeAll(async () => {
    shipped = await openShipped({ function_edge_logs: FUNCTION_EVENTS }, NOW / 1000);
  });
  afterAll(() => shipped.close());

  test('is found by its name and by its UUID, and shows its columns', async () => {
    const given = { project: 'alpha', interval: '7day' };
    const named = await shipped.run(NAME, given);
    const identified = await shipped.run('3e8f1d60-52c9-4b7e-a1f4-7c60d2b95e13', given);
    expect(identified.prepared.name).toBe(NAME);
    expect(identified.result.rows).toEqual(named.result.rows);
    expect(named.result.columns.map((c) => [c.name, c.type.kind])).toEqual([
      ['timestamp', 'TIMESTAMP'],
      ['min_execution_time', 'FLOAT64'],
      ['max_execution_time', 'FLOAT64'],
      ['avg_execution_time', 'FLOAT64'],
      ['p95_execution_time', 'FLOAT64'],
      ['p99_execution_time', 'FLOAT64'],
      ['count', 'INT64'],
      ['error_count', 'INT64'],
    ]);
  });

  test('reads the clock where no instant is given, and is cached for 900 seconds', async () => {
    const given = { project: 'beta', interval: '1hr' };
    const { result, cache, prepared } = await shipped.run(NAME, given);
    expect(result.rows).toEqual(invocationStats(FUNCTION_EVENTS, given, NOW));
    expect([cache.state, prepared.ttlSeconds, prepared.maxRows]).toEqual(['miss', 900, 1000]);
    const again = await shipped.run(NAME, given);
    expect([again.cache.state, again.result.rows]).toEqual(['hit', result.rows]);
  });

  test('needs a project', async () => {
    expect(await failureOf(shipped.run(NAME, { interval: '1day' }))).toMatchObject({
      code: 'parameter',
      problems: [expect.stringContaining('missing | project')],
    });
  });
});
