// Answers requests for endpoints: who asks, what is asked, and the reply. What is the same for all requests of the same words is done once.
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { LRUCache } from 'lru-cache';
import { QuernError } from '../errors.ts';
import { createGate, refusalOf } from './admission.ts';
import type { Answer } from './answers/answer.ts';
import type { Answers } from './answers/answers.ts';
import { EVERYBODY } from './answers/tenant.ts';
import { ANYBODY, type Authenticate, type Caller } from './authentication.ts';
import { type Compat, type EndpointPlace, findEndpoint, type Prepare, type PreparedCall } from './call.ts';
import type { EndpointTable } from './endpoints.ts';
import { asQuernError, type Failure, failureOf, refused } from './failure.ts';
import { logflareFailure } from './logflare.ts';
import { type Finish, NO_ENDPOINT } from './observe.ts';
import { type CallWords, OneCall } from './one-call.ts';
import type { RateLimit } from './rate-limit.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import type { RefusalPace } from './refusal-pace.ts';
import { sendAnswer, sendFailure } from './reply.ts';

interface EndpointRouteOptions {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly refusalPace: RefusalPace;
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

type EndpointRequest = FastifyRequest<EndpointRequestShape>;

/** No Promise where nothing had to be waited for, as for every answer from memory. */
type Handle = (request: EndpointRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined;

interface EndpointRoute {
  readonly get: { readonly handler: Handle };
  readonly post: {
    readonly onRequest: (request: EndpointRequest, reply: FastifyReply, next: HookHandlerDoneFunction) => void;
    readonly handler: Handle;
  };
  /** After the endpoints have changed. */
  forget(): void;
}

const MOST_REMEMBERED = 5000;
const LONGEST_REMEMBERED = 2000;

/** A request on its way to the reply; who asks, and for which endpoint, turns out on the way. */
interface Exchange {
  readonly request: EndpointRequest;
  readonly reply: FastifyReply;
  readonly startedAt: number;
  readonly done: ReturnType<Finish>;
  caller: Caller | Refusal;
  endpoint: string;
}

interface Remembered extends PreparedCall {
  readonly caller: Caller;
}

export function createEndpointRoute(options: EndpointRouteOptions): EndpointRoute {
  const { authenticate, rateLimit, refusalPace, table, prepare, answers, compat, finish, waiting } = options;
  const remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });

  const failure = (found: Failure): Failure => (compat === 'logflare' ? logflareFailure(found) : found);

  const recall = (words: string | undefined, caller: Caller): PreparedCall | undefined => {
    const known = words === undefined ? undefined : remembered.get(words);
    // A key whose rights have changed is another object, as is a plan made for data that have changed.
    return known !== undefined && known.caller === caller && known.slot.plan() === known.words.plan ? known : undefined;
  };

