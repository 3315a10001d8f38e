// The generated sample: the same on every run, in order, and as large as it says.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/cli/demo/random.ts';
import { missingSources, SAMPLE_INSTANT, sampleLines, sampleSources } from '../../../src/cli/demo/sample.ts';
import { moments } from '../../../src/cli/demo/traffic.ts';
import { LOG_SOURCES } from '../../../src/sources/log/log-sources.ts';

describe('the sample', () => {
  test('has the log sources of every project, and none that there is not', () => {
    const rare = ['auth_audit_logs', 'etl_replication_logs', 'multigres_logs', 'pg_upgrade_logs', 'supavisor_logs', 'workflow_run_logs'];
    const names = LOG_SOURCES.map(({ name }) => name).filter((name) => !rare.includes(name));
    expect(sampleSources.map(({ source }) => source).sort()).toEqual(names.sort());
  });

  test.each(sampleSources.map((source) => [source.source, source] as const))(
    '%s is the same each time, in order of time, within its week',
    (_, source) => {
      const lines = [...sampleLines({ ...source, count: 500 })];
      expect([...sampleLines({ ...source, count: 500 })]).toEqual(lines);
      const times = lines.map((line) => JSON.parse(line).timestamp as string);
      expect(times).toHaveLength(500);
      expect([...times].sort()).toEqual(times);
      expect((times[0] ?? '') >= '2026-01-08T12:00:00.000Z' && (times.at(-1) ?? '') < SAMPLE_INSTANT).toBe(true);
    },
  );

  test('is busier in the afternoon than at night', () => {
    const hours = moments(20_000, seededRandom(1)).map((time) => new Date(time).getUTCHours());
    const between = (from: number, to: number) => hours.filter((hour) => hour >= from && hour < to).length;
    expect(between(13, 17)).toBeGreaterThan(3 * between(1, 5));
  });

  test('only what a store lacks is loaded', () => {
    const all = Object.fromEntries(sampleSources.map(({ source, count }) => [source, { rows: count }]));
    expect(missingSources(all)).toEqual([]);
    expect(missingSources({ ...all, auth_logs: undefined }).map(({ source }) => source)).toEqual(['auth_logs']);
  });
});
