// Runs a prepared query for rows that are read page by page: they stay the engine's text, a row a line, and are never in memory as a whole, unless they are few.

import { QuernError } from '../base/errors.ts';
import { formatSize } from '../base/quantity.ts';
import type { ResultColumn } from '../base/result.ts';
import type { StreamEnd } from '../engine/engine.ts';
import { eachRow } from '../engine/read-rows.ts';
import { viaFile } from '../files/via-file.ts';
import { type Execution, type ExecutionDependencies, type ExecutionRequest, openExecution } from './execute.ts';
import type { PreparedQuery } from './prepared-query.ts';
import { columnsOf, withRowLimit } from './run.ts';

/** Rows as pages of lines of JSONCompactEachRow. */
export interface PagedRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  /** How many rows each page has. */
  readonly pages: readonly number[];
  readonly missing?: readonly string[] | undefined;
  /** How much was read of tables, where the engine says it. */
  readonly read?: { readonly rows: number; readonly bytes: number } | undefined;
}

interface Paging {
  /** A result with more rows is an error. */
  readonly maxRows?: number | undefined;
  /** A result with more bytes is an error. */
  readonly maxBytes: number;
  /** Takes the pages one after the other, each before the next is read. */
  readonly keep: (page: number, lines: Buffer) => Promise<void>;
}

/** A page is read as a whole, and what servers share through Redis has a bound of 4 MiB. */
const PAGE_BYTES = 2 * 1024 * 1024;
/** A result of so many bytes may be in memory; a larger one is run once more, into a file or as a stream. */
const COLLECTED_BYTES = 8 * 1024 * 1024;
const LINE_END = 10;

/** Throws as executePrepared does, and QuernError `limit` for more rows or bytes than there may be. */
export async function executePaged(
  given: PreparedQuery,
  request: ExecutionRequest,
  deps: ExecutionDependencies,
  paging: Paging,
): Promise<PagedRows> {
  const execution = await openExecution(given, request, deps);
  const { prepared, ask } = execution;
  const columns = prepared.columns ?? (await columnsOf(await ask(`SELECT * FROM (\n${prepared.sql}\n) LIMIT 0`)));
  const sql = withRowLimit(prepared);
  const few = large.has(given) ? undefined : await collected(execution, sql, paging);
  if (few === undefined && execution.collect !== undefined) large.add(given);
  return { columns, ...(few ?? (await streamed(execution, sql, paging))) };
}

/** Queries that had results too large to be collected, so that they need not run twice again. */
const large = new WeakSet<PreparedQuery>();

type Rows = Omit<PagedRows, 'columns'>;

/** Undefined where the engine has only streams, and for a result that is too large to be collected. */
async function collected({ collect }: Execution, sql: string, paging: Paging): Promise<Rows | undefined> {
  if (collect === undefined) return undefined;
  const bytes = await collect(sql, Math.min(COLLECTED_BYTES, paging.maxBytes)).catch((error: unknown) => {
    if (error instanceof QuernError && error.code === 'limit') return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const pages = new Pages(paging);
  const { progress } = await eachRow([bytes], (row) => {
    pages.append(row, 0, row.length);
    return pages.endRow(LINE);
  });
  return { ...(await pages.end()), read: { rows: progress?.rowsRead ?? 0, bytes: progress?.bytesRead ?? 0 } };
}

/** Rows are copied many at once: an object for each of them would be most of the memory that this takes. */
async function streamed(execution: Execution, sql: string, paging: Paging): Promise<Rows> {
  const pages = new Pages(paging);
  let ended: StreamEnd = {};
  const onEnd = (end: StreamEnd): void => {
    ended = end;
  };
  for await (const chunk of chunksOf(execution, sql, onEnd)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, end + 1)) {
      const isFull = pages.isFullWith(end + 1 - start);
      if (isFull) {
        pages.append(chunk, start, end + 1);
        start = end + 1;
      }
      const full = pages.endRow(NOTHING, isFull);
      if (full !== undefined) await full;
    }
    pages.append(chunk, start, chunk.length);
  }
  const all = await pages.end();
  const { rows = all.rows, missing } = ended;
  // The engine goes on without an error when the disk is full.
  if (rows !== all.rows) throw new QuernError('internal', `the engine has written ${all.rows} of ${rows} rows`);
  return { ...all, missing };
}

/** One block of an engine in this process may be all of the result: it goes into a file, so that its text is never in memory, and on no thread of Node's. */
function chunksOf({ stream, writeFile }: Execution, sql: string, onEnd: (end: StreamEnd) => void): AsyncIterable<Uint8Array> {
  if (writeFile === undefined) return stream(sql, 'JSONCompactEachRow', { onEnd });
  const target = { format: 'JSONCompactEachRow', ending: '\n' };
  return viaFile((file) => writeFile(sql, { ...target, file }, IN_ONE_THREAD), onEnd);
}

/** Threads that print in parallel hold what they have printed. */
const IN_ONE_THREAD = { output_format_parallel_formatting: 0 };

const LINE = Buffer.from([LINE_END]);
const NOTHING = Buffer.alloc(0);

class Pages {
  readonly #paging: Paging;
  readonly #pages: number[] = [];
  #lines: Buffer = Buffer.allocUnsafe(4096);
  #length = 0;
  #rowsOfPage = 0;
  #rows = 0;
  #bytes = 0;

  constructor(paging: Paging) {
    this.#paging = paging;
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    const { maxBytes } = this.#paging;
    const size = end - start;
    this.#bytes += size;
    if (this.#bytes > maxBytes) throw tooLarge(maxBytes);
    this.#reserve(size);
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).copy(this.#lines, this.#length, start, end);
    this.#length += size;
  }

  /** True if so many bytes more fill the page. */
  isFullWith(more: number): boolean {
    return this.#length + more >= PAGE_BYTES;
  }

  /** Ends a row with these bytes, and returns a Promise when that ends a page. A row may be counted before its bytes are there, unless a page ends with it. */
  endRow(last: Buffer, isFull?: boolean): Promise<void> | undefined {
    const { maxRows = Number.POSITIVE_INFINITY } = this.#paging;
    if (last.length > 0) this.append(last, 0, last.length);
    this.#rows++;
    this.#rowsOfPage++;
    if (this.#rows > maxRows) throw tooManyRows(maxRows);
    return (isFull ?? this.isFullWith(0)) ? this.#endPage() : undefined;
  }

  async end(): Promise<{ readonly rows: number; readonly pages: readonly number[] }> {
    if (this.#rowsOfPage > 0) await this.#endPage();
    return { rows: this.#rows, pages: this.#pages };
  }

  async #endPage(): Promise<void> {
    const lines = this.#lines.subarray(0, this.#length);
    this.#pages.push(this.#rowsOfPage);
    this.#length = 0;
    this.#rowsOfPage = 0;
    await this.#paging.keep(this.#pages.length - 1, lines);
  }

  #reserve(more: number): void {
    const wanted = this.#length + more;
    if (wanted <= this.#lines.length) return;
    const larger = Buffer.allocUnsafe(Math.max(wanted, 2 * this.#lines.length));
    this.#lines.copy(larger, 0, 0, this.#length);
    this.#lines = larger;
  }
}

const tooManyRows = (most: number): QuernError =>
  new QuernError('limit', `the API key limits a result to ${most} rows, and this one has more`, {
    hint: `add LIMIT ${most}, or use a key without --max-rows`,
  });

const tooLarge = (most: number): QuernError =>
  new QuernError('limit', `the result is larger than ${formatSize(most)}, which is what the cache keeps for pages`, {
    hint: 'ask for fewer rows or columns, or raise cache_size',
  });
