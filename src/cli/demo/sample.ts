// The seeded sample of all nine log sources, as the NDJSON lines that `quern load` reads.
import { Readable } from 'node:stream';
import { type Random, seededRandom } from './random.ts';
import { edgeRequest, functionRequest, type SampleEvent } from './requests.ts';
import { authenticationLine, databaseLine, functionEvent, poolerLine, realtimeLine, restLine, storageLine } from './services.ts';
import { moments } from './traffic.ts';

export { SAMPLE_INSTANT } from './place.ts';

export interface SampleSource {
  readonly source: string;
  /** Events. */
  readonly count: number;
  readonly make: (time: number, random: Random) => SampleEvent;
}

export const sampleSources: readonly SampleSource[] = [
  { source: 'edge_logs', count: 50_000, make: edgeRequest },
  { source: 'function_edge_logs', count: 15_000, make: functionRequest },
  { source: 'function_logs', count: 12_000, make: functionEvent },
  { source: 'postgres_logs', count: 8_000, make: databaseLine },
  { source: 'auth_logs', count: 6_000, make: authenticationLine },
  { source: 'realtime_logs', count: 3_000, make: realtimeLine },
  { source: 'storage_logs', count: 4_000, make: storageLine },
  { source: 'postgrest_logs', count: 2_000, make: restLine },
  { source: 'pgbouncer_logs', count: 2_000, make: poolerLine },
];

/** The events of one source in order of time, one JSON text per line. The position in the list is the seed. */
export function* sampleLines({ source, count, make }: SampleSource): Iterable<string> {
  const random = seededRandom(1 + sampleSources.findIndex((each) => each.source === source));
  for (const time of moments(count, random)) yield `${JSON.stringify(make(time, random))}\n`;
}

const linesPerChunk = 500;

/** The same text in pieces worth reading. */
function* chunks(source: SampleSource): Iterable<Buffer> {
  let lines: string[] = [];
  for (const line of sampleLines(source)) {
    if (lines.push(line) < linesPerChunk) continue;
    yield Buffer.from(lines.join(''));
    lines = [];
  }
  yield Buffer.from(lines.join(''));
}

/** The part of a store that the sample needs. */
interface SampleStore {
  load(source: string, input: Readable, options: { readonly format: 'ndjson'; readonly signal: AbortSignal }): Promise<unknown>;
}

/** The sources of the sample that a store with these row counts does not have yet. */
export function missingSources(stored: Readonly<Record<string, { readonly rows: number } | undefined>>): readonly SampleSource[] {
  return sampleSources.filter(({ source, count }) => (stored[source]?.rows ?? 0) < count);
}

/** Loads one source of the sample. */
export async function loadSample(store: SampleStore, source: SampleSource, signal: AbortSignal): Promise<void> {
  await store.load(source.source, Readable.from(chunks(source), { objectMode: false }), { format: 'ndjson', signal });
}
