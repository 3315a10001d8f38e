// The store's manifest: what it holds, readable without starting the engine.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QuernError } from '../errors.ts';

/** Raised whenever the tables of the store change; test/store/tables.test.ts notices a change. */
export const STORE_SCHEMA = 1;

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
  readonly source: string;
  readonly file: string;
  readonly format: string;
  /** Of the decompressed content. */
  readonly sha256: string;
  readonly rows: number;
  readonly badLines: number;
  /** ISO 8601 in UTC. */
  readonly loadedAt: string;
}

export interface Manifest {
  readonly schema: number;
  /** Random, so that a store made anew in the same folder is not taken for the old one. */
  readonly id: string;
  /** Raised by each load. */
  readonly generation: number;
  readonly sources: Readonly<Record<string, StoredSource>>;
  readonly loads: readonly LoadRecord[];
}

const EMPTY: Manifest = { schema: STORE_SCHEMA, id: '', generation: 0, sources: {}, loads: [] };

export function manifestFile(dir: string): string {
  return join(dir, 'manifest.json');
}

/**
 * The manifest of the store in `dir`; an empty one (id '') when there is no store yet.
 * Throws QuernError `unreachable` when it is damaged, or written by a newer quern.
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
  if (parsed.schema > STORE_SCHEMA) {
    throw unusable(
      `the store in ${dir} was made by a newer quern (store version ${parsed.schema}, this quern knows ${STORE_SCHEMA})`,
      'update quern, or choose another store with --store',
    );
  }
  return parsed;
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Written by quern only; the schema number is what tells one shape from another.
    return typeof value === 'object' && value !== null && typeof (value as Manifest).schema === 'number' ? (value as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Identity of the store's data for cache keys; equal ids mean equal rows. */
export function storeEngineId(dir: string, manifest: Manifest): string {
  return `embedded:${manifest.id === '' ? resolve(dir) : manifest.id}:${manifest.generation}`;
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
  return new QuernError('unreachable', message, { hint, ...(cause === undefined ? {} : { cause }) });
}
