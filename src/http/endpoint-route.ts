// Answers requests for endpoints: who asks, what is asked, and the reply. What is the same for all requests of the same words is done once.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { QuernError } from '../errors.ts';
import type { Answer } from './answer.ts';
import type { Answers } from './answers.ts';
import { ANYBODY, type Authenticate, type Caller } from './authentication.ts';
import { type Compat, type EndpointPlace, findEndpoint, type Prepare, type PreparedCall } from './call.ts';
import type { EndpointTable } from './endpoints.ts';
import { asQuernError, type Failure, failureOf, refused } from './failure.ts';
import { logflareFailure } from './logflare.ts';
import { type Finish, NO_ENDPOINT } from './observe.ts';
import { OneCall } from './one-call.ts';
import type { RateLimit } from './rate-limit.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { sendAnswer, sendFailure } from './reply.ts';

export interface EndpointRouteOptions {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly table: () => EndpointTable;
  readonly prepare: Prepare;
  readonly answers: Pick<Answers, 'answer'>;
  readonly compat: Compat;
  readonly finish: Finish;
  /** Calls that wait for the engine; stopped when the server cannot wait any longer. */
  readonly waiting: Set<AbortController>;
}

export interface EndpointRequestShape {
  Params: { readonly reference: string };
  Querystring: Readonly<Record<string, unknown>>;
  Body: Readonly<Record<string, unknown>> | undefined;
}

export interface EndpointRoute {
  handle(request: FastifyRequest<EndpointRequestShape>, reply: FastifyReply): Promise<FastifyReply>;
  /** After the endpoints have changed. */
  forget(): void;
}

const MOST_REMEMBERED = 5000;
const LONGEST_REMEMBERED = 2000;

interface Remembered extends PreparedCall {
  readonly caller: Caller;
}

export function createEndpointRoute(options: EndpointRouteOptions): EndpointRoute {
  const { authenticate, rateLimit, table, prepare, answers, compat, finish, waiting } = options;
  const remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });

  const failure = (found: Failure): Failure => (compat === 'logflare' ? logflareFailure(found) : found);

  const recall = (words: string | undefined, caller: Caller): PreparedCall | undefined => {
    const known = words === undefined ? undefined : remembered.get(words);
    // A key whose rights have changed is another object, as is a plan made for data that have changed.
    return known !== undefined && known.caller === caller && known.slot.plan() === known.words.plan ? known : undefined;
  };

  const prepareNew = async (
    request: FastifyRequest<EndpointRequestShape>,
    place: EndpointPlace,
    words: string | undefined,
    caller: Caller,
  ): Promise<PreparedCall | Refusal> => {
    const { headers, query, body } = request;
    const before = table();
    const found = await prepare({
      place,
      query,
      ...(body === undefined ? {} : { body }),
      accept: headers.accept,
      labels: headerText(headers['lf-endpoint-labels']),
      redact: headerText(headers['lf-endpoint-redact-pii']),
      caller,
    });
    // Plans of callers' SQL are large, and kept in a smaller place. If the endpoints have changed meanwhile, this call is one of the past.
    const lasting = !isRefusal(found) && found.slot === place.endpoint && table() === before;
    if (words !== undefined && lasting) remembered.set(words, { ...found, caller });
    return found;
  };

  /** The answer, given up when the client has gone. */
  const waitFor = async (answer: Promise<Answer>, reply: FastifyReply, { abort }: OneCall): Promise<Answer> => {
    const leave = () => abort.abort(new QuernError('interrupted', 'the client has gone'));
    waiting.add(abort);
    reply.raw.once('close', leave);
    if (reply.raw.closed) leave();
    try {
      return await answer;
    } finally {
      reply.raw.off('close', leave);
      waiting.delete(abort);
    }
  };

  return {
    async handle(request, reply) {
      const startedAt = performance.now();
      const done = finish(request, startedAt);
      let caller: Caller | Refusal = ANYBODY;
      let name = NO_ENDPOINT;
      const refuse = (refusal: Refusal, who: Caller | Refusal): FastifyReply => {
        const failed = failure(refused(refusal));
        sendFailure(request, reply, failed);
        done({ endpoint: name, status: failed.status, caller: who });
        return reply;
      };
      try {
        const apiKey = compat === 'logflare' ? request.query['api_key'] : undefined;
        caller = await authenticate(typeof apiKey === 'string' ? { headers: request.headers, apiKey } : { headers: request.headers });
        if (isRefusal(caller)) return refuse(caller, caller);
        const limit = caller === ANYBODY ? undefined : rateLimit(caller);
        if (limit !== undefined) return refuse(limit, caller);
        const words = wordsOf(request, caller);
        let found: PreparedCall | Refusal | undefined = recall(words, caller);
        if (found === undefined) {
          const place = findEndpoint(table(), request.params.reference);
          name = place.endpoint.query.name;
          found = await prepareNew(request, place, words, caller);
        }
        if (isRefusal(found)) return refuse(found, caller);
        const { words: called } = found;
        name = called.plan.name;
        const fresh = mayRefresh(caller) && asksForFresh(request.headers['cache-control']);
        const call = new OneCall(called, fresh, request.id);
        const given = answers.answer(call);
        const answer = given instanceof Promise ? await waitFor(given, reply, call) : given;
        const elapsedMs = performance.now() - startedAt;
        const sent = sendAnswer(request, reply, answer, { ttlSeconds: call.plan.ttlSeconds, elapsedMs });
        const status = typeof sent === 'number' ? sent : await sent;
        done({ endpoint: name, status, caller, answer, arguments: call.arguments });
      } catch (error) {
        const found = failureOf(error);
        const shown = failure(found);
        sendFailure(request, reply, shown);
        done({ endpoint: name, status: shown.status, caller, failure: { error: asQuernError(error), fault: found.status >= 500 } });
      }
      return reply;
    },
    forget: () => remembered.clear(),
  };
}

/** Everything of a request that its prepared call depends on; undefined where it is not worth remembering. */
function wordsOf(request: FastifyRequest, caller: Caller): string | undefined {
  const { url = '', headers } = request.raw;
  if (request.body !== undefined || url.length > LONGEST_REMEMBERED) return undefined;
  return `${caller === ANYBODY ? '' : caller.id}\n${headers.accept ?? ''}\n${headers['lf-endpoint-labels'] ?? ''}\n${headers['lf-endpoint-redact-pii'] ?? ''}\n${url}`;
}

const headerText = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.join(',') : value);
const mayRefresh = (caller: Caller): boolean => caller === ANYBODY || caller.mayRefresh;
const asksForFresh = (header: string | undefined): boolean => header !== undefined && /\bno-cache\b/i.test(header);
