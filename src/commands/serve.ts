// quern serve: saved queries over HTTP.
import type { Command } from 'commander';
import type { App } from '../app.ts';
import { QuernError } from '../errors.ts';
import { isLoopback } from '../http/authentication.ts';
import { boundsOf } from '../http/bounds.ts';
import { systemClock } from '../http/clock.ts';
import { collectOften } from '../http/heap.ts';
import { keepInspectorShut } from '../http/inspector.ts';
import { createLog } from '../http/log.ts';
import { openServer } from '../http/server.ts';
import { type KeyRing, openKeyRing } from '../keys/key-ring.ts';
import { csvFormulasOption } from './flags.ts';

interface Flags {
  /** False after `--no-auth`. */
  readonly auth: boolean;
}

export function register(command: Command, app: App): void {
  command
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 takes a free one (default: 4000)')
    .option('--compat <name>', 'suit the clients of: logflare')
    .option('--no-auth', 'answer without API keys, on this machine only')
    .option(
      '--cors-origin <origin>',
      'a web page that may read the replies, or *; may be repeated',
      (word: string, before: readonly string[] = []) => [...before, word],
    )
    .addOption(csvFormulasOption())
    .option('--log-level <level>', 'error, warn, info (default), debug or silent')
    .addHelpText(
      'after',
      `
Examples:
  quern keys create --name dashboard --scope 'usage.*' && quern serve
  quern serve --no-auth
  curl 'http://127.0.0.1:4000/api/endpoints/usage.api-counts?project=demo&interval=daily'

Endpoints are described at /openapi.json; /health, /ready and /metrics are for those who run the server.`,
    )
    .action(async ({ auth }: Flags) => {
      keepInspectorShut();
      collectOften();
      const { values } = await app.settings();
      const keys = await keyRing(app, auth);
      const connection = await app.connection();
      // A store that another process uses is told now, not by the first request.
      const { local } = await (await connection.snapshot()).engine();
      // A line that cannot be written, because the disk is full, is not worth the server.
      const log = createLog({ level: values.log_level, write: (line) => void app.io.stderr.write(line).catch(() => undefined) });
      const folders = await app.queryFolders();
      const limits = {
        memoryBytes: values.answer_memory,
        staleSeconds: values.stale_while_revalidate,
        staleIfErrorSeconds: values.stale_if_error,
        // More would only wait in the engine, where turns are not shared.
        queries: Math.min(values.engine_queries, local?.queriesAtOnce ?? values.engine_queries),
        waiting: values.engine_queue,
        waitMs: values.engine_queue_wait * 1000,
      };
      const server = await openServer({
        folders,
        catalog: await app.catalog(),
        snapshot: () => connection.snapshot(),
        cache: await app.cacheWithNotes((note) => log.warn(note)),
        ...(keys === undefined ? {} : { keys }),
        ...(values.compat === undefined ? {} : { compat: values.compat }),
        csvFormulas: values.csv_formulas,
        limits,
        corsOrigins: values.cors_origins,
        clock: systemClock,
        random: Math.random,
        log,
        logArguments: values.log_arguments,
        drainMs: values.drain * 1000,
        version: app.version,
        consoleFolder: app.consoleFolder(),
      });
      try {
        const address = await server.listen(values.host, values.port);
        log.info(
          {
            address,
            version: app.version,
            engine: connection.place,
            queries: folders,
            ...(keys === undefined ? {} : { keys: values.keys_file }),
            cache: values.cache_dir,
            bounds: boundsOf(connection.bounds, limits),
            ...(values.compat === undefined ? {} : { compat: values.compat }),
          },
          'serving',
        );
        await app.warn(`listening on ${address}`);
        await aborted(app.signal);
        log.info({ drain: values.drain }, 'stopping: requests under way may end');
      } finally {
        await server.close();
      }
      log.info('stopped');
    });
}

/** The keys that callers need; undefined when they need none. */
async function keyRing(app: App, auth: boolean): Promise<KeyRing | undefined> {
  const { values } = await app.settings();
  if (!auth) {
    if (isLoopback(values.host)) return undefined;
    throw new QuernError('usage', `--no-auth would let everybody who reaches ${values.host} read all logs`, {
      hint: "listen on 127.0.0.1, or make keys: quern keys create --name N --scope '*'",
    });
  }
  const ring = openKeyRing({ file: values.keys_file, now: Date.now });
  if ((await ring.count()) > 0) return ring;
  throw new QuernError('usage', 'there are no API keys, so nobody could ask this server', {
    hint: "make one with quern keys create --name N --scope '*', or serve this machine alone with --no-auth",
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
