// The composition root: everything a command needs, each part built on first use. What a run answered from the cache needs is imported at
// once (one file in dist/); the engine, the translator and the YAML parser only when they are used.
import { isAbsolute, join, relative, resolve } from 'node:path';
import { type Cache, openCache } from './cache/cache.ts';
import { loadSettings, printableValue, type Settings } from './config/load.ts';
import { defaultPaths } from './config/paths.ts';
import { SETTING_NAMES, SETTINGS } from './config/settings.ts';
import type { Connection, Snapshot } from './connection/connection.ts';
import { embeddedConnection } from './connection/embedded.ts';
import { limitsFrom } from './connection/limits.ts';
import type { Finding } from './doctor/finding.ts';
import type { QuernError } from './errors.ts';
import type { Io, Output } from './io.ts';
import { printResult } from './output/print.ts';
import { visible } from './output/visible.ts';
import { buildId, packageVersion, shippedQueries } from './package-file.ts';
import type { QueryResult, Row } from './result.ts';
import { type CatalogListing, confirmId, openCatalog, type QueryCatalog } from './saved-query/catalog.ts';
import { type Plan, type PlanDependencies, preparePlan } from './saved-query/plan.ts';
import { openPlanMemory } from './saved-query/plan-memory.ts';
import { type RunOutcome, type RunRequest, runSavedQuery } from './saved-query/run.ts';
import type { SavedQuery } from './saved-query/saved-query.ts';
import type { ListedSource } from './sources/listing.ts';
import { type Manifest, readManifest } from './store/manifest.ts';
import type { Store } from './store/store.ts';

/** What every command's flags said, as commander names them. */
export interface GlobalFlags {
  readonly store?: string;
  readonly queries?: readonly string[];
  readonly cacheDir?: string;
  readonly timeout?: string;
  readonly maxMemory?: string;
  readonly maxScan?: string;
  readonly profile?: string;
  readonly url?: string;
  readonly database?: string;
  /** Of `quern serve` alone. */
  readonly host?: string;
  readonly port?: string;
  readonly compat?: string;
  readonly corsOrigin?: readonly string[];
  readonly logLevel?: string;
  /** False after `--no-color`. */
  readonly color?: boolean;
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly jsonErrors?: boolean;
}

