// The parts of the program, each built when it is first needed. A run that the cache answers needs what is imported here, which is one file in dist/; the
// engine, the translator and the YAML parser are imported when they are used.
import { dirname, join } from 'node:path';
import type { Io } from './base/io.ts';
import { Cache } from './cache/cache.ts';
import { type GlobalFlags, givenSettings } from './config/flags.ts';
import { isOfProject, loadSettings, type Settings } from './config/load.ts';
import { defaultPaths } from './config/paths.ts';
import type { Connection } from './connection/connection.ts';
import { EmbeddedConnection, type EmbeddedConnectionOptions } from './connection/embedded.ts';
import { limitsFrom } from './connection/limits.ts';
import type { PrepareDependencies } from './execution/prepared-query.ts';
import { openPreparedQueryMemory } from './execution/prepared-query-memory.ts';
import type { RunDependencies } from './execution/run.ts';
import { type Snapshot, withCurrent } from './execution/snapshot.ts';
import { visible } from './output/visible.ts';
import { buildId, shippedQueries } from './package-file.ts';
import { openCatalog, type QueryCatalog } from './queries/catalog.ts';
import type { SourceDefinition } from './sources/definition.ts';
import type { RawFileOptions } from './sources/files/options.ts';
import { type Manifest, readManifest } from './store/manifest.ts';
import type { Store } from './store/store.ts';

export interface Services {
  readonly io: Io;
  /** Aborts when the user has had enough. */
  readonly signal: AbortSignal;
  readonly flags: () => GlobalFlags;
  settings(): Promise<Settings>;
  /** The settings as files and the environment have them now; what is already built goes by the first ones. */
  settingsNow(): Promise<Settings>;
  /** Folders of saved queries: of those that ship, and the user's. */
  queryFolders(): Promise<readonly string[]>;
  /** Folders of functions, some of which need not be there. */
  functionFolders(): Promise<readonly string[]>;
  catalog(): Promise<QueryCatalog>;
  /** The cache of results. */
  cache(): Promise<Cache>;
  /** The place where queries run. */
  connection(): Promise<Connection>;
  /** Returns the files for which paths among the names stand that SQL of the user's own has in FROM. Throws `usage` for a path that cannot be read. */
  filesAmong(names: readonly string[], options?: RawFileOptions): Promise<readonly SourceDefinition[]>;
  /** The embedded one. */
  store(): Promise<Store>;
  /** The manifest of the store, read without opening the store. */
  manifest(): Promise<Manifest>;
  /** What was prepared before, and what was read of texts that nobody has saved. */
  preparedQueries(): Promise<ReturnType<typeof openPreparedQueryMemory>>;
  /** The dependencies of preparing queries without running them. */
  preparing(files?: readonly SourceDefinition[]): Promise<PrepareDependencies>;
  /** Runs `work` with the current snapshot, and again when that turns out to be out of date. `files` are those of filesAmong. */
  running<T>(work: (current: Running) => Promise<T>, files?: readonly SourceDefinition[]): Promise<T>;
  close(): Promise<void>;
}

type Running = RunDependencies & Pick<Snapshot, 'outdated'>;

type SnapshotEngine = Awaited<ReturnType<Snapshot['engine']>>;

interface ServicesOptions {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Is called when needed, since flags are known only once the command line is parsed. */
  readonly flags: () => GlobalFlags;
  /** Queries run on the embedded store, whatever the settings say of a server. */
  readonly embedded?: boolean;
  /** Runs one query after the other: while these read no table of the store, it is left alone. */
  readonly sparesStore?: boolean;
  /** The store that this process uses already, for commands that another process has handed over; whoever opened it closes it. */
  readonly opened?: Services['store'] | undefined;
  /** Called before the store in a folder is opened, and again and again while another process uses it; what it throws, who needs the store gets. */
  readonly beforeStore?: ((folder: string) => Promise<void>) | undefined;
  readonly onStore?: ((folder: string) => void) | undefined;
  /** Wraps the engine of runs, such as with what shows how far they are. */
  readonly watch?: ((engine: SnapshotEngine) => Promise<SnapshotEngine>) | undefined;
}

