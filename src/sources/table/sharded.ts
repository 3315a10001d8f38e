// Finds out whether the rows of a table are on several servers.

import { quoteString } from '../../clickhouse/quote.ts';
import type { SourceDefinition } from '../definition.ts';
import type { TableFacts } from '../facts.ts';
import type { Place } from '../place.ts';
import { databaseText } from '../wildcard/lacking.ts';

/** Engines whose tables read other tables, one of which may be Distributed. */
const READING_OTHERS = "('Merge', 'Buffer', 'Alias', 'MaterializedView')";

/** A pattern for the name in Distributed('main', …) that has no escaped characters. */
const CLUSTER_OF_ENGINE = quoteString("^Distributed\\('([^'\\\\]+)'");

/** Asks the server whether a table is one of every shard, is Distributed, or may read a Distributed one. A server that does not say is taken to say it may. */
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
