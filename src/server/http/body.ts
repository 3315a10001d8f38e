// The body of a request: a JSON object of bounded size and depth; and what becomes of one that nobody reads.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
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
  server.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_BODY }, (_, body, done) =>
    readBody(String(body), done),
  );
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: MAX_BODY }, (request, body, done) => {
    // A page of any origin can send one, so that it is for those routes only which need it.
    if (request.routeOptions.config.form === true) done(null, Object.fromEntries(new URLSearchParams(String(body))));
    else done(Object.assign(new Error('the body must be application/json'), { statusCode: 415, code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }));
  });
}

function readBody(text: string, done: (error: Error | null, body?: unknown) => void): void {
  if (text.trim() === '') {
    done(null, undefined);
    return;
  }
  const trouble = tooIntricate(text);
  if (trouble !== undefined) {
    done(invalid(trouble));
    return;
  }
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) done(null, value);
    else done(invalid('the body is not a JSON object'));
  } catch (cause) {
    done(invalid(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`));
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
function tooIntricate(text: string): string | undefined {
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
      if (++depth > MAX_DEPTH) return `the body nests deeper than ${MAX_DEPTH} levels`;
    } else if (character === BRACKET + 2 || character === BRACE + 2)
      depth--; // the closing ones
    else if (character === COLON) names++;
    if (names > MOST_NAMES) return `the body has more than ${MOST_NAMES} names and lists`;
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