  const prepareNew = async (
    request: EndpointRequest,
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

  const begin = (request: EndpointRequest, reply: FastifyReply): Exchange => {
    const startedAt = performance.now();
    return { request, reply, startedAt, done: finish(request, startedAt), caller: ANYBODY, endpoint: NO_ENDPOINT };
  };

  const callerOf = ({ headers, query }: EndpointRequest): Caller | Refusal => {
    const apiKey = compat === 'logflare' ? query['api_key'] : undefined;
    return authenticate(typeof apiKey === 'string' ? { headers, apiKey } : { headers });
  };

  const answerFirst = async (exchange: Exchange, words: string | undefined, caller: Caller): Promise<void> => {
    const place = findEndpoint(table(), exchange.request.params.reference);
    exchange.endpoint = place.endpoint.query.name;
    const found = await prepareNew(exchange.request, place, words, caller);
    if (isRefusal(found)) refuse(exchange, found);
    else await give(exchange, found.words, caller);
  };

  const give = (exchange: Exchange, words: CallWords, caller: Caller): Promise<void> | undefined => {
    const { request, reply } = exchange;
    exchange.endpoint = words.plan.name;
    const fresh = mayRefresh(caller) && asksForFresh(request.headers['cache-control']);
    const call = new OneCall(words, fresh, request.id);
    const given = answers.answer(call);
    return given instanceof Promise
      ? waitFor(given, reply, call).then((answer) => send(exchange, call, answer))
      : send(exchange, call, given);
  };

  const send = (exchange: Exchange, { plan, arguments: values }: OneCall, answer: Answer): Promise<void> | undefined => {
    const { request, reply, startedAt, endpoint, caller, done } = exchange;
    const ended = (status: number): void => done({ endpoint, status, caller, answer, arguments: values });
    const sent = sendAnswer(request, reply, answer, { ttlSeconds: plan.ttlSeconds, elapsedMs: performance.now() - startedAt });
    if (typeof sent !== 'number') return sent.then(ended);
    ended(sent);
    return undefined;
  };

  const refuse = ({ request, reply, endpoint, caller, done }: Exchange, refusal: Refusal): void => {
    const shown = failure(refused(refusal));
    sendFailure(request, reply, shown);
    done({ endpoint, status: shown.status, caller, refused: refusal.code });
  };

  const fail = ({ request, reply, endpoint, caller, done }: Exchange, error: unknown): void => {
    const found = failureOf(error);
    const shown = failure(found);
    sendFailure(request, reply, shown);
    done({ endpoint, status: shown.status, caller, failure: { error: asQuernError(error), fault: found.status >= 500 } });
  };

  const failOrRefuse = (exchange: Exchange, error: unknown): void => {
    const { caller } = exchange;
    const busy = error instanceof QuernError && error.code === 'busy';
    if (busy && !isRefusal(caller)) atItsPace(exchange, caller, () => fail(exchange, error));
    else fail(exchange, error);
  };

  const atItsPace = ({ request }: Exchange, caller: Caller, tell: () => void): void => {
    request.body = undefined; // it may be a megabyte, and nobody reads it any more
    refusalPace.refuse(caller === ANYBODY ? EVERYBODY.id : caller.id, tell);
  };

  const answer = (exchange: Exchange, caller: Caller): Promise<void> | undefined => {
    exchange.caller = caller;
    const words = wordsOf(exchange.request, caller);
    const known = recall(words, caller);
    return known === undefined ? answerFirst(exchange, words, caller) : give(exchange, known.words, caller);
  };

  /** Who asks, if they may ask now; all others are refused. */
  const admit = (exchange: Exchange): Caller | undefined => {
    const caller = callerOf(exchange.request);
    exchange.caller = caller;
    const refusal = refusalOf(caller, rateLimit);
    if (isRefusal(caller)) refuse(exchange, caller);
    else if (refusal === undefined) return caller;
    else atItsPace(exchange, caller, () => refuse(exchange, refusal));
    return undefined;
  };

  const answerAdmitted = (exchange: Exchange): Promise<void> | undefined => {
    const caller = admit(exchange);
    return caller === undefined ? undefined : answer(exchange, caller);
  };

  /** Before the body is read; what becomes of an unfit body is not this route's to tell. */
  const gate = createGate<EndpointRequest>((request, reply) => {
    const exchange = begin(request, reply);
    try {
      return admit(exchange);
    } catch (error) {
      fail(exchange, error);
      return undefined;
    }
  });

  const handle = (request: EndpointRequest, reply: FastifyReply, work: (exchange: Exchange) => Promise<void> | undefined) => {
    const exchange = begin(request, reply);
    try {
      return work(exchange)
        ?.catch((error: unknown) => failOrRefuse(exchange, error))
        .then(() => reply);
    } catch (error) {
      fail(exchange, error);
      return undefined;
    }
  };

  return {
    get: { handler: (request, reply) => handle(request, reply, answerAdmitted) },
    post: {
      onRequest: gate.onRequest,
      handler: (request, reply) => handle(request, reply, (exchange) => answer(exchange, gate.callerOf(request))),
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
