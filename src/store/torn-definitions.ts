// Definitions of tables that a full disk has left empty. The engine writes them without an error, and never opens again where it finds one.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { directoryHolder } from '../engine/embedded/directory-lock.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { LOG_SOURCES } from '../sources/log/log-sources.ts';
import type { Manifest } from './manifest.ts';
import { stagingTable } from './tables.ts';

/**
 * Removes what cannot hold rows that anybody was told of: a staging table whose load has died, and a store in which nothing was loaded yet.
 *
 * @param data  the engine's directory
 * @param manifest  undefined where the store has none yet
 */
export function removeTornDefinitions(data: string, manifest: Manifest | undefined): void {
  if (directoryHolder(data).state === 'held') return;
  const database = join(data, 'metadata', `${STORE_DATABASE}.sql`);
  const uuid = /UUID '([0-9a-f-]+)'/.exec(textOf(database))?.[1] ?? '';
  // Not by the link that the engine makes beside the database's own definition: a copy of the store may have one to the original.
  const definition = (table: string) => join(data, 'store', uuid.slice(0, 3), uuid, `${table}.sql`);
  const tables = LOG_SOURCES.map(({ name }) => name);
  if (manifest !== undefined) {
    const unused = [...LOG_SOURCES.map(stagingTable), ...(manifest.withoutLogTables === true ? tables : [])];
    for (const torn of unused.map(definition).filter(isEmpty)) rmSync(torn, { force: true });
  } else if ([database, ...tables.map(definition)].some(isEmpty)) {
    rmSync(data, { recursive: true, force: true });
  }
}

const isEmpty = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.size === 0;

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // there is none yet, or the engine tells why it cannot be read
  }
}
