// The server: endpoints from files that may change while it runs, answers, and a way to stop without cutting anybody off.
import type { Http2SecureServer } from 'node:http2';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { messageOf, QuernError } from '../base/errors.ts';
import { type Snapshot, withCurrent } from '../execution/snapshot.ts';
import type { Formulas } from '../output/format.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { Answers, type AnswersOptions } from './answers/answers.ts';
import { LiveEndpoints } from './answers/live-endpoints.ts';
import { allowsSql } from './answers/logflare.ts';
import { redact } from './answers/redact.ts';
import { loadRenderers } from './answers/renderers.ts';
import type { Clock } from './clock.ts';
import { connectionsOf, drain } from './http/connections.ts';
import { createFastify, type FastifyOptions } from './http/fastify.ts';
import { createRefusalPace } from './http/refusal-pace.ts';
import { readTls, type TlsFiles, watchTls } from './http/tls.ts';
import { createAllowance } from './keys/allowance.ts';
import { createReadAssertion } from './keys/assertions.ts';
import { createAuthenticate } from './keys/authentication.ts';
import { createBudgets } from './keys/budgets.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { createRateLimit } from './keys/rate-limit.ts';
import { NO_SPENDING, type Spending } from './keys/spending.ts';
import type { Tokens } from './keys/tokens.ts';
import type { Audit } from './observe/audit.ts';
import { createObserver } from './observe/finish.ts';
import type { Logger } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import type { Telemetry } from './observe/otlp/open.ts';
import { addRoutes, methodsAt } from './routes/add-routes.ts';
import { type Compat, createPrepare } from './routes/call.ts';
import { EndpointPipeline } from './routes/endpoint-pipeline.ts';
import { ROUTES } from './routes/index.ts';
import type { Route, RouteParts } from './routes/route.ts';
import { createPrepareTyped } from './routes/typed-call.ts';
import type { Shared } from './shared/share.ts';
import { inThisThread, type Translator } from './translation/translator.ts';
import { watchFolders } from './watch.ts';

export interface ServerOptions extends Pick<AnswersOptions, 'cache' | 'limits' | 'random'> {
  readonly catalog: QueryCatalog;
  /** The folders that are watched: those of the catalog, and of boards. */
  readonly folders: readonly string[];
  /** The folder of the project's boards; absent: there are none. */
  readonly boardsFolder?: string | undefined;
  /** Returns the engine and its data as they are now. */
  readonly snapshot: () => Promise<Snapshot>;
  /** Why a query over these sources has no rows; absent where nobody knows. */
  readonly explainEmpty?: RouteParts['explainEmpty'];
  /** Default: none. */
  readonly storedSources?: RouteParts['storedSources'];
  /** Absent: anybody on this machine may ask. */
  readonly keys?: Pick<KeyRing, 'verify' | 'signer' | 'several' | 'budgeted'> | undefined;
  /** Beside keys: callers who have signed in elsewhere. */
  readonly tokens?: Tokens | undefined;
  /** The costs of runs of keys with budgets; absent where there are no keys. Closed with the server. */
  readonly spending?: Spending | undefined;
  /** The parts that other servers share with this one; closed with the server. */
  readonly shared?: Pick<Shared, 'up' | 'buckets' | 'close'> | undefined;
  readonly compat?: Compat | undefined;
  /** How csv writes texts that a spreadsheet would compute. */
  readonly csvFormulas: Formulas;
  /** Absent: plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  readonly corsOrigins: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Read for each request, so that it may change. */
  readonly logArguments: boolean;
  readonly audit?: Audit | undefined;
  /** Traces and metrics for a collector. Closed with the server. */
  readonly telemetry?: Telemetry | undefined;
  /** Milliseconds that requests have to end once the server is to stop. */
  readonly drainMs: number;
  /** Of these, the first in which open connections may bring another request, from clients that do not know yet. */
  readonly graceMs: number;
  readonly version: string;
  /** Folder of the web console's files. */
  readonly consoleFolder: string;
  /** Translates callers' SQL; by default this thread. Closed with the server. */
  readonly translator?: Translator;
  /** Default: ROUTES. */
  readonly routes?: readonly Route[];
  /** Clients of BigQuery are answered as well. */
  readonly bigquery?: boolean | undefined;
}

export interface Server {
  /** For routes in addition to the endpoints, and for requests without a port. */
  readonly fastify: FastifyInstance;
  /** The address, such as `http://127.0.0.1:4000`. Throws QuernError `config` when the port cannot be had. */
  listen(host: string, port: number): Promise<string>;
  /** Reads the saved queries again, as happens by itself when their files change. */
  reload(): Promise<void>;
  /** Takes no more connections, lets requests end, and frees everything. */
  close(): Promise<void>;
}

