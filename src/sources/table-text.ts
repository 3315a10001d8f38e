// A source's table as ClickHouse reads it in FROM and DESCRIBE.
import { clusterText } from '../clickhouse/cluster.ts';
import { mergeText } from '../clickhouse/merge.ts';
import { quoteIdentifier } from '../clickhouse/quote.ts';
import type { SourceDefinition } from './definition.ts';

/** `` `logs`.`edge` ``, or `cluster('main', 'logs', 'edge')` for a table that every shard has under this name. */
export function tableText({
  database,
  table,
  cluster,
  wildcard,
}: Pick<SourceDefinition, 'database' | 'table' | 'cluster' | 'wildcard'>): string {
  if (wildcard === true) return mergeText(database, table);
  if (cluster !== undefined) return clusterText({ cluster, database, table });
  return [...(database === undefined ? [] : [database]), table].map(quoteIdentifier).join('.');
}
