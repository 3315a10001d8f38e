// What `quern serve` does once its flags are read: starts the server, and ends it well.

import { QuernError } from '../../../base/errors.ts';
import type { Io } from '../../../base/io.ts';
import { openCache } from '../../../cache/cache.ts';
import type { SettingValues } from '../../../config/settings.ts';
import { permitServing } from '../../../connection/project-trust.ts';
import { consoleFolder, packageVersion, translationWorker } from '../../../package-file.ts';
import { boundsOf } from '../../../server/bounds.ts';
import { systemClock } from '../../../server/clock.ts';
import type { ConsoleSource } from '../../../server/console/contract.ts';
import { readTls, type TlsFiles } from '../../../server/http/tls.ts';
import { keepInspectorShut } from '../../../server/inspector.ts';
import { isLoopback } from '../../../server/keys/credentials.ts';
import { CHECK_EVERY_MS, type KeyRing, openKeyRing } from '../../../server/keys/key-ring.ts';
import { openSpending, spendingFolder } from '../../../server/keys/spending.ts';
import type { TokenRules, Tokens } from '../../../server/keys/tokens.ts';
import { openAudit } from '../../../server/observe/audit.ts';
import { createLog, type Logger } from '../../../server/observe/log.ts';
import { otlpSettings } from '../../../server/observe/otlp/settings.ts';
import { openServer } from '../../../server/server.ts';
import { shownRedis } from '../../../server/shared/redis.ts';
import type { Shared } from '../../../server/shared/share.ts';
import { inWorkers } from '../../../server/translation/workers.ts';
import { listenForCommands } from '../../hand-over/listen.ts';
import type { Parts } from '../../parts.ts';
import { redisAddress } from '../redis-address.ts';
import { liveSettings, reloadServer } from './reload-server.ts';

/** Clients that ask one thing after another are told to go within this time. */
const GRACE_MS = 1000;

