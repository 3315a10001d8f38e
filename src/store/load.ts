// Loads one file into the store: reads and checks every line, stages the rows in the engine, and makes them visible at once.
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { didYouMean, QuernError } from '../base/errors.ts';
import { formatCount } from '../base/quantity.ts';
import { throwIfAborted } from '../engine/cancellation.ts';
import type { EmbeddedEngine } from '../engine/embedded/embedded.ts';
import { findLogSource, LOG_SOURCES, type LogSource } from '../sources/log/log-sources.ts';
import { type BadLineCollector, type BadLines, collectBadLines } from './bad-lines.ts';
import { type Input, openInput, unreadable } from './input.ts';
import { beginLoad, commitLoad, gather, type OnStep, recover } from './journal.ts';
import { type LoadRecord, type Manifest, nextLoad, withLoad } from './manifest.ts';
import { logPlace } from './place.ts';
import { eventFormat, eventLines, type LoadFormat, readEvents } from './read-events.ts';
import { StagingWriter } from './staging-writer.ts';
import { createTableSql } from './tables.ts';
import { toIso } from './timestamp.ts';

interface LoadProgress {
  /** Of the input as stored, compressed or not. */
  readonly bytesRead: number;
  /** undefined for a stream. */
  readonly totalBytes: number | undefined;
  readonly rows: number;
  readonly badLines: number;
}

export interface LoadOptions {
  /** Found by the name and the first line when absent. */
  readonly format?: LoadFormat | undefined;
  /** How the lines of an access log are written, as the server's configuration says it. */
  readonly logFormat?: string | undefined;
  /** Project of the events that do not name theirs. */
  readonly project?: string | undefined;
  /** Loads a content that was loaded before. */
  readonly again?: boolean;
  /** With more bad lines than these nothing is loaded; default 0. */
  readonly mostBadLines?: number;
  /** How many bad lines to report with their text; default 20. */
  readonly keptBadLines?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Hears each step towards the commit, after it has been done. */
  readonly onStep?: OnStep;
}

export interface LoadReport {
  readonly source: string;
  readonly format: LoadFormat;
  /** That are in the store now. */
  readonly rows: number;
  readonly badLines: BadLines;
  /** ISO 8601 in UTC; undefined without rows. */
  readonly firstTimestamp: string | undefined;
  readonly lastTimestamp: string | undefined;
  readonly elapsedMs: number;
}

export interface LoadTarget {
  readonly dir: string;
  readonly engine: EmbeddedEngine;
  manifest(): Manifest;
  /** The manifest was written anew. */
  reread(): void;
}

/** Milliseconds between two calls of onProgress. */
const PROGRESS_EVERY_MS = 100;

