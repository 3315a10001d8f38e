// A source's table as ClickHouse reads it in FROM and DESCRIBE.
import { quoteIdentifier, quoteString } from '../clickhouse/quote.ts';
import type { SourceDefinition } from './definition.ts';

/** `` `logs`.`edge` ``, or `` cluster('main', `logs`.`edge`) `` for a table that every shard has under this name. */
export function tableText({ database, table, cluster }: Pick<SourceDefinition, 'database' | 'table' | 'cluster'>): string {
  const name = [...(database === undefined ? [] : [database]), table].map(quoteIdentifier).join('.');
  return cluster === undefined ? name : `cluster(${quoteString(cluster)}, ${name})`;
}
