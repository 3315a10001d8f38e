// The HTTP server itself: limits on what it reads, and JSON for everything that goes wrong before a route is found.
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
import { constants, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import cors from '@fastify/cors';
import {
  type FastifyError,
  type FastifyHttp2SecureOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
} from 'fastify';
import { MAX_BODY } from './body.ts';
import { Exchange, type Observer } from './exchange.ts';
import type { Failure } from './failure.ts';
import { noSuchPath, wrongMethod } from './refusal.ts';
import { JSON_TYPE } from './reply.ts';
import { createRequestIds } from './request-id.ts';
import type { TlsPair } from './tls.ts';

export interface FastifyOptions {
  /** The server speaks TLS, and HTTP/2 to clients that know it. */
  readonly tls?: TlsPair | undefined;
  /** Origins of pages that may read replies; `*` for all, none when empty. */
  readonly corsOrigins: readonly string[];
  readonly observer: Observer;
  /** The methods of an address, or undefined when there is nothing there. */
  readonly methodsOf: (path: string) => string | undefined;
}

/** Dashboards send SQL of several kilobytes in the address. */
const MAX_REQUEST_LINE = 65_536;
const MAX_NAME = 1000;
/** Longer than load balancers keep idle connections, so that it is they who close them. */
const KEEP_ALIVE_MS = 72_000;
/** For a whole request to come in, and how exactly that is kept. */
const REQUEST_MS = 30_000;
const CHECK_EVERY_MS = 500;
/** For a client that is still sending to read the last reply: closed at once, the system would throw that away with what was not read. */
const LINGER_MS = 1000;

/** Requests that one client may have under way on a connection of HTTP/2. */
const MOST_STREAMS = 100;

export async function createFastify({ tls, corsOrigins, observer, methodsOf }: FastifyOptions): Promise<FastifyInstance> {
  const bounds = { requestTimeout: REQUEST_MS - CHECK_EVERY_MS, connectionsCheckingInterval: CHECK_EVERY_MS };
  const http = {
    maxHeaderSize: MAX_REQUEST_LINE + maxHeaderSize,
    requireHostHeader: false,
    ...bounds,
    // Of two times Node takes the longer one for the body.
    headersTimeout: bounds.requestTimeout,
  };
  const common: FastifyServerOptions = {
    logger: false,
    genReqId: createRequestIds(),
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: bounds.requestTimeout,
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_NAME, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
    clientErrorHandler: answerNoise,
    frameworkErrors: (error, request, reply) => refuse(request, reply, badRequest(error)),
  };
  const server = tls === undefined ? fastify({ ...common, http }) : secure({ ...common, http, tls });
  // Servers of HTTP/2 take these from here only.
  Object.assign(server.server, bounds, { headersTimeout: bounds.requestTimeout });
  if (tls !== undefined) server.server.on('request', boundStream);

  const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Failure): void =>
    new Exchange(request, reply, observer).refuse(refusal);
  server.server.on('checkExpectation', refuseExpectation);
  // The body is asked for when it is known that it will be read.
  server.server.on('checkContinue', (request, response) => server.server.emit('request', request, response));
  server.removeAllContentTypeParsers();
  server.setErrorHandler<FastifyError>((error, request, reply) => {
    const { statusCode } = error;
    if (statusCode !== undefined && statusCode < 500) refuse(request, reply, badRequest(error));
    else new Exchange(request, reply, observer).fail(error);
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = methodsOf(path);
    refuse(request, reply, methods === undefined ? noSuchPath(path) : wrongMethod(request.method, methods));
  });
  if (corsOrigins.length > 0) {
    await server.register(cors, {
      origin: corsOrigins.includes('*') ? '*' : [...corsOrigins],
      methods: ['GET', 'HEAD', 'POST'],
      exposedHeaders: [
        'Age',
        'ETag',
        'Link',
        'RateLimit',
        'RateLimit-Policy',
        'Server-Timing',
        'X-Cache',
        'X-Missing-Parts',
        'X-Request-Id',
        'X-Truncated',
      ],
      maxAge: 600,
    });
  }
  return server;
}

/** To the routes HTTP/2 is no other server: requests and replies have the interface of HTTP/1.1. */
function secure({ http, tls, ...common }: FastifyServerOptions & { readonly http: object; readonly tls: TlsPair }): FastifyInstance {
  const settings = { maxConcurrentStreams: MOST_STREAMS, maxHeaderListSize: MAX_REQUEST_LINE + maxHeaderSize };
  const https = { ...http, ...tls, allowHTTP1: true, settings };
  const options = { ...common, http2: true, https } as unknown as FastifyHttp2SecureOptions<Http2SecureServer>;
  return fastify(options) as unknown as FastifyInstance;
}

/** Gives up a stream of HTTP/2 whose body does not come in time; Node does that for HTTP/1.1 only. */
function boundStream({ stream }: { readonly stream?: ServerHttp2Stream | undefined }): void {
  if (stream === undefined || stream.endAfterHeaders) return;
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), REQUEST_MS).unref();
  stream.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Returns the refusal for an error of Fastify's, in words of our own. */
function badRequest({ code, message, statusCode = 400 }: Pick<FastifyError, 'code' | 'message' | 'statusCode'>): Failure {
  switch (code) {
    case 'BODY':
      return { status: 400, code: 'body', message, hint: 'send the parameters as {"name": value, …}' };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return { status: 415, code: 'body', message: 'the body is not sent as JSON', hint: 'send Content-Type: application/json' };
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { status: 413, code: 'too-large', message: `the body is larger than ${MAX_BODY} bytes` };
    case 'FST_ERR_BAD_URL':
      return { status: 400, code: 'request', message: 'the address has a % that does not encode a character' };
    default:
      return { status: statusCode, code: 'request', message: `the request cannot be read: ${message}` };
  }
}

/** Node would reply to `Expect: something` with nothing but a status. */
function refuseExpectation(_: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ error: { code: 'request', message: 'the only Expect header that this server supports is 100-continue' } });
  response.writeHead(417, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body);
}

const NOISE: Readonly<Record<string, readonly [status: number, reason: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'the address or the headers are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'the request did not arrive in time'],
};

/** Answers what is not HTTP, or too much of it; nobody else writes to the connection then. */
function answerNoise(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const [status, reason, message] = NOISE[error.code ?? ''] ?? [400, 'Bad Request', 'this is not an HTTP/1.1 request'];
  const body = JSON.stringify({ error: { code: status === 431 ? 'too-large' : 'request', message } });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  if (status === 408) socket.destroySoon();
  const close = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(close));
}
