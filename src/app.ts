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
import { isOfProject, loadSettings } from './config/load.ts';
import { defaultPaths } from './config/paths.ts';
import { SETTING_NAMES, SETTINGS } from './config/settings.ts';
import { printableValue } from './config/shown-value.ts';
import type { Connection } from './connection/connection.ts';
import { embeddedConnection } from './connection/embedded.ts';
import { limitsFrom } from './connection/limits.ts';
import { type Plan, type PlanDependencies, preparePlan } from './execution/plan.ts';
import { openPlanMemory } from './execution/plan-memory.ts';
import { withArguments } from './execution/plan-with-arguments.ts';
import { type RunDependencies, type RunOutcome, runSavedQuery } from './execution/run.ts';
import { type Snapshot, withCurrent } from './execution/snapshot.ts';
import type { Io } from './io.ts';
import { visible } from './output/visible.ts';
import { buildId, consoleFolder, packageVersion, shippedQueries } from './package-file.ts';
import { confirmId, openCatalog } from './saved-query/catalog.ts';
import { readArguments } from './saved-query/parameters.ts';
import type { SavedQuery } from './saved-query/saved-query.ts';
import { type Manifest, readManifest } from './store/manifest.ts';

export { type GlobalFlags, type GlobalSetting, globalSettings } from './app/flags.ts';
export type { App, AppRunRequest, RowsRequest, StreamRequest } from './app/interface.ts';

interface AppOptions {
  readonly io: Io;
  readonly signal: AbortSignal;
  /** Asked when needed, since they are known only once the command line is parsed. */
  readonly flags: () => GlobalFlags;
  /** Queries run on the embedded store, whatever the settings say of a server. */
  readonly embedded?: boolean;
}

/** Checks that run at once: the embedded engine shares the machine with whoever asks. */
const JOBS = { embedded: 3, server: 8 } as const;

export function createApp({ io, signal, flags, embedded = false }: AppOptions): App {
  let demo: App | undefined;

  const settings = once(() => loadSettings({ flags: givenSettings(flags()), env: io.env, cwd: io.cwd }));
  const speech = createSpeech({ io, flags, settings });

  const store = once(async () => {
    const [loaded, { openStore }] = await Promise.all([settings(), import('./store/store.ts')]);
    if (isOfProject(loaded.origins.store)) await (await import('./app/project-trust.ts')).permitStore(loaded, io);
    return openStore({ dir: loaded.values.store });
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
      const trust = once(async () => {
        const { projectTrust } = await import('./app/project-trust.ts');
        return projectTrust({ io, signal, settings: loaded, quiet: flags().quiet === true });
      });
      const onText = (text: string) => void io.stderr.write(text.split('\n').map(visible).join('\n'));
      return serverConnection({
        values,
        origins: loaded.origins,
        permit: async () => (await trust()).permit(),
        onLogin: async (server, ownPassword) => (await trust()).onLogin(server, ownPassword),
        url: values.url,
        folder: await memoryFolder(),
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
      folder: await memoryFolder(),
      sourcesTtlSeconds: values.sources_ttl,
      build: buildId(),
      now: Date.now,
    });
  });

  /** What is remembered of translations and tables is relied on as it is found, so none of it is taken from where it may have come with the project. */
  const memoryFolder = async (): Promise<string> => {
    const { values, origins } = await settings();
    return isOfProject(origins.cache_dir) ? defaultPaths(io.env).cache : values.cache_dir;
  };

  const planDependencies = async ({ sources }: Pick<Snapshot, 'sources'>): Promise<PlanDependencies> => ({
    catalog: await catalog(),
    sources,
    plans: openPlanMemory({ folder: await memoryFolder(), build: buildId(), now: Date.now }),
  });

  /** Paths are the user's, from the folder the command runs in; names and UUIDs stay as they are. */
  const located = (reference: string): string => {
    if (isAbsolute(reference) || !(reference.includes('/') || reference.endsWith('.sql'))) return reference;
    const path = relative('', resolve(io.cwd, reference));
    return path.includes('/') || path.endsWith('.sql') ? path : `./${path}`;
  };

  const savedQuery = async (reference: string): Promise<SavedQuery> => {
    const { parseSavedQuery } = await import('./saved-query/header/header.ts');
    const file = (await catalog()).find(located(reference));
    const query = parseSavedQuery(file.source, file.name);
    confirmId(file, query.id);
    return query;
  };

  const withDependencies: CheckDependencies['withCurrent'] = async (work) => {
    const here = await connection();
    return withCurrent(here.snapshot, async (held) =>
      work({ ...(await planDependencies(held)), ...held, cache: await cache(), now: Date.now }),
    );
  };

  const planned = <T>(reference: string, work: (plan: Plan, dependencies: RunDependencies) => Promise<T>): Promise<T> =>
    withDependencies(async (dependencies) => work(await preparePlan(located(reference), dependencies), dependencies));

  const runOrStream: App['runOrStream'] = async ({ reference, maxRows, sql, ...request }, stream) => {
    const planFor = sql === undefined ? preparePlan : await (await import('./app/callers-sql.ts')).callersPlans(sql, io);
    return withDependencies(async (dependencies) => {
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
    ...createAuthoring({ io, signal, settings, queryFolders, catalog, savedQuery, connection, planned }),
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
      const plan = await preparePlan(located(reference), await planDependencies({ sources: await (await connection()).sources() }));
      return given === undefined ? plan : withArguments(plan, readArguments(plan.parameters, given, plan.name));
    },
    savedQuery,
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
      const deps = {
        catalog: await catalog(),
        cwd: io.cwd,
        projectFolder,
        located,
        withCurrent: withDependencies,
        signal,
        now: Date.now,
        elapsed,
      };
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
