// The servers of clusters that sources are read from: whether each answers, has the version and the clock of the others, and the tables with the same columns.
import { formatDuration } from '../base/quantity.ts';
import { quoteString } from '../clickhouse/quote.ts';
import { type Delay, delaysQuery, readDelays } from '../clickhouse/replica-delays.ts';
import type { ListedSource } from '../sources/listing.ts';
import { type Finding, fail, failure, note, ok } from './finding.ts';

type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** A table that every shard of a cluster has. */
interface ShardTable {
  readonly cluster: string;
  readonly database: string;
  readonly table: string;
}

const SKEW_MS = 2000;

export async function* checkShards(sources: readonly ListedSource[], ask: Ask): AsyncIterable<Finding> {
  try {
    const tables = await tablesOf(sources, ask);
    for (const cluster of new Set(tables.map((table) => table.cluster)))
      yield* await checkCluster(
        cluster,
        tables.filter((table) => table.cluster === cluster),
        ask,
      );
  } catch (error) {
    yield failure('cluster', error);
  }
}

/** Returns what the sources read on shards: by their own words, or by those of a Distributed table. */
async function tablesOf(sources: readonly ListedSource[], ask: Ask): Promise<readonly ShardTable[]> {
  const found = new Map<string, ShardTable>();
  for (const { sharded } of sources) {
    if (sharded === undefined) continue;
    const { cluster, table } = sharded;
    const database = sharded.database === undefined ? 'currentDatabase()' : quoteString(sharded.database);
    const names =
      cluster === undefined
        ? `SELECT extractAll(engine_full, '\\'((?:[^\\'\\\\\\\\]|\\\\\\\\.)*)\\'') FROM system.tables WHERE database = ${database} AND name = ${quoteString(table)} AND engine = 'Distributed'`
        : `SELECT [${quoteString(cluster)}, ${database}, ${quoteString(table)}]`;
    const [[row] = []] = await ask(names);
    const [ofCluster, ofDatabase, ofTable] = Array.isArray(row) ? row.map(String) : [];
    if (ofCluster !== undefined && ofDatabase !== undefined && ofTable !== undefined)
      found.set([ofCluster, ofDatabase, ofTable].join('\0'), { cluster: ofCluster, database: ofDatabase, table: ofTable });
  }
  return [...found.values()];
}

async function checkCluster(cluster: string, tables: readonly ShardTable[], ask: Ask): Promise<readonly Finding[]> {
  const subject = `cluster ${cluster}`;
  // Each server counts as a shard of its own, in this order.
  const servers = (
    await ask(
      `SELECT shard_num, host_name, port FROM system.clusters WHERE cluster = ${quoteString(cluster)} ORDER BY shard_num, replica_num`,
    )
  ).map(([shard, host, port]) => ({ shard: Number(shard), name: `${String(host)}:${String(port)}` }));
  const onEach = async (columns: string, from: string): Promise<ReadonlyMap<number, readonly unknown[]>> => {
    const rows = await ask(
      `SELECT _shard_num, ${columns} FROM clusterAllReplicas(${quoteString(cluster)}, ${from}) SETTINGS skip_unavailable_shards = 1`,
    );
    return new Map(rows.map(([server, ...values]) => [Number(server) - 1, values]));
  };
  const answers = await onEach('v, t', "view(SELECT version() AS v, toUnixTimestamp64Milli(now64(3, 'UTC')) AS t)");
  const findings = servers.flatMap(({ shard, name }, i) =>
    answers.has(i)
      ? []
      : [fail(subject, `shard ${shard} (${name}) does not answer`, 'check that server, and the firewall between the servers')],
  );
  /** A server of each version. */
  const versions = new Map([...answers].map(([at, [version]]) => [String(version), servers[at]?.name]));
  if (versions.size > 1) {
    const each = [...versions].map(([version, name]) => `${version} on ${name}`).join(', ');
    findings.push(note(subject, `its servers have different versions: ${each}`, 'update them to one version'));
  }
  const clocks = [...answers.values()].map(([, time]) => Number(time));
  const skew = Math.max(...clocks) - Math.min(...clocks);
  if (skew > SKEW_MS) findings.push(note(subject, `the clocks of its servers are ${skew} ms apart`, 'synchronize them with NTP'));
  const delays = readDelays(await ask(delaysQuery(cluster)).catch(() => [])); // the login may not be allowed to ask
  for (const { database, table } of tables) {
    for (const [at, all] of delays) {
      const delay = all.find((one) => one.table === `${database}.${table}`);
      if (delay !== undefined) findings.push(...checkDelay(subject, { ...delay, server: servers[at]?.name ?? '' }));
    }
    const where = `WHERE database = ${quoteString(database)} AND table = ${quoteString(table)}`;
    const columns = await onEach(
      'columns',
      `view(SELECT arraySort(groupArray(concat(name, ' is ', type))) AS columns FROM system.columns ${where})`,
    );
    findings.push(
      ...checkColumns(
        subject,
        `${database}.${table}`,
        servers.map(({ name }, i) => [name, columns.get(i)?.[0]] as const),
      ),
    );
  }
  if (findings.length > 0) return findings;
  const shards = new Set(servers.map(({ shard }) => shard)).size;
  const words = `${servers.length} servers of ${shards} shards answer with ClickHouse ${[...versions.keys()].join(', ')}`;
  return [ok(subject, `${words}, their clocks are within ${skew} ms`)];
}

/** Some ten years: a replica that has never heard of the others, such as without a keeper, is behind since 1970. */
const NEVER_SECONDS = 3e8;
/** A replica that is a moment behind is in order. */
const LATE_SECONDS = 60;

function checkDelay(subject: string, { server, table, seconds }: Delay & { readonly server: string }): readonly Finding[] {
  if (seconds < LATE_SECONDS) return [];
  const detail =
    seconds < NEVER_SECONDS
      ? `the replica of ${table} on ${server} is ${formatDuration(seconds)} behind the others`
      : `the replica of ${table} on ${server} does not know what the others have`;
  return [note(subject, detail, 'see system.replicas on that server: queries do not read it while it is far behind')];
}

/** `columns`: those of each server, as `name is type`; undefined of one that does not answer. */
function checkColumns(
  subject: string,
  table: string,
  columns: readonly (readonly [server: string, columns: unknown])[],
): readonly Finding[] {
  const known = columns.flatMap(([server, list]) => (Array.isArray(list) ? [{ server, list: list.map(String) }] : []));
  const without = known.filter(({ list }) => list.length === 0);
  const withTable = known.filter(({ list }) => list.length > 0);
  const lacking = without.map(({ server }) => fail(subject, `${server} has no table ${table}`, 'create it there, as on the other servers'));
  const [first] = withTable;
  const other = withTable.find(({ list }) => list.join() !== first?.list.join());
  if (first === undefined || other === undefined) return lacking;
  const only = (list: readonly string[], others: readonly string[]): string => list.filter((column) => !others.includes(column)).join(', ');
  const said = [first, other].map(
    ({ server, list }, i) => `on ${server} ${only(list, (i === 0 ? other : first).list) || 'there are no others'}`,
  );
  const detail = `the columns of ${table} are not the same everywhere: ${said.join(', ')}`;
  return [...lacking, fail(subject, detail, 'alter one of the tables, so that all have the same columns')];
}
