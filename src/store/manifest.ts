// The store's manifest: what it holds, readable without starting the engine.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QuernError } from '../base/errors.ts';
import { jsonIn } from '../base/json.ts';
import type { StoredTable } from '../sources/loaded/stored-table.ts';

/** Raised whenever the tables of the store change; test/store/tables.test.ts notices a change. */
export const STORE_SCHEMA = 4;

/** The first version with tables of the user's own. */
export const OWN_TABLES_SCHEMA = 3;

/** The oldest version that this quern brings up to its own when it opens the store. */
const OLDEST_SCHEMA = 1;

export interface StoredSource {
  readonly rows: number;
  /** True when some event has a record of several elements, which the JSON column cannot show as paths. */
  readonly severalElements: boolean;
  /** True when every event has the project reference that its source declares; absent: not known. */
  readonly referenceEverywhere?: boolean;
  /** ISO 8601 in UTC. */
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

export interface LoadRecord {
  readonly id: string;
  /** By which the load is taken back, and which its rows carry; absent: of a version that did not number loads. Files of one load share it. */
  readonly number?: number;
  /** A log source, or the name of a table. */
  readonly source: string;
  /** Of a load of a table: what it replaced is gone. */
  readonly replaced?: true;
  readonly file: string;
  readonly format: string;
  /** Of the decompressed content. */
  readonly sha256: string;
  readonly rows: number;
  readonly badLines: number;
  /** ISO 8601 in UTC. */
  readonly loadedAt: string;
  /** Of a load of a log source: its earliest and its latest time, ISO 8601 in UTC; absent: not written down, by an older version. */
  readonly times?: readonly [string, string];
  /** Of a load of a log source: what its rows make true of the source. */
  readonly facts?: Pick<StoredSource, 'severalElements' | 'referenceEverywhere'>;
}

export interface Manifest {
  readonly schema: number;
  /** Random, so that a store made anew in the same folder is not taken for the old one. */
  readonly id: string;
  /** Raised by each load. */
  readonly generation: number;
  readonly sources: Readonly<Record<string, StoredSource>>;
  /** Tables of the user's own, by their names in lower case. */
  readonly tables: Readonly<Record<string, StoredTable>>;
  readonly loads: readonly LoadRecord[];
  /** The tables of the log sources are not there yet. */
  readonly withoutLogTables?: true;
}

const EMPTY: Manifest = { schema: STORE_SCHEMA, id: '', generation: 0, sources: {}, tables: {}, loads: [] };

export function manifestFile(dir: string): string {
  return join(dir, 'manifest.json');
}

/**
 * The manifest of the store in `dir`; an empty one (id '') when there is no store yet.
 * Throws QuernError `unreachable` when it is damaged, or of another version than this quern's.
 */
export function readManifest(dir: string): Manifest {
  let text: string;
  try {
    text = readFileSync(manifestFile(dir), 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code; // readFileSync throws system errors only
    if (code === 'ENOENT') return EMPTY;
    if (code === 'ENOTDIR') throw unusable(`${dir} is not a folder`, 'choose another place with --store', error);
    throw unusable(`the store in ${dir} cannot be read (${code})`, 'check the permissions of the folder', error);
  }
  const parsed = parseManifest(text);
  if (parsed === undefined) {
    throw unusable(
      `the manifest of the store in ${dir} is damaged`,
      'remove the folder and load the files again, or choose another store with --store',
    );
  }
  if (!isKnown(parsed.schema)) throw otherSchema(dir, parsed.schema);
  const manifest = parsed as Manifest; // its shape is that of this schema, or of one without tables
  return { ...manifest, tables: manifest.tables ?? {} };
}

const isKnown = (schema: number): boolean => schema >= OLDEST_SCHEMA && schema <= STORE_SCHEMA;

function otherSchema(dir: string, schema: number): QuernError {
  return schema > STORE_SCHEMA
    ? unusable(
        `the store in ${dir} was made by a newer quern (store version ${schema}, this quern knows ${STORE_SCHEMA})`,
        'update quern, or choose another store with --store',
      )
    : unusable(
        `the store in ${dir} was made by an older quern (store version ${schema}, this quern knows ${STORE_SCHEMA})`,
        `load its files, listed in ${manifestFile(dir)}, again into a new store, with --store`,
      );
}

/** Undefined for what no quern has written: the version is a number, and the rest of this version's has its shape. */
function parseManifest(text: string): Pick<Manifest, 'schema'> | undefined {
  const value = jsonIn(text);
  const { schema } = Object(value) as Partial<Record<keyof Manifest, unknown>>;
  if (!Number.isSafeInteger(schema)) return undefined;
  return !isKnown(Number(schema)) || isManifest(value) ? (value as Pick<Manifest, 'schema'>) : undefined; // checked above
}

/** Whether a JSON value has the shape of the manifests that this version reads. */
export function isManifest(value: unknown): value is Manifest {
  const { schema, id, generation, sources, tables, loads } = Object(value) as Partial<Record<keyof Manifest, unknown>>;
  return (
    typeof schema === 'number' &&
    isKnown(schema) &&
    (schema < OWN_TABLES_SCHEMA || (typeof tables === 'object' && tables !== null)) &&
    typeof id === 'string' &&
    Number.isSafeInteger(generation) &&
    typeof sources === 'object' &&
    sources !== null &&
    Array.isArray(loads)
  );
}

/** Returns the name of what the store holds: equal names mean equal rows. */
export function storeDataId(dir: string, manifest: Manifest): string {
  return `${storeId(dir, manifest)}:${manifest.generation}`;
}

/** Returns the name of the store, whatever it holds. */
export function storeId(dir: string, { id }: Manifest): string {
  return `embedded:${id === '' ? resolve(dir) : id}`;
}

/** The manifest after a load: rows and times added up, generation raised. */
export function withLoad(manifest: Manifest, load: LoadRecord, loaded: StoredSource): Manifest {
  const before = manifest.sources[load.source];
  const source: StoredSource =
    before === undefined || before.rows === 0
      ? loaded
      : {
          rows: before.rows + loaded.rows,
          severalElements: before.severalElements || loaded.severalElements,
          referenceEverywhere: before.referenceEverywhere === true && loaded.referenceEverywhere === true,
          firstTimestamp: earlier(before.firstTimestamp, loaded.firstTimestamp),
          lastTimestamp: later(before.lastTimestamp, loaded.lastTimestamp),
        };
  return {
    ...manifest,
    generation: manifest.generation + 1,
    sources: { ...manifest.sources, [load.source]: source },
    loads: [...manifest.loads, load],
  };
}

/** Equally written instants sort as text. */
const earlier = (a: string, b: string): string => [a, b].sort()[0] ?? a;
const later = (a: string, b: string): string => [a, b].sort()[1] ?? b;

function unusable(message: string, hint: string, cause?: unknown): QuernError {
  return new QuernError('unreachable', message, { hint, cause });
}

/** The number of the load that comes next: never that of another, also of one that was taken back. */
export const nextLoad = ({ generation }: Manifest): number => generation + 1;

/** The manifest after a load of a table, `records` for its files: what was there before is in `table` too, or replaced. */
export function withTable(manifest: Manifest, table: StoredTable, records: readonly LoadRecord[], replace: boolean): Manifest {
  return {
    ...manifest,
    generation: manifest.generation + 1,
    tables: { ...manifest.tables, [table.name.toLowerCase()]: table },
    loads: [...manifest.loads.filter((load) => !replace || !isOf(load, table.name)), ...records],
  };
}

/** The manifest without a table, and without its loads. */
export function withoutTable(manifest: Manifest, name: string): Manifest {
  const { [name.toLowerCase()]: _gone, ...tables } = manifest.tables;
  return { ...manifest, generation: manifest.generation + 1, tables, loads: manifest.loads.filter((load) => !isOf(load, name)) };
}

const isOf = (load: LoadRecord, name: string): boolean => load.source.toLowerCase() === name.toLowerCase();