export interface GlobalSetting {
  readonly flag: string;
  /** What the flag's value is called in the help; undefined for a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly help: string;
}

/** The settings that are flags of every command; `format` belongs to the commands that print rows. */
export const globalSettings: readonly GlobalSetting[] = [
  { flag: 'store', value: 'dir', help: SETTINGS.store.help },
  { flag: 'queries', value: 'dir', repeatable: true, help: SETTINGS.queries.help },
  { flag: 'cache-dir', value: 'dir', help: SETTINGS.cache_dir.help },
  { flag: 'timeout', value: 'duration', help: SETTINGS.timeout.help },
  { flag: 'max-memory', value: 'size', help: SETTINGS.max_memory.help },
  { flag: 'max-scan', value: 'rows', help: SETTINGS.max_scan.help },
  { flag: 'profile', value: 'name', help: SETTINGS.profile.help },
  { flag: 'url', value: 'url', help: SETTINGS.url.help },
  { flag: 'database', value: 'name', help: SETTINGS.database.help },
  { flag: 'no-color', help: SETTINGS.no_color.help },
];

export interface PrintOptions {
  /** Text of `--format`. */
  readonly format?: string | undefined;
  /** File of `--output`. */
  readonly output?: string | undefined;
  /** Columns of a drawing where no terminal says how wide it is; without it nothing is cut there. */
  readonly pageWidth?: number;
  /** Names of columns that a table does not cut, besides those of numbers and times. */
  readonly whole?: readonly string[];
  /** How many rows a table draws where each must be a block; all when absent. */
  readonly mostBlocks?: number;
}

/** A run as a command asks for it; its query is a name, a UUID, or a path from the folder the command runs in. */
export interface AppRunRequest extends Omit<RunRequest, 'query' | 'signal'> {
  readonly reference: string;
}

export interface App {
  /** Of the package. */
  readonly version: string;
  readonly io: Io;
  readonly signal: AbortSignal;
  settings(): Promise<Settings>;
  cache(): Promise<Cache>;
  /** The sources that queries can read; `refresh` asks the engine again. */
  sources(options?: { readonly refresh?: boolean }): Promise<readonly ListedSource[]>;
  /** Looks at everything a run needs. */
  examine(): AsyncIterable<Finding>;
  /** Where queries run. */
  connection(): Promise<Connection>;
  store(): Promise<Store>;
  /** What the store holds, known without opening it. */
  manifest(): Promise<Manifest>;
  /** The same app on the demo's own store. */
  demo(): Promise<App>;
  /** Runs a saved query, from the cache where possible. */
  run(request: AppRunRequest): Promise<RunOutcome>;
  /** The translation of a saved query, and what running it takes. */
  plan(reference: string): Promise<Plan>;
  savedQuery(reference: string): Promise<SavedQuery>;
  savedQueries(): Promise<CatalogListing>;
  catalog(): Promise<QueryCatalog>;
  /** Where the saved queries are: the ones that ship, and the user's. */
  queryFolders(): Promise<readonly string[]>;
  /** Rows of setting, value, origin, environment variable, meaning; secrets are hidden. */
  settingRows(): Promise<readonly Row[]>;
  /** The JSON object in a file, or in standard input for `-`; large integers keep their digits. */
  readParameters(file: string): Promise<Readonly<Record<string, unknown>>>;
  /** Prints rows in the format asked for: a table on a terminal and NDJSON elsewhere unless said otherwise. */
  print(result: QueryResult, options?: PrintOptions): Promise<void>;
  /** A line on standard error that `--quiet` leaves out. */
  note(text: string): Promise<void>;
  /** A line on standard error. */
  warn(text: string): Promise<void>;
  /** The terminal that a progress bar may use. */
  progressTerminal(): NodeJS.WriteStream | undefined;
  /** A path the user gave, from the folder the command runs in. */
  path(file: string): string;
  showError(error: QuernError): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Asked when needed, since they are known only once the command line is parsed. */
  readonly flags: () => GlobalFlags;
  /** Queries run on the embedded store, whatever the settings say of a server. */
  readonly embedded?: boolean;
}

/** What a run knows may grow old while it runs, but hardly twice in a row. */
const MAX_ATTEMPTS = 3;

export function createApp({ io, signal, flags, embedded = false }: AppOptions): App {
  const line = (text: string) => io.stderr.write(`${visible(text)}\n`);
  const colour = (output: Output) => output.isTerminal && flags().color !== false && (io.env['NO_COLOR'] ?? '') === '';

  let demo: App | undefined;

  const settings = once(() => {
    const { store, queries, cacheDir, timeout, maxMemory, maxScan, profile, url, database, color, ...serve } = flags();
    const given = {
      store,
      queries,
      profile,
      url,
      database,
      timeout,
      cache_dir: cacheDir,
      max_memory: maxMemory,
      max_scan: maxScan,
      host: serve.host,
      port: serve.port,
      compat: serve.compat,
      cors_origins: serve.corsOrigin,
      log_level: serve.logLevel,
      no_color: color === false ? true : undefined,
    };
    return loadSettings({ flags: given, env: io.env, cwd: io.cwd });
  });

  const store = once(async () => {
    const [{ values }, { openStore }] = await Promise.all([settings(), import('./store/store.ts')]);
    return openStore({ dir: values.store });
  });

  const cache = once(async () => {
    const { values } = await settings();
    return openCache({
      folder: values.cache_dir,
      maxBytes: values.cache_size,
      now: Date.now,
      onNote: (text) => void line(`note: ${text}`),
    });
  });

  const queryFolders = async () => [shippedQueries(), ...(await settings()).values.queries];
  const catalog = once(async () => openCatalog(await queryFolders()));

  /** Once the store is open, no other process can change what it holds. */
  const manifest = async (): Promise<Manifest> => {
    const opened = await store.started();
    return opened === undefined ? readManifest((await settings()).values.store) : opened.manifest;
  };

  const connection = once(async (): Promise<Connection> => {
    const loaded = await settings();
    const { values, sources } = loaded;
    const section = sources === undefined ? {} : { section: sources };
    if (values.url !== undefined && !embedded) {
      const { serverConnection } = await import('./connection/server.ts');
      const onText = (text: string) => void io.stderr.write(visible(text));
      return serverConnection({ values, url: values.url, ...section, limits: limitsFrom(loaded), onText, signal, now: Date.now });
    }
    return embeddedConnection({
      dir: values.store,
      manifest,
      store,
      ...section,
      limits: limitsFrom(loaded),
      folder: values.cache_dir,
      sourcesTtlSeconds: values.sources_ttl,
      now: Date.now,
    });
  });

  const planDependencies = async (snapshot: Snapshot): Promise<PlanDependencies> => ({
    catalog: await catalog(),
    sources: snapshot.sources,
    plans: openPlanMemory({ folder: (await settings()).values.cache_dir, build: buildId(), now: Date.now }),
  });

  /** Paths are the user's, from the folder the command runs in; names and UUIDs stay as they are. */
  const located = (reference: string): string => {
    if (isAbsolute(reference) || !(reference.includes('/') || reference.endsWith('.sql'))) return reference;
    const path = relative('', resolve(io.cwd, reference));
    return path.includes('/') || path.endsWith('.sql') ? path : `./${path}`;
  };

  const run = async ({ reference, ...request }: AppRunRequest): Promise<RunOutcome> => {
    const here = await connection();
    for (let attempt = 1; ; attempt++) {
      const snapshot = await here.snapshot();
      try {
        const dependencies = { ...(await planDependencies(snapshot)), ...snapshot, cache: await cache(), now: Date.now };
        return await runSavedQuery({ ...request, query: located(reference), signal }, dependencies);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(await snapshot.outdated(error))) throw error;
      }
    }
  };

