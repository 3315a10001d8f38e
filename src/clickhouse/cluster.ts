// Tables that are read on every shard of a cluster. https://clickhouse.com/docs/sql-reference/table-functions/cluster
import { quoteString } from './quote.ts';

interface TableOfShards {
  readonly cluster: string;
  readonly database?: string | undefined;
  readonly table: string;
  /** The key by which rows were spread, in ClickHouse's SQL. */
  readonly shardingKey?: string | undefined;
}

/**
 * `cluster('main', 'logs', 'edge')`: the table of that name in the database (of the connection's, where none is given). The names are texts, since ClickHouse
 * takes a column that the query names `logs` for the database.
 */
export function clusterText({ cluster, database, table, shardingKey }: TableOfShards): string {
  const names = [quoteString(cluster), database === undefined ? 'currentDatabase()' : quoteString(database), quoteString(table)];
  return `cluster(${[...names, ...(shardingKey === undefined ? [] : [shardingKey])].join(', ')})`;
}
