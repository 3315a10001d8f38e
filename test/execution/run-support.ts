// A small embedded engine with one table, and everything that a run needs around it.

import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Cache } from '../../src/cache/cache.ts';
import { type EmbeddedEngine, openEmbedded } from '../../src/engine/embedded/embedded.ts';
import type { EngineQuery } from '../../src/engine/engine.ts';
import { prepare } from '../../src/execution/prepare.ts';
import { openPreparedQueryMemory } from '../../src/execution/prepared-query-memory.ts';
import type { QueryRequest } from '../../src/execution/request.ts';
import { type RunDependencies, type RunOutcome, run as runPrepared } from '../../src/execution/run.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { INT64, STRING, TIMESTAMP } from '../../src/sql/base/types.ts';
import type { Source, SourceCatalog } from '../../src/sql/source.ts';
import { folderOf } from '../queries/support.ts';
import { fixedSources, fixedVersion } from '../support/fixed-sources.ts';

const EVENTS: Source = {
  name: 'events',
  database: 'default',
  table: 'events',
  columns: [
    { name: 'id', type: INT64, read: { layout: 'column', column: 'id', clickhouseType: 'Int64' } },
    { name: 'area', type: STRING, read: { layout: 'column', column: 'area', clickhouseType: 'String' } },
    { name: 'moment', type: TIMESTAMP, read: { layout: 'column', column: 'moment', clickhouseType: "DateTime64(6, 'UTC')" } },
  ],
};
export const EVENT_SOURCES: SourceCatalog = { names: ['events'], find: (name) => (name === 'events' ? EVENTS : undefined) };

/** Ten events: ids 1 to 10, areas rest and auth in turn, one per minute from 2026-01-02 00:01. */
const ROWS = `INSERT INTO default.events SELECT number + 1, if(number % 2 = 0, 'rest', 'auth'), toDateTime64('2026-01-02 00:00:00', 6, 'UTC') + 60 * (number + 1) FROM numbers(10)`;

export async function openEvents(): Promise<EmbeddedEngine> {
  const engine = await openEmbedded({ path: join(folderOf({}), 'data') });
  onTestFinished(() => engine.close());
  await fillEvents(engine);
  return engine;
}

export async function fillEvents(engine: EmbeddedEngine): Promise<void> {
  await engine.command("CREATE TABLE default.events (id Int64, area String, moment DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY id");
  await engine.command(ROWS);
}

export interface TestRun {
  run(query: QueryRequest['query'], given?: QueryRequest['arguments'], rest?: Partial<QueryRequest>): Promise<RunOutcome>;
  readonly folder: string;
  /** What reached the engine. */
  readonly executed: EngineQuery[];
  /** How often the sources were loaded, which planning does and remembering does not. */
  readonly loads: { count: number };
  readonly clock: { now: number };
  readonly deps: RunDependencies;
}

export function testRun(engine: EmbeddedEngine, files: Readonly<Record<string, string>>, changes: Partial<RunDependencies> = {}): TestRun {
  const folder = folderOf(files);
  const cacheFolder = folderOf({});
  const clock = { now: Date.UTC(2026, 0, 2, 0, 10) };
  const loads = { count: 0 };
  const executed: EngineQuery[] = [];
  const now = () => clock.now;
  const deps: RunDependencies = {
    catalog: openCatalog([folder]),
    sources: fixedSources(() => {
      loads.count++;
      return EVENT_SOURCES;
    }),
    preparedQueries: openPreparedQueryMemory({ folder: cacheFolder, build: 'test', now }),
    cache: new Cache({ folder: cacheFolder, maxBytes: 1e6, now, onNote: () => {} }),
    limits: {},
    engine: async () => ({
      ...engine,
      execute: (query) => {
        executed.push(query);
        return engine.execute(query);
      },
    }),
    version: fixedVersion('events'),
    now,
    ...changes,
  };
  const run: TestRun['run'] = async (query, given = {}, rest = {}) => {
    const request = { query, arguments: given, cache: 'use', ...rest } as const;
    return runPrepared(await prepare(request, deps), request, deps);
  };
  return { run, folder, executed, loads, clock, deps };
}