/** See Store.load. */
export async function loadInto(
  target: LoadTarget,
  sourceName: string,
  input: string | Readable,
  options: LoadOptions,
): Promise<LoadReport> {
  const startedAt = performance.now();
  const source = knownSource(sourceName);
  const folder = join(target.dir, 'tmp');
  let open: Input | undefined;
  try {
    open = await openInput(input, { folder, engine: target.engine, signal: options.signal });
    const said = options.format ?? (options.logFormat === undefined ? undefined : 'combined');
    const format = await eventFormat(open, said, target.engine).catch((cause: unknown) => {
      throw unreadable(open?.name ?? '', cause);
    });
    if (format === 'combined' && source.name !== 'edge_logs') {
      throw new QuernError('load', `${open.name} is an access log, which cannot be loaded into ${source.name}`, {
        hint: 'load it into edge_logs',
      });
    }
    return await stageAndCommit({ target, source, input: open, format, folder, startedAt }, options);
  } catch (error) {
    throw await undone(error, target, typeof input === 'string' ? input : '<stdin>', options.signal);
  } finally {
    open?.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Loading {
  readonly target: LoadTarget;
  readonly source: LogSource;
  readonly input: Input;
  readonly format: LoadFormat;
  /** Takes what must be a file. */
  readonly folder: string;
  readonly startedAt: number;
}

async function stageAndCommit(loading: Loading, options: LoadOptions): Promise<LoadReport> {
  const { target, source, input, format, folder, startedAt } = loading;
  const onStep = options.onStep ?? (() => undefined);
  const bad = collectBadLines(options.keptBadLines ?? 20);
  const place = logPlace(source);
  const number = nextLoad(target.manifest());
  await beginLoad(target, place, createTableSql(source, place.staging), onStep);
  const writer = new StagingWriter(target.engine, source, folder, number);
  let sha256: string;
  try {
    sha256 = await readInto(writer, loading, bad, options);
  } catch (error) {
    await writer.finish();
    throw error;
  }
  onStep('filled');

  const report: LoadReport = {
    source: source.name,
    format,
    rows: writer.rows,
    badLines: bad.report,
    firstTimestamp: writer.first === undefined ? undefined : toIso(writer.first),
    lastTimestamp: writer.last === undefined ? undefined : toIso(writer.last),
    elapsedMs: 0,
  };
  if (options.again !== true) refuseRepeated(target.manifest(), source.name, { name: input.name, sha256 });
  throwIfAborted(options.signal);
  const isRefused = report.badLines.count > (options.mostBadLines ?? 0);
  if (isRefused || report.firstTimestamp === undefined || report.lastTimestamp === undefined) {
    await recover(target.dir, target.engine);
    return { ...report, rows: 0, elapsedMs: performance.now() - startedAt };
  }
  const facts = { severalElements: writer.several, referenceEverywhere: writer.referred };
  const { rows, firstTimestamp, lastTimestamp } = report;
  const load: LoadRecord = {
    id: randomUUID(),
    number,
    source: source.name,
    file: input.name,
    format,
    sha256,
    rows,
    badLines: report.badLines.count,
    loadedAt: new Date().toISOString(),
    times: [firstTimestamp, lastTimestamp],
    facts,
  };
  const next = withLoad(target.manifest(), load, { rows, ...facts, firstTimestamp, lastTimestamp });
  await gather(target.engine, place);
  onStep('gathered');
  await commitLoad(target, place, () => next, onStep);
  target.reread();
  return { ...report, elapsedMs: performance.now() - startedAt };
}

/** Reads every line of the input, and gives the hash of its content; when it returns, all rows are in the staging table. */
async function readInto(
  writer: StagingWriter,
  { target, source, input, format }: Loading,
  bad: BadLineCollector,
  { signal, project, logFormat, onProgress }: LoadOptions,
): Promise<string> {
  const hash = createHash('sha256');
  const readAccess = logFormat === undefined ? undefined : (await import('./access-log.ts')).accessLogReader(logFormat);
  const totalBytes = format !== 'parquet' && input.compression === undefined ? input.bytes : undefined;
  let bytesRead = 0;
  const report = (): void => onProgress?.({ bytesRead, totalBytes, rows: writer.rows, badLines: bad.report.count });
  /** The content as lines: a missing line feed at the end makes no other content. */
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    let last: number | undefined;
    try {
      for await (const chunk of eventLines(input, format, target.engine)) {
        bytesRead += chunk.length;
        if (format !== 'parquet') hash.update(chunk);
        last = chunk.at(-1) ?? last;
        yield chunk;
      }
    } catch (cause) {
      throw unreadable(input.name, cause);
    }
    if (format !== 'parquet' && last !== undefined && last !== LINE_FEED) hash.update('\n');
  };
  let reportedAt = performance.now();
  for await (const rows of readEvents(hashed(), { format, context: { source, project }, readAccess }, bad.add)) {
    throwIfAborted(signal);
    for (const row of rows) writer.add(row);
    if (writer.isFull) await writer.flush();
    if (performance.now() - reportedAt > PROGRESS_EVERY_MS) {
      reportedAt = performance.now();
      report();
    }
  }
  if (format === 'parquet') for await (const chunk of createReadStream(input.path)) hash.update(chunk);
  await writer.end();
  report();
  return hash.digest('hex');
}

const LINE_FEED = 10;

function knownSource(name: string): LogSource {
  const source = findLogSource(name);
  if (source !== undefined) return source;
  const names = LOG_SOURCES.map((known) => known.name);
  throw new QuernError('unknown-source', `there is no source ${name} to load into`, {
    hint: didYouMean(name, names) ?? `the sources are ${names.join(', ')}`,
  });
}

/** Throws QuernError `load` for a content that was loaded into `table` before; `more` is what else can be done about it. */
export function refuseRepeated(
  manifest: Manifest,
  table: string,
  { name, sha256 }: Readonly<Record<'name' | 'sha256', string>>,
  more = '',
): void {
  const earlier = manifest.loads.find((load) => load.source === table && load.sha256 === sha256);
  if (earlier === undefined) return;
  const as = earlier.file === name ? '' : ` as ${earlier.file}`;
  throw new QuernError(
    'load',
    `${name} was loaded into ${table} before${as}, at ${earlier.loadedAt} (${formatCount(earlier.rows, 'row')})`,
    {
      hint: `nothing was loaded; use --again to load it a second time${more}`,
    },
  );
}

/**
 * Undoes what was staged, and returns the error to tell. When the tables had already changed places the load is finished instead, and stays; when even
 * that fails, the journal makes the next opening of the store do it.
 */
export async function undone(error: unknown, target: LoadTarget, name: string, signal: AbortSignal | undefined): Promise<unknown> {
  const finished = await recover(target.dir, target.engine).catch(() => false);
  if (finished) target.reread();
  if ((!finished && signal?.aborted === true) || (error instanceof QuernError && error.code === 'interrupted')) {
    return new QuernError('interrupted', `the load of ${name} was interrupted`, { hint: 'nothing of it was loaded', cause: error });
  }
  return explainFull(error, target.dir, 'nothing was loaded; free some space, or choose another store with --store');
}

/** The error, in words where the disk is full. */
export function explainFull(error: unknown, dir: string, hint: string): unknown {
  const text = error instanceof Error ? `${error.message} ${String(error.cause)}` : '';
  if (!/ENOSPC|No space left|NOT_ENOUGH_SPACE|EDQUOT/i.test(text)) return error;
  return new QuernError('load', `the disk of the store ${dir} is full`, { hint, cause: error });
}
