// The body of a request: a JSON object of bounded size and depth; and what becomes of one that nobody reads.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { nestsDeeper, parseJson } from '../engine/lossless-json.ts';

export const MAX_BODY = 1_048_576;
/** Arguments are scalars and lists of them. */
const MAX_DEPTH = 20;

/** For the routes of `server`, to be called on an instance of their own: bodies for other addresses are not read at all. */
export function addBodies(server: FastifyInstance): void {
  server.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_BODY }, (_, body, done) =>
    readBody(String(body), done),
  );
}

function readBody(text: string, done: (error: Error | null, body?: unknown) => void): void {
  if (text.trim() === '') {
    done(null, undefined);
    return;
  }
  if (nestsDeeper(text, MAX_DEPTH)) {
    done(unfit(`the body nests deeper than ${MAX_DEPTH} levels`));
    return;
  }
  try {
    const value = parseJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) done(null, value);
    else done(unfit('the body is not a JSON object'));
  } catch (cause) {
    done(unfit(`the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`));
  }
}

const unfit = (message: string): Error => Object.assign(new Error(message), { statusCode: 400, code: 'BODY' });

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