export function openServices(options: ServicesOptions): Services {
  const { io, signal, flags, embedded = false, watch } = options;
  const settingsNow = () => loadSettings({ flags: givenSettings(flags()), env: io.env, cwd: io.cwd });
  const settings = once(settingsNow);
  const say = (text: string) => void io.stderr.write(text.split('\n').map(visible).join('\n'));

  const { store, withoutTables, closeEngines } = openEngines(settings, options);

  const cache = once(async () => {
    const { values } = await settings();
    const onNote = (text: string) => say(`note: ${text}\n`);
    return new Cache({ folder: values.cache_dir, maxBytes: values.cache_size, now: Date.now, onNote });
  });

  const queryFolders = async () => {
    const { queries, shipped_queries: shipped } = (await settings()).values;
    return [...(shipped ? [shippedQueries()] : []), ...queries];
  };
  const functionFolders = async () => {
    const { functions, queries } = (await settings()).values;
    return functions.length > 0 ? functions : queries.map((folder) => join(dirname(folder), 'functions'));
  };
  const catalog = once(async () => openCatalog(await queryFolders(), io.cwd, await functionFolders()));

  /** Once the store is open, no other process can change what it holds. */
  const manifest = async (): Promise<Manifest> => {
    const used = await store.started();
    return used === undefined ? readManifest((await settings()).values.store) : used.manifest;
  };

  const filesAmong: Services['filesAmong'] = async (names, options = {}) => {
    if (!names.some((name) => /[/\\]|\.\w+$/.test(name))) return [];
    const { pathsAmong } = await import('./connection/typed-files.ts');
    return pathsAmong(names, await connection(), io, options);
  };

  const connection = once(async (): Promise<Connection> => {
    const loaded = await settings();
    const common: CommonOptions = {
      place: filesPlace(loaded, io),
      sections: loaded.sections,
      limits: limitsFrom(loaded),
      signal,
      folder: memoryFolder(loaded, io),
      build: buildId(),
      now: Date.now,
    };
    const { values } = loaded;
    if (values.url !== undefined && !embedded) {
      const { connectServer } = await import('./connection/server.ts');
      return connectServer(values.url, loaded, { ...common, signal, onText: say }, { io, quiet: () => flags().quiet === true });
    }
    return new EmbeddedConnection({ ...common, dir: values.store, manifest, store, withoutTables, ttlSeconds: values.sources_ttl });
  });

  const preparedQueries = once(async () =>
    openPreparedQueryMemory({ folder: memoryFolder(await settings(), io), build: buildId(), now: Date.now }),
  );

  const preparingWith = async (sources: PrepareDependencies['sources']): Promise<PrepareDependencies> => ({
    catalog: await catalog(),
    sources,
    preparedQueries: await preparedQueries(),
  });

  return {
    io,
    signal,
    flags,
    settings,
    settingsNow,
    queryFolders,
    functionFolders,
    catalog,
    cache,
    connection,
    filesAmong,
    store,
    manifest,
    preparedQueries,
    preparing: async (files) => preparingWith(await (await connection()).sources(files)),
    async running(work, files = []) {
      const place = await connection();
      return withCurrent(
        async () => watchedBy(watch, await place.snapshot(files)),
        async (current) => work({ ...(await preparingWith(current.sources)), ...current, cache: await cache(), now: Date.now }),
      );
    },
    async close() {
      await (await connection.started()?.catch(() => undefined))?.close();
      await closeEngines();
    },
  };
}

/** The store, and the engine that runs what reads none of its tables. */
function openEngines(settings: () => Promise<Settings>, { io, sparesStore = false, opened, beforeStore, onStore }: ServicesOptions) {
  const store = once(async () => {
    if (opened !== undefined) return opened();
    await (await temporary.started())?.close(); // the engine has one folder at a time
    return openOwnStore(settings(), io, { beforeStore, onStore });
  });
  const temporary = once(async () => openTemporary(await settings(), io, beforeStore));
  return {
    store,
    withoutTables: async () => (sparesStore && store.started() === undefined ? temporary() : (await store()).engine),
    async closeEngines() {
      // The caller who needed them has reported the failure.
      const used = await Promise.all([store.started(), temporary.started()].map((one) => one?.catch(() => undefined)));
      for (const one of opened === undefined ? used : []) await one?.close();
    },
  };
}

const watchedBy = (watch: ServicesOptions['watch'], current: Snapshot): Snapshot =>
  watch === undefined ? current : { ...current, engine: async (names) => watch(await current.engine(names)) };

async function openOwnStore(
  settings: Promise<Settings>,
  io: Io,
  { beforeStore, onStore }: Pick<ServicesOptions, 'beforeStore' | 'onStore'>,
): Promise<Store> {
  const [loaded, { openStore }] = await Promise.all([settings, import('./store/store.ts')]);
  if (isOfProject(loaded.origins.store)) await (await import('./connection/project-trust.ts')).permitStore(loaded, io);
  const { store: dir, max_memory: maxMemoryBytes } = loaded.values;
  const whileBusy = async (): Promise<void> => beforeStore?.(dir);
  await whileBusy();
  const opened = await openStore({ dir, maxMemoryBytes, whileBusy });
  onStore?.(dir);
  return opened;
}

/** Opens an engine that has none of the store's tables, unless the process that uses the store does the command: that is quicker. */
async function openTemporary(loaded: Settings, io: Io, beforeStore: ServicesOptions['beforeStore']): Promise<Store['engine']> {
  const { store, max_memory: maxMemoryBytes } = loaded.values;
  // Who listens in a folder that came with the project would learn what this user's environment holds.
  if (!isOfProject(loaded.origins.store)) await beforeStore?.(store);
  const { openWithoutStore } = await import('./store/without-store.ts');
  return openWithoutStore(memoryFolder(loaded, io), maxMemoryBytes);
}

type CommonOptions = Omit<EmbeddedConnectionOptions, 'dir' | 'manifest' | 'store' | 'withoutTables' | 'ttlSeconds'>;

/** Files inside of the project's folder are the project's; what else it names is read once the user trusts it. */
function filesPlace(loaded: Settings, { cwd, env }: Io): EmbeddedConnectionOptions['place'] {
  const permit = async (path: string) => (await import('./connection/project-trust.ts')).permitFile(path, loaded, env);
  return { folder: loaded.projectFile === undefined ? cwd : dirname(loaded.projectFile), env, permit };
}

/** Remembered translations and tables are trusted as they are found, so none of them is taken from a folder that may have come with the project. */
const memoryFolder = ({ values, origins }: Settings, { env }: Io): string =>
  isOfProject(origins.cache_dir) ? defaultPaths(env).cache : values.cache_dir;

interface Once<T> {
  (): Promise<T>;
  /** The value, if it has been requested. */
  started(): Promise<T> | undefined;
}

/** Makes a value when it is first requested, and again after a failure. */
function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return Object.assign(get, { started: () => made });
}
