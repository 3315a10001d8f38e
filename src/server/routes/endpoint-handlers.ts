// Answers requests for endpoints: who asks, what is asked, and the reply. What is the same for all requests of the same words is done once.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { QuernError } from '../../base/errors.ts';
import type { Answers } from '../answers/answers.ts';
import type { EndpointTable } from '../answers/endpoints.ts';
import { logflareFailure } from '../answers/logflare.ts';
import { hasLeft } from '../http/departure.ts';
import { asQuernError, type Failure, failureOf, loggedStatus, refused } from '../http/failure.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import type { RefusalPace } from '../http/refusal-pace.ts';
import { sendAnswer, sendFailure } from '../http/reply.ts';
import type { Allowance } from '../keys/allowance.ts';
import { ANYBODY, type Authenticate, type Caller, tenantOf } from '../keys/authentication.ts';
import { createGate, onceKnown, refusalOf } from '../keys/gate.ts';
import type { RateLimit } from '../keys/rate-limit.ts';
import { type Begin, type Begun, NO_ENDPOINT } from '../observe/finish.ts';
import { type Compat, type EndpointPlace, findEndpoint, type Prepare, type PreparedCall } from './call.ts';
import { type CallWords, OneCall } from './one-call.ts';
import type { EndpointHandlers, EndpointRequest } from './route.ts';

interface EndpointHandlersOptions {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly allowance: Allowance;
  readonly refusalPace: RefusalPace;
  readonly table: () => EndpointTable;
  readonly prepare: Prepare;
  readonly answers: Pick<Answers, 'answer'>;
  readonly compat: Compat;
  readonly begin: Begin;
  /** Calls that wait for the engine; stopped when the server cannot wait any longer. */
  readonly waiting: Set<AbortController>;
}

interface RememberingHandlers extends EndpointHandlers {
  /** After the endpoints have changed. */
  forget(): void;
}

const MOST_REMEMBERED = 5000;
const LONGEST_REMEMBERED = 2000;

/** A request on its way to the reply; who asks, and for which endpoint, turns out on the way. */
interface Exchange extends Begun {
  readonly request: EndpointRequest;
  readonly reply: FastifyReply;
  readonly startedAt: number;
  caller: Caller | Refusal;
  endpoint: string;
}

interface Remembered extends PreparedCall {
  readonly caller: Caller;
}

