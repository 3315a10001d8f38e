// A server over a real embedded engine, asked without a port; its clock moves when tests say so, and its engine can be held up or taken away.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, Response } from 'light-my-request';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { Cache } from '../../src/cache/cache.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { EngineQuery } from '../../src/engine/engine.ts';
import type { Snapshot } from '../../src/execution/snapshot.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { createKey, type NewKey } from '../../src/server/keys/change-keys.ts';
import { openKeyRing } from '../../src/server/keys/key-ring.ts';
import { openSpending } from '../../src/server/keys/spending.ts';
import { createLog } from '../../src/server/observe/log.ts';
import { openServer, type Server, type ServerOptions } from '../../src/server/server.ts';
import { EVENT_SOURCES, fillEvents } from '../execution/run-support.ts';
import { folderOf, queryText } from '../queries/support.ts';
import { fixedSources, fixedVersion } from '../support/fixed-sources.ts';
import { type TestClock, testClock, until } from './answers/answers-support.ts';

/** Events of an area, newest last: `/api/endpoints/ids`. */
export const IDS = queryText(
  1,
  'select id, area, moment from events where area = @area and id <= coalesce(@most, 100) order by id',
  'cache: 60s',
  'max_rows: 4',
  'params:',
  '  area: { type: string, enum: [rest, auth], required: true, description: area of the API, example: rest }',
  '  most: { type: integer }',
);
/** As many rows as asked for, never cached. */
export const SERIES = queryText(
  2,
  'select n, @word as word from unnest(generate_array(1, @rows)) as n order by n',
  'max_rows: 10000',
  'params:',
  '  rows: { type: integer, default: 2 }',
  '  word: { type: string }',
);

/** One engine with the table of events, for all tests of a file. */
export function eventsEngine(): () => EmbeddedEngine {
  const folder = mkdtempSync(join(tmpdir(), 'quern-events-'));
  let engine: EmbeddedEngine | undefined;
  beforeAll(async () => {
    engine = await openEmbedded({ path: join(folder, 'data') });
    await fillEvents(engine);
  });
  afterAll(async () => {
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    if (engine === undefined) throw new Error('the engine is open in tests only');
    return engine;
  };
}

export interface ServedOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<ServerOptions>;
  readonly sources?: Snapshot['sources'];
  /** Rights of a key; without it anybody may ask. */
  readonly key?: Partial<NewKey>;
  /** The data are known to stay as they are. */
  readonly isExact?: boolean;
}

export interface Served {
  readonly server: Server;
  readonly clock: TestClock;
  readonly folder: string;
  /** What reached the engine. */
  readonly executed: EngineQuery[];
  /** `held`: queries wait until it is up; `silent`: it cannot even be opened, nor fails. */
  readonly engine: { state: 'up' | 'held' | 'silent' | QuernError };
  /** Lines of the log, parsed. */
  readonly log: Record<string, unknown>[];
  /** The secret of the key. */
  readonly secret: string;
  readonly keysFile: string;
  /** A request; with the key, when there is one. */
  ask(url: string, request?: InjectOptions): Promise<Response>;
  write(name: string, text: string): void;
}

export async function served(
  real: EmbeddedEngine,
  { files = {}, options = {}, sources = fixedSources(() => EVENT_SOURCES), key, isExact = false }: ServedOptions = {},
): Promise<Served> {
  const folder = folderOf({ 'ids.sql': IDS, 'series.sql': SERIES, ...files });
  const cacheFolder = folderOf({});
  const keysFile = join(folderOf({}), 'keys.json');
  const clock = testClock();
  const executed: EngineQuery[] = [];
  const log: Record<string, unknown>[] = [];
  const engine: Served['engine'] = { state: 'up' };
  const secret =
    key === undefined
      ? ''
      : (await createKey({ file: keysFile, now: clock.now }, { name: 'test', scopes: ['*'], pins: {}, mayRefresh: false, ...key })).secret;

  const reached = async (query: EngineQuery): Promise<void> => {
    executed.push(query);
    await until(() => engine.state !== 'held' || query.signal?.aborted === true);
    if (engine.state instanceof QuernError) throw engine.state;
  };
  const execute = async (query: EngineQuery) => {
    await reached(query);
    return real.execute(query);
  };
  const writeFile: typeof real.writeFile = async (query, target) => {
    await reached(query);
    return real.writeFile?.(query, target) ?? {};
  };
  const server = await openServer({
    folders: [folder],
    catalog: openCatalog([folder], undefined, [join(folder, 'functions')]),
    snapshot: async () => ({
      version: fixedVersion('events', { isExact }),
      limits: {},
      sources,
      engine: async () => {
        if (engine.state instanceof QuernError) throw engine.state;
        if (engine.state === 'silent') await new Promise(() => undefined);
        return { ...real, execute, writeFile };
      },
      outdated: async () => false,
      forgetSources: async () => undefined,
    }),
    cache: new Cache({ folder: cacheFolder, maxBytes: 1e6, now: clock.now, onNote: () => undefined }),
    ...(key === undefined
      ? {}
      : {
          keys: openKeyRing({ file: keysFile, now: clock.now }),
          spending: openSpending({ folder: join(cacheFolder, 'spending'), clock, onNote: () => undefined }),
        }),
    limits: { memoryBytes: 1e6, staleSeconds: 30, staleIfErrorSeconds: 600, queries: 2, waiting: 10, waitMs: 5000 },
    corsOrigins: [],
    csvFormulas: 'keep',
    clock,
    random: () => 0,
    log: createLog({ level: 'debug', write: (line) => void log.push(JSON.parse(line)) }),
    logArguments: false,
    drainMs: 1000,
    graceMs: 0,
    version: '1.2.3',
    consoleFolder: new URL('../../dist/console', import.meta.url).pathname,
    ...options,
  });
  onTestFinished(() => server.close());

  return {
    server,
    clock,
    folder,
    executed,
    engine,
    log,
    secret,
    keysFile,
    ask: (url, { headers, ...request } = {}) =>
      server.fastify.inject({ url, ...request, headers: { ...(secret === '' ? {} : { 'x-api-key': secret }), ...headers } }),
    write: (name, text) => writeFileSync(join(folder, name), text),
  };
}

export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly position?: unknown;
  readonly problems?: unknown;
}

/** The one shape of failures; gives what it says. */
export function expectError(reply: Response, status: number, code: string): ShownError {
  expect([reply.statusCode, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
    status,
    'application/json; charset=utf-8',
    'no-store',
  ]);
  const { error, ...rest } = reply.json<{ readonly error: ShownError }>();
  expect(rest).toEqual({});
  expect(error.code).toBe(code);
  return error;
}
