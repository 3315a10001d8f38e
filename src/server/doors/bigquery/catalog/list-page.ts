// Pages of lists: datasets, tables, routines.
import type { Question } from '../../../routes/route.ts';
import { invalid } from '../errors.ts';

interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextPageToken?: string;
}

/** The most that BigQuery lists at once. */
const MOST = 1000;

/** Returns the page that the request wants, by `maxResults` (default: `usual`) and `pageToken`. Throws for those that are none. */
export function listPage<T>(all: readonly T[], { request }: Pick<Question, 'request'>, usual = MOST): ListPage<T> {
  const { maxResults, pageToken } = request.query as Readonly<Record<string, unknown>>;
  const most = maxResults === undefined || maxResults === '' ? usual : Number(maxResults);
  if (!Number.isSafeInteger(most) || most < 0) throw invalid(`Invalid value for maxResults: ${String(maxResults)}`, 'maxResults');
  const start = pageToken === undefined || pageToken === '' ? 0 : startOf(String(pageToken));
  // A page without items that is followed by others would never end.
  const end = start + Math.min(most === 0 ? usual : most, MOST);
  return { items: all.slice(start, end), ...(end < all.length ? { nextPageToken: tokenOf(end) } : {}) };
}

const tokenOf = (start: number): string => Buffer.from(`item ${start}`).toString('base64url');

function startOf(token: string): number {
  const start = /^item (\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (start === undefined) throw invalid('Invalid pageToken: use the one of the page before', 'pageToken');
  return Number(start);
}
