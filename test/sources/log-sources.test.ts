// The log sources and their older names, as the translator sees them.
import { expect, test } from 'vitest';
import { embeddedSources } from '../../src/sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../../src/sources/log/log-sources.ts';
import { typeName } from '../../src/sql/base/types.ts';

test.each([
  ['edge_logs', 'edge_logs'],
  ['EDGE_LOGS', 'edge_logs'],
  ['cloudflare.logs.prod', 'edge_logs'],
  ['deno-relay-logs', 'function_edge_logs'],
  ['deno-subhosting-events', 'function_logs'],
  ['postgres.logs', 'postgres_logs'],
  ['gotrue.logs.prod', 'auth_logs'],
  ['realtime.logs.prod', 'realtime_logs'],
  ['storage.logs.prod.2', 'storage_logs'],
  ['postgREST.logs.prod', 'postgrest_logs'],
  ['pgbouncer.logs.prod', 'pgbouncer_logs'],
  ['supavisor_logs', 'supavisor_logs'],
  ['auth_audit_logs', 'auth_audit_logs'],
  ['etl_replication_logs', 'etl_replication_logs'],
  ['pg_upgrade_logs', 'pg_upgrade_logs'],
  ['multigres_logs', 'multigres_logs'],
  ['workflow_run_logs', 'workflow_run_logs'],
  ['nothing', undefined],
])('%s is %s', (name, table) => {
  expect(embeddedSources({ sources: {} }).find(name)?.table).toBe(table);
});

test('there are fifteen sources, and no name means two of them', () => {
  const names = LOG_SOURCES.flatMap((source) => [source.name, ...source.aliases]).map((name) => name.toLowerCase());
  expect([LOG_SOURCES.length, new Set(names).size]).toEqual([15, names.length]);
});

test('a log source shows its columns as BigQuery does', () => {
  const source = embeddedSources({ sources: { edge_logs: { severalElements: true } } }).find('edge_logs');
  expect(source?.columns.map((column) => `${column.name} ${typeName(column.type)}`)).toEqual([
    'id STRING',
    'timestamp TIMESTAMP',
    'project STRING',
    'event_message STRING',
    'identifier STRING',
    'metadata ARRAY<RECORD>',
  ]);
  const read = source?.columns.at(-1)?.read;
  expect(
    read?.layout === 'json' && [read.severalElements, read.typedPaths['request.path'], read.typedPaths['response.status_code']],
  ).toEqual([true, 'Nullable(String)', 'Nullable(Int64)']);
});
