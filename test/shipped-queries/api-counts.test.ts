// usage.api-counts against rows computed without SQL.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../support/told.ts';
import { EDGE_EVENTS, INSTANTS, NOW, NOW_TEXT, ODD_PROJECT, SEVERAL_EDGE_EVENTS } from './events.ts';
import { apiCounts, type CountArguments, micros } from './reference.ts';
import { openShipped, type ShippedRun } from './run-shipped.ts';

const NAME = 'usage.api-counts';
const INTERVALS = ['minutely', 'hourly', 'daily'] as const;
/** Text as a pattern that matches just that text. */
const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

describe.each([
  ['records of one element', EDGE_EVENTS, false],
  ['records of several elements', SEVERAL_EDGE_EVENTS, true],
] as const)('%s', (_layout, events, several) => {
  let shipped: ShippedRun;
  beforeAll(async () => {
    shipped = await openShipped({ edge_logs: events }, NOW / 1000);
    expect(shipped.several('edge_logs')).toBe(several);
  });
  afterAll(() => shipped.close());

  async function agree(given: CountArguments, asOf: string = NOW_TEXT): Promise<number> {
    const { result } = await shipped.run(NAME, { ...given }, { asOf, cache: 'none' });
    expect(result.rows).toEqual(apiCounts(events, given, micros(asOf)));
    return result.rows.length;
  }

  test.each(INTERVALS)(
    '%s counts from its first instant to now, both included; buckets without requests do not appear',
    async (interval) => {
      expect(await agree({ project: 'alpha', interval })).toBeGreaterThan(1);
      for (const asOf of INSTANTS) await agree({ project: 'alpha', interval }, asOf);
    },
  );

  test.each([
    '.',
    '',
    '^https://alpha\\.',
    'alpha\\.example\\.co/(rest|auth)',
    'a.b',
    'a\\.b',
    '/rest/v1/users$',
    'ALPHA',
    'nobody',
    literally(ODD_PROJECT),
    literally("it's"),
  ])('project %j is a pattern, anywhere in the URL', async (project) => {
    for (const interval of INTERVALS) await agree({ project, interval });
  });
});

describe('the saved query', () => {
  let shipped: ShippedRun;
  beforeAll(async () => {
    shipped = await openShipped({ edge_logs: EDGE_EVENTS }, NOW / 1000);
  });
  afterAll(() => shipped.close());

  test('is found by its name and by its UUID, and shows its columns', async () => {
    const given = { project: 'alpha', interval: 'daily' };
    const named = await shipped.run(NAME, given);
    const identified = await shipped.run('9b2c7a54-6d1e-4f0a-8c35-2f7d90b1e6a4', given);
    expect(identified.prepared.name).toBe(NAME);
    expect(identified.result.rows).toEqual(named.result.rows);
    expect(named.result.columns.map((c) => [c.name, c.type.kind])).toEqual([
      ['timestamp', 'DATETIME'],
      ['total_rest_requests', 'INT64'],
      ['total_storage_requests', 'INT64'],
      ['total_auth_requests', 'INT64'],
      ['total_realtime_requests', 'INT64'],
    ]);
  });

  test('reads the clock where no instant is given, and is cached for 900 seconds', async () => {
    const given = { project: 'beta', interval: 'hourly' } as const;
    const { result, cache, prepared } = await shipped.run(NAME, given);
    expect(result.rows).toEqual(apiCounts(EDGE_EVENTS, given, NOW));
    expect([cache.state, prepared.ttlSeconds, prepared.maxRows]).toEqual(['miss', 900, 1000]);
    expect((await shipped.run(NAME, given)).cache.state).toBe('hit');
  });

  test.each([undefined, '', 'Daily', '1day', 'weekly'])('interval %j is refused', async (interval) => {
    const given = interval === undefined ? { project: 'alpha' } : { project: 'alpha', interval };
    expect(await failureOf(shipped.run(NAME, given))).toMatchObject({ code: 'parameter', problems: [expect.stringContaining('interval')] });
  });

  test('all problems of a call are told at once', async () => {
    const { problems } = (await failureOf(shipped.run(NAME, { interval: 'weekly', projct: 'alpha' }))) as { problems: readonly string[] };
    expect(problems.map((p) => p.split(' | ').slice(0, 2).join(' ')).sort()).toEqual([
      'invalid interval',
      'missing project',
      'unknown projct',
    ]);
  });
});
