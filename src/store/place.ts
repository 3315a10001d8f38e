// Where the rows of a name are: the table of a log source, or one of the user's own.

import { quoteIdentifier } from '../clickhouse/quote.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { LOG_SOURCES, type LogSource } from '../sources/log/log-sources.ts';
import { TABLES_DATABASE } from '../sources/table-names.ts';
import { stagingTable } from './tables.ts';

export interface Place {
  readonly database: string;
  readonly table: string;
  /** Where a load is gathered before it becomes visible. */
  readonly staging: string;
  /** Whether it is a log source, whose table is always there. */
  readonly logs: boolean;
}

/** No table of a user's can be called so. */
const TABLES_STAGING = '.staging';

export const logPlace = (source: LogSource): Place => ({
  database: STORE_DATABASE,
  table: source.name,
  staging: stagingTable(source),
  logs: true,
});

export const tablePlace = (table: string): Place => ({ database: TABLES_DATABASE, table, staging: TABLES_STAGING, logs: false });

/** The place that a journal or a record of a load means. */
export function placeNamed(name: string, logs: boolean): Place | undefined {
  if (!logs) return tablePlace(name);
  const source = LOG_SOURCES.find((known) => known.name === name);
  return source === undefined ? undefined : logPlace(source);
}

export const tableOf = ({ database, table }: Place): string => `${database}.${quoteIdentifier(table)}`;
export const stagingOf = ({ database, staging }: Place): string => `${database}.${quoteIdentifier(staging)}`;
