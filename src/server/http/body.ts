// The body of a request: a JSON object of bounded size and depth; and what becomes of one that nobody reads.

import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { messageOf } from '../../base/errors.ts';
import { parseJson } from '../../engine/lossless-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that take bodies of HTML forms. */
    readonly form?: boolean;
  }
}

export const MAX_BODY = 1_048_576;
/** Arguments are scalars and lists of them, and few. */
const MAX_DEPTH = 20;
const MOST_NAMES = 1000;

/** For the routes of `server`, to be called on an instance of their own: bodies for other addresses are not read at all. */
export function addBodies(server: FastifyInstance): void {
  server.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_BODY }, ({ routeOptions }, body, done) =>
    readBody(String(body), routeOptions.config.door === undefined ? ARGUMENTS : OF_DOORS, done),
  );
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_BODY }, (request, body, done) => {
    // A page of any origin can send one, so that it is for those routes only which need it.
    if (request.routeOptions.config.form === true) done(null, Object.fromEntries(new URLSearchParams(String(body))));
    else if (request.routeOptions.config.door !== undefined) done(null, undefined);
    else done(Object.assign(new Error('the body must be application/json'), { statusCode: 415, code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }));
  });
  // Whoever sends anything else to a door learns from the route what to send.
  server.addContentTypeParser('*', { parseAs: 'buffer' }, ({ routeOptions }, _, done) => {
    if (routeOptions.config.door !== undefined) done(null, undefined);
    else done(Object.assign(new Error('not JSON'), { statusCode: 415, code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }));
  });
}

/** Of a body once it is unpacked. */
export const MAX_DOOR_BODY = 10 * MAX_BODY;

/** The preParsing hook of routes whose clients pack bodies. */
export async function unpacked({ headers }: FastifyRequest, _: FastifyReply, payload: RequestPayload): Promise<RequestPayload> {
  if (headers['content-encoding'] !== 'gzip') return payload;
  const stream: RequestPayload = payload.pipe(createGunzip());
  let length = 0;
  // Fastify compares the length of the packed body with what the head says.
  payload.on('data', (chunk: Buffer) => {
    length += chunk.length;
    stream.receivedEncodedLength = length;
  });
  return stream;
}

/** How much a body may nest and name. */
interface Intricacy {
  readonly depth: number;
  readonly names: number;
}

const ARGUMENTS: Intricacy = { depth: MAX_DEPTH, names: MOST_NAMES };
/** Parameters of BigQuery are lists of objects. */
const OF_DOORS: Intricacy = { depth: 100, names: 200_000 };

function readBody(text: string, most: Intricacy, done: (error: Error | null, body?: unknown) => void): void {
  if (text.trim() === '') {
    done(null, undefined);
    return;
  }
  const trouble = tooIntricate(text, most);
  if (trouble !== undefined) {
    done(invalid(trouble));
    return;
  }
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) done(null, value);
    else done(invalid('the body is not a JSON object'));
  } catch (cause) {
    done(invalid(`the body is not JSON: ${messageOf(cause)}`));
  }
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;

/**
 * Why the text is not worth parsing, which would build all that it nests and names: 1 MiB of that is half a second. Found by a look at its
 * marks; of text that is not JSON the answer means nothing.
 */
function tooIntricate(text: string, most: Intricacy): string | undefined {
  let depth = 0;
  let names = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (quoted) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) quoted = false;
    } else if (character === QUOTE) quoted = true;
    else if (character === BRACKET || character === BRACE) {
      names++;
      if (++depth > most.depth) return `the body nests deeper than ${most.depth} levels`;
    } else if (character === BRACKET + 2 || character === BRACE + 2)
      depth--; // the closing ones
    else if (character === COLON) names++;
    if (names > most.names) return `the body has more than ${most.names} names and lists`;
  }
  return undefined;
}

const invalid = (message: string): Error => Object.assign(new Error(message), { statusCode: 400, code: 'BODY' });

/**
 * For a request that is refused: Node throws away what still comes of its body, so that the client gets to read the reply. Nobody needs to
 * send more than the largest body for that; then the connection is closed.
 */
export function boundUnread(request: IncomingMessage): void {
  const { headers } = request;
  if (request.complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)) return;
  let left = MAX_BODY;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}
