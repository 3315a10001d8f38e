// Runs a prepared query for rows that are read page by page: they stay the engine's text, a row a line, and are never in memory as a whole, unless they are few.

import { QuernError } from '../base/errors.ts';
import { formatSize } from '../base/quantity.ts';
import type { ResultColumn } from '../base/result.ts';
import type { StreamEnd } from '../engine/engine.ts';
import { eachRow } from '../engine/read-rows.ts';
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
/** A result of so many bytes may be in memory; a larger one is run once more, as a stream. */
const COLLECTED_BYTES = 64 * 1024 * 1024;
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
  return { columns, ...((await collected(execution, sql, paging)) ?? (await streamed(execution, sql, paging))) };
}

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
  const { progress } = await eachRow([bytes], (row) => pages.add(row));
  return { ...(await pages.end()), read: { rows: progress?.rowsRead ?? 0, bytes: progress?.bytesRead ?? 0 } };
}

async function streamed({ stream }: Execution, sql: string, paging: Paging): Promise<Rows> {
  const pages = new Pages(paging);
  let missing: readonly string[] | undefined;
  const onEnd = (end: StreamEnd): void => {
    missing = end.missing;
  };
  /** The beginning of a row that goes on in the next chunk. */
  let begun: Buffer[] = [];
  for await (const chunk of stream(sql, 'JSONCompactEachRow', { onEnd })) {
    // The engine may use the memory of a chunk again.
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      const rest = bytes.subarray(start, end);
      const full = pages.add(begun.length === 0 ? rest : Buffer.concat([...begun, rest]));
      if (full !== undefined) await full;
      begun = [];
      start = end + 1;
    }
    if (start < bytes.length) begun.push(bytes.subarray(start));
  }
  return { ...(await pages.end()), missing };
}

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

  /** Adds a row, and returns a Promise when that has filled a page. */
  add(row: Buffer): Promise<void> | undefined {
    const { maxRows = Number.POSITIVE_INFINITY, maxBytes } = this.#paging;
    this.#reserve(row.length + 1);
    row.copy(this.#lines, this.#length);
    this.#lines[this.#length + row.length] = LINE_END;
    this.#length += row.length + 1;
    this.#bytes += row.length + 1;
    this.#rows++;
    this.#rowsOfPage++;
    if (this.#rows > maxRows) throw tooManyRows(maxRows);
    if (this.#bytes > maxBytes) throw tooLarge(maxBytes);
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
