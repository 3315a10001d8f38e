// The embedded store as the place where the rows are.

import { QuernError } from '../base/errors.ts';
import { engineMemory } from '../engine/embedded/memory.ts';
import type { Engine, ExecutionLimits } from '../engine/engine.ts';
import type { AskedRows, Emptiness } from '../execution/asked-rows.ts';
import { type LimitRules, limitsOf } from '../execution/limits.ts';
import type { Snapshot } from '../execution/snapshot.ts';
import type { SourceDefinition } from '../sources/definition.ts';
import type { FilesPlace } from '../sources/files/list-files.ts';
import { remoteSecrets } from '../sources/files/remote.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import type { MemoryOptions } from '../sources/memory.ts';
import { openPlaceSources, type PlaceSources } from '../sources/open.ts';
import { TABLES_DATABASE } from '../sources/table-names.ts';
import { type TableState, versionOf } from '../sources/version.ts';
import type { ReadTable } from '../sql/translation.ts';
import { type LoadRecord, type Manifest, storeDataId, storeId } from '../store/manifest.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from './connection.ts';
import { fileTrouble, tableTrouble } from './table-trouble.ts';

export interface EmbeddedConnectionOptions extends Omit<MemoryOptions, 'engine' | 'unasked'> {
  /** Where the files of sources are, and what may be read beyond. */
  readonly place: FilesPlace;
  /** The store's folder. */
  readonly dir: string;
  /** Returns what the store holds, known without opening it. */
  manifest(): Promise<Manifest>;
  /** Opens the store on first use. */
  store(): Promise<Store>;
  /** Opens an engine on first use that need not have the store's tables. */
  withoutTables(): Promise<Engine>;
  readonly limits: LimitRules;
  /** Aborts when the user has had enough. */
  readonly signal?: AbortSignal | undefined;
}

/** The store's own databases, of log sources and of tables that were loaded, and the database in which the engine shows files as tables; '' is that one, too. */
const CLOSED = [STORE_DATABASE, TABLES_DATABASE, 'default', ''];

export class EmbeddedConnection implements Connection {
  readonly remote = false;
  readonly place: string;
  readonly bounds: ExecutionLimits;
  readonly #options: EmbeddedConnectionOptions;
  readonly #limits: LimitRules;

  constructor(options: EmbeddedConnectionOptions) {
    this.#options = options;
    this.#limits = { ...options.limits, usual: { maxMemoryBytes: engineMemory(), ...options.limits.usual } };
    this.place = options.dir;
    this.bounds = limitsOf({}, this.#limits, true);
  }

  async sources(files: readonly SourceDefinition[] = []): Promise<PlaceSources> {
    return this.#sourcesOf(await this.#options.manifest(), files);
  }

  async snapshot(typed: readonly SourceDefinition[] = []): Promise<Snapshot> {
    const { dir, build, manifest, store, withoutTables } = this.#options;
    const known = await manifest();
    const sources = await this.#sourcesOf(known, typed);
    const { files } = sources;
    let changed = false;
    const place = {
      data: storeDataId(dir, known),
      isExact: true,
      place: `${storeId(dir, known)} ${build}`,
      stateOf: (table: ReadTable) => loadsState(known, table),
      // A server loads files while it answers.
      isCurrent: async () => (await manifest()).generation === known.generation,
    };
    return {
      version: versionOf(place, files),
      sources,
      files,
      limits: this.#limits,
      engine: async (names) => {
        if (names?.every((name) => files?.listed(name) !== undefined)) return this.#clean(await withoutTables());
        const opened = await store();
        // A load by another process since the manifest was read: prepared query and cache key are those of older data.
        changed = known.id !== '' && opened.manifest.generation !== known.generation;
        if (changed) throw new QuernError('internal', 'the store has changed');
        return this.#clean(opened.engine);
      },
      forgetSources: sources.forget,
      async outdated(error) {
        if (changed || (fileTrouble(error) && (await files?.haveChanged()) === true)) return true;
        if (!tableTrouble(error)) return false;
        // A server drops and replaces tables while it answers.
        if (!(await place.isCurrent())) return true;
        if (!sources.wasRemembered) return false;
        await sources.forget();
        return true;
      },
    };
  }

  readonly explainEmpty = async (names: readonly string[], asked?: AskedRows): Promise<Emptiness | undefined> =>
    (await import('./why-empty.ts')).whyStoreEmpty(this.#options, names, asked);

  /** Whoever opened the store closes it. */
  async close(): Promise<void> {}

  async #sourcesOf(loaded: Manifest, typed: readonly SourceDefinition[]): Promise<PlaceSources> {
    const { dir, place, store, withoutTables } = this.#options;
    const deadline = () => this.#deadline();
    const ask = async (sql: string) => (await this.#clean((await store()).engine)).rows(sql, deadline());
    const askOfFiles = async (sql: string) => (await this.#clean(await withoutTables())).rows(sql, deadline());
    return openPlaceSources({
      ...this.#options,
      typed,
      closed: CLOSED,
      loaded,
      files: { onServer: false, place, ask: askOfFiles, deadline },
      ask,
      engine: dir,
    });
  }

  /** Returns what ends a question of quern's own: the user has had enough, or a query would have taken too long. */
  #deadline(): AbortSignal | undefined {
    const { signal } = this.#options;
    const { maxExecutionSeconds: seconds } = limitsOf({}, this.#limits, true);
    const ends = [...(signal === undefined ? [] : [signal]), ...(seconds === undefined ? [] : [AbortSignal.timeout(seconds * 1000)])];
    return ends.length === 0 ? undefined : AbortSignal.any(ends);
  }

  async #clean(engine: Engine): Promise<Engine> {
    const { hideSecrets } = await import('./hide-secrets.ts');
    return hideSecrets(engine, remoteSecrets(this.#options.place.env));
  }
}

/** Undefined for tables of the user's own: loads of theirs have no times, and their parts say more. */
function loadsState({ id, schema, loads }: Manifest, { database, name }: ReadTable): TableState | undefined {
  if (id === '' || database !== STORE_DATABASE) return undefined;
  return {
    definition: `store ${schema}`,
    parts: loads.flatMap((load) => (load.source === name ? [{ content: load.id, times: timesOf(load), rows: load.rows }] : [])),
  };
}

function timesOf({ times }: LoadRecord): TableState['parts'][number]['times'] {
  if (times === undefined) return undefined;
  const [start, end] = [Date.parse(times[0]), Date.parse(times[1])];
  // Milliseconds: what is finer lies within the last.
  return start <= end ? { start: start * 1000, end: (end + 1) * 1000 } : undefined;
}
