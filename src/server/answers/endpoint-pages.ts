// Pages of the rows of an endpoint: the rows of the first page's run are kept, so that the pages of one result fit together, whatever happens to the data.
import { createHash, randomUUID } from 'node:crypto';
import { QuernError } from '../../base/errors.ts';
import type { QueryResult } from '../../base/result.ts';
import { createYield } from '../../base/yield.ts';
import type { Cache } from '../../cache/cache.ts';
import { type Json, parseJson } from '../../engine/lossless-json.ts';
import { decodeRows } from '../../execution/decode.ts';
import type { Call, PageToken, WantedPage } from './answer.ts';
import type { PagedAnswers, PagedResult } from './paged-answers.ts';
import type { RunWaiter } from './runs.ts';

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,12})$/;

export function readPageToken(text: string): PageToken | undefined {
  const [, id, start] = TOKEN.exec(text) ?? [];
  return id === undefined ? undefined : { id, start: Number(start) };
}

/** What is kept of a result: plain data. */
interface Kept {
  /** Whose it is, and for which query and arguments. */
  readonly owner: string;
  readonly result: PagedResult;
}

interface Page {
  readonly rows: QueryResult;
  /** The page behind it, as readPageToken takes it. */
  readonly next?: string | undefined;
  readonly hit: boolean;
  readonly storedAtMs: number;
  readonly elapsedMs?: number | undefined;
}

/** Returns a page of a call's rows. Rejects as PagedAnswers.answer does, and with QuernError `result` for a page that is no longer kept. */
export async function pageOf(
  { paged, pages }: { readonly paged: PagedAnswers; readonly pages: Cache['pages'] },
  call: Call,
  { size, token }: WantedPage,
  waiter: RunWaiter,
): Promise<Page> {
  const owner = ownerOf(call);
  const found = token === undefined ? await paged.answer({ ...call, maxRows: undefined }, waiter) : await kept(pages, token.id, owner);
  const { result, hit } = found;
  const { prepared, maxRows = Number.POSITIVE_INFINITY } = call;
  const most = Math.min(prepared.maxRows, maxRows, result.rows);
  const start = Math.min(token?.start ?? 0, most);
  const end = Math.min(start + size, most);
  const isLast = end >= most;
  const id = token?.id ?? randomUUID();
  if (token === undefined && !isLast) await pages.write(keptKey(id), Buffer.from(JSON.stringify({ owner, result } satisfies Kept)));
  const rows = await rowsOf(paged, result, start, end).catch((error: unknown) => {
    throw error instanceof QuernError && error.code === 'result' ? notKept() : error;
  });
  return {
    rows: { columns: result.columns, rows, truncated: isLast && most < result.rows, missing: result.missing },
    next: isLast ? undefined : `${id}.${end}`,
    hit,
    storedAtMs: result.storedAtMs,
    elapsedMs: hit ? undefined : result.elapsedMs,
  };
}

async function kept(pages: Cache['pages'], id: string, owner: string): Promise<{ readonly result: PagedResult; readonly hit: true }> {
  const text = await pages.read(keptKey(id));
  const found = text === undefined ? undefined : (JSON.parse(text.toString()) as Kept); // pageOf wrote it
  // Who may no longer see the rows, or asks for others, is told no more than somebody who made the page up.
  if (found?.owner === owner) return { result: found.result, hit: true };
  throw notKept();
}

const notKept = (): QuernError =>
  new QuernError('parameter', 'the page is not kept for this call', {
    hint: 'ask for the first page again, without page=; pages are kept for a day, as far as cache_size allows',
  });

const keptKey = (id: string): string => `paging ${id}`;

function ownerOf({ prepared, arguments: values, tenant, asOf, redact }: Call): string {
  const parts = [tenant.id, prepared.name, prepared.sql, values, asOf ?? null, redact];
  const text = JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
  return createHash('sha256').update(text).digest('base64url');
}

const LINE_END = '\n';

/** Other requests are answered between the pages of the file. */
async function rowsOf(paged: PagedAnswers, result: PagedResult, start: number, end: number): Promise<QueryResult['rows']> {
  const yieldToEventLoop = createYield();
  const rows: QueryResult['rows'][number][] = [];
  let first = 0;
  for (const [page, count] of result.pages.entries()) {
    const [from, to] = [Math.max(start - first, 0), Math.min(end - first, count)];
    first += count;
    if (from >= to) continue;
    const lines = (await paged.page(result, page)).toString().split(LINE_END).slice(from, to);
    rows.push(
      ...decodeRows(result.columns, { columns: [], rows: lines.map((line) => parseJson(line) as Json[]), statistics: { elapsedMs: 0 } }),
    );
    await yieldToEventLoop();
  }
  return rows;
}
