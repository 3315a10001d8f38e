// Whether the rows of a table are on several servers.

import { quoteString } from '../../clickhouse/quote.ts';
import type { SourceDefinition } from '../definition.ts';
import type { Place } from '../place.ts';
import { databaseText } from '../wildcard/lacking.ts';

/** Engines of tables that read others, of which one may be Distributed. */
const READING_OTHERS = "('Merge', 'Buffer', 'Alias')";

/** True of the table on every shard of a cluster, of a Distributed table, and of one that may read such a table; also where the server does not say. */
export async function isSharded({ database, table, wildcard, cluster }: SourceDefinition, ask: Place['ask']): Promise<boolean> {
  if (cluster !== undefined) return true;
  const name = wildcard === true ? `startsWith(name, ${quoteString(table)})` : `name = ${quoteString(table)}`;
  const others = `engine IN ${READING_OTHERS} AND (SELECT count() FROM system.tables WHERE engine = 'Distributed') > 0`;
  const [[sharded] = []] = await ask(
    `SELECT count() = 0 OR countIf(engine = 'Distributed' OR ${others}) > 0 FROM system.tables WHERE database = ${databaseText(database)} AND ${name}`,
  );
  return Number(sharded) !== 0;
}
