// Writes replies: the bytes of an answer with what caches and people want to know of it, or a failure.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, etagOf } from './answer.ts';
import type { Failure } from './failure.ts';
import { acceptedEncoding, alreadyHas, remembering } from './negotiate.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Below this many bytes compression saves nothing. */
const WORTH_COMPRESSING = 1024;

const encodingFor = remembering(acceptedEncoding);

export interface AnswerContext {
  /** Seconds that rows of the saved query are fresh; 0 when it is not cached. */
  readonly ttlSeconds: number;
  /** Since the request came. */
  readonly elapsedMs: number;
}

/** Sends the answer, or 304 where the client has it; gives the status. */
export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer, context: AnswerContext): Promise<number> {
  const wanted = encodingFor(request.headers['accept-encoding']);
  const identity = answer.body('identity');
  const plain = identity instanceof Buffer ? identity : await identity;
  const encoding = plain.length < WORTH_COMPRESSING ? 'identity' : wanted;
  const etag = etagOf(answer.etag, encoding);
  const headers: Record<string, string> = {
    'content-type': answer.contentType,
    etag,
    'cache-control': answer.state === 'off' ? 'no-store' : `private, max-age=${answer.state === 'stale' ? 0 : context.ttlSeconds}`,
    // The origin is there already where pages of the web may read replies.
    vary: reply.hasHeader('vary') ? `${reply.getHeader('vary')}, Accept, Accept-Encoding` : 'Accept, Accept-Encoding',
    'x-cache': answer.state === 'off' ? 'miss' : answer.state,
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'server-timing': serverTiming(answer, context.elapsedMs),
  };
  if (answer.state !== 'off') headers['age'] = String(answer.ageSeconds);
  // Their names are in the log: a header holds no text of just any kind.
  if (answer.missing !== undefined) headers['x-missing-parts'] = String(answer.missing.length);
  if (answer.truncated) headers['x-truncated'] = 'true';
  const known = request.method === 'POST' ? undefined : request.headers['if-none-match'];
  if (known !== undefined && alreadyHas(known, etag)) {
    reply.code(304).headers(headers).send();
    return 304;
  }
  let body = plain;
  if (encoding !== 'identity') {
    const made = answer.body(encoding);
    body = made instanceof Buffer ? made : await made;
    headers['content-encoding'] = encoding;
  }
  reply.headers(headers).send(body);
  return 200;
}

function serverTiming({ engineMs }: Answer, elapsedMs: number): string {
  const total = `total;dur=${elapsedMs.toFixed(1)}`;
  return engineMs === undefined ? total : `engine;dur=${engineMs.toFixed(1)}, ${total}`;
}

export function sendFailure(request: FastifyRequest, reply: FastifyReply, { status, body, headers }: Failure): void {
  reply
    .code(status)
    .headers({
      'content-type': JSON_TYPE,
      'cache-control': 'no-store',
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    .send(JSON.stringify(body));
}
