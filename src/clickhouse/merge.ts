// Tables that are read as one. https://clickhouse.com/docs/sql-reference/table-functions/merge
import { quoteString } from './quote.ts';

/** `merge('shop', '^events_')`: all tables of the database (of the connection's, where none is given) whose names begin with `prefix`. */
export function mergeText(database: string | undefined, prefix: string): string {
  const pattern = `^${prefix.replace(/[^A-Za-z0-9_]/g, (c) => `\\x{${(c.codePointAt(0) ?? 0).toString(16)}}`)}`;
  return `merge(${database === undefined ? 'currentDatabase()' : quoteString(database)}, ${quoteString(pattern)})`;
}
