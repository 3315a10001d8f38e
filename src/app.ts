// The composition root: everything a command needs, each part built on first use. What a run answered from the cache needs is imported at
// once (one file in dist/); the engine, the translator and the YAML parser only when they are used.
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { atMost } from './app/at-most.ts';
import { createAuthoring } from './app/authoring.ts';
import { type GlobalFlags, givenSettings } from './app/flags.ts';
import type { App, AppRunRequest } from './app/interface.ts';
import { once } from './app/once.ts';
import { createSpeech } from './app/speech.ts';
import { openCache } from './cache/cache.ts';
import type { CheckDependencies } from './checks/check-all.ts';
import { loadSettings, printableValue } from './config/load.ts';
import { defaultPaths } from './config/paths.ts';
import { SETTING_NAMES, SETTINGS } from './config/settings.ts';
import type { Connection, Snapshot } from './connection/connection.ts';
import { embeddedConnection } from './connection/embedded.ts';
import { limitsFrom } from './connection/limits.ts';
import type { Io } from './io.ts';
import { visible } from './output/visible.ts';
import { buildId, consoleFolder, packageVersion, shippedQueries } from './package-file.ts';
import { confirmId, openCatalog } from './saved-query/catalog.ts';
import { readArguments } from './saved-query/parameters.ts';
import { type Plan, type PlanDependencies, preparePlan } from './saved-query/plan.ts';
import { openPlanMemory } from './saved-query/plan-memory.ts';
import { withArguments } from './saved-query/plan-with-arguments.ts';
import { type RunDependencies, type RunOutcome, runSavedQuery } from './saved-query/run.ts';
import { type Manifest, readManifest } from './store/manifest.ts';

export { type GlobalFlags, type GlobalSetting, globalSettings } from './app/flags.ts';
export type { App, AppRunRequest, PrintOptions, RowsRequest, StreamRequest } from './app/interface.ts';

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

/** Checks that run at once: the embedded engine shares the machine with whoever asks. */
const JOBS = { embedded: 3, server: 8 } as const;

export function createApp({ io, signal, flags, embedded = false }: AppOptions): App {
  let demo: App | undefined;

  const settings = once(() => loadSettings({ flags: givenSettings(flags()), env: io.env, cwd: io.cwd }));
  const speech = createSpeech({ io, flags, settings });

  const store = once(async () => {
    const [{ values }, { openStore }] = await Promise.all([settings(), import('./store/store.ts')]);
    return openStore({ dir: values.store });
  });

  const cacheWithNotes = async (onNote: (text: string) => void) => {
    const { values } = await settings();
    return openCache({ folder: values.cache_dir, maxBytes: values.cache_size, now: Date.now, onNote });
  };
  const cache = once(() => cacheWithNotes((text) => void speech.warn(`note: ${text}`)));

  const queryFolders = async () => [shippedQueries(), ...(await settings()).values.queries];
  const catalog = once(async () => openCatalog(await queryFolders(), io.cwd));

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
      return serverConnection({
        values,
        url: values.url,
        ...section,
        limits: limitsFrom(loaded),
        build: buildId(),
        onText,
        signal,
        now: Date.now,
      });
    }
    return embeddedConnection({
      dir: values.store,
      manifest,
      store,
      ...section,
      limits: limitsFrom(loaded),
      folder: values.cache_dir,
      sourcesTtlSeconds: values.sources_ttl,
      build: buildId(),
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

  /** Does what depends on the sources and the data, and does it again when these turn out to have been those of the past. */
  const withCurrent: CheckDependencies['withCurrent'] = async (work) => {
    const here = await connection();
    for (let attempt = 1; ; attempt++) {
      const snapshot = await here.snapshot();
      const outdated = async (error: unknown): Promise<boolean> => attempt < MAX_ATTEMPTS && (await snapshot.outdated(error));
      try {
        return await work({ ...(await planDependencies(snapshot)), ...snapshot, outdated, cache: await cache(), now: Date.now });
      } catch (error) {
        if (!(await outdated(error))) throw error;
      }
    }
  };

  const planned = <T>(reference: string, work: (plan: Plan, dependencies: RunDependencies) => Promise<T>): Promise<T> =>
    withCurrent(async (dependencies) => work(await preparePlan(located(reference), dependencies), dependencies));

  const runOrStream: App['runOrStream'] = async ({ reference, maxRows, sql, ...request }, stream) => {
    const planFor = sql === undefined ? preparePlan : await (await import('./app/callers-sql.ts')).callersPlans(sql, io);
    return withCurrent(async (dependencies) => {
      const plan = atMost(await planFor(located(reference), dependencies), maxRows);
      if (stream?.wanted(plan) !== true) return runSavedQuery({ ...request, query: plan, signal }, dependencies);
      const { exportRows } = await import('./app/export.ts');
      const file = stream.file === undefined ? undefined : resolve(io.cwd, stream.file);
      const { csv_formulas: formulas } = (await settings()).values;
      return exportRows({ ...request, ...stream, file, plan, formulas, output: io.stdout, signal }, dependencies);
    });
  };

  const run = ({ reference, maxRows, ...request }: AppRunRequest): Promise<RunOutcome> =>
    planned(reference, (plan, dependencies) => runSavedQuery({ ...request, query: atMost(plan, maxRows), signal }, dependencies));

  const app: App = {
    version: packageVersion(),
    consoleFolder,
    io,
    signal,
    ...speech,
    ...createAuthoring({ io, signal, settings, queryFolders, catalog, connection, planned }),
    settings,
    cache,
    cacheWithNotes,
    connection,
    store,
    manifest,
    run,
    runOrStream,
    async demo() {
      const folder = join(defaultPaths(io.env).data, 'demo');
      demo ??= createApp({ io, signal, embedded: true, flags: () => ({ ...flags(), store: folder }) });
      return demo;
    },
    async plan(reference, given) {
      const plan = await preparePlan(located(reference), await planDependencies(await (await connection()).snapshot()));
      return given === undefined ? plan : withArguments(plan, readArguments(plan.parameters, given, plan.name));
    },
    async savedQuery(reference) {
      const { parseSavedQuery } = await import('./saved-query/header/header.ts');
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
    async check(request) {
      const [{ checkAll }, { projectFile }, { remote }] = await Promise.all([import('./checks/check-all.ts'), settings(), connection()]);
      const projectFolder = projectFile === undefined ? io.cwd : dirname(projectFile);
      const elapsed = () => performance.now();
      const deps = { catalog: await catalog(), cwd: io.cwd, projectFolder, located, withCurrent, signal, now: Date.now, elapsed };
      return checkAll({ ...request, jobs: request.jobs ?? (remote ? JOBS.server : JOBS.embedded) }, deps);
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
      const { readParametersFile } = await import('./app/parameters-file.ts');
      return readParametersFile(file, io);
    },
    path: (file) => resolve(io.cwd, file),
    async close() {
      await demo?.close();
      await (await connection.started()?.catch(() => undefined))?.close();
      const opened = await store.started()?.catch(() => undefined); // whoever asked for it has reported the failure
      await opened?.close();
    },
  };
  return app;
}