  const app: App = {
    version: packageVersion(),
    io,
    signal,
    settings,
    cache,
    connection,
    store,
    manifest,
    run,
    async demo() {
      const folder = join(defaultPaths(io.env).data, 'demo');
      demo ??= createApp({ io, signal, embedded: true, flags: () => ({ ...flags(), store: folder }) });
      return demo;
    },
    async plan(reference) {
      return preparePlan(located(reference), await planDependencies(await (await connection()).snapshot()));
    },
    async savedQuery(reference) {
      const { parseSavedQuery } = await import('./saved-query/header.ts');
      const file = (await catalog()).find(located(reference));
      const query = parseSavedQuery(file.source, file.name);
      confirmId(file, query.id);
      return query;
    },
    async sources({ refresh = false } = {}) {
      const { listSources } = await import('./sources/listing.ts');
      const here = await connection();
      if (refresh) await (await here.snapshot()).forgetSources();
      return listSources(await (await here.snapshot()).sources.load());
    },
    async *examine() {
      const { examine } = await import('./doctor/doctor.ts');
      yield* examine({ ...app, sources: () => app.sources({ refresh: true }), now: Date.now });
    },
    savedQueries: async () => (await catalog()).list(),
    catalog,
    queryFolders,
    async settingRows() {
      const { values, origins } = await settings();
      return SETTING_NAMES.map((name) => {
        const { from, where } = origins[name];
        return [
          name,
          printableValue(name, values[name]),
          where === '' ? from : `${from} ${where}`,
          SETTINGS[name].env,
          SETTINGS[name].help,
        ];
      });
    },
    async readParameters(file) {
      const { readJsonObject } = await import('./json-object.ts');
      return readJsonObject(file === '-' ? io.stdin : resolve(io.cwd, file));
    },
    async print(result, options = {}) {
      const { values } = await settings();
      await printResult(result, {
        format: options.format ?? (options.output === undefined ? values.format : undefined),
        file: options.output === undefined ? undefined : resolve(io.cwd, options.output),
        output: io.stdout,
        colour: colour(io.stdout) && !values.no_color,
        pageWidth: options.pageWidth,
        whole: options.whole,
        mostBlocks: options.mostBlocks,
        onNote: async (text) => (flags().quiet === true ? undefined : line(`note: ${text}`)),
      });
    },
    note: (text) => (flags().quiet === true ? Promise.resolve() : line(text)),
    warn: line,
    progressTerminal: () => (flags().quiet === true ? undefined : io.stderr.terminal),
    path: (file) => resolve(io.cwd, file),
    async showError(error) {
      if (flags().jsonErrors === true) {
        const { errorBody } = await import('./output/error-body.ts');
        await io.stderr.write(`${JSON.stringify(errorBody(error))}\n`);
        return;
      }
      const { renderError } = await import('./output/error.ts');
      const verbose = flags().verbose === true || error.code === 'internal';
      await io.stderr.write(renderError(error, { colour: colour(io.stderr), verbose }));
    },
    async close() {
      await demo?.close();
      await (await connection.started()?.catch(() => undefined))?.close();
      const opened = await store.started()?.catch(() => undefined); // whoever asked for it has reported the failure
      await opened?.close();
    },
  };
  return app;
}

interface Once<T> {
  (): Promise<T>;
  /** The value, if anybody has asked for it. */
  started(): Promise<T> | undefined;
}

function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  const get = () => {
    made ??= make();
    return made;
  };
  return Object.assign(get, { started: () => made });
}
