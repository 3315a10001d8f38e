// Starts the server of `quern serve` once its flags are read, and ends it in good order.

import { dirname } from 'node:path';
import { QuernError } from '../../../base/errors.ts';
import type { Io } from '../../../base/io.ts';
import { Cache } from '../../../cache/cache.ts';
import type { SettingValues } from '../../../config/settings.ts';
import type { Connection } from '../../../connection/connection.ts';
import { permitServing } from '../../../connection/project-trust.ts';
import { consoleFolder, packageVersion, translationWorker } from '../../../package-file.ts';
import { boardsFolder } from '../../../queries/boards/boards.ts';
import { boundsOf } from '../../../server/bounds.ts';
import { systemClock } from '../../../server/clock.ts';
import type { ConsoleSource } from '../../../server/console/contract.ts';
import { readTls, type TlsFiles } from '../../../server/http/tls.ts';
import { keepInspectorShut } from '../../../server/inspector.ts';
import { isLoopback } from '../../../server/keys/credentials.ts';
import { CHECK_EVERY_MS, type KeyRing, openKeyRing } from '../../../server/keys/key-ring.ts';
import { openSpending, type Spending, spendingFolder } from '../../../server/keys/spending.ts';
import type { TokenRules, Tokens } from '../../../server/keys/tokens.ts';
import { openAudit } from '../../../server/observe/audit.ts';
import { createLog, type Logger } from '../../../server/observe/log.ts';
import { otlpSettings } from '../../../server/observe/otlp/settings.ts';
import { openServer, type Server } from '../../../server/server.ts';
import { shownRedis } from '../../../server/shared/redis.ts';
import type { Shared } from '../../../server/shared/share.ts';
import { inWorkers } from '../../../server/translation/workers.ts';
import { type Listening, listenForCommands } from '../../hand-over/listen.ts';
import type { Parts } from '../../parts.ts';
import { redisAddress } from '../redis-address.ts';
import { liveSettings, reloadServer } from './reload-server.ts';

/** Clients with one request after another must leave within this time. */
const GRACE_MS = 1000;

/** Serves until the signal aborts. With `auth`, callers need API keys. */
export async function startServer(parts: Parts, auth: boolean): Promise<void> {
  const { io, signal, settings, settingsNow, connection: connect, terminal } = parts;
  keepInspectorShut();
  const first = await settings();
  permitServing(first, io.env);
  const { values } = first;
  const live = liveSettings(values);
  const tls = tlsFiles(values);
  if (tls !== undefined) readTls(tls); // reports bad files before the engine is opened
  const otlp = otlpSettings(io.env);
  const rules = tokenRules(values, auth);
  const keys = await keyRing(values, auth, rules !== undefined);
  const connection = await connect();
  // A store that another process uses is reported now, not by the first request.
  const { local } = await (await connection.snapshot()).engine();
  const { log, people } = await logOf(parts, values);
  const start = { first: values, live, limits: limitsOf(live, local?.queriesAtOnce), tls, otlp, rules, keys, connection, log };
  const { server, audit, folders } = await openWith(parts, start);
  // A terminal that is closed ends what runs in it.
  const onHangUp = () => void reloadServer({ settingsNow }, { live, server, log, audit, countKeys: keys?.count });
  const stopListening = io.stderr.isTerminal ? () => undefined : io.onHangUp(onHangUp);
  const looking = setInterval(() => keys?.look(), CHECK_EVERY_MS).unref();
  const commands = local === undefined ? undefined : await listen(parts, start, server);
  try {
    const address = await server.listen(values.host, values.port);
    log.info({ address, ...startFacts(start, folders) }, 'serving');
    if (people === undefined) await terminal.warn(`listening on ${address}`);
    else people.begin(address);
    await aborted(signal);
    log.info({ drain: live.values.drain }, 'stopping: waiting for the requests in progress');
  } finally {
    people?.end();
    stopListening();
    clearInterval(looking);
    await Promise.all([commands?.stop(), server.close()]);
  }
  log.info('stopped');
}

/** Programs read the log as JSON, and people at a terminal as lines of text, one for each request. */
async function logOf({ io, terminal }: Pick<Parts, 'io' | 'terminal'>, { log_level: level }: SettingValues) {
  // A line that cannot be written, because the disk is full, must not end the server.
  const write = (line: string) => void io.stderr.write(line).catch(() => undefined);
  if (!io.stderr.isTerminal) return { log: createLog({ level, write }) };
  const { terminalLog } = await import('./terminal-log.ts');
  const people = terminalLog(write, await terminal.colours());
  return { log: createLog({ level: level === 'info' ? 'debug' : level, write: people.write }), people };
}

