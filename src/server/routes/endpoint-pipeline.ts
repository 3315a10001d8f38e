// The pipeline of a request to an endpoint, as hooks of Fastify: the caller, the call, the reply. All requests of the same words share one call.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { QuernError } from '../../base/errors.ts';
import type { Answer } from '../answers/answer.ts';
import type { Answers } from '../answers/answers.ts';
import type { EndpointTable } from '../answers/endpoints.ts';
import { logflareForm } from '../answers/logflare.ts';
import { Exchange, type Observer } from '../http/exchange.ts';
import { type Failure, type FailureReply, isFailure, plainForm } from '../http/failure.ts';
import type { RefusalPace } from '../http/refusal-pace.ts';
import { sendAnswer } from '../http/reply.ts';
import type { Allowance } from '../keys/allowance.ts';
import { ANYBODY, type Authenticate, type Caller, tenantOf } from '../keys/authentication.ts';
import { createGate } from '../keys/gate.ts';
import type { RateLimit } from '../keys/rate-limit.ts';
import { type Compat, findEndpoint, type Prepare, type PreparedCall } from './call.ts';
import type { EndpointHooks } from './route.ts';
import { type PrepareTyped, SQL_PAGE_NAME } from './typed-call.ts';

interface PipelineOptions {
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly allowance: Allowance;
  readonly refusalPace: RefusalPace;
  readonly table: () => EndpointTable;
  readonly prepare: Prepare;
  /** Reads requests to the address that takes SQL over all tables. */
  readonly prepareTyped: PrepareTyped;
  readonly answers: Pick<Answers, 'answer'>;
  readonly compat: Compat;
  /** See AnswerContext. */
  readonly cors: boolean;
  readonly observer: Observer;
}

const MOST_REMEMBERED = 5000;
const LONGEST_REMEMBERED = 2000;

export class EndpointPipeline implements EndpointHooks {
  readonly #options: PipelineOptions;
  readonly #calls = new LRUCache<string, PreparedCall>({ max: MOST_REMEMBERED });
  /** Requests that wait for the engine or the translator. */
  readonly #waiting = new Set<Exchange>();
  readonly onRequest: ReturnType<typeof createGate>;

  constructor(options: PipelineOptions) {
    const { rateLimit, observer } = options;
    this.#options = options;
    this.onRequest = createGate({
      callerOf: (request) => this.#callerOf(request),
      rateLimit,
      refuse: (request, reply, refusal, caller) => {
        const exchange = new Exchange(request, reply, observer, caller);
        const refuse = () => this.#refuse(exchange, refusal);
        if (caller === undefined) refuse();
        else this.#atItsPace(exchange, caller, refuse);
      },
      fail: (request, reply, error) => this.#fail(new Exchange(request, reply, observer), error),
    });
  }

  /** Finds the call, and answers it: at once where the words are known and a body in memory is the answer. */
  readonly handler = (request: FastifyRequest, reply: FastifyReply): void => {
    const exchange = new Exchange(request, reply, this.#options.observer, request.caller);
    try {
      if (request.method === 'POST') exchange.caller = this.#callerOf(request);
      const { caller } = exchange;
      if (isFailure(caller)) {
        this.#refuse(exchange, caller);
        return;
      }
      const words = wordsOf(request, caller);
      const known = this.#recall(words, caller);
      const sending = known === undefined ? this.#prepare(exchange, caller, words) : this.#answer(exchange, known);
      if (sending instanceof Promise) sending.catch((error: unknown) => this.#fail(exchange, error));
    } catch (error) {
      this.#fail(exchange, error);
    }
  };

  /** After the endpoints have changed. */
  forget(): void {
    this.#calls.clear();
  }

  /** Ends what waits, when the server cannot wait any longer. */
  abort(reason: QuernError): void {
    for (const exchange of this.#waiting) exchange.abort(reason);
  }

  #callerOf({ headers, query }: FastifyRequest): Caller | Failure {
    const apiKey = this.#options.compat === 'logflare' ? (query as Readonly<Record<string, unknown>>)['api_key'] : undefined;
    return this.#options.authenticate(typeof apiKey === 'string' ? { headers, apiKey } : { headers });
  }

  /** Looks at the caller's key once more, which may have ended during a wait, and refuses a caller who may no longer ask. */
  #mayStillAsk(exchange: Exchange): boolean {
    const found = this.#callerOf(exchange.request);
    if (isFailure(found)) this.#refuse(exchange, found);
    return !isFailure(found);
  }

  #recall(words: string | undefined, caller: Caller): PreparedCall | undefined {
    const known = words === undefined ? undefined : this.#calls.get(words);
    // A key whose rights have changed is another object, as is a prepared query made for data that have changed.
    return known !== undefined && known.caller === caller && known.slot.gives(known.prepared) ? known : undefined;
  }

