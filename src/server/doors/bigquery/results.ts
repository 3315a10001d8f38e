// Pages of a job's rows, as texts of the API, made of the lines that the cache's files hold.
import { createYield } from '../../../base/yield.ts';
import type { PagedAnswers, PagedResult } from '../../answers/paged-answers.ts';
import { JSON_TYPE, type Told } from '../../http/reply.ts';
import { rowWriter, type TimestampForm } from './cells.ts';
import { invalid } from './errors.ts';
import { countIn, isObject, isTrue, type Json } from './job-request.ts';

/** Which rows of a result a request wants, and how. */
export interface WantedPage {
  readonly start: number;
  /** Absent: as many as a page may hold. */
  readonly maxResults: number | undefined;
  readonly timestamps: TimestampForm;
}

export interface JsonPage {
  /** The rows as JSON, one after the other with commas in between. */
  readonly rows: string;
  readonly count: number;
  /** Absent on the last page. */
  readonly next?: number | undefined;
}

/** With all that is around the rows, a reply stays below 10 MB. */
const PAGE_BYTES = 9_500_000;
const ROWS_AT_ONCE = 1000;
const LINE_END = '\n';

/** Reads which page is wanted from the query string of an address. Throws BigQueryError for what is no page. */
export function readWantedPage(query: Json): WantedPage {
  const token = query['pageToken'];
  const start = typeof token === 'string' && token !== '' ? rowOf(token) : (countIn(query, 'startIndex') ?? 0);
  const options = {
    useInt64Timestamp: query['formatOptions.useInt64Timestamp'],
    timestampOutputFormat: query['formatOptions.timestampOutputFormat'],
  };
  return { start, maxResults: countIn(query, 'maxResults'), timestamps: readTimestampForm(options) };
}

/** Reads `formatOptions`. Throws BigQueryError for options that contradict each other. */
export function readTimestampForm(options: unknown): TimestampForm {
  const { useInt64Timestamp, timestampOutputFormat: format } = isObject(options) ? options : ({} as Json);
  const isInt64 = isTrue(useInt64Timestamp);
  switch (format) {
    case undefined:
    case '':
    case 'TIMESTAMP_OUTPUT_FORMAT_UNSPECIFIED':
      return isInt64 ? 'int64' : 'float';
    case 'INT64':
      return 'int64';
    case 'FLOAT64':
    case 'ISO8601_STRING':
      if (isInt64) throw invalid(`formatOptions.useInt64Timestamp contradicts timestampOutputFormat ${format}`, 'formatOptions');
      return format === 'FLOAT64' ? 'float' : 'iso';
    default:
      throw invalid(`Invalid value for formatOptions.timestampOutputFormat: ${String(format)}`, 'formatOptions');
  }
}

/** Returns the reply of these fields with the rows of the page, which have been written already. */
export function pageReply(head: object, { rows, count, next }: JsonPage): Told {
  const fields = JSON.stringify({ ...head, ...(next === undefined ? {} : { pageToken: pageToken(next) }) });
  return {
    headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    body: count === 0 ? fields : `${fields.slice(0, -1)},"rows":[${rows}]}`,
  };
}

export const pageToken = (row: number): string => Buffer.from(`row ${row}`).toString('base64url');

function rowOf(token: string): number {
  const row = /^row (\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (row === undefined) throw invalid('Invalid pageToken: use the one of the page before', 'pageToken');
  return Number(row);
}

/** Returns the rows of a page, at least one where there is any. Other requests are answered in between. */
export async function pageOf(answers: Pick<PagedAnswers, 'page'>, result: PagedResult, wanted: WantedPage): Promise<JsonPage> {
  const { start, maxResults = Number.POSITIVE_INFINITY } = wanted;
  const write = rowWriter(result.columns, wanted.timestamps);
  const yieldToEventLoop = createYield();
  const texts: string[] = [];
  let [bytes, count, firstOfPage] = [0, 0, 0];
  const end = Math.min(result.rows, start + maxResults);
  for (const [page, rows] of result.pages.entries()) {
    const skipped = Math.max(0, start - firstOfPage);
    firstOfPage += rows;
    if (skipped >= rows || start + count >= end || bytes >= PAGE_BYTES) continue;
    const lines = linesOf(await answers.page(result, page), skipped);
    for (let line = lines(); line !== undefined && start + count < end; line = lines()) {
      const text = write(line);
      const size = Buffer.byteLength(text);
      if (count > 0 && bytes + size >= PAGE_BYTES) {
        bytes = PAGE_BYTES;
        break;
      }
      bytes += size + 1;
      texts.push(text);
      count++;
      if (count % ROWS_AT_ONCE === 0) await yieldToEventLoop();
    }
  }
  const next = start + count;
  return { rows: texts.join(','), count, next: next < result.rows && maxResults > 0 && count > 0 ? next : undefined };
}

/** Returns a function that gives one line of the text after the other, without the first ones. */
function linesOf(text: string, skipped: number): () => string | undefined {
  let at = 0;
  for (let i = 0; i < skipped; i++) at = text.indexOf(LINE_END, at) + 1;
  return () => {
    if (at >= text.length) return undefined;
    const end = text.indexOf(LINE_END, at);
    const line = text.slice(at, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    return line;
  };
}
