// The only file that knows the package @clickhouse/client: sends one request, and gives the answer as it came.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { ServerOptions } from './options.ts';
import type { WrittenQuery } from './request.ts';

interface ServerRequest extends Omit<WrittenQuery, 'settings'> {
  readonly queryId: string;
  readonly traceparent?: string | undefined;
  readonly signal: AbortSignal;
}

export interface ServerReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: ReplyBody;
}

export interface ServerClient {
  /** Rejects with the error of Node's network; any HTTP status resolves. The signal ends the request, and the body of its answer. */
  send(request: ServerRequest): Promise<ServerReply>;
  close(): Promise<void>;
}

/** Shorter than the patience of every server: before 23.11 they ended idle connections after 3 seconds. */
const IDLE_SOCKET_MS = 2500;
/** Progress that a profile sends in headers must not exceed what Node accepts, 16 KiB by default. */
const MAX_HEADER_BYTES = 1 << 20;
/** Silence is bounded by the deadline of each query; the client's own bound must not come first. */
const SILENCE_MS = 2 ** 31 - 1;

/** The package is loaded with the first request. */
export function createServerClient(url: URL, options: ServerOptions): ServerClient {
  let opening: ReturnType<typeof openClient> | undefined;
  return {
    async send({ body, contentType, urlParameters, queryId, traceparent, signal }) {
      opening ??= openClient(url, options);
      const { client } = await opening;
      signal.throwIfAborted(); // the package would send the query, and never look again
      const reply = await client.exec({
        query: body,
        query_id: queryId,
        clickhouse_settings: urlParameters,
        http_headers: { 'Content-Type': contentType, ...(traceparent === undefined ? {} : { traceparent }) },
        abort_signal: signal,
        ignore_error_response: true,
        decompress_response_stream: false,
      });
      const { response_headers: headers, stream } = reply;
      // The package no longer listens to the signal, so quern ends the rest of the answer itself.
      const stop = (): void => void stream.destroy();
      signal.addEventListener('abort', stop, { once: true });
      stream.once('close', () => signal.removeEventListener('abort', stop));
      if (signal.aborted) stop();
      return { status: reply.http_status_code ?? 0, headers, body: replyBody(stream, headers['content-encoding']) };
    },
    async close() {
      const opened = await opening;
      await opened?.client.close();
      opened?.agent.destroy();
    },
  };
}

async function openClient(url: URL, options: ServerOptions) {
  const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client');
  const { cert } = options.tls ?? {};
  const pool = { keepAlive: true, maxSockets: options.maxConnections ?? 10 };
  const agent = url.protocol === 'http:' ? new HttpAgent(pool) : new HttpsAgent({ ...pool, ...options.tls });
  // A login by certificate alone takes these headers in the place of a password.
  const byCertificate = cert !== undefined && options.password === undefined && options.accessToken === undefined;
  const client = createClient({
    url: url.origin,
    pathname: url.pathname === '/' ? undefined : url.pathname,
    http_agent: agent,
    ...(options.accessToken === undefined
      ? { username: options.user ?? 'default', password: options.password ?? '', set_basic_auth_header: !byCertificate }
      : { access_token: options.accessToken }),
    http_headers: {
      ...options.headers,
      ...(options.compression === true ? { 'Accept-Encoding': 'gzip' } : {}),
      ...(byCertificate ? { 'X-ClickHouse-User': options.user ?? 'default', 'X-ClickHouse-SSL-Certificate-Auth': 'on' } : {}),
    },
    application: options.application ?? 'quern',
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS, eagerly_destroy_stale_sockets: true },
    max_response_headers_size: MAX_HEADER_BYTES,
    request_timeout: SILENCE_MS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  return { client, agent };
}

/** Must be read to its end, or destroyed. */
export interface ReplyBody extends AsyncIterable<Buffer> {
  destroy(): void;
}

/** A message of Node's HTTP client; bodies that are not compressed stay as they are. */
function replyBody(message: Readable, encoding: string | readonly string[] | undefined): ReplyBody {
  return {
    destroy: () => void message.destroy(),
    [Symbol.asyncIterator]: () => (encoding === 'gzip' ? gunzipped(message) : arrived(message)),
  };
}

/** When the connection breaks, a message ends at once: the bytes that it still buffers, such as the reason that the server gives, come first here. */
async function* arrived(message: Readable): AsyncGenerator<Buffer> {
  try {
    yield* message as AsyncIterable<Buffer>;
  } catch (cause) {
    for (let rest: unknown = message.read(); Buffer.isBuffer(rest); rest = message.read()) yield rest;
    throw cause;
  }
}

async function* gunzipped(message: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const unpacked: Buffer[] = [];
  gunzip.on('data', (chunk: Buffer) => unpacked.push(chunk));
  const failed = new Promise<never>((_, reject) => gunzip.on('error', reject));
  failed.catch(() => undefined); // the race below reports it
  const done = (start: (ready: () => void) => void): Promise<void> => Promise.race([failed, new Promise<void>(start)]);
  try {
    for await (const chunk of arrived(message)) {
      await done((ready) => gunzip.write(chunk, () => ready()));
      yield* unpacked.splice(0);
    }
  } catch (cause) {
    await done((ready) => gunzip.flush(constants.Z_SYNC_FLUSH, () => ready())).catch(() => undefined);
    yield* unpacked.splice(0);
    throw cause;
  }
  await done((ready) => gunzip.on('end', () => ready()).end()); // an answer that is cut off is an error here
  yield* unpacked.splice(0);
}