/** The parts that a start reads and opens before the server itself. */
interface Start {
  readonly first: SettingValues;
  readonly live: ReturnType<typeof liveSettings>;
  readonly limits: ReturnType<typeof limitsOf>;
  readonly tls: TlsFiles | undefined;
  readonly otlp: ReturnType<typeof otlpSettings>;
  readonly rules: TokenRules | undefined;
  readonly keys: KeyRing | undefined;
  readonly connection: Connection;
  readonly log: Logger;
}

function limitsOf(live: ReturnType<typeof liveSettings>, queriesAtOnce: number | undefined) {
  const { values } = live;
  return {
    memoryBytes: values.answer_memory,
    get staleSeconds() {
      return live.values.stale_while_revalidate;
    },
    get staleIfErrorSeconds() {
      return live.values.stale_if_error;
    },
    // More would only wait in the engine, which does not share out turns.
    queries: Math.min(values.engine_queries, queriesAtOnce ?? values.engine_queries),
    waiting: values.engine_queue,
    waitMs: values.engine_queue_wait * 1000,
  };
}

async function openWith(parts: Parts, { first: values, live, limits, tls, otlp, rules, keys, connection, log }: Start) {
  const { queryFolders, functionFolders, catalog, manifest, settings } = parts;
  const { projectFile } = await settings();
  const boards = projectFile === undefined ? [] : [boardsFolder(dirname(projectFile))];
  const folders = [...(await queryFolders()), ...(await functionFolders())];
  const onNote = (note: string) => log.warn(note);
  const file = values.audit_log;
  const onTrouble = (message: string) => log.error(message);
  const audit = file === undefined ? undefined : await openAudit({ file, now: Date.now, onTrouble });
  const shared = await sharedThroughRedis(values, log, () => Math.max(limits.staleSeconds, limits.staleIfErrorSeconds));
  if (shared !== undefined && !connection.remote)
    log.warn('results of an embedded store are not shared through Redis; rates and budgets are');
  const version = packageVersion();
  const telemetry =
    otlp === undefined ? undefined : (await import('../../../server/observe/otlp/open.ts')).openTelemetry({ settings: otlp, version, log });
  const spending = (): Spending =>
    shared?.spending ?? openSpending({ folder: spendingFolder(values.cache_dir), clock: systemClock, onNote });
  const open = async () =>
    openServer({
      folders: [...folders, ...boards],
      boardsFolder: boards[0],
      catalog: await catalog(),
      snapshot: () => connection.snapshot(),
      explainEmpty: connection.explainEmpty,
      storedSources: async () => (connection.remote ? [] : storedSources(await manifest())),
      cache: new Cache({
        folder: values.cache_dir,
        maxBytes: values.cache_size,
        now: Date.now,
        onNote,
        // Only this server knows its embedded store: other servers have other rows under the same names.
        shared: connection.remote ? shared?.results : undefined,
      }),
      shared,
      keys,
      tokens: rules === undefined ? undefined : await tokensOf(rules, log),
      spending: keys === undefined ? undefined : spending(),
      compat: values.compat,
      bigquery: values.bigquery,
      csvFormulas: values.csv_formulas,
      limits,
      tls,
      corsOrigins: values.cors_origins,
      clock: systemClock,
      random: Math.random,
      log,
      get logArguments() {
        return live.values.log_arguments;
      },
      audit,
      telemetry,
      get drainMs() {
        return live.values.drain * 1000;
      },
      graceMs: GRACE_MS,
      version,
      consoleFolder: consoleFolder(),
      translator: inWorkers({
        file: translationWorker(),
        timeoutMs: values.translate_timeout * 1000,
        spare: () => keys?.several() === true,
      }),
    });
  const server = await open().catch((error: unknown) => {
    shared?.close(); // it would keep the process alive
    throw error;
  });
  return { server, audit, folders };
}

/** Runs commands for the store that other processes hand over. */
async function listen({ io, store, runStoreCommand }: Parts, { first: values, log }: Start, server: Server): Promise<Listening> {
  const runCommand = async (argv: readonly string[], to: Io, isChange: boolean): Promise<number> => {
    const exitCode = await runStoreCommand(argv, to, store);
    if (!isChange) return exitCode;
    // A saved query may wait for a table that the command has made.
    await server
      .reload()
      .catch((error: unknown) => log.error({ error: { message: String(error) } }, 'reloading after a command for the store'));
    return exitCode;
  };
  return listenForCommands({ store: values.store, io, log, runCommand });
}

