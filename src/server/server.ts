// The server: endpoints from files that may change while it runs, answers, and a way to stop without cutting anybody off.
import type { Http2SecureServer } from 'node:http2';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { QuernError } from '../base/errors.ts';
import type { CallersText } from '../execution/callers-text.ts';
import { type PrepareDependencies, prepareQuery, usesNow } from '../execution/prepared-query.ts';
import { planSandboxedQuery } from '../execution/sandbox.ts';
import { type Snapshot, withCurrent } from '../execution/snapshot.ts';
import { errorBody } from '../output/error-body.ts';
import type { Formulas } from '../output/format.ts';
import type { QueryCatalog } from '../queries/catalog.ts';
import type { SavedQuery } from '../queries/saved-query.ts';
import { type AnswersOptions, openAnswers } from './answers/answers.ts';
import { type EndpointTable, NO_ENDPOINTS, type Reload, reloadEndpoints } from './answers/endpoints.ts';
import { allowsSql } from './answers/logflare.ts';
import { createPreparedSlots, type PreparedSlot } from './answers/prepared-slot.ts';
import { redact } from './answers/redact.ts';
import { loadRenderers } from './answers/renderers.ts';
import type { Clock } from './clock.ts';
import { connectionsOf } from './http/connections.ts';
import { createFastify } from './http/fastify.ts';
import { createRefusalPace } from './http/refusal-pace.ts';
import { createRefuse } from './http/refuse.ts';
import { readTls, type TlsFiles, watchTls } from './http/tls.ts';
import { createAllowance } from './keys/allowance.ts';
import { createAuthenticate } from './keys/authentication.ts';
import { createBudgets } from './keys/budgets.ts';
import { createAdmit } from './keys/gate.ts';
import type { KeyRing } from './keys/key-ring.ts';
import { createRateLimit } from './keys/rate-limit.ts';
import { NO_SPENDING, type Spending } from './keys/spending.ts';
import type { Tokens } from './keys/tokens.ts';
import type { Audit } from './observe/audit.ts';
import { createBegin } from './observe/finish.ts';
import type { Logger } from './observe/log.ts';
import { createMetrics } from './observe/metrics.ts';
import type { Telemetry } from './observe/otlp/open.ts';
import { addRoutes, methodsAt } from './routes/add-routes.ts';
import { type Compat, createPrepare } from './routes/call.ts';
import { createEndpointHandlers } from './routes/endpoint-handlers.ts';
import { ROUTES } from './routes/index.ts';
import type { Route, RouteParts } from './routes/route.ts';
import type { Shared } from './shared/share.ts';
import { inThisThread, type Translator } from './translation/translator.ts';
import { watchFolders } from './watch.ts';

export interface ServerOptions extends Pick<AnswersOptions, 'cache' | 'limits' | 'random'> {
  readonly catalog: QueryCatalog;
  /** The folders of the catalog, which are watched. */
  readonly folders: readonly string[];
  /** What holds now of the engine and its data. */
  readonly snapshot: () => Promise<Snapshot>;
  /** Why a query over these sources has no rows; absent where nobody knows. */
  readonly explainEmpty?: RouteParts['explainEmpty'];
  /** Default: none. */
  readonly storedSources?: RouteParts['storedSources'];
  /** Absent: anybody on this machine may ask. */
  readonly keys?: Pick<KeyRing, 'verify' | 'several' | 'budgeted'> | undefined;
  /** Beside keys: callers who have signed in elsewhere. */
  readonly tokens?: Tokens | undefined;
  /** What runs of keys with budgets have cost; absent where there are no keys. Closed with the server. */
  readonly spending?: Spending | undefined;
  /** What other servers share with this one; closed with the server. */
  readonly shared?: Pick<Shared, 'up' | 'buckets' | 'close'> | undefined;
  readonly compat?: Compat | undefined;
  /** What csv makes of texts that a spreadsheet would compute. */
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
  /** Of these, the first in which open connections may bring another request, from clients that have not heard yet. */
  readonly graceMs: number;
  readonly version: string;
  /** Folder of the web console's files. */
  readonly consoleFolder: string;
  /** Of callers' SQL; by default this thread. It is closed with the server. */
  readonly translator?: Translator;
  /** Default: ROUTES. */
  readonly routes?: readonly Route[];
}

