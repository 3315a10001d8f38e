// Runs a prepared query for rows that are read page by page: they stay the engine's text, a row a line, and are never in memory as a whole, unless they are few.

import { QuernError } from '../base/errors.ts';
import { formatSize } from '../base/quantity.ts';
import type { ResultColumn } from '../base/result.ts';
import type { StreamEnd } from '../engine/engine.ts';
import { type Json, printJson } from '../engine/lossless-json.ts';
import { eachLine, eachRow, PROGRESS_FORMAT } from '../engine/read-rows.ts';
import { viaFile } from '../files/via-file.ts';
import { type Execution, type ExecutionDependencies, type ExecutionRequest, openExecution } from './execute.ts';
import type { PreparedQuery } from './prepared-query.ts';
import { columnsAsked, withRowLimit } from './run.ts';

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
const LINE_END = 10;

/** Throws as executePrepared does, and QuernError `limit` for more rows or bytes than there may be. */
export async function executePaged(
  given: PreparedQuery,
  request: ExecutionRequest,
  deps: ExecutionDependencies,
  paging: Paging,
): Promise<PagedRows> {
  const execution = await openExecution(given, request, deps);
  const { prepared, ask, writeFile } = execution;
  const columns = await columnsAsked(prepared, ask);
  const sql = withRowLimit(prepared);
  const pages = new Pages(paging);
  if (prepared.small === true) return { columns, ...(await inMemory(execution, sql, pages)) };
  return { columns, ...(writeFile === undefined ? await streamed(execution, sql, pages) : await filed(writeFile, sql, pages)) };
}

type Rows = Omit<PagedRows, 'columns'>;

async function inMemory({ rows }: Execution, sql: string, pages: Pages): Promise<Rows> {
  const answer = await rows(sql);
  for (const row of answer.rows) await pages.add(Buffer.from(`[${row.map(printCell).join(',')}]`));
  const { rowsRead = 0, bytesRead = 0 } = answer.statistics;
  return { ...(await pages.end()), missing: answer.missing, read: { rows: rowsRead, bytes: bytesRead } };
}

/** JSON.stringify has no -0. */
const printCell = (value: unknown): string => (Object.is(value, -0) ? '-0' : printJson(value as Json)); // as EngineResult has them

/** One block of an engine in this process may be all of the result: it goes into a file, so that its text is never in memory, and on no thread of Node's. */
async function filed(writeFile: NonNullable<Execution['writeFile']>, sql: string, pages: Pages): Promise<Rows> {
  const target = { format: PROGRESS_FORMAT, ending: '\n' };
  let written: StreamEnd = {};
  const chunks = viaFile(
    (file) => writeFile(sql, { ...target, file }, IN_ONE_THREAD),
    (end) => {
      written = end;
    },
  );
  const { progress } = await eachRow(chunks, (row) => pages.add(row));
  return { ...(await wholePages(pages, written)), read: { rows: progress?.rowsRead ?? 0, bytes: progress?.bytesRead ?? 0 } };
}

async function streamed({ stream }: Execution, sql: string, pages: Pages): Promise<Rows> {
  let ended: StreamEnd = {};
  const onEnd = (end: StreamEnd): void => {
    ended = end;
  };
  await eachLine(stream(sql, 'JSONCompactEachRow', { onEnd }), (row) => pages.add(row));
  return wholePages(pages, ended);
}

async function wholePages(pages: Pages, { rows, missing }: StreamEnd): Promise<Rows> {
  const all = await pages.end();
  // The engine goes on without an error when the disk is full.
  if (rows !== undefined && rows !== all.rows) throw new QuernError('internal', `the engine has written ${all.rows} of ${rows} rows`);
  return { ...all, missing };
}

/** Threads that print in parallel hold what they have printed. */
const IN_ONE_THREAD = { output_format_parallel_formatting: 0 };

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

  /** Adds a row, and returns a Promise when that ends a page. */
  add(row: Buffer): Promise<void> | undefined {
    const { maxBytes, maxRows = Number.POSITIVE_INFINITY } = this.#paging;
    const size = row.length + 1;
    this.#bytes += size;
    if (this.#bytes > maxBytes) throw tooLarge(maxBytes);
    this.#rows++;
    this.#rowsOfPage++;
    if (this.#rows > maxRows) throw tooManyRows(maxRows);
    this.#reserve(size);
    row.copy(this.#lines, this.#length);
    this.#length += size;
    this.#lines[this.#length - 1] = LINE_END;
    return this.#length >= PAGE_BYTES ? this.#endPage() : undefined;
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
