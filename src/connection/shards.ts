// With `skip_unavailable_shards` ClickHouse leaves shards out without a word: this asks which ones did not answer, and says so in the result.

import { quoteString } from '../clickhouse/quote.ts';
import type { Engine, EngineResult, StreamEnd } from '../engine/engine.ts';

/**
 * The same engine; its results name the shards of `clusters` that cannot be reached. They are asked before and after a query: a shard that
 * is missing at either time may be missing in the rows.
 * https://clickhouse.com/docs/operations/settings/settings#skip_unavailable_shards
 */
export function tellMissingShards(engine: Engine, clusters: () => Promise<readonly string[]>): Engine {
  const missing = async (): Promise<readonly string[]> =>
    (await Promise.all((await clusters()).map((name) => missingIn(name, engine)))).flat();
  return {
    ...engine,
    async execute(query) {
      const before = await missing();
      return { ...(await engine.execute(query)), ...told(before, await missing()) };
    },
    async *stream(query, format, onEnd) {
      const before = await missing();
      let end: StreamEnd = {};
      yield* engine.stream(query, format, (one) => {
        end = one;
      });
      onEnd?.({ ...end, ...told(before, await missing()) });
    },
  };
}

function told(before: readonly string[], after: readonly string[]): Pick<EngineResult, 'missing'> {
  const names = [...new Set([...before, ...after])];
  return names.length === 0 ? {} : { missing: names };
}

async function missingIn(cluster: string, engine: Engine): Promise<readonly string[]> {
  const name = quoteString(cluster);
  const [shards, answering] = await Promise.all([
    engine.rows(
      `SELECT shard_num, arrayStringConcat(groupArray(concat(host_name, ':', toString(port))), ', ') FROM system.clusters WHERE cluster = ${name} GROUP BY shard_num ORDER BY shard_num`,
    ),
    engine.rows(`SELECT DISTINCT _shard_num FROM cluster(${name}, system.one) SETTINGS skip_unavailable_shards = 1`),
  ]);
  const answered = new Set(answering.map(([shard]) => Number(shard)));
  return shards
    .filter(([shard]) => !answered.has(Number(shard)))
    .map(([shard, hosts]) => `shard ${String(shard)} of the cluster ${cluster} (${String(hosts)})`);
}
