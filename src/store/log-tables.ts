// The tables of log sources are made when SQL first names one: it takes longer than loading a small file into a table of the user's own, in a
// store that may never hold a log.

import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../sources/log/log-sources.ts';
import { createTableSql } from './tables.ts';

/** The database before a table's name, or as a value that tables are looked up by. */
const NAMED = new RegExp(`\\b${STORE_DATABASE}\`?\\.|'${STORE_DATABASE}'`);

/** The engine, which calls `make` before it runs SQL that may name a log source's table. */
export function withLogTables(engine: EmbeddedEngine, make: () => Promise<void>): EmbeddedEngine {
  const ready = async (sql: string): Promise<void> => (NAMED.test(sql) ? make() : undefined);
  const { writeFile } = engine;
  return {
    ...engine,
    async execute(query) {
      await ready(query.sql);
      return engine.execute(query);
    },
    async *stream(query, format, onEnd) {
      await ready(query.sql);
      yield* engine.stream(query, format, onEnd);
    },
    ...(writeFile === undefined
      ? {}
      : {
          async writeFile(query, target) {
            await ready(query.sql);
            return writeFile(query, target);
          },
        }),
    async command(sql, signal) {
      await ready(sql);
      return engine.command(sql, signal);
    },
    async rows(sql, signal) {
      await ready(sql);
      return engine.rows(sql, signal);
    },
    async *trustedStream(sql, format) {
      await ready(sql);
      yield* engine.trustedStream(sql, format);
    },
  };
}

/** At once: whoever asks first waits for it. */
export const createLogTables = (engine: EmbeddedEngine): Promise<void> =>
  engine.command(LOG_SOURCES.map((source) => createTableSql(source, source.name)).join('; '));
