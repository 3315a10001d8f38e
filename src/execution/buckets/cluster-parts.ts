// The state of a table that is read on every shard of a cluster: the parts of all replicas. A query reads one replica of each shard, and which is not known:
// what they do not agree on is as good as changing.
import { randomUUID } from 'node:crypto';
import { quoteString } from '../../clickhouse/quote.ts';
import type { TableState } from './stamp.ts';
import {
  ACTIVE,
  about,
  DEFINITION,
  isByTime,
  PART,
  type PartRow,
  partOf,
  SETTINGS_ON,
  type ShardedTable,
  whySettings,
  whyUnstable,
} from './table-parts.ts';

/**
 * One row, as `readClusterState` takes it. Each replica is a shard of `clusterAllReplicas`, numbered in the order of the cluster's definition.
 * https://clickhouse.com/docs/sql-reference/table-functions/cluster
 */
export function clusterQuery(table: ShardedTable): string {
  const cluster = quoteString(table.cluster);
  const everywhere = (expressions: readonly string[], from: string, where: string): string =>
    `(SELECT groupArray((_shard_num, ${expressions.join(', ')})) FROM clusterAllReplicas(${cluster}, ${from}) WHERE ${where})`;
  return `SELECT
  (SELECT groupArray((shard_num, host_name, port)) FROM (SELECT shard_num, host_name, port FROM system.clusters WHERE cluster = ${cluster} ORDER BY shard_num, replica_num)) AS replicas,
  ${everywhere(DEFINITION, 'system.tables', about(table, 'name'))} AS definitions,
  ${everywhere(PART, 'system.parts', `${ACTIVE} AND ${about(table, 'table')}`)} AS parts,
  (SELECT count() FROM clusterAllReplicas(${cluster}, system.row_policies) WHERE ${about(table, 'table')}) AS policies,
  ${SETTINGS_ON} AS settings`;
}

/** The state that the row says, or why there is none to rely on. */
export function readClusterState(row: readonly unknown[], times: readonly string[]): TableState | string {
  const [replicas, definitions, parts, policies, settings] = row as unknown as [
    readonly (readonly [number | string, string, number])[],
    readonly (readonly [number | string, ...string[]])[],
    readonly (readonly [number | string, ...PartRow])[],
    number | string,
    readonly (boolean | number)[],
  ];
  if (replicas.length === 0 || new Set(replicas.map(([, host, port]) => `${host} ${port}`)).size < replicas.length)
    return 'the replicas of its cluster are not told apart';
  if (Number(policies) > 0) return 'its table has a row policy';
  const why = whySettings(settings);
  if (why !== undefined) return why;
  // One that does not answer, or has no such table, may be the one that answers the query.
  if (definitions.length < replicas.length) return 'a replica of its cluster does not show it';
  const byTime = definitions.every(([, , partitionKey = '']) => isByTime(partitionKey, times));
  for (const [, engine = '', , created = ''] of definitions) {
    const unstable = whyUnstable(engine, created);
    if (unstable !== undefined) return unstable;
  }
  return {
    definition: JSON.stringify(definitions.map(([at, engine, , created, , version]) => [at, engine, created, version]).sort()),
    parts: together(
      replicas.map(([shard]) => String(shard)),
      parts.map(([at, ...part]) => ({ at: Number(at) - 1, part: partOf(part, byTime) })),
    ),
  };
}

/** `shards`: of each replica; `at`: the replica that has the part. */
function together(
  shards: readonly string[],
  held: readonly { readonly at: number; readonly part: TableState['parts'][number] }[],
): TableState['parts'] {
  const found = new Map<string, { readonly part: TableState['parts'][number]; replicas: number }>();
  for (const { at, part } of held) {
    const content = `${shards[at]} ${part.content}`;
    const known = found.get(content);
    if (known === undefined) found.set(content, { part: { ...part, content }, replicas: 1 });
    else known.replicas++;
  }
  return [...found.values()].map(({ part, replicas }) => {
    const [shard = ''] = part.content.split(' ');
    return replicas === shards.filter((of) => of === shard).length ? part : { ...part, content: randomUUID() };
  });
}