  async #prepare(exchange: Exchange, caller: Caller, words: string | undefined): Promise<void> {
    const { table, prepare, prepareTyped } = this.#options;
    const { request } = exchange;
    const before = table();
    const { reference } = request.params as { readonly reference?: string };
    const place = reference === undefined ? undefined : findEndpoint(before, reference, caller);
    exchange.endpoint = place?.endpoint.query.name ?? SQL_PAGE_NAME;
    const preparing = place === undefined ? prepareTyped(exchange, caller) : prepare(exchange, caller, place);
    const call = await exchange.waitFor(preparing, this.#waiting);
    if (isFailure(call)) {
      this.#refuse(exchange, call);
      return;
    }
    // Prepared queries of callers' SQL are large, and kept in a smaller place. If the endpoints have changed meanwhile, this call is one of the past.
    if (words !== undefined && call.slot === place?.endpoint && table() === before) this.#calls.set(words, call);
    if (this.#mayStillAsk(exchange)) await this.#answer(exchange, call);
  }

  /** Answers at once where a body in memory is the answer. */
  #answer(exchange: Exchange, call: PreparedCall): void | Promise<void> {
    const { prepared, caller } = call;
    exchange.endpoint = call.name ?? prepared.name;
    exchange.fresh = mayRefresh(caller) && asksForFresh(exchange.request.headers['cache-control']);
    const answer = this.#options.answers.answer(call, exchange);
    return answer instanceof Promise ? this.#answerLater(exchange, call, answer) : this.#send(exchange, call, answer);
  }

  async #answerLater(exchange: Exchange, call: PreparedCall, coming: Promise<Answer>): Promise<void> {
    const answer = await exchange.waitFor(coming, this.#waiting);
    if (this.#mayStillAsk(exchange)) await this.#send(exchange, call, answer);
  }

  #send(exchange: Exchange, { prepared: { ttlSeconds }, caller, arguments: values }: PreparedCall, answer: Answer): void | Promise<void> {
    const { request, reply, elapsedMs } = exchange;
    const { allowance, cors } = this.#options;
    const sent = sendAnswer(request, reply, answer, { ttlSeconds, elapsedMs, allowance: allowance(caller), cors });
    const end = (status: number): void => exchange.end({ status, answer, arguments: values });
    return sent instanceof Promise ? sent.then(end) : end(sent);
  }

  #refuse(exchange: Exchange, refusal: Failure): void {
    exchange.refuse(refusal, (failure) => this.#shown(failure, exchange));
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { caller } = exchange;
    const fail = () => exchange.fail(error, (failure) => this.#shown(failure, exchange));
    const isBusy = error instanceof QuernError && (error.code === 'busy' || error.code === 'budget');
    if (isBusy && !isFailure(caller)) this.#atItsPace(exchange, caller, fail);
    else fail();
  }

  #atItsPace({ request }: Exchange, caller: Caller, reply: () => void): void {
    request.body = undefined; // it may be a megabyte, and nobody reads it any more
    this.#options.refusalPace.refuse(tenantOf(caller).id, reply);
  }

  /** Returns the failure in the form for its caller, with the headers of the allowance. */
  #shown(failure: Failure, { caller }: Exchange): FailureReply {
    const shown = this.#options.compat === 'logflare' ? logflareForm(failure) : plainForm(failure);
    return isFailure(caller) ? shown : { ...shown, headers: { ...shown.headers, ...this.#options.allowance(caller) } };
  }
}

/** Returns everything of a request that its prepared call depends on; undefined for a call that is not worth remembering. */
function wordsOf(request: FastifyRequest, caller: Caller): string | undefined {
  const { url = '', headers } = request.raw;
  if (request.body !== undefined || url.length > LONGEST_REMEMBERED) return undefined;
  return `${caller === ANYBODY ? '' : caller.id}\n${headers.accept ?? ''}\n${headers['lf-endpoint-labels'] ?? ''}\n${headers['lf-endpoint-redact-pii'] ?? ''}\n${url}`;
}

const mayRefresh = (caller: Caller): boolean => caller === ANYBODY || caller.mayRefresh;
const asksForFresh = (header: string | undefined): boolean => header !== undefined && /\bno-cache\b/i.test(header);