export interface Server {
  /** For what is served beside the endpoints, and for requests without a port. */
  readonly fastify: FastifyInstance;
  /** The address, such as `http://127.0.0.1:4000`. Throws QuernError `config` when the port cannot be had. */
  listen(host: string, port: number): Promise<string>;
  /** Reads the saved queries anew, as happens by itself when their files change. */
  reload(): Promise<void>;
  /** Takes no more connections, lets requests end, and frees everything. */
  close(): Promise<void>;
}

/** Texts of callers whose prepared queries are kept. */
const MOST_SANDBOXED = 200;
/** Clients keep connections open on which nothing more will be answered. */
const SWEEP_MS = 100;
/** Throws what reading the saved queries throws. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { catalog, log, clock, compat, telemetry, translator = inThisThread(), routes = ROUTES } = options;
  const preparing = <T>(work: (deps: PrepareDependencies) => Promise<T>): Promise<T> =>
    withCurrent(options.snapshot, ({ sources }) => work({ catalog, sources }));
  const takesSql = (query: SavedQuery) => query.sandbox || (compat === 'logflare' && allowsSql(query.name));
  const slots = createPreparedSlots();
  let table: EndpointTable = NO_ENDPOINTS;
  let stopping = false;
  let listening = false;

  const rateLimit = createRateLimit(clock.now, options.shared?.buckets);
  const budgets = createBudgets(options.spending ?? NO_SPENDING, clock.now);
  const metrics = createMetrics({
    answers: () => answers.stats(),
    async budgets() {
      const keys = options.keys?.budgeted() ?? [];
      await budgets.learn(keys);
      return keys.flatMap((key) => budgets.left(key).map((left) => ({ key: key.name, ...left })));
    },
    endpoints: () => ({ served: table.endpoints.length, broken: table.broken.length }),
    shared: options.shared,
  });
  telemetry?.sendMetrics(metrics.families);
  const answers = openAnswers({
    ...options,
    tracing: telemetry?.tracing,
    replan: slots.replan,
    redact,
    budgets,
    spare: () => options.tokens !== undefined || options.keys?.several() === true,
    onEvent: ({ kind, query, error, ...rest }) => {
      metrics.event(kind);
      log.warn({ ...rest, endpoint: query, error: { code: error.code, message: error.message } }, kind);
    },
  });
  const begin = createBegin({ metrics, log, logArguments: () => options.logArguments, audit: options.audit, tracing: telemetry?.tracing });
  const refuse = createRefuse(begin);
  const authenticate = createAuthenticate(options.keys, options.tokens);
  const waiting = new Set<AbortController>();
  const sandboxes = new LRUCache<string, PreparedSlot>({ max: MOST_SANDBOXED });
  const sandboxed = (query: SavedQuery, sql: string, secret: boolean): PreparedSlot => {
    const key = `${query.name}\n${secret}\n${sql}`;
    const slot =
      sandboxes.get(key) ??
      slots.slot(async (party, signal) => {
        const translate = (text: CallersText) => translator.translate(text, party, signal);
        return preparing((deps) => planSandboxedQuery(query, sql, deps, { enabled: takesSql, secret, translate }));
      });
    sandboxes.set(key, slot);
    return slot;
  };
  const refusalPace = createRefusalPace(clock);
  const handlers = createEndpointHandlers({
    authenticate,
    rateLimit,
    allowance: createAllowance(rateLimit, budgets),
    refusalPace,
    table: () => table,
    prepare: createPrepare({
      renderers: await loadRenderers(compat, options.csvFormulas),
      compat,
      takesSql,
      sandboxed,
    }),
    answers,
    compat,
    begin,
    waiting,
  });

  /** It costs memory, and most servers have no use for it. */
  const startTranslator = (): void => {
    if (table.endpoints.some(({ query }) => takesSql(query))) translator.start();
  };

  const load = async (): Promise<void> => {
    const reload = await reloadEndpoints(table, {
      slots,
      list: catalog.list,
      isCurrent: (prepared) => usesNow(prepared, catalog),
      prepared: (query) => preparing((deps) => prepareQuery(query, deps)),
    });
    table = reload.table;
    handlers.forget();
    sandboxes.clear();
    tell(log, reload);
    if (listening) startTranslator();
  };
  // Before the files are read, so that no change is missed.
  const unwatch = watchFolders({ folders: options.folders, clock, onChange: () => void reload() });
  /** One at a time: files that change meanwhile are read once more. */
  let loading = load();
  const reload = (): Promise<void> => {
    loading = loading.then(load).catch((error: unknown) => {
      log.error(
        { error: { message: error instanceof Error ? error.message : String(error) } },
        'the saved queries cannot be read, so they stay as they were',
      );
    });
    return loading;
  };

  await loading.catch((error: unknown) => {
    unwatch();
    throw error;
  });
  const tls = options.tls === undefined ? undefined : readTls(options.tls);
  const fastify = await createFastify({
    tls,
    corsOrigins: options.corsOrigins,
    begin,
    stopping: () => stopping,
    methodsOf: methodsAt(routes),
  });
  const { tokens } = options;
  // Before any route: from then on who asks is known at once.
  if (tokens !== undefined) fastify.addHook('onRequest', ({ headers }) => tokens.look(headers));
  const connections = connectionsOf(fastify.server);
  const certificate =
    options.tls === undefined
      ? undefined
      : watchTls({
          files: options.tls,
          clock,
          onChange(pair) {
            (fastify.server as unknown as Http2SecureServer).setSecureContext(pair);
            log.info('the certificate has been read anew');
          },
          onTrouble: ({ message }) =>
            log.error({ error: { message } }, 'the certificate has changed and cannot be used; the old one stays'),
        });
  const parts: RouteParts = {
    routes,
    version: options.version,
    compat,
    authentication: options.keys !== undefined,
    authenticate,
    table: () => table,
    endpoints: handlers,
    takesSql,
    sandboxed,
    metrics,
    ping: async () => void (await (await (await options.snapshot()).engine()).rows('SELECT 1')),
    ask: (request) => fastify.inject(request),
    explainEmpty: options.explainEmpty ?? (async () => undefined),
    storedSources: options.storedSources ?? (async () => []),
    shared: options.shared,
    stopping: () => stopping,
    clock,
    log,
    consoleFolder: options.consoleFolder,
  };
  await fastify.register(async (scope) => addRoutes(scope, parts, { admit: createAdmit({ authenticate, rateLimit, refuse }), refuse }));

  return {
    fastify,
    reload() {
      certificate?.look();
      return reload();
    },
    async listen(host, port) {
      try {
        const address = await fastify.listen({ host, port, listenTextResolver: () => '' });
        listening = true;
        startTranslator();
        return address;
      } catch (cause) {
        throw unheard(cause, host, port);
      }
    },
    async close() {
      stopping = true;
      certificate?.stop();
      refusalPace.end();
      unwatch();
      let callOff = clock.after(options.drainMs, () => {
        for (const call of waiting) call.abort(new QuernError('interrupted', 'the server is stopping'));
        // Those who waited are told; who does not listen is cut off.
        callOff = clock.after(SWEEP_MS, () => connections.closeAll());
      });
      const ended = connections.end();
      let callOffSweep: () => void = () => undefined;
      const sweep = () => {
        // After the turn in which the event loop reads what has come.
        setImmediate(() => connections.closeIdle());
        callOffSweep = clock.after(SWEEP_MS, sweep);
      };
      if (options.graceMs === 0) sweep();
      else callOffSweep = clock.after(Math.min(options.graceMs, options.drainMs), sweep);
      await ended;
      callOff();
      callOffSweep();
      await fastify.close();
      await answers.drain();
      await Promise.all([translator.close(), options.spending?.close(), options.audit?.close(), telemetry?.close()]);
      options.shared?.close();
    },
  };
}

const SERVED = {
  'not at all': 'not served',
  'as it was before': 'served as it was before',
  'once its source can be read': 'served once its source can be read',
} as const;

function tell(log: Logger, { added, changed, removed, mended, newlyBroken }: Reload): void {
  if (added.length + changed.length + removed.length > 0) log.info({ added, changed, removed }, 'saved queries read');
  for (const endpoint of mended) log.info({ endpoint }, 'the saved query no longer has errors');
  for (const { name, error, served } of newlyBroken) {
    log.error({ endpoint: name, error: withPlace(error) }, `a saved query has errors: it is ${SERVED[served]}`);
  }
}

/** Without hints, which are for who wrote the text. */
function withPlace(error: QuernError): object {
  const { code, message, position } = errorBody(error).error;
  return { code, message, ...(position === undefined ? {} : { position }) };
}

function unheard(cause: unknown, host: string, port: number): QuernError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'another program is listening there',
    EACCES: 'permission denied',
    EADDRNOTAVAIL: 'this machine does not have that address',
    ENOTFOUND: 'the host name cannot be resolved',
  };
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new QuernError('config', `cannot listen on ${host}:${port}: ${reason}`, {
    hint: 'choose another --host or --port; --port 0 takes a free one',
    cause,
  });
}
