// Brings a store of an older version up to this one, in place. Cut off anywhere it is done again at the next opening.

import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../sources/log/log-sources.ts';
import { TABLES_DATABASE } from '../sources/table-names.ts';
import { writeManifest } from './journal.ts';
import { type Manifest, OWN_TABLES_SCHEMA, STORE_SCHEMA } from './manifest.ts';
import { columnChanges, createLogTables, createTableSql, LOAD_COLUMN, LOAD_COLUMN_TYPE } from './tables.ts';

/**
 * Before version 4 the tables of log sources were always there, but for `workflow_run_logs`. Before version 3 there were no tables of the user's own, and rows did not say which load they
 * came with: theirs is 0. Version 1 had fewer log sources, fewer columns of them, and other types of some fields.
 */
export async function upgradeStore(dir: string, engine: EmbeddedEngine, manifest: Manifest): Promise<Manifest> {
  await (manifest.schema < OWN_TABLES_SCHEMA ? addTables(engine) : createLogTables(engine));
  const upgraded = { ...manifest, schema: STORE_SCHEMA };
  writeManifest(dir, upgraded);
  return upgraded;
}

async function addTables(engine: EmbeddedEngine): Promise<void> {
  await engine.command(`CREATE DATABASE IF NOT EXISTS ${TABLES_DATABASE} ENGINE = Atomic`);
  for (const source of LOG_SOURCES) {
    await engine.command(createTableSql(source, source.name));
    for (const change of columnChanges(source)) await engine.command(`ALTER TABLE ${STORE_DATABASE}.${source.name} ${change}`);
    await engine.command(`ALTER TABLE ${STORE_DATABASE}.${source.name} ADD COLUMN IF NOT EXISTS ${LOAD_COLUMN} ${LOAD_COLUMN_TYPE}`);
  }
}
