// Pages of a job's rows, as texts of the API, made of the lines that the cache's files hold.
import { createYield } from '../../../base/yield.ts';
import type { PagedAnswers, PagedResult } from '../../answers/paged-answers.ts';
import { JSON_TYPE, type PlainReply } from '../../http/reply.ts';
import { selectedFields } from './catalog/selected-fields.ts';
import { schemaOf, type TimestampForm } from './cells.ts';
import { invalid } from './errors.ts';
import { countIn, isObject, isTrue, type Json } from './job-request.ts';
import { ByteWriter, rowCopier } from './row-bytes.ts';

/** Which rows of a result a request wants, and how. */
export interface RowsWanted {
  readonly start: number;
  /** Absent: as many as a page may hold. */
  readonly maxResults: number | undefined;
  readonly timestamps: TimestampForm;
  /** The query string whose `selectedFields` says which columns there are in rows. Default: all. */
  readonly fields?: Json;
}

/** With all that is around the rows, a reply stays below 10 MB. */
const PAGE_BYTES = 9_500_000;
const ROWS_AT_ONCE = 1000;
const LINE_END = 10;
/** Around the rows. */
const MARGIN_BYTES = 65_536;
/** The API's names around a value. */
const CELL_BYTES = 10;

/** Reads which page is wanted from the query string of an address. Throws BigQueryError for what is no page. */
export function readRowsWanted(query: Json): RowsWanted {
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

const pageToken = (row: number): string => Buffer.from(`row ${row}`).toString('base64url');

function rowOf(token: string): number {
  const row = /^row (\d{1,15})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (row === undefined) throw invalid('Invalid pageToken: use the one of the page before', 'pageToken');
  return Number(row);
}

interface PageReply extends PlainReply {
  /** How many rows it has. */
  readonly count: number;
}

/**
 * Returns the reply of these fields with the rows of a page, at least one where there is any, and the token of the next page. Other requests are answered in
 * between.
 */
export async function pageReply(
  answers: Pick<PagedAnswers, 'page'>,
  result: PagedResult,
  wanted: RowsWanted,
  head: object,
): Promise<PageReply> {
  const { start, maxResults = Number.POSITIVE_INFINITY } = wanted;
  const end = Math.min(result.rows, start + maxResults);
  if (start >= end) return { headers: HEADERS, body: JSON.stringify(head), count: 0 };
  const copyRow = rowCopier(result, wanted.timestamps, wanted.fields && wantedColumns(result, wanted.fields));
  const yieldToEventLoop = createYield();
  const to = new ByteWriter(capacityFor(result, end - start));
  to.text(`${JSON.stringify(head).slice(0, -1)},"rows":[`);
  const most = to.length + PAGE_BYTES;
  let [count, firstOfPage, isFull] = [0, 0, false];
  for (const [page, rows] of result.pages.entries()) {
    const skipped = Math.max(0, start - firstOfPage);
    firstOfPage += rows;
    if (skipped >= rows || isFull) continue;
    const lines = await answers.page(result, page);
    for (let at = startOfLine(lines, skipped); at < lines.length && start + count < end; count++) {
      const before = to.length;
      if (count > 0) to.byte(COMMA);
      at = copyRow(lines, at, to);
      isFull = to.length > most && count > 0;
      if (isFull) {
        to.length = before;
        break;
      }
      if (count % ROWS_AT_ONCE === 0) await yieldToEventLoop();
    }
    isFull ||= start + count >= end;
  }
  const next = start + count;
  to.text(next < result.rows ? `],"pageToken":"${pageToken(next)}"}` : ']}');
  return { headers: HEADERS, body: to.whole(), count };
}

function wantedColumns({ columns }: PagedResult, query: Json): readonly boolean[] {
  const { fields } = schemaOf(columns);
  const selected = new Set(selectedFields(fields, query));
  return fields.map((field) => selected.has(field));
}

const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
const COMMA = 44;

/** Memory for the whole reply, so that it need not grow. */
function capacityFor({ only, columns }: PagedResult, rows: number): number {
  if (only === undefined) return PAGE_BYTES + MARGIN_BYTES;
  return 2 * only.length + rows * columns.length * CELL_BYTES + 2000;
}

function startOfLine(lines: Buffer, skipped: number): number {
  let at = 0;
  for (let i = 0; i < skipped; i++) at = lines.indexOf(LINE_END, at) + 1;
  return at;
}
