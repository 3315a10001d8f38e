// Asks the server. The key goes with every request, and nowhere else.
import type { ConsoleInfo, ConsoleSql, ConsoleSqlRequest } from './contract.ts';

/** What went wrong, as the server tells it. */
export interface Failure {
  /** 0 where there was no reply. */
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly position?: { readonly file: string; readonly line: number; readonly column: number };
  readonly notes?: readonly string[];
  readonly problems?: readonly { readonly kind: string; readonly name: string; readonly message: string }[];
  readonly requestId?: string;
}

export interface Question {
  readonly endpoint: string;
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly sql?: string;
  /** Past the cache. */
  readonly fresh?: boolean;
  /** Name of a format; JSON when absent. */
  readonly format?: string;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly text: string;
  readonly contentType: string;
  readonly cache: string;
  readonly cached: boolean;
  readonly ageSeconds: number;
  readonly truncated: boolean;
  readonly missingParts: number;
  readonly engineMs?: number;
  readonly totalMs: number;
}

export type Asked<T> = { readonly got: T } | { readonly failure: Failure };

export interface Server {
  info(): Promise<Asked<ConsoleInfo>>;
  sql(request: ConsoleSqlRequest, signal?: AbortSignal): Promise<Asked<ConsoleSql>>;
  ask(question: Question): Promise<Asked<Reply>>;
}

/** `key` gives the key of the moment, '' for none. */
export function createServer(key: () => string): Server {
  const send = async (path: string, init: RequestInit): Promise<Asked<Response>> => {
    const headers = new Headers(init.headers);
    if (key() !== '') headers.set('x-api-key', key());
    try {
      return { got: await fetch(path, { ...init, headers, cache: 'no-cache' }) };
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      return { failure: { status: 0, code: 'unreachable', message: 'the server does not answer', hint: 'is quern serve still running?' } };
    }
  };

  const json = async <T>(path: string, init: RequestInit): Promise<Asked<T>> => {
    const sent = await send(path, init);
    if ('failure' in sent) return sent;
    const text = await sent.got.text();
    return sent.got.ok ? { got: JSON.parse(text) as T } : { failure: failureIn(sent.got, text) }; // the server's side is typed by the same contract
  };

  return {
    info: () => json<ConsoleInfo>('api/console', {}),
    sql: (request, signal) => json<ConsoleSql>('api/console/sql', { ...post(request), ...(signal === undefined ? {} : { signal }) }),
    async ask({ endpoint, values, sql, fresh = false, format, signal }) {
      const startedAt = performance.now();
      const body = { ...values, ...(sql === undefined ? {} : { sql }), ...(format === undefined ? {} : { format }) };
      const { headers, ...init } = post(body);
      const sent = await send(`api/endpoints/query/${encodeURIComponent(endpoint)}`, {
        ...init,
        headers: { ...headers, ...(fresh ? { 'cache-control': 'no-cache' } : {}) },
        ...(signal === undefined ? {} : { signal }),
      });
      if ('failure' in sent) return sent;
      const { got: reply } = sent;
      const text = await reply.text();
      if (!reply.ok || isToldAsText(text)) return { failure: failureIn(reply, text) };
      const engine = /engine;dur=([\d.]+)/.exec(reply.headers.get('server-timing') ?? '')?.[1];
      return {
        got: {
          text,
          contentType: reply.headers.get('content-type') ?? '',
          cache: reply.headers.get('x-cache') ?? '',
          cached: reply.headers.has('age'),
          ageSeconds: Number(reply.headers.get('age') ?? 0),
          truncated: reply.headers.has('x-truncated'),
          missingParts: Number(reply.headers.get('x-missing-parts') ?? 0),
          ...(engine === undefined ? {} : { engineMs: Number(engine) }),
          totalMs: performance.now() - startedAt,
        },
      };
    },
  };
}

function post(body: object): { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Servers for clients of Logflare tell the failure of a query with status 200. */
const isToldAsText = (text: string): boolean => text.startsWith('{"error":');

function failureIn(reply: Response, text: string): Failure {
  const requestId = reply.headers.get('x-request-id');
  const common = { status: reply.status, ...(requestId === null ? {} : { requestId }) };
  try {
    const { error } = JSON.parse(text) as { readonly error: string | Omit<Failure, 'status'> }; // every failure has this shape
    if (typeof error === 'string') return { ...common, code: 'query', message: error };
    return { ...error, ...common };
  } catch {
    return { ...common, code: 'reply', message: `the reply has status ${reply.status}, and is not the server’s own` };
  }
}
