// Runs a prepared query for rows that are read page by page: they stay the engine's text, a row a line, and are never in memory as a whole.

import { QuernError } from '../base/errors.ts';
import type { ResultColumn } from '../base/result.ts';
import type { StreamEnd } from '../engine/engine.ts';
import { type ExecutionDependencies, type ExecutionRequest, openExecution } from './execute.ts';
import type { PreparedQuery } from './prepared-query.ts';
import { columnsOf, withRowLimit } from './run.ts';

/** Rows as pages of lines of JSONCompactEachRow. */
export interface PagedRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: number;
  /** How many rows each page has. */
  readonly pages: readonly number[];
  readonly missing?: readonly string[] | undefined;
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
  { maxRows = Number.POSITIVE_INFINITY, maxBytes, keep }: Paging,
): Promise<PagedRows> {
  const { prepared, ask, stream } = await openExecution(given, request, deps);
  const columns = prepared.columns ?? (await columnsOf(await ask(`SELECT * FROM (\n${prepared.sql}\n) LIMIT 0`)));
  let missing: readonly string[] | undefined;
  const onEnd = (end: StreamEnd): void => {
    missing = end.missing;
  };
  const pages: number[] = [];
  let begun: Buffer[] = [];
  let [rowsOfPage, bytesOfPage, rows, bytes] = [0, 0, 0, 0];
  const endPage = async (): Promise<void> => {
    const lines = Buffer.concat(begun);
    begun = [];
    pages.push(rowsOfPage);
    [rowsOfPage, bytesOfPage] = [0, 0];
    await keep(pages.length - 1, lines);
  };
  for await (const chunk of stream(withRowLimit(prepared), 'JSONCompactEachRow', { onEnd })) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, end + 1)) {
      rows++;
      rowsOfPage++;
      if (bytesOfPage + end + 1 - start < PAGE_BYTES) continue;
      begun.push(Buffer.from(chunk.subarray(start, end + 1)));
      start = end + 1;
      await endPage();
    }
    if (rows > maxRows) throw tooManyRows(maxRows);
    if (start === chunk.length) continue;
    // The engine may use the memory of a chunk again.
    begun.push(Buffer.from(chunk.subarray(start)));
    bytesOfPage += chunk.length - start;
  }
  if (rowsOfPage > 0) await endPage();
  return { columns, rows, pages, missing };
}

const tooManyRows = (most: number): QuernError =>
  new QuernError('limit', `the API key limits a result to ${most} rows, and this one has more`, {
    hint: `add LIMIT ${most}, or use a key without --max-rows`,
  });

const tooLarge = (most: number): QuernError =>
  new QuernError('limit', `the result is larger than the ${Math.floor(most / 1024 ** 2)} MiB that the cache keeps for pages`, {
    hint: 'ask for fewer rows or columns, or raise cache_size',
  });
