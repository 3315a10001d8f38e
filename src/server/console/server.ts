// Asks the server. The key goes with every request, and nowhere else.
import type {
  ConsoleCompleteRequest,
  ConsoleEmpty,
  ConsoleEmptyRequest,
  ConsoleFormat,
  ConsoleFormatted,
  ConsoleInfo,
  ConsoleOverview,
  ConsoleSql,
  ConsoleSqlRequest,
  ConsoleSuggestions,
  ConsoleTables,
  TypedParameter,
} from './contract.ts';

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
  /** Absent: the SQL is that of the SQL page, with these parameters, and at most so many rows of it are wanted. */
  readonly endpoint?: string | undefined;
  readonly parameters?: readonly TypedParameter[];
  readonly rows?: number;
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly sql?: string;
  /** Past the cache. */
  readonly fresh?: boolean;
  readonly signal?: AbortSignal;
}

export interface Reply {
  readonly text: string;
  readonly cache: string;
  readonly cached: boolean;
  readonly ageSeconds: number;
  readonly truncated: boolean;
  readonly missingParts: number;
  readonly engineMs?: number;
  readonly totalMs: number;
}

export type Answer<T> = { readonly got: T } | { readonly failure: Failure };

export type Server = ReturnType<typeof createServer>;

/** `key` gives the key of the moment, '' for none. */
export function createServer(key: () => string) {
  const send = async (path: string, init: RequestInit): Promise<Answer<Response>> => {
    const headers = new Headers(init.headers);
    if (key() !== '') headers.set('x-api-key', key());
    headers.set('x-quern-console', '1'); // for keys that work here only
    try {
      return { got: await fetch(path, { ...init, headers, cache: 'no-cache' }) };
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      return { failure: { status: 0, code: 'unreachable', message: 'the server does not answer', hint: 'is quern serve still running?' } };
    }
  };

  const json = async <T>(path: string, init: RequestInit): Promise<Answer<T>> => {
    const sent = await send(path, init);
    if ('failure' in sent) return sent;
    const text = await sent.got.text();
    if (!sent.got.ok) return { failure: failureIn(sent.got, text) };
    try {
      return { got: JSON.parse(text) as T }; // the server's side is typed by the same contract
    } catch {
      return { failure: notOurs(sent.got.status) };
    }
  };

  return {
    info: () => json<ConsoleInfo>('api/console', {}),
    sql: (request: ConsoleSqlRequest, signal?: AbortSignal) =>
      json<ConsoleSql>('api/console/sql', { ...post(request), ...(signal === undefined ? {} : { signal }) }),
    /** What SQL over all tables can read. */
    tables: () => json<ConsoleTables>('api/console/tables', {}),
    complete: (request: ConsoleCompleteRequest) => json<ConsoleSuggestions>('api/console/complete', post(request)),
    /** The same SQL laid out. */
    format: (sql: string) => json<ConsoleFormatted>('api/console/format', post({ sql })),
    /** Undefined where it cannot be had. */
    async overview() {
      const told = await json<ConsoleOverview>('api/console/overview', {});
      return 'got' in told ? told.got : undefined;
    },
    /** Why there are no rows; nothing where that cannot be said. */
    async whyEmpty(request: ConsoleEmptyRequest) {
      const told = await json<ConsoleEmpty>('api/console/why-empty', post(request));
      return 'got' in told ? told.got : {};
    },
    async ask({ fresh = false, signal, ...question }: Question) {
      const startedAt = performance.now();
      const { headers, ...init } = post(bodyOf(question));
      const { endpoint } = question;
      const sent = await send(endpoint === undefined ? TYPED : `api/endpoints/query/${encodeURIComponent(endpoint)}`, {
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
    /** The same rows as a file; `id` is the query's UUID, which no other name can begin with. */
    async file(question: Question, id: string | undefined, { name, extension }: ConsoleFormat) {
      const sent =
        id === undefined
          ? await send(TYPED, post({ ...bodyOf(question), format: name }))
          : await send(`api/endpoints/query/${id}${extension}`, post(bodyOf(question)));
      if ('failure' in sent) return sent;
      const blob = await sent.got.blob();
      const start = sent.got.ok ? await blob.slice(0, 20).text() : '';
      if (sent.got.ok && !isToldAsText(start)) return { got: blob };
      return { failure: failureIn(sent.got, await blob.text()) };
    },
  };
}

/** The address of SQL over all tables. */
const TYPED = 'api/console/query';

function bodyOf({ endpoint, values, sql, parameters, rows }: Question): object {
  if (endpoint === undefined) return { sql, values, parameters, rows };
  return sql === undefined ? values : { ...values, sql };
}

function notOurs(status: number): Failure {
  return {
    status,
    code: 'reply',
    message: `the reply has status ${status} and does not come from quern`,
    hint: 'is there a proxy in between?',
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
    return { ...notOurs(reply.status), ...common };
  }
}
