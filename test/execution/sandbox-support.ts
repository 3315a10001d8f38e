// logs.all with its sandbox open, over a store that holds a part of the demo's sample.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Value } from '../../src/base/result.ts';
import { Cache } from '../../src/cache/cache.ts';
import { loadSample, SAMPLE_INSTANT, type SampleSource, sampleLines, sampleSources } from '../../src/cli/demo/sample.ts';
import type { ExecutionLimits } from '../../src/engine/engine.ts';
import type { PreparedQuery } from '../../src/execution/prepared-query.ts';
import { type RunOutcome, run as runPrepared } from '../../src/execution/run.ts';
import { prepareSandbox } from '../../src/execution/sandbox.ts';
import { shippedQueries } from '../../src/package-file.ts';
import { openCatalog } from '../../src/queries/catalog.ts';
import { embeddedSources } from '../../src/sources/log/log-catalog.ts';
import { openStore } from '../../src/store/store.ts';
import { fixedSources, fixedVersion } from '../support/fixed-sources.ts';

const EVENTS = 3000;
const part = (source: SampleSource): SampleSource => ({ ...source, count: EVENTS });

/** An event as the sample makes it; nested records are plain objects. */
export interface SampleRecord<Metadata> {
  readonly id: string;
  readonly timestamp: string;
  readonly project: string;
  readonly event_message: string;
  readonly metadata: Metadata;
}

export interface OpenSandbox {
  prepared(sql: string): Promise<PreparedQuery>;
  run(sql: string, given?: Readonly<Record<string, unknown>>, limits?: ExecutionLimits): Promise<RunOutcome>;
  /** Rows as objects, of the project `demo` with a retention of 7 days. */
  rows(sql: string): Promise<readonly Readonly<Record<string, Value>>[]>;
  /** The events of a source that `rows` reads, newest first. */
  events<Metadata>(source: string): readonly SampleRecord<Metadata>[];
  close(): Promise<void>;
}

export async function openSandbox(): Promise<OpenSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-sandbox-'));
  const store = await openStore({ dir: join(folder, 'store') });
  for (const source of sampleSources) await loadSample(store, part(source), new AbortController().signal);
  const now = () => Date.parse(SAMPLE_INSTANT);
  const deps = {
    catalog: openCatalog([shippedQueries()]),
    sources: fixedSources(() => embeddedSources(store.manifest)),
    cache: new Cache({ folder: join(folder, 'cache'), maxBytes: 1e6, now, onNote: () => {} }),
    engine: async () => store.engine,
    version: fixedVersion('sample'),
    now,
  };
  const prepared = (sql: string) => prepareSandbox('logs.all', sql, deps, { enabled: () => true });
  const run: OpenSandbox['run'] = async (sql, given = { project: 'demo', project_tier: 'PRO' }, limits = { maxExecutionSeconds: 20 }) =>
    runPrepared(await prepared(sql), { arguments: given, cache: 'none' }, { ...deps, limits: { usual: limits } });
  return {
    prepared,
    run,
    async rows(sql) {
      const { result } = await run(sql);
      return result.rows.map((row) => Object.fromEntries(result.columns.map(({ name }, i) => [name, row[i] ?? null])));
    },
    events<Metadata>(name: string) {
      const source = sampleSources.find((each) => each.source === name);
      if (source === undefined) throw new Error(`the sample has no ${name}`);
      const cutoff = now() - 7 * 86_400_000;
      return [...sampleLines(part(source))]
        .map((line) => JSON.parse(line) as SampleRecord<Metadata>)
        .filter(({ project, timestamp }) => project === 'demo' && Date.parse(timestamp) > cutoff)
        .reverse();
    },
    close: async () => {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