/** Serves until the user has had enough. `auth`: callers need API keys. */
export async function startServer(
  {
    io,
    signal,
    settings,
    settingsNow,
    queryFolders,
    functionFolders,
    catalog,
    manifest,
    connection: connect,
    terminal,
    store,
    runStoreCommand,
  }: Parts,
  auth: boolean,
): Promise<void> {
  keepInspectorShut();
  const first = await settings();
  permitServing(first, io.env);
  const { values } = first;
  const live = liveSettings(values);
  const version = packageVersion();
  const tls = tlsFiles(values);
  if (tls !== undefined) readTls(tls); // what is wrong with them is told before the engine is opened
  const otlp = otlpSettings(io.env);
  const rules = tokenRules(values, auth);
  const keys = await keyRing(values, auth, rules !== undefined);
  const connection = await connect();
  // A store that another process uses is told now, not by the first request.
  const { local } = await (await connection.snapshot()).engine();
  // A line that cannot be written, because the disk is full, is not worth the server.
  const log = createLog({ level: values.log_level, write: (line) => void io.stderr.write(line).catch(() => undefined) });
  const folders = [...(await queryFolders()), ...(await functionFolders())];
  const limits = {
    memoryBytes: values.answer_memory,
    get staleSeconds() {
      return live.values.stale_while_revalidate;
    },
    get staleIfErrorSeconds() {
      return live.values.stale_if_error;
    },
    // More would only wait in the engine, where turns are not shared.
    queries: Math.min(values.engine_queries, local?.queriesAtOnce ?? values.engine_queries),
    waiting: values.engine_queue,
    waitMs: values.engine_queue_wait * 1000,
  };
  const onNote = (note: string) => log.warn(note);
  const audit =
    values.audit_log === undefined
      ? undefined
      : await openAudit({ file: values.audit_log, now: Date.now, onTrouble: (message) => log.error(message) });
  const shared = await sharedThroughRedis(values, log, () => Math.max(limits.staleSeconds, limits.staleIfErrorSeconds));
  if (shared !== undefined && !connection.remote)
    log.warn('results of an embedded store are not shared through Redis; rates and budgets are');
  const telemetry =
    otlp === undefined ? undefined : (await import('../../../server/observe/otlp/open.ts')).openTelemetry({ settings: otlp, version, log });
  const open = async () =>
    openServer({
      folders,
      catalog: await catalog(),
      snapshot: () => connection.snapshot(),
      explainEmpty: connection.explainEmpty,
      storedSources: async () => (connection.remote ? [] : storedSources(await manifest())),
      cache: openCache({
        folder: values.cache_dir,
        maxBytes: values.cache_size,
        now: Date.now,
        onNote,
        // What an embedded store holds, it alone knows: other servers have other rows under the same names.
        shared: connection.remote ? shared?.results : undefined,
      }),
      shared,
      keys,
      ...(rules === undefined ? {} : { tokens: await tokensOf(rules, log) }),
      ...(keys === undefined
        ? {}
        : { spending: shared?.spending ?? openSpending({ folder: spendingFolder(values.cache_dir), clock: systemClock, onNote }) }),
      compat: values.compat,
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
  // A terminal that is closed ends what runs in it.
  const onHangUp = () => void reloadServer({ settingsNow }, { live, server, log, audit, countKeys: keys?.count });
  const stopListening = io.stderr.isTerminal ? () => undefined : io.onHangUp(onHangUp);
  const looking = setInterval(() => keys?.look(), CHECK_EVERY_MS).unref();
  /** A saved query may wait for the table that has come. */
  const inServer = async (argv: readonly string[], to: Io): Promise<number> => {
    const exitCode = await runStoreCommand(argv, to, store);
    await server
      .reload()
      .catch((error: unknown) => log.error({ error: { message: String(error) } }, 'reloading after a command for the store'));
    return exitCode;
  };
  const stopCommands =
    local === undefined ? async () => undefined : await listenForCommands({ store: values.store, io, log, runCommand: inServer });
  try {
    const address = await server.listen(values.host, values.port);
    log.info(
      {
        address,
        version,
        engine: connection.place,
        queries: folders,
        ...(keys === undefined ? {} : { keys: values.keys_file }),
        ...(rules === undefined ? {} : { issuer: rules.issuer }),
        cache: values.cache_dir,
        ...(values.redis_url === undefined ? {} : { redis: shownRedis(values.redis_url) }),
        ...(values.audit_log === undefined ? {} : { audit: values.audit_log }),
        ...(otlp === undefined ? {} : { traces: otlp.traces?.place, metrics: otlp.metrics?.place }),
        bounds: boundsOf(connection.bounds, limits),
        compat: values.compat,
      },
      'serving',
    );
    await terminal.warn(`listening on ${address}`);
    await aborted(signal);
    log.info({ drain: live.values.drain }, 'stopping: waiting for the requests in progress');
  } finally {
    stopListening();
    clearInterval(looking);
    await Promise.all([stopCommands(), server.close()]);
  }
  log.info('stopped');
}

/** Throws QuernError `usage` for one file without the other. */
function tlsFiles({ tls_cert: cert, tls_key: key }: SettingValues): TlsFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert !== undefined && key !== undefined) return { cert, key };
  const [given, missing] = cert === undefined ? ['tls_key', 'tls_cert'] : ['tls_cert', 'tls_key'];
  throw new QuernError('usage', `${given} is set, and ${missing} is not`, {
    hint: `add --${missing.replace('_', '-')}, or leave out both for plain HTTP`,
  });
}

/** Undefined where nothing is to be shared. Throws QuernError for a Redis that cannot be used, and not for one that is away. */
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

/** The keys that callers need; undefined when they need none. */
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

/** The log sources and tables of the store that hold rows; of log sources the times are known. */
function storedSources({ sources, tables }: Awaited<ReturnType<Parts['manifest']>>): readonly ConsoleSource[] {
  const logs = Object.entries(sources).map(([name, { rows, firstTimestamp: first, lastTimestamp: last }]) => ({ name, rows, first, last }));
  return [...logs, ...Object.entries(tables).map(([name, { rows }]) => ({ name, rows }))].filter(({ rows }) => rows > 0);
}
