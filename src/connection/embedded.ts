// The embedded store as the place where the rows are.

import { QuernError } from '../base/errors.ts';
import { engineMemory } from '../engine/embedded/memory.ts';
import type { Engine } from '../engine/engine.ts';
import { type LimitRules, limitsOf } from '../execution/limits.ts';
import type { Sections, SourceDefinition } from '../sources/definition.ts';
import type { FilesPlace } from '../sources/files/list-files.ts';
import { remoteSecrets } from '../sources/files/remote.ts';
import { STORE_DATABASE } from '../sources/log/log-catalog.ts';
import { openPlaceSources, type PlaceSources } from '../sources/open.ts';
import { TABLES_DATABASE } from '../sources/table-names.ts';
import { versionOf } from '../sources/version.ts';
import { type Manifest, storeDataId, storeId } from '../store/manifest.ts';
import type { Store } from '../store/store.ts';
import type { Connection } from './connection.ts';
import { hideSecrets } from './hide-secrets.ts';
import { loadsState } from './loads-state.ts';
import { ofFiles, tableTrouble } from './table-trouble.ts';

export interface EmbeddedConnectionOptions {
  /** Where the files of sources are, and what may be read beyond. */
  readonly place: FilesPlace;
  /** The store's folder. */
  readonly dir: string;
  /** What the store holds, known without opening it. */
  manifest(): Promise<Manifest>;
  /** Opens the store on first use. */
  store(): Promise<Store>;
  readonly sections: Sections;
  readonly limits: LimitRules;
  /** Aborts when the user has had enough. */
  readonly signal?: AbortSignal | undefined;
  /** Where described tables are remembered. */
  readonly folder: string;
  readonly sourcesTtlSeconds: number;
  /** Names this very build of quern. */
  readonly build: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The store's own databases, of log sources and of tables that were loaded, and the database in which the engine shows files as tables; '' is that one, too. */
const CLOSED = [STORE_DATABASE, TABLES_DATABASE, 'default', ''];

/** Its rows are what queries can read, and not what was loaded. */
const OF_SCHEMA = /(?:^|\.)INFORMATION_SCHEMA\.\w+$/i;

export function embeddedConnection(options: EmbeddedConnectionOptions): Connection {
  const { dir, sections, folder, build, sourcesTtlSeconds: ttlSeconds, now } = options;
  const limits = { ...options.limits, usual: { maxMemoryBytes: engineMemory(), ...options.limits.usual } };

  /** Ends a question of quern's own when the user has had enough, or when a query would have taken too long. */
  const deadline = (): AbortSignal | undefined => {
    const { maxExecutionSeconds: seconds } = limitsOf({}, limits, true);
    const ends = [
      ...(options.signal === undefined ? [] : [options.signal]),
      ...(seconds === undefined ? [] : [AbortSignal.timeout(seconds * 1000)]),
    ];
    return ends.length === 0 ? undefined : AbortSignal.any(ends);
  };

  const clean = (engine: Engine): Engine => hideSecrets(engine, remoteSecrets(options.place.env));

  const sourcesOf = async (held: Manifest, typed: readonly SourceDefinition[]): Promise<PlaceSources> => {
    const ask = async (sql: string) => clean((await options.store()).engine).rows(sql, deadline());
    return openPlaceSources({
      sections,
      typed,
      closed: CLOSED,
      loaded: held,
      describe: async (table) => {
        const rows = await (await options.store()).engine.rows(`DESCRIBE TABLE ${table}`);
        return rows.map(([name, type]) => ({ name: String(name), type: String(type) }));
      },
      files: { onServer: false, place: options.place, ask, deadline },
      ask,
      folder,
      engine: dir,
      build,
      ttlSeconds,
      now,
    });
  };

  return {
    place: dir,
    remote: false,
    bounds: limitsOf({}, limits, true),
    sources: async (files = []) => sourcesOf(await options.manifest(), files),
    async snapshot(files = []) {
      const held = await options.manifest();
      const sources = await sourcesOf(held, files);
      let changed = false;
      return {
        version: versionOf(
          {
            data: storeDataId(dir, held),
            isExact: true,
            place: `${storeId(dir, held)} ${build}`,
            stateOf: (table) => loadsState(held, table),
            // A server loads files while it answers.
            isCurrent: async () => (await options.manifest()).generation === held.generation,
          },
          sources.files,
        ),
        sources,
        files: sources.files,
        limits,
        async engine(): Promise<Engine> {
          const opened = await options.store();
          // A load by another process since the manifest was read: prepared query and cache key are those of older data.
          changed = held.id !== '' && opened.manifest.generation !== held.generation;
          if (changed) throw new QuernError('internal', 'the store has changed');
          return clean(opened.engine);
        },
        forgetSources: sources.forget,
        async outdated(error) {
          if (changed || (ofFiles(error) && (await sources.files?.haveChanged()) === true)) return true;
          if (!tableTrouble(error)) return false;
          // A server drops and replaces tables while it answers.
          if ((await options.manifest()).generation !== held.generation) return true;
          if (!sources.wasRemembered) return false;
          await sources.forget();
          return true;
        },
      };
    },
    async explainEmpty(names, asked) {
      const [{ sources, tables }, { tablesOf }] = await Promise.all([options.manifest(), import('../sources/wildcard/stored-wildcard.ts')]);
      const declared = Object.keys(Object(sections.sources?.value));
      const rowsOf = (name: string): number =>
        tables[name.toLowerCase()]?.rows ??
        sources[name]?.rows ??
        tablesOf(name, Object.values(tables)).reduce((sum, { rows }) => sum + rows, 0);
      if (names.some((name) => declared.includes(name) || OF_SCHEMA.test(name))) return undefined;
      const filled = names.filter((name) => rowsOf(name) > 0);
      if (filled.length > 0) {
        // Tables of the user's own have neither projects nor times that quern knows of.
        if (asked === undefined || filled.some((name) => sources[name] === undefined)) return undefined;
        const { whyNoRows } = await import('./why-empty.ts');
        return whyNoRows((await options.store()).engine, STORE_DATABASE, filled, asked);
      }
      return {
        reason: `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} empty in the store ${dir}: load data with \`quern load\``,
        isStoreEmpty: true,
      };
    },
    close: async () => undefined, // whoever opened the store closes it
  };
}
