// The shipped saved queries over a temporary store, by the path every door takes: catalog, plan, cache, engine, decoding.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Cache } from '../../src/cache/cache.ts';
import { prepare } from '../../src/execution/prepare.ts';
import { openPreparedQueryMemory } from '../../src/execution/prepared-query-memory.ts';
import type { QueryRequest } from '../../src/execution/request.ts';
import { type RunOutcome, run } from '../../src/execution/run.ts';
import { shippedQueries } from '../../src/package-file.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { embeddedSources } from '../../src/sources/log/log-catalog.ts';
import { openStore } from '../../src/store/store.ts';
import { fixedSources, fixedVersion } from '../support/fixed-sources.ts';
import { ndjson } from '../support/temp-store.ts';
import type { LogEvent } from './reference.ts';

export interface ShippedRun {
  run(query: string, given: QueryRequest['arguments'], rest?: Partial<QueryRequest>): Promise<RunOutcome>;
  /** Whether the events of `source` hold records of several elements. */
  several(source: string): boolean;
  close(): Promise<void>;
}

/** A store of its own that holds `events` by source; its clock stands at `now`, milliseconds since 1970. */
export async function openShipped(events: Readonly<Record<string, readonly LogEvent[]>>, now: number): Promise<ShippedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-shipped-'));
  const store = await openStore({ dir: join(folder, 'store') });
  for (const [source, list] of Object.entries(events)) {
    const report = await store.load(source, Readable.from([ndjson(...list)], { objectMode: false }), { format: 'ndjson' });
    if (report.rows !== list.length) throw new Error(`${source}: ${JSON.stringify(report.badLines)}`);
  }
  const clock = () => now;
  const cacheFolder = join(folder, 'cache');
  const deps = {
    catalog: openCatalog([shippedQueries()]),
    sources: fixedSources(() => embeddedSources(store.manifest)),
    preparedQueries: openPreparedQueryMemory({ folder: cacheFolder, build: 'test', now: clock }),
    cache: new Cache({ folder: cacheFolder, maxBytes: 1e6, now: clock, onNote: () => {} }),
    engine: async () => store.engine,
    version: fixedVersion('store'),
    limits: {},
    now: clock,
  };
  return {
    run: async (query, given, rest = {}) => run(await prepare({ query, ...rest }, deps), { arguments: given, cache: 'use', ...rest }, deps),
    several: (source) => store.manifest.sources[source]?.severalElements === true,
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
