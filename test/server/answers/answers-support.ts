// Answers over a real embedded engine, with a clock that tests move and an engine that can be held up, counted, and taken away.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { QuernError } from '../../../src/base/errors.ts';
import { Cache } from '../../../src/cache/cache.ts';
import type { Engine, EngineQuery } from '../../../src/engine/engine.ts';
import { prepare } from '../../../src/execution/prepare.ts';
import type { PreparedQuery } from '../../../src/execution/prepared-query.ts';
import { openCatalog } from '../../../src/queries/catalog.ts';
import { readArguments } from '../../../src/queries/parameters.ts';
import type { Answer, AnswerEvent, Call, Renderer, Waiter } from '../../../src/server/answers/answer.ts';
import { Answers, type AnswersLimits, type AnswersOptions } from '../../../src/server/answers/answers.ts';
import { EVERYBODY } from '../../../src/server/answers/tenant.ts';
import type { Clock } from '../../../src/server/clock.ts';
import { EVENT_SOURCES } from '../../execution/run-support.ts';
import { folderOf, queryText } from '../../queries/support.ts';
import { fixedSources, fixedVersion } from '../../support/fixed-sources.ts';

export interface TestClock extends Clock {
  /** Moves the time, and calls what is due on the way. */
  advance(seconds: number): void;
}

export function testClock(): TestClock {
  let now = Date.UTC(2026, 0, 2, 0, 10);
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  return {
    now: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(seconds) {
      const end = now + seconds * 1000;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.action();
      }
      now = end;
    },
  };
}

/** Waits, turn by turn of the event loop, for something that happens by itself. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`still not so: ${condition}`);
    await setImmediate();
  }
}

export const JSON_RENDERER: Renderer = {
  id: 'json',
  contentType: 'application/json; charset=utf-8',
  print: ({ rows }) => [JSON.stringify(rows)],
};

export const LINES_RENDERER: Renderer = { id: 'lines', contentType: 'text/plain', print: ({ rows }) => [rows.join('\n')] };

/** Ids and areas of events; cached for a minute. */
export const idsQuery = (...fields: readonly string[]): string =>
  queryText(1, 'select id from events where area = @area order by id', 'params: { area: { type: string, default: rest } }', ...fields);

export interface World {
  readonly answers: Answers;
  readonly clock: TestClock;
  /** What reached the engine. */
  readonly executed: EngineQuery[];
  readonly events: AnswerEvent[];
  readonly cacheFolder: string;
  /** How often a result was printed. */
  readonly printed: { count: number };
  /** What the engine does: work; wait until told otherwise; or fail. */
  readonly engine: { state: 'up' | 'held' | QuernError; id: string; missing?: readonly string[]; isExact?: true };
  prepared(name?: string): Promise<PreparedQuery>;
  ask(given?: Readonly<Record<string, unknown>>, changes?: Partial<Call & Waiter>): Promise<Answer>;
  /** The answer's state and body. */
  told(given?: Readonly<Record<string, unknown>>, changes?: Partial<Call & Waiter>): Promise<string>;
  /** When an entry of this moment is in the files. */
  stored(): Promise<void>;
  /** Another server with the same cache folder and clock. */
  restarted(limits?: Partial<AnswersLimits>): World;
}

export interface WorldOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly limits?: Partial<AnswersLimits>;
  readonly options?: Partial<AnswersOptions>;
  readonly cacheFolder?: string;
  readonly clock?: TestClock;
}

export function world(real: Engine, worldOptions: WorldOptions = {}): World {
  const { files = { 'ids.sql': idsQuery('cache: 60s') }, clock = testClock() } = worldOptions;
  const cacheFolder = worldOptions.cacheFolder ?? folderOf({});
  const catalog = openCatalog([folderOf(files)]);
  const prepareDependencies = { catalog, sources: fixedSources(() => EVENT_SOURCES) };
  const executed: EngineQuery[] = [];
  const events: AnswerEvent[] = [];
  const printed = { count: 0 };
  const engine: World['engine'] = { state: 'up', id: 'events' };
  const preparedQueries = new Map<string, Promise<PreparedQuery>>();
  const prepared = (name = 'ids') => {
    const made = preparedQueries.get(name) ?? prepare({ query: name }, prepareDependencies);
    preparedQueries.set(name, made);
    return made;
  };

  const execute = async (query: EngineQuery) => {
    executed.push(query);
    await until(() => engine.state !== 'held' || query.signal?.aborted === true);
    if (engine.state instanceof QuernError) throw engine.state;
    const result = await real.execute(query);
    return engine.missing === undefined ? result : { ...result, missing: engine.missing };
  };

  const answers = new Answers({
    cache: new Cache({ folder: cacheFolder, maxBytes: 1e6, now: clock.now, onNote: () => undefined }),
    snapshot: async () => ({
      version: fixedVersion(engine.id, { isExact: engine.isExact === true }),
      limits: {},
      engine: async () => ({ ...real, execute }),
      outdated: async () => false,
    }),
    prepareAgain: async (outdated) => outdated,
    redact: (result) => ({ ...result, rows: result.rows.map((row) => row.map(() => 'REDACTED')) }),
    clock,
    random: () => 0,
    spare: () => false,
    onEvent: (event) => events.push(event),
    limits: { memoryBytes: 1e6, staleSeconds: 30, staleIfErrorSeconds: 600, queries: 2, waiting: 10, waitMs: 5000, ...worldOptions.limits },
    ...worldOptions.options,
  });

  // Before its folders are removed and its engine is closed.
  onTestFinished(() => answers.drain());

  let requests = 0;
  const ask: World['ask'] = async (given = {}, changes = {}) => {
    const asked = changes.prepared ?? (await prepared());
    const { render = JSON_RENDERER, ...rest } = changes;
    const call: Call & Waiter = {
      prepared: asked,
      arguments: readArguments(asked.parameters, given, asked.name),
      redact: false,
      fresh: false,
      requestId: `request-${++requests}`,
      signal: new AbortController().signal,
      tenant: EVERYBODY,
      ...rest,
      render: {
        ...render,
        print(result) {
          printed.count++;
          return render.print(result);
        },
      },
    };
    return answers.answer(call, call);
  };

  return {
    answers,
    clock,
    executed,
    events,
    cacheFolder,
    printed,
    engine,
    prepared,
    ask,
    async told(given, changes) {
      const answer = await ask(given, changes);
      return `${answer.state} ${await answer.body('identity')}`;
    },
    async stored() {
      const results = join(cacheFolder, 'results');
      const now = `"storedAtMs":${clock.now()},`;
      const names = () => (existsSync(results) ? entriesIn(results) : []);
      await until(() => names().some((name) => readFileSync(join(results, name), 'utf8').includes(now)));
    },
    restarted: (limits) => world(real, { ...worldOptions, files, clock, cacheFolder, limits: { ...worldOptions.limits, ...limits } }),
  };
}

/** Paths below the folder of the cache's results. */
export const entriesIn = (results: string): readonly string[] =>
  readdirSync(results, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.entry'));

export const UNREACHABLE = new QuernError('unreachable', 'the ClickHouse server at http://127.0.0.1:1 cannot be reached');
