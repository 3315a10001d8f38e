// Exports of queries in JSON: an array, an object that holds one, one object, or one object in each line.
import { basename } from 'node:path';
import { type Endpoint, isFields, type Unreadable } from '../endpoint.ts';
import { isManifest, readManifest } from './manifest.ts';
import { isRecordOfQuery, type Job, type Read, readRecord } from './shapes.ts';

/** Keys under which APIs and tools list what they have. */
const LISTS = ['transferConfigs', 'jobs', 'tables', 'queries', 'savedQueries', 'endpoints', 'results', 'rows', 'items'];

/** The queries of a file, whose own name those have that have none. */
export function readExport(text: string, file: string): readonly (Endpoint | Unreadable)[] {
  const records = recordsIn(text);
  if (records instanceof Error) return [{ kind: 'unreadable', name: file, reason: `it is not JSON: ${records.message}` }];
  const stem = basename(file).replace(/\.(json|jsonl|ndjson)$/i, '');
  const [only] = records;
  if (records.length === 1 && isManifest(only)) return readManifest(only);
  if (records.length === 1 && !Array.isArray(only)) {
    const read = readRecord(only, file);
    const one = read.kind === 'endpoint' && (read.name === '' || read.name === file) ? { ...read, name: stem } : read;
    if (one.kind === 'job') return [{ ...asEndpoint(one), name: stem }];
    return one.kind === 'other job' ? others([one], file) : [one];
  }
  const all = records.map((record, i) => readRecord(record, `${file}, number ${i + 1}`));
  return [...all.filter((one) => one.kind === 'endpoint' || one.kind === 'unreadable'), ...jobs(all, stem), ...others(all, file)];
}

/** True if a file whose name says less than `.json` holds queries. */
export function holdsQueries(text: string): boolean {
  const records = recordsIn(text);
  return !(records instanceof Error) && isRecordOfQuery(records[0]);
}

function recordsIn(text: string): readonly unknown[] | Error {
  try {
    return listIn(JSON.parse(text));
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const values = lines.length < 2 ? undefined : parsedLines(lines);
    return values ?? (error instanceof Error ? error : new Error(String(error)));
  }
}

function parsedLines(lines: readonly string[]): readonly unknown[] | undefined {
  try {
    return lines.map((line): unknown => JSON.parse(line));
  } catch {
    return undefined;
  }
}

function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isFields(value) || 'query' in value || 'sql' in value) return [value];
  const list = LISTS.map((key) => value[key]).find((one) => Array.isArray(one));
  return Array.isArray(list) ? list : [value];
}

const asEndpoint = ({ sql, given }: Job): Endpoint => ({
  kind: 'endpoint',
  name: '',
  sql,
  language: 'bq_sql',
  sources: {},
  notes: [],
  given,
});

/** Each text once, those that ran most first. */
function jobs(all: readonly Read[], stem: string): readonly Endpoint[] {
  const texts = new Map<string, { readonly job: Job; count: number }>();
  for (const one of all) {
    if (one.kind !== 'job') continue;
    const key = one.sql.trim();
    const known = texts.get(key) ?? { job: one, count: 0 };
    known.count++;
    texts.set(key, known);
  }
  return [...texts.values()]
    .sort((a, b) => b.count - a.count)
    .map(({ job, count }, i) => ({
      ...asEndpoint(job),
      name: `${stem}-${i + 1}`,
      notes: count === 1 ? [] : [`it ran ${count} times`],
    }));
}

/** In one line, however many there are. */
function others(all: readonly Read[], file: string): readonly Unreadable[] {
  const counts = new Map<string, number>();
  for (const one of all) if (one.kind === 'other job') counts.set(one.what, (counts.get(one.what) ?? 0) + 1);
  if (counts.size === 0) return [];
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const each = [...counts].sort(([, a], [, b]) => b - a).map(([what, count]) => `${count} ${what}`);
  const reason = `${total} of its jobs ${total === 1 ? 'is not a query' : 'are not queries'} to keep: ${each.join(', ')}`;
  return [{ kind: 'unreadable', name: file, reason }];
}