/** Throws what reading the saved queries throws. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { compat, telemetry, clock, keys, tokens, translator = inThisThread() } = options;
  const doors = options.bigquery === true ? (await import('./doors/bigquery/index.ts')).bigQueryRoutes() : [];
  const routes = [...(options.routes ?? ROUTES), ...doors];
  const takesSql = (query: SavedQuery) => query.sandbox || (compat === 'logflare' && allowsSql(query.name));
  let stopping = false;
  let listening = false;

  const live: LiveEndpoints = new LiveEndpoints({
    ...options,
    translator,
    takesSql,
    onRead() {
      pipeline.forget();
      if (listening) live.startTranslator(doors.length > 0);
    },
  });
  const rateLimit = createRateLimit(clock.now, options.shared?.buckets);
  const { metrics, answers, budgets } = openAnswersOf(options, live);
  const observer = createObserver({ ...options, metrics, logArguments: () => options.logArguments, tracing: telemetry?.tracing });
  const readAssertion = keys === undefined ? undefined : createReadAssertion(keys, clock.now);
  const authenticate = createAuthenticate(keys, { tokens, readAssertion });
  const refusalPace = createRefusalPace(clock);
  const calls = { renderers: await loadRenderers(compat, options.csvFormulas), compat, takesSql, sandboxed: live.sandboxed };
  const table = () => live.table;
  const pipeline = new EndpointPipeline({
    authenticate,
    rateLimit,
    allowance: createAllowance(rateLimit, budgets),
    refusalPace,
    table,
    prepare: createPrepare(calls),
    prepareTyped: createPrepareTyped({ ...calls, table, typed: live.typed }),
    answers,
    compat,
    cors: options.corsOrigins.length > 0,
    observer,
  });
  // Before the files are read, so that no change is missed.
  const unwatch = watchFolders({ folders: options.folders, clock, onChange: () => void live.reload() });
  await live.read().catch((error: unknown) => {
    unwatch();
    throw error;
  });
  const { fastify, certificate } = await createHttp(options, { observer, methodsOf: methodsAt(routes) });
  const connections = connectionsOf(fastify.server);
  const parts: RouteParts = {
    ...partsOf(options, { routes, fastify, metrics }),
    authenticate,
    table,
    boards: live.boards,
    endpoints: pipeline,
    takesSql,
    sandboxed: live.sandboxed,
    typed: live.typed,
    paged: answers.paged,
    pages: options.cache.pages,
    stopping: () => stopping,
  };
  await fastify.register(async (scope) => addRoutes(scope, parts, { rateLimit, observer }));

  return {
    fastify,
    reload() {
      certificate?.look();
      return live.reload();
    },
    async listen(host, port) {
      try {
        const address = await fastify.listen({ host, port, listenTextResolver: () => '' });
        listening = true;
        live.startTranslator(doors.length > 0);
        return address;
      } catch (cause) {
        throw listenFailure(cause, host, port);
      }
    },
    async close() {
      stopping = true;
      certificate?.stop();
      refusalPace.end();
      unwatch();
      await drain(connections, options, () => pipeline.abort(new QuernError('interrupted', 'the server is stopping')));
      await fastify.close();
      await answers.drain();
      await Promise.all([translator.close(), options.spending?.close(), options.audit?.close(), telemetry?.close()]);
      options.shared?.close();
    },
  };
}

/** The answers, and what counts them and their cost. */
function openAnswersOf(options: ServerOptions, live: LiveEndpoints) {
  const { log, clock, telemetry } = options;
  const budgets = createBudgets(options.spending ?? NO_SPENDING, clock.now);
  const metrics = createMetrics({
    answers: () => answers.stats(),
    async budgets() {
      const keys = options.keys?.budgeted() ?? [];
      await budgets.learn(keys);
      return keys.flatMap((key) => budgets.left(key).map((left) => ({ key: key.name, ...left })));
    },
    endpoints: () => ({ served: live.table.endpoints.length, broken: live.table.broken.length }),
    shared: options.shared,
  });
  telemetry?.sendMetrics(metrics.families);
  const answers = new Answers({
    ...options,
    tracing: telemetry?.tracing,
    prepareAgain: live.prepareAgain,
    redact,
    budgets,
    spare: () => options.tokens !== undefined || options.keys?.several() === true,
    onEvent: ({ kind, query, error, ...rest }) => {
      metrics.event(kind);
      log.warn({ ...rest, endpoint: query, error: { code: error.code, message: error.message } }, kind);
    },
  });
  return { metrics, answers, budgets };
}

/** The HTTP server without its routes, and what looks after its certificate. */
async function createHttp({ tls, tokens, corsOrigins, clock, log }: ServerOptions, parts: Pick<FastifyOptions, 'observer' | 'methodsOf'>) {
  const fastify = await createFastify({ ...parts, corsOrigins, tls: tls === undefined ? undefined : readTls(tls) });
  // Before any route: from then on who asks is known at once.
  if (tokens !== undefined) fastify.addHook('onRequest', ({ headers }) => tokens.look(headers));
  if (tls === undefined) return { fastify };
  const certificate = watchTls({
    files: tls,
    clock,
    onChange(pair) {
      (fastify.server as unknown as Http2SecureServer).setSecureContext(pair);
      log.info('the certificate has been read again');
    },
    onTrouble: ({ message }) => log.error({ error: { message } }, 'the certificate has changed and cannot be used; the old one stays'),
  });
  return { fastify, certificate };
}

/** The parts of routes that are the server's options, or make up for them. */
function partsOf(
  options: ServerOptions,
  { fastify, ...others }: Pick<RouteParts, 'routes' | 'metrics'> & { readonly fastify: FastifyInstance },
) {
  const { version, compat, keys, snapshot, shared, clock, log, consoleFolder } = options;
  return {
    ...others,
    version,
    compat,
    authentication: keys !== undefined,
    withSources: <T>(work: (sources: Snapshot['sources']) => Promise<T>) => withCurrent(snapshot, ({ sources }) => work(sources)),
    ping: async () => void (await (await (await snapshot()).engine()).rows('SELECT 1')),
    ask: (request: InjectOptions) => fastify.inject(request),
    explainEmpty: options.explainEmpty ?? (async () => undefined),
    storedSources: options.storedSources ?? (async () => []),
    shared,
    clock,
    log,
    consoleFolder,
  };
}

function listenFailure(cause: unknown, host: string, port: number): QuernError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program is listening there',
    EACCES: 'permission denied',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'the host name cannot be resolved',
  };
  const reason = reasons[code] ?? messageOf(cause);
  return new QuernError('config', `cannot listen on ${host}:${port}: ${reason}`, {
    hint: 'choose another --host or --port; --port 0 takes a free one',
    cause,
  });
}
