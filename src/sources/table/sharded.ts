// Whether the rows of a table are on several servers.

import { quoteString } from '../../clickhouse/quote.ts';
import type { SourceDefinition } from '../definition.ts';
import type { TableFacts } from '../facts.ts';
import type { Place } from '../place.ts';
import { databaseText } from '../wildcard/lacking.ts';

/** Engines of tables that read others, of which one may be Distributed. */
const READING_OTHERS = "('Merge', 'Buffer', 'Alias', 'MaterializedView')";

/** The name in Distributed('main', …), if nothing in it is escaped. */
const CLUSTER_OF_ENGINE = quoteString("^Distributed\\('([^'\\\\]+)'");

/** Looks whether a table is that of every shard of a cluster, a Distributed one, or one that may read such a table; it may, if the server does not say. */
export async function shardedBy(
  { database, table, wildcard, cluster }: SourceDefinition,
  ask: Place['ask'],
): Promise<Pick<TableFacts, 'sharded' | 'distributedOver' | 'readsOthers'>> {
  if (cluster !== undefined) {
    // Shards may be told to join their own tables if the server that is asked knows these, too.
    const [[own] = []] = await ask(
      `SELECT count() FROM system.tables WHERE database = ${databaseText(database)} AND name = ${quoteString(table)} AND engine LIKE '%MergeTree'`,
    );
    return { sharded: true, ...(Number(own) === 1 ? { distributedOver: cluster } : {}) };
  }
  const name = wildcard === true ? `startsWith(name, ${quoteString(table)})` : `name = ${quoteString(table)}`;
  const others = `engine IN ${READING_OTHERS} AND (SELECT count() FROM system.tables WHERE engine = 'Distributed') > 0`;
  const [[tables, distributed, reading, over] = []] = await ask(
    `SELECT count(), countIf(engine = 'Distributed'), countIf(${others}), anyIf(extract(engine_full, ${CLUSTER_OF_ENGINE}), engine = 'Distributed') FROM system.tables WHERE database = ${databaseText(database)} AND ${name}`,
  );
  if (Number(tables) > 0 && Number(distributed) + Number(reading) === 0) return {};
  if (wildcard === true || Number(distributed) === 0) return { sharded: true, readsOthers: true };
  return { sharded: true, ...(over === '' ? {} : { distributedOver: String(over) }) };
}
