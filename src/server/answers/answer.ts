// A call for rows, and its answer: rows as the bytes of a reply.
import type { QuernError } from '../../base/errors.ts';
import type { EngineFormat } from '../../base/formats.ts';
import type { QueryResult } from '../../base/result.ts';
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { ArgumentValues } from '../../queries/parameters.ts';
import type { Span } from '../observe/span.ts';
import type { Tenant } from './tenant.ts';

/** One way to print a result. Two renderers with equal ids print the same bytes. */
export interface Renderer {
  /** `json`, `logflare-json`, `csv` … */
  readonly id: string;
  readonly contentType: string;
  /** Converts the rows, each for itself, before they are printed. */
  readonly convert?: (result: QueryResult) => QueryResult;
  /** The format, where only the engine writes it: then nothing is printed. */
  readonly engine?: EngineFormat | undefined;
  /** The text in pieces. */
  print(result: QueryResult): Iterable<string>;
}

export interface WantedPage {
  /** The most rows. */
  readonly size: number;
  /** Absent for the first page. */
  readonly token?: PageToken;
}

/** Names rows that are kept, and the first of a page. */
export interface PageToken {
  readonly id: string;
  readonly start: number;
}

/** A call of an endpoint: the same for all requests of the same words. */
export interface Call {
  /** The same object for every call of an endpoint, until its file changes: what is derived from a prepared query is remembered with it. */
  readonly prepared: PreparedQuery;
  /** As readArguments gives them. */
  readonly arguments: ArgumentValues;
  readonly render: Renderer;
  /** Hide addresses of people. Applied to the result, whether it comes from the cache or not. */
  readonly redact: boolean;
  /** The row limit of a key. */
  readonly maxRows?: number | undefined;
  /** Part of the rows; absent: all. */
  readonly page?: WantedPage | undefined;
  /** The instant of CURRENT_TIMESTAMP(), in canonical form; absent: now. Rows with one are not cached. */
  readonly asOf?: string | undefined;
  /** The tenant whose turn at the engine it takes. */
  readonly tenant: Tenant;
  /** For the engine's log. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** The request that waits for the answer of a call. */
export interface Waiter {
  /** Run even if the cache could answer, for a caller who may force that. */
  readonly fresh: boolean;
  /** For the engine's log, too: callers may choose it, and choose the same. */
  readonly requestId: string;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** The span of the request, where traces are collected. */
  readonly span?: Span | undefined;
}

export type Encoding = 'identity' | 'gzip' | 'br';

export interface Answer {
  /**
   * `off`: the saved query is not cached, or parts of the data are missing from the rows. `revalidated`: rows of before, found to be
   * those that a run would give. `stale`: rows older than the TTL, while new ones are fetched or cannot be had.
   */
  readonly state: 'hit' | 'revalidated' | 'miss' | 'stale' | 'off';
  /** When the rows came from the engine, or were found to be the same still. Milliseconds since 1970. */
  readonly storedAtMs: number;
  readonly ageSeconds: number;
  /** Strong and quoted, of the bytes before any encoding; see etagOf. */
  readonly etag: string;
  readonly contentType: string;
  readonly rows: number;
  readonly truncated: boolean;
  /** Parts of the data that did not answer, in words. */
  readonly missing?: readonly string[];
  /** Where the next page begins, for an answer with a page of the rows. */
  readonly next?: string | undefined;
  /** The time of the engine's run, when this call waited for one. */
  readonly engineMs?: number;
  /** Length of the body before any encoding. */
  readonly bytes: number;
  /** Returns the reply's bytes; a Promise only while they are compressed, once they are first wanted. */
  body(encoding: Encoding): Buffer | Promise<Buffer>;
}

/** What logs and metrics know of an answer. */
export type AnswerFacts = Pick<Answer, 'state' | 'rows' | 'ageSeconds' | 'missing' | 'engineMs'>;

/** The entity tag of an encoded body: bytes that differ need tags that differ. `"abc"` → `"abc-gzip"`. */
export function etagOf(etag: string, encoding: Encoding): string {
  return encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}

/** An event of which no caller is informed, for the server's log. */
export type AnswerEvent =
  /** Old rows were given, because new ones could not be had. */
  | {
      readonly kind: 'stale-after-failure';
      readonly query: string;
      readonly requestId: string;
      readonly ageSeconds: number;
      readonly error: QuernError;
    }
  /** A refresh behind an old answer, or a warming, failed. */
  | { readonly kind: 'refresh-failed' | 'warming-failed'; readonly query: string; readonly error: QuernError };
