// The embedded store: quern's own ClickHouse data directory with a table for each log source, and tables of the user's own.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { QuernError } from '../base/errors.ts';
import { loadChdb } from '../engine/embedded/chdb.ts';
import { type EmbeddedEngine, openEmbedded } from '../engine/embedded/embedded.ts';
import { makeFolder } from '../files/make-folder.ts';
import { isDiskFull } from '../files/replace-file.ts';
import { isTemporaryOf, removeAbandonedTemporaries } from '../files/temporary.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { TABLES_DATABASE } from '../sources/table-names.ts';
import { recover, writeManifest } from './journal.ts';
import { type LoadOptions, type LoadReport, loadInto } from './load.ts';
import { type Manifest, manifestFile, readManifest, STORE_SCHEMA } from './manifest.ts';
import type { TableLoadOptions } from './own/fill.ts';
import type { TableLoadReport } from './own/load-table.ts';
import { createLogTables, withLogTables } from './tables.ts';
import { removeTornDefinitions } from './torn-definitions.ts';
import type { Dropped, Undone } from './undo.ts';
import { upgradeStore } from './upgrade.ts';

export interface OpenStoreOptions {
  /** Folder of the store; made when absent. */
  readonly dir: string;
  /** How long to wait for another process to leave the store. Milliseconds; default 5000. */
  readonly waitMs?: number;
  /** Is called again and again meanwhile; what it throws ends the waiting. */
  readonly whileBusy?: (() => Promise<void>) | undefined;
  /** For each statement of quern's own, such as those of a load. */
  readonly maxMemoryBytes?: number | undefined;
}

export interface Store {
  readonly engine: EmbeddedEngine;
  /** As of now: a load replaces it. */
  readonly manifest: Manifest;
  /**
   * Loads a file, or a stream such as standard input, into `source` (a log source or one of its older names): all of it or nothing.
   * Loads of one store run one after the other. Throws QuernError `load`, `unknown-source`, `interrupted` or `engine`.
   */
  load(source: string, input: string | Readable, options?: LoadOptions): Promise<LoadReport>;
  /** Loads files into a table of the user's own, which is made when there is none: all of them or nothing. Throws as `load` does. */
  loadTable(name: string, inputs: readonly (string | Readable)[], options?: TableLoadOptions): Promise<TableLoadReport>;
  /** Takes a load back by its number: all of its rows, and no others. Throws QuernError `usage` or `load` where that cannot be. */
  undo(load: number): Promise<Undone>;
  /** Removes a table of the user's own. Throws QuernError `unknown-source` where there is none. */
  drop(table: string): Promise<Dropped>;
  close(): Promise<void>;
}

/** What the folder of a store holds; a folder with anything else in it is not taken for one. */
const OWN_ENTRIES = new Set(['data', 'data.opening', 'data.opening.removal', 'tmp', 'journal.json', 'manifest.json']);

/**
 * Opens the store in `dir`, finishing or undoing a load that was cut off. Throws QuernError `unreachable`: the store is in use, damaged, of a
 * newer version, or its folder cannot be used.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const dir = resolve(options.dir);
  readManifest(dir); // a store that cannot be read must not be touched
  loadChdb(); // and without an engine none is begun
  prepareFolder(dir);
  let manifest = readManifest(dir);
  const data = join(dir, 'data');
  removeTornDefinitions(data, existsSync(manifestFile(dir)) ? manifest : undefined);
  const isNew = !existsSync(data);
  const opened = await openEmbedded({
    path: data,
    folder: dir,
    waitMs: options.waitMs,
    whileBusy: options.whileBusy,
    ownMemoryBytes: options.maxMemoryBytes,
  });
  try {
    // Only now no other process can change the folder.
    if (!existsSync(manifestFile(dir))) await initialise(dir, opened);
    await recover(dir, opened);
    manifest = readManifest(dir);
    if (manifest.schema !== STORE_SCHEMA) manifest = await upgradeStore(dir, opened, manifest);
    rmSync(join(dir, 'tmp'), { recursive: true, force: true });
    for (const file of REPLACED) removeAbandonedTemporaries(join(dir, file));
  } catch (error) {
    // On a full disk the engine leaves empty files, with which it never opens again. Nothing has been loaded into a store without a manifest.
    if (isNew && !existsSync(manifestFile(dir))) rmSync(data, { recursive: true, force: true });
    await opened.close();
    throw isDiskFull(error) ? full(dir, error) : error;
  }

  const reread = (): void => {
    manifest = readManifest(dir);
  };
  let making: Promise<void> | undefined;
  const makeLogTables = async (): Promise<void> => {
    await createLogTables(opened);
    const { withoutLogTables: _made, ...rest } = readManifest(dir); // a load may have written another one meanwhile
    writeManifest(dir, rest);
    reread();
  };
  const engine = withLogTables(opened, async () => {
    if (manifest.withoutLogTables !== true) return;
    making ??= makeLogTables().finally(() => {
      making = undefined;
    });
    await making;
  });
  const target = { dir, engine, manifest: () => manifest, reread };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    engine,
    get manifest() {
      return manifest;
    },
    load: (source, input, loadOptions = {}) => inTurn(() => loadInto(target, source, input, loadOptions)),
    loadTable: (name, inputs, loadOptions = {}) =>
      inTurn(async () => (await import('./own/load-table.ts')).loadTable(target, name, inputs, loadOptions)),
    undo: (load) => inTurn(async () => (await import('./undo.ts')).undoLoad(target, load)),
    drop: (table) => inTurn(async () => (await import('./undo.ts')).dropTable(target, table)),
    close: () => engine.close(),
  };
}

const REPLACED = ['manifest.json', 'journal.json'];
/** What a process leaves that dies while it replaces one of these files. */
const isLeftOver = (entry: string): boolean => REPLACED.some((file) => isTemporaryOf(file, entry));

function prepareFolder(dir: string): void {
  let entries: string[];
  try {
    makeFolder(dir, 0o700); // it holds logs
    entries = readdirSync(dir);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code; // both calls throw system errors only
    throw new QuernError('unreachable', `the store's folder ${dir} cannot be created or read (${code})`, {
      hint: 'check its permissions and the space on its disk, or choose another store with --store',
      cause,
    });
  }
  const foreign = entries.find((entry) => !OWN_ENTRIES.has(entry) && !isLeftOver(entry));
  if (foreign !== undefined && !entries.includes('manifest.json')) {
    throw new QuernError('unreachable', `${dir} is not a quern store: it contains ${foreign}`, {
      hint: 'choose an empty or new folder with --store',
    });
  }
}

function full(dir: string, cause: unknown): QuernError {
  return new QuernError('unreachable', `the store in ${dir} cannot be opened: the disk is full`, {
    hint: 'free some space on it, or choose another store with --store',
    cause,
  });
}

async function initialise(dir: string, engine: EmbeddedEngine): Promise<void> {
  // Not chdb's `default` database, which also shows files as tables; Atomic is what makes EXCHANGE TABLES possible.
  const databases = [STORE_DATABASE, TABLES_DATABASE].map((name) => `CREATE DATABASE IF NOT EXISTS ${name} ENGINE = Atomic`);
  await engine.command(databases.join('; ')); // at once: the first load of all waits for it
  writeManifest(dir, { schema: STORE_SCHEMA, id: randomUUID(), generation: 0, sources: {}, tables: {}, loads: [], withoutLogTables: true });
}
