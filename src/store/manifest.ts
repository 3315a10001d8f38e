// The store's manifest: what it holds, readable without starting the engine.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { QuernError } from '../errors.ts';

/** Raised whenever the tables of the store change; test/store/tables.test.ts notices a change. */
export const STORE_SCHEMA = 2;

interface StoredSource {
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
  if (parsed.schema !== STORE_SCHEMA) throw otherSchema(dir, parsed.schema);
  return parsed as Manifest; // its shape is that of this schema
}

function otherSchema(dir: string, schema: number): QuernError {
  return schema > STORE_SCHEMA
    ? unusable(
        `the store in ${dir} was made by a newer quern (store version ${schema}, this quern knows ${STORE_SCHEMA})`,
        'update quern, or choose another store with --store',
      )
    : unusable(
        `the store in ${dir} was made by an older quern (store version ${schema}, this quern knows ${STORE_SCHEMA})`,
        `load its files again into a new store, with --store; ${manifestFile(dir)} names them`,
      );
}

/** Undefined for what no quern has written: the version is a number, and the rest of this version's has its shape. */
function parseManifest(text: string): Pick<Manifest, 'schema'> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { schema } = Object(value) as Partial<Record<keyof Manifest, unknown>>;
  if (!Number.isSafeInteger(schema)) return undefined;
  return schema !== STORE_SCHEMA || isManifest(value) ? (value as Pick<Manifest, 'schema'>) : undefined; // checked above
}

/** Whether a JSON value has the shape of this version's manifests. */
export function isManifest(value: unknown): value is Manifest {
  const { schema, id, generation, sources, loads } = Object(value) as Partial<Record<keyof Manifest, unknown>>;
  return (
    schema === STORE_SCHEMA &&
    typeof id === 'string' &&
    Number.isSafeInteger(generation) &&
    typeof sources === 'object' &&
    sources !== null &&
    Array.isArray(loads)
  );
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
  return new QuernError('unreachable', message, { hint, cause });
}
