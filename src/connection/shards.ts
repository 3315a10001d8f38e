// Shards that do not answer. With `skip_unavailable_shards` ClickHouse leaves them out without a word: this asks which ones, and says so in the result. A
// server that accepts connections and says nothing takes all the time of a query: when that is up, this asks which one it was.

import { QuernError } from '../base/errors.ts';
import { topicOf } from '../clickhouse/errors.ts';
import { quoteString } from '../clickhouse/quote.ts';
import { type Delay, delaysQuery, readDelays } from '../clickhouse/replica-delays.ts';
import { around } from '../engine/around.ts';
import type { Engine, EngineQuery, EngineResult, StreamEnd } from '../engine/engine.ts';

/** A setting of queries over tables of several servers, and of no others. */
const OF_SHARDS = 'allow_push_predicate_ast_for_distributed_subqueries';

type Clusters = () => Promise<readonly string[]>;

/**
 * The same engine; its results name the shards of `clusters` that cannot be reached. They are asked before and after a query: a shard that
 * is missing at either time may be missing in the rows.
 * https://clickhouse.com/docs/operations/settings/settings#skip_unavailable_shards
 */
export function tellMissingShards(engine: Engine, clusters: Clusters): Engine {
  const missing = async (): Promise<readonly string[]> =>
    (await Promise.all((await clusters()).map((name) => missingIn(name, engine)))).flat();
  return {
    ...engine,
    async execute(query) {
      const before = await missing();
      return { ...(await engine.execute(query)), ...missingEver(before, await missing()) };
    },
    async *stream(query, format, onEnd) {
      const before = await missing();
      let end: StreamEnd = {};
      yield* engine.stream(query, format, (one) => {
        end = one;
      });
      onEnd?.({ ...end, ...missingEver(before, await missing()) });
    },
  };
}

/**
 * The same engine; if a query of tables on shards runs out of time, or finds no replica, its error also names the servers of `clusters` that do not answer. A
 * query that ran out of time may have been slow without them, such as where another replica has answered.
 */
export function nameSilentServers(engine: Engine, clusters: Clusters): Engine {
  const failed = async (error: unknown, asked: string | EngineQuery): Promise<never> => {
    if (!(error instanceof QuernError) || typeof asked === 'string' || !(OF_SHARDS in asked.settings)) throw error;
    const { code, message, details } = error;
    if (code !== 'timeout' && topicOf(details.engineCode) !== 'stale') throw error;
    const names = await clusters()
      .then((all) => Promise.all(all.map((name) => silentIn(name, engine))))
      .catch(() => []); // the server that was asked does not answer either, as the error says already
    const notes = [...new Set(names.flat())].map((server) => `the server ${server} of a cluster does not respond`);
    throw new QuernError(code, message, { ...details, notes: [...(details.notes ?? []), ...notes], cause: error });
  };
  return around(engine, { failed });
}

function missingEver(before: readonly string[], after: readonly string[]): Pick<EngineResult, 'missing'> {
  const names = [...new Set([...before, ...after])];
  return names.length === 0 ? {} : { missing: names };
}

/** Servers answer each other within milliseconds. */
const ONE_SHORT_ATTEMPT = 'connections_with_failover_max_tries = 1, handshake_timeout_ms = 2000, connect_timeout_with_failover_ms = 2000';

const SERVER = "concat(host_name, ':', toString(port))";
/** From how many seconds on a replica is too far behind to be read; 0 if all are read. */
const TOO_LATE =
  "if(getSetting('fallback_to_stale_replicas_for_distributed_queries'), 0, getSetting('max_replica_delay_for_distributed_queries'))";

async function missingIn(cluster: string, engine: Engine): Promise<readonly string[]> {
  const name = quoteString(cluster);
  const [servers, answering, delays] = await Promise.all([
    engine.rows(`SELECT shard_num, ${SERVER}, ${TOO_LATE} FROM system.clusters WHERE cluster = ${name} ORDER BY shard_num, replica_num`),
    engine.rows(`SELECT DISTINCT _shard_num FROM cluster(${name}, system.one) SETTINGS skip_unavailable_shards = 1`),
    engine.rows(`${delaysQuery(cluster)}, ${ONE_SHORT_ATTEMPT}`).catch(() => []), // the login may not be allowed to ask
  ]);
  const answered = new Set(answering.map(([shard]) => Number(shard)));
  const delayed = readDelays(delays);
  return [...new Set(servers.map(([shard]) => Number(shard)))].flatMap((shard) => {
    const replicas = servers.map(([of, host, bound], at) => ({ of, host, tooLate: tooLate(delayed.get(at), Number(bound)) }));
    const own = replicas.filter(({ of }) => Number(of) === shard);
    const words = `shard ${shard} of the cluster ${cluster} (${own.map(({ host }) => String(host)).join(', ')})`;
    if (!answered.has(shard)) return [words];
    const [first = [], ...others] = own.flatMap(({ tooLate: tables }) => (tables === undefined ? [] : [tables]));
    return first.filter((table) => others.every((of) => of.includes(table))).map((table) => `${table} on ${words}, which is far behind,`);
  });
}

/** Returns the tables of the server that are not read for that; undefined if it has not answered. */
const tooLate = (delays: readonly Delay[] | undefined, bound: number): readonly string[] | undefined =>
  delays?.filter(({ seconds }) => bound > 0 && seconds >= bound).map(({ table }) => table);

async function silentIn(cluster: string, engine: Engine): Promise<readonly string[]> {
  const name = quoteString(cluster);
  // Each server counts as a shard of its own, in this order.
  const [servers, answering] = await Promise.all([
    engine.rows(`SELECT ${SERVER} FROM system.clusters WHERE cluster = ${name} ORDER BY shard_num, replica_num`),
    engine.rows(
      `SELECT DISTINCT _shard_num FROM clusterAllReplicas(${name}, system.one) SETTINGS skip_unavailable_shards = 1, ${ONE_SHORT_ATTEMPT}`,
    ),
  ]);
  const answered = new Set(answering.map(([server]) => Number(server)));
  return servers.map(([server]) => String(server)).filter((_, at) => !answered.has(at + 1));
}
