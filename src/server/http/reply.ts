// Writes replies: the bytes of an answer with what caches and people want to know of it, or a failure.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type AnswerFacts, etagOf } from '../answers/answer.ts';
import { boundUnread } from './body.ts';
import type { FailureReply } from './failure.ts';
import { acceptedEncoding, alreadyHas, remembering } from './negotiate.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A reply that is no answer of an endpoint. */
export interface PlainReply {
  /** Default: 200. */
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** For the log. */
  readonly answer?: AnswerFacts;
}

const OF_THE_MOMENT = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const json = (value: object, statusCode = 200): PlainReply => ({ statusCode, headers: OF_THE_MOMENT, body: JSON.stringify(value) });

export const send = (reply: FastifyReply, { statusCode = 200, headers, body }: PlainReply): void =>
  void reply.code(statusCode).headers(headers).send(body);

/** Below this many bytes compression saves nothing. */
const WORTH_COMPRESSING = 1024;

/** The headers of a request on which its answer depends: without the key's, a browser would give the rows of one key to every other. */
const VARIES_BY = 'Accept, Accept-Encoding, X-API-KEY, Authorization, LF-Endpoint-Redact-PII';

const encodingFor = remembering(acceptedEncoding);
const freshFor = remembering((seconds: number) => `private, max-age=${seconds}`);
const totalOf = remembering((tenths: number) => `total;dur=${(tenths / 10).toFixed(1)}`);

/** Browsers must not run or load anything for pages and pictures. */
const SHOWN_BY_BROWSERS = /^(?:text\/html|image\/svg)/;
const STILL = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

interface AnswerContext {
  /** Pages of other origins may read replies: Fastify has headers for them. */
  readonly cors: boolean;
  /** Seconds that rows of the saved query are fresh; 0 when it is not cached. */
  readonly ttlSeconds: number;
  /** Since the request came. */
  readonly elapsedMs: number;
  /** Headers that say how much the caller may still do, if that is bounded. */
  readonly allowance?: Readonly<Record<string, string>> | undefined;
}

/**
 * Sends the answer, or 304 where the client has it, and returns the status: at once, unless the body is still to be compressed. Each step through a
 * Promise would cost a cached answer some 2% of its time.
 */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer, context: AnswerContext): number | Promise<number> {
  const encoding = answer.bytes < WORTH_COMPRESSING ? 'identity' : encodingFor(request.headers['accept-encoding']);
  const etag = etagOf(answer.etag, encoding);
  const headers = answerHeaders(request, answer, context, etag);
  if (context.cors) addCors(headers, reply);
  const known = request.method === 'POST' ? undefined : request.headers['if-none-match'];
  if (known !== undefined && alreadyHas(known, etag)) return write(reply, 304, headers);
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  const body = answer.body(encoding);
  return body instanceof Promise ? body.then((bytes) => write(reply, 200, headers, bytes)) : write(reply, 200, headers, body);
}

/** Past Fastify, which would look at each header once more. */
function write(reply: FastifyReply, status: number, headers: string[], body?: Buffer): number {
  if (body !== undefined) headers.push('content-length', String(body.length));
  reply.hijack();
  reply.raw.writeHead(status, headers).end(body);
  return status;
}

/** Returns the address of the next page: that of this one but for `page`. */
function nextAddress(url: string, page: string): string {
  const { pathname, searchParams } = new URL(url, 'http://server');
  searchParams.set('page', page);
  return `${pathname}?${searchParams}`;
}

/** Names and values in turn. */
function answerHeaders(
  { id, url }: FastifyRequest,
  answer: Answer,
  { ttlSeconds, elapsedMs, allowance }: AnswerContext,
  etag: string,
): string[] {
  const { state } = answer;
  const headers = [
    'content-type',
    answer.contentType,
    'etag',
    etag,
    'cache-control',
    state === 'off' ? 'no-store' : freshFor(state === 'stale' ? 0 : ttlSeconds),
    'vary',
    VARIES_BY,
    'x-cache',
    state === 'off' ? 'miss' : state,
    'x-request-id',
    id,
    'x-content-type-options',
    'nosniff',
    'server-timing',
    serverTiming(answer, elapsedMs),
  ];
  if (answer.contentType !== JSON_TYPE && SHOWN_BY_BROWSERS.test(answer.contentType)) headers.push('content-security-policy', STILL);
  if (state !== 'off') headers.push('age', String(answer.ageSeconds));
  // Their names are in the log: a header holds no text of just any kind.
  if (answer.missing !== undefined) headers.push('x-missing-parts', String(answer.missing.length));
  if (allowance !== undefined) for (const [name, value] of Object.entries(allowance)) headers.push(name, value);
  if (answer.truncated) headers.push('x-truncated', 'true');
  if (answer.next !== undefined) headers.push('link', `<${nextAddress(url, answer.next)}>; rel="next"`);
  return headers;
}

/** Adds what Fastify has for pages of other origins, which may read the reply only with these. */
function addCors(headers: string[], reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    // Origin, where only pages of some may read replies.
    if (name === 'vary') headers[headers.indexOf(VARIES_BY)] = `${value}, ${VARIES_BY}`;
    else headers.push(name, String(value));
  }
}

function serverTiming({ engineMs }: Answer, elapsedMs: number): string {
  const total = totalOf(Math.round(elapsedMs * 10));
  return engineMs === undefined ? total : `engine;dur=${engineMs.toFixed(1)}, ${total}`;
}

export function sendFailure(request: FastifyRequest, reply: FastifyReply, { status, body, headers }: FailureReply): void {
  boundUnread(request.raw);
  reply
    .code(status)
    .headers({ ...OF_THE_MOMENT, 'x-request-id': request.id, ...headers })
    .send(JSON.stringify(body));
}