export function createEndpointHandlers(options: EndpointHandlersOptions): RememberingHandlers {
  const { authenticate, rateLimit, allowance, refusalPace, table, prepare, answers, compat, begin: beginRequest, waiting } = options;
  const remembered = new LRUCache<string, Remembered>({ max: MOST_REMEMBERED });

  const failure = (found: Failure): Failure => (compat === 'logflare' ? logflareFailure(found) : found);

  /** The failure, with what its caller may still do. */
  const bounded = (found: Failure, caller: Caller | Refusal): Failure => {
    const left = isRefusal(caller) ? undefined : allowance(caller);
    return left === undefined ? found : { ...found, headers: { ...found.headers, ...left } };
  };

  const recall = (words: string | undefined, caller: Caller): PreparedCall | undefined => {
    const known = words === undefined ? undefined : remembered.get(words);
    // A key whose rights have changed is another object, as is a prepared query made for data that have changed.
    return known !== undefined && known.caller === caller && known.slot.gives(known.words.prepared) ? known : undefined;
  };

  const prepareNew = async (
    { request, span }: Pick<Exchange, 'request' | 'span'>,
    place: EndpointPlace,
    words: string | undefined,
    caller: Caller,
    signal: AbortSignal,
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
      signal,
      span,
    });
    // Prepared queries of callers' SQL are large, and kept in a smaller place. If the endpoints have changed meanwhile, this call is one of the past.
    const lasting = !isRefusal(found) && found.slot === place.endpoint && table() === before;
    if (words !== undefined && lasting) remembered.set(words, { ...found, caller });
    return found;
  };

  /** What is under way for a request, given up when the client has gone. */
  const waitFor = async <T>(work: Promise<T>, reply: FastifyReply, abort: AbortController): Promise<T> => {
    const leave = () => abort.abort(new QuernError('interrupted', 'the client disconnected'));
    waiting.add(abort);
    reply.raw.once('close', leave);
    if (hasLeft(reply.raw)) leave();
    try {
      return await work;
    } finally {
      reply.raw.off('close', leave);
      waiting.delete(abort);
    }
  };

  const begin = (request: EndpointRequest, reply: FastifyReply): Exchange => {
    const startedAt = performance.now();
    const { span, done } = beginRequest(request, startedAt);
    return { request, reply, startedAt, span, done, caller: ANYBODY, endpoint: NO_ENDPOINT };
  };

  const callerOf = ({ headers, query }: EndpointRequest): Caller | Refusal => {
    const apiKey = compat === 'logflare' ? query['api_key'] : undefined;
    return authenticate(typeof apiKey === 'string' ? { headers, apiKey } : { headers });
  };

  const answerFirst = async (exchange: Exchange, words: string | undefined, caller: Caller): Promise<void> => {
    const place = findEndpoint(table(), exchange.request.params.reference);
    exchange.endpoint = place.endpoint.query.name;
    const abort = new AbortController();
    const found = await waitFor(prepareNew(exchange, place, words, caller, abort.signal), exchange.reply, abort);
    if (isRefusal(found)) refuse(exchange, found);
    else if (mayStillAsk(exchange)) await give(exchange, found.words, caller);
  };

  /** Looks again at what the caller showed, which may have ended during a wait; who may no longer ask is refused. */
  const mayStillAsk = (exchange: Exchange): boolean => {
    const found = callerOf(exchange.request);
    if (isRefusal(found)) refuse(exchange, found);
    return !isRefusal(found);
  };

  const give = async (exchange: Exchange, words: CallWords, caller: Caller): Promise<void> => {
    const { request, reply, startedAt, span, done } = exchange;
    const { prepared } = words;
    exchange.endpoint = prepared.name;
    const fresh = mayRefresh(caller) && asksForFresh(request.headers['cache-control']);
    const call = new OneCall(words, fresh, request.id, span);
    const given = answers.answer(call);
    const answer = given instanceof Promise ? await waitFor(given, reply, call.abort) : given;
    if (given instanceof Promise && !mayStillAsk(exchange)) return;
    const status = await sendAnswer(request, reply, answer, {
      ttlSeconds: prepared.ttlSeconds,
      elapsedMs: performance.now() - startedAt,
      allowance: allowance(caller),
    });
    done({ endpoint: exchange.endpoint, status, caller, answer, arguments: call.arguments });
  };

  const refuse = ({ request, reply, endpoint, caller, done }: Exchange, refusal: Refusal): void => {
    const shown = bounded(failure(refused(refusal)), caller);
    sendFailure(request, reply, shown);
    done({ endpoint, status: shown.status, caller, refused: refusal.code });
  };

  const fail = ({ request, reply, endpoint, caller, done }: Exchange, error: unknown): void => {
    const found = failureOf(error);
    const shown = bounded(failure(found), caller);
    sendFailure(request, reply, shown);
    const told = asQuernError(error);
    done({ endpoint, status: loggedStatus(reply.raw, told, shown.status), caller, failure: { error: told, fault: found.status >= 500 } });
  };

  const failOrRefuse = (exchange: Exchange, error: unknown): void => {
    const { caller } = exchange;
    const busy = error instanceof QuernError && (error.code === 'busy' || error.code === 'budget');
    if (busy && !isRefusal(caller)) atItsPace(exchange, caller, () => fail(exchange, error));
    else fail(exchange, error);
  };

  const atItsPace = ({ request }: Exchange, caller: Caller, tell: () => void): void => {
    request.body = undefined; // it may be a megabyte, and nobody reads it any more
    refusalPace.refuse(tenantOf(caller).id, tell);
  };

  const answer = async (exchange: Exchange, caller: Caller): Promise<void> => {
    exchange.caller = caller;
    const words = wordsOf(exchange.request, caller);
    const known = recall(words, caller);
    await (known === undefined ? answerFirst(exchange, words, caller) : give(exchange, known.words, caller));
  };

  /** Who asks, if they may ask now; all others are refused, in the exchange that `begun` gives. */
  const admit = (request: EndpointRequest, begun: () => Exchange): Caller | undefined | Promise<Caller | undefined> => {
    const caller = callerOf(request);
    return onceKnown(refusalOf(caller, rateLimit), (refusal) => {
      if (refusal === undefined && !isRefusal(caller)) return caller;
      const exchange = { ...begun(), caller };
      if (isRefusal(caller)) refuse(exchange, caller);
      else if (refusal !== undefined) atItsPace(exchange, caller, () => refuse(exchange, refusal));
      return undefined;
    });
  };

  /** Before the body is read; what becomes of an invalid body is not this route's to tell. */
  const gate = createGate<EndpointRequest>((request, reply) => {
    const begun = () => begin(request, reply);
    try {
      return admit(request, begun);
    } catch (error) {
      fail(begun(), error);
      return undefined;
    }
  });

  /** After the body has come. */
  const stillAdmitted = (exchange: Exchange): Caller | undefined => {
    const caller = callerOf(exchange.request);
    exchange.caller = caller;
    if (!isRefusal(caller)) return caller;
    refuse(exchange, caller);
    return undefined;
  };

  const admitAtOnce = (exchange: Exchange) => admit(exchange.request, () => exchange);

  const handle = async (exchange: Exchange, admitted: (exchange: Exchange) => ReturnType<typeof admit>): Promise<void> => {
    try {
      const found = admitted(exchange);
      const caller = found instanceof Promise ? await found : found;
      if (caller !== undefined) await answer(exchange, caller);
    } catch (error) {
      failOrRefuse(exchange, error);
    }
  };

  return {
    get: { handler: (request, reply) => void handle(begin(request, reply), admitAtOnce) },
    post: {
      onRequest: gate,
      handler: (request, reply) => void handle(begin(request, reply), stillAdmitted),
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
