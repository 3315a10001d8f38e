// The tables of log sources are made when SQL first names one: it takes longer than loading a small file into a table of the user's own, in a
// store that may never hold a log.

import { around } from '../engine/around.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../sources/log/log-sources.ts';
import { createTableSql } from './tables.ts';

/** The database before a table's name, or as a value that tables are looked up by. */
const NAMED = new RegExp(`\\b${STORE_DATABASE}\`?\\.|'${STORE_DATABASE}'`);

/** The engine, which calls `make` before it runs SQL that may name a log source's table. */
export const withLogTables = (engine: EmbeddedEngine, make: () => Promise<void>): EmbeddedEngine =>
  around(engine, { before: async (sql) => (NAMED.test(sql) ? make() : undefined) });

/** At once: whoever asks first waits for it. */
export const createLogTables = (engine: EmbeddedEngine): Promise<void> =>
  engine.command(LOG_SOURCES.map((source) => createTableSql(source, source.name)).join('; '));
