// Tables that are read on every shard of a cluster. https://clickhouse.com/docs/sql-reference/table-functions/cluster
import { quoteString } from './quote.ts';

/**
 * `cluster('main', 'logs', 'edge')`: the table of that name in the database (of the connection's, where none is given). The names are texts, since ClickHouse
 * takes a column that the query names `logs` for the database.
 */
export const clusterText = (cluster: string, database: string | undefined, table: string): string =>
  `cluster(${quoteString(cluster)}, ${database === undefined ? 'currentDatabase()' : quoteString(database)}, ${quoteString(table)})`;
