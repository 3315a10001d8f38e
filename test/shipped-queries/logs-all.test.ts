// logs.all against rows computed without SQL.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../support/told.ts';
import { EDGE_EVENTS, FUNCTION_EVENTS, INSTANTS, NOW, NOW_TEXT, ODD_PROJECT, SEVERAL_EDGE_EVENTS } from './events.ts';
import { type LogsArguments, logsAll, micros } from './reference.ts';
import { openShipped, type ShippedRun } from './run-shipped.ts';

const NAME = 'logs.all';

describe.each([
  ['records of one element', EDGE_EVENTS, false],
  ['records of several elements', SEVERAL_EDGE_EVENTS, true],
] as const)('%s', (_layout, events, several) => {
  let shipped: ShippedRun;
  beforeAll(async () => {
    // Other sources have the same project's records too: they add nothing.
    shipped = await openShipped({ edge_logs: events, function_edge_logs: FUNCTION_EVENTS }, NOW / 1000);
    expect(shipped.several('edge_logs')).toBe(several);
  });
  afterAll(() => shipped.close());

  async function agree(given: LogsArguments, bounds: Parameters<typeof logsAll>[3] = {}, asOf: string = NOW_TEXT): Promise<number> {
    const { result } = await shipped.run(NAME, { ...given }, { asOf });
    expect(result.rows).toEqual(logsAll(events, given, micros(asOf), bounds));
    return result.rows.length;
  }

  test('the newest 100 records of a project come first', async () => {
    for (const asOf of INSTANTS) expect(await agree({ project: 'alpha', project_tier: 'ENTERPRISE' }, {}, asOf)).toBe(100);
  });

  test.each([
    ['FREE', 1],
    ['PRO', 7],
    ['PAYG', 90],
    ['ENTERPRISE', 90],
    ['', 1],
    ['pro', 1],
    ['GOLD', 1],
    [undefined, 1],
  ])('tier %j keeps records later than %i days', async (project_tier, days) => {
    const tier = project_tier === undefined ? {} : { project_tier };
    for (const asOf of INSTANTS) {
      // Up to a little after the cutoff, so that the edge is among the newest 100.
      const cutoff = micros(asOf) - days * 86_400_000_000;
      const until = new Date((cutoff + 60_000_000) / 1000).toISOString();
      expect(await agree({ project: 'alpha', ...tier, iso_timestamp_end: until }, { until }, asOf)).toBeGreaterThan(0);
    }
  });

  const end = '2026-03-10T15:42:37.501Z';
  test.each([
    ['2026-03-10T15:42:37.499Z', '2026-03-10T15:42:37.499Z'],
    ['2026-03-10T15:42:37.500Z', '2026-03-10T15:42:37.500Z'],
    ['2026-03-10T15:42:37.5', '2026-03-10T15:42:37.500Z'],
    ['2026-03-10 15:42:37.499', '2026-03-10T15:42:37.499Z'],
    ['2026-03-10 15:42:37.499+00:00', '2026-03-10T15:42:37.499Z'],
    ['2026-03-10T17:42:00+02:00', '2026-03-10T15:42:00Z'],
    ['2026-03-10T10:12:00-05:30', '2026-03-10T15:42:00Z'],
    ['2026-03-10', '2026-03-10T00:00:00Z'],
    ['', undefined],
  ])('iso_timestamp_start %j leaves itself out', async (iso_timestamp_start, after) => {
    const bounds = after === undefined ? { until: end } : { after, until: end };
    await agree({ project: 'alpha', project_tier: 'PRO', iso_timestamp_start, iso_timestamp_end: end }, bounds);
  });

  test.each([
    ['2026-03-10T15:42:37.499Z', '2026-03-10T15:42:37.499Z'],
    ['2026-03-10T15:42:37.500Z', '2026-03-10T15:42:37.500Z'],
    ['2026-03-10 16:42:37.5+01', '2026-03-10T15:42:37.500Z'],
    ['2026-03-09T12:00:00', '2026-03-09T12:00:00Z'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['', undefined],
  ])('iso_timestamp_end %j is included', async (iso_timestamp_end, until) => {
    await agree({ project: 'alpha', project_tier: 'PRO', iso_timestamp_end }, until === undefined ? {} : { until });
  });

  test.each([ODD_PROJECT, "it's", 'a.b', 'beta', 'ALPHA', 'alph', 'al%', '', 'nobody', '.*'])(
    'project %j is compared as it is',
    async (project) => {
      await agree({ project, project_tier: 'PRO' });
    },
  );

  test('what metadata lacks stays away, and nested records are arrays', async () => {
    const given = { project: 'alpha', iso_timestamp_start: '2026-03-10T15:41:40Z', iso_timestamp_end: '2026-03-10T15:42:10Z' };
    expect(await agree(given, { after: given.iso_timestamp_start, until: given.iso_timestamp_end })).toBeGreaterThan(10);
  });
});

describe('the saved query', () => {
  let shipped: ShippedRun;
  beforeAll(async () => {
    shipped = await openShipped({ edge_logs: EDGE_EVENTS }, NOW / 1000);
  });
  afterAll(() => shipped.close());

  test('is found by its name and by its UUID, shows its columns, and is never cached', async () => {
    const given = { project: 'alpha' };
    const named = await shipped.run(NAME, given);
    const identified = await shipped.run('c1a4e0b7-8f25-4d93-9e6b-05b7f3a2d818', given);
    expect([named.cache.state, identified.cache.state, identified.prepared.name]).toEqual(['off', 'off', NAME]);
    expect([named.prepared.ttlSeconds, named.prepared.maxRows]).toEqual([0, 1000]);
    expect(named.result.rows).toEqual(logsAll(EDGE_EVENTS, given, NOW));
    expect(identified.result.rows).toEqual(named.result.rows);
    expect(named.result.columns.map((c) => [c.name, c.type.kind])).toEqual([
      ['id', 'STRING'],
      ['timestamp', 'TIMESTAMP'],
      ['event_message', 'STRING'],
      ['metadata', 'ARRAY'],
    ]);
  });

  test('a start or end that is no timestamp fails', async () => {
    for (const name of ['iso_timestamp_start', 'iso_timestamp_end'])
      expect(await failureOf(shipped.run(NAME, { project: 'alpha', [name]: 'yesterday' }))).toMatchObject({
        code: 'parameter',
        problems: [`invalid | ${name} | "yesterday" is not a timestamp such as 2026-01-02T03:04:05Z`],
      });
  });
});