const startFacts = ({ first: values, keys, rules, otlp, connection, limits }: Start, queries: readonly string[]) => ({
  version: packageVersion(),
  engine: connection.place,
  queries,
  keys: keys === undefined ? undefined : values.keys_file,
  issuer: rules?.issuer,
  cache: values.cache_dir,
  redis: values.redis_url === undefined ? undefined : shownRedis(values.redis_url),
  audit: values.audit_log,
  traces: otlp?.traces?.place,
  metrics: otlp?.metrics?.place,
  bounds: boundsOf(connection.bounds, limits),
  compat: values.compat,
  bigquery: values.bigquery ? true : undefined,
});

/** Throws QuernError `usage` for one file without the other. */
function tlsFiles({ tls_cert: cert, tls_key: key }: SettingValues): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  const [given, missing] = cert === undefined ? ['tls_key', 'tls_cert'] : ['tls_cert', 'tls_key'];
  throw new QuernError('usage', `${given} is set, and ${missing} is not`, {
    hint: `add --${missing.replace('_', '-')}, or leave out both for plain HTTP`,
  });
}

/** Returns undefined where nothing is shared. Throws QuernError for a Redis that cannot be used, and not for one that is away. */
async function sharedThroughRedis(values: SettingValues, log: Logger, graceSeconds: () => number): Promise<Shared | undefined> {
  const address = redisAddress(values);
  if (address === undefined) return undefined;
  const { shareThroughRedis } = await import('../../../server/shared/share.ts');
  return shareThroughRedis({
    address,
    now: Date.now,
    graceSeconds,
    longestRunMs: (values.timeout + values.engine_queue_wait) * 1000,
    onTrouble: (message) => log.warn(message),
    onBack: (message) => log.info(message),
  });
}

/** Throws QuernError `usage` for settings that do not make rules. */
function tokenRules(values: SettingValues, auth: boolean): TokenRules | undefined {
  const { oidc_issuer: issuer, oidc_audience: audience, oidc_scopes_claim: scopesClaim, oidc_pins: pins } = values;
  if (issuer === undefined) return undefined;
  if (!auth) {
    throw new QuernError('usage', 'oidc_issuer requires callers to sign in, but --no-auth lets everyone in', {
      hint: 'leave out one of them',
    });
  }
  if (audience === undefined) {
    throw new QuernError('usage', 'oidc_issuer is set, but oidc_audience is not', {
      hint: 'set it to the audience of this server, so that tokens for other services do not work here',
    });
  }
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || isLoopback(hostname)) return { issuer, audience, scopesClaim, pins };
  throw new QuernError('usage', `oidc_issuer ${issuer} is not an https:// address, so anyone on the network path could forge tokens`, {
    hint: 'use the https:// address of the provider',
  });
}

async function tokensOf(rules: TokenRules, log: Logger): Promise<Tokens> {
  const { openTokens } = await import('../../../server/keys/tokens.ts');
  return openTokens({ rules, now: Date.now, onTrouble: (message) => log.warn(message) });
}

/** Returns the keys that callers need; undefined when they need none. */
async function keyRing(values: SettingValues, auth: boolean, tokens: boolean): Promise<KeyRing | undefined> {
  if (!auth) {
    if (isLoopback(values.host)) return undefined;
    throw new QuernError('usage', `--no-auth would let anyone who can reach ${values.host} read all logs`, {
      hint: "listen on 127.0.0.1, or create keys: quern keys create --name N --scope '*'",
    });
  }
  const ring = openKeyRing({ file: values.keys_file, now: Date.now });
  if ((await ring.count()) > 0 || tokens) return ring;
  throw new QuernError('usage', 'there are no API keys, so nobody could use this server', {
    hint: "create one with quern keys create --name N --scope '*', or serve only this machine with --no-auth",
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Lists the log sources and tables of the store that have rows; only log sources have known times. */
function storedSources({ sources, tables }: Awaited<ReturnType<Parts['manifest']>>): readonly ConsoleSource[] {
  const logs = Object.entries(sources).map(([name, { rows, firstTimestamp: first, lastTimestamp: last }]) => ({ name, rows, first, last }));
  return [...logs, ...Object.entries(tables).map(([name, { rows }]) => ({ name, rows }))].filter(({ rows }) => rows > 0);
}
