// A request on its way to its reply: who asks, for which endpoint, what ends it early, and how it ended.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QuernError } from '../../base/errors.ts';
import type { ArgumentValues } from '../../queries/parameters.ts';
import type { AnswerFacts } from '../answers/answer.ts';
import { ANYBODY, type Caller } from '../keys/authentication.ts';
import type { RequestFailure } from '../observe/log.ts';
import type { Span } from '../observe/span.ts';
import { hasLeft } from './departure.ts';
import { asServerError, type Failure, type FailureForm, failureOf, isFailure, loggedStatus, plainForm } from './failure.ts';
import { sendFailure } from './reply.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Present on a route of a door. */
    door?: { readonly name: string; readonly failure: FailureForm } | undefined;
  }
}

/** Stands for the endpoint of requests that are for none: what clients make up must not fill the metrics. */
const NO_ENDPOINT = 'none';
/** The server is as it should be: the client wants what there is not. */
const NOT_IMPLEMENTED = 501;
/** In the log, of paths that clients make up. */
const LONGEST_PATH = 200;

/** How a request ended, for logs and metrics. */
export interface Outcome {
  readonly status: number;
  readonly elapsedMs: number;
  /** Code of the server's own refusal. */
  readonly refused?: Failure['code'] | undefined;
  readonly answer?: AnswerFacts | undefined;
  readonly arguments?: ArgumentValues | undefined;
  readonly failure?: RequestFailure | undefined;
}

/** Records requests in metrics, logs and traces. */
export interface Observer {
  begin(request: FastifyRequest): { readonly span: Span; readonly end: (exchange: Exchange, outcome: Outcome) => void } | undefined;
  end(exchange: Exchange, outcome: Outcome): void;
}

export class Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly startedAt = performance.now();
  caller: Caller | Failure;
  /** The caller may force a run, and does. */
  fresh = false;
  #endpoint: string | undefined;
  readonly #observer: Observer;
  readonly #trace: ReturnType<Observer['begin']>;
  #abort: AbortController | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, observer: Observer, caller: Caller | Failure = ANYBODY) {
    this.request = request;
    this.reply = reply;
    this.caller = caller;
    this.#observer = observer;
    this.#trace = observer.begin(request);
  }

  /** Its name, once it is known; until then the door's. Fastify makes the options of the route anew whenever they are read. */
  get endpoint(): string {
    return this.#endpoint ?? this.request.routeOptions?.config.door?.name ?? NO_ENDPOINT;
  }

  set endpoint(name: string) {
    this.#endpoint = name;
  }

  /** For the engine's log: callers may choose it, and choose the same. */
  get requestId(): string {
    return this.request.id;
  }

  /** The span of the request, where traces are collected. */
  get span(): Span | undefined {
    return this.#trace?.span;
  }

  /** Aborts when the client has gone. Made when somebody looks: what memory answers needs none. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get #controller(): AbortController {
    this.#abort ??= new AbortController();
    return this.#abort;
  }

  /** The path of a request for no endpoint. */
  get path(): string | undefined {
    return this.endpoint === NO_ENDPOINT ? pathOf(this.request.url) : undefined;
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  abort(reason: QuernError): void {
    this.#controller.abort(reason);
  }

  /** Waits for work that ends with `signal`, which aborts when the client leaves; `waiting` has the exchange meanwhile. */
  async waitFor<T>(work: Promise<T>, waiting: Set<Exchange>): Promise<T> {
    const { raw } = this.reply;
    const leave = () => this.abort(new QuernError('interrupted', 'the client disconnected'));
    waiting.add(this);
    raw.once('close', leave);
    if (hasLeft(raw)) leave();
    try {
      return await work;
    } finally {
      raw.off('close', leave);
      waiting.delete(this);
    }
  }

  refuse(refusal: Failure, form?: FailureForm): void {
    this.end({ status: this.#send(refusal, form), refused: refusal.code });
  }

  fail(cause: unknown, form?: FailureForm): void {
    const error = asServerError(cause);
    const status = this.#send(failureOf(error), form);
    const fault = status >= 500 && status !== NOT_IMPLEMENTED;
    this.end({ status: loggedStatus(this.reply.raw, error, status), failure: { error, fault } });
  }

  /** The reply has been sent. */
  end({ status, refused: code, answer, arguments: values, failure }: Omit<Outcome, 'elapsedMs'>): void {
    // Without a spread: V8 would make a hidden class of its own for each of these objects, and everything that reads one would be slow.
    const outcome: Outcome = { status, elapsedMs: this.elapsedMs, refused: code, answer, arguments: values, failure };
    this.#observer.end(this, outcome);
    this.#trace?.end(this, outcome);
  }

  /** The key whose request it is, where it is that of one. */
  get key(): Exclude<Caller, typeof ANYBODY> | undefined {
    return isFailure(this.caller) || this.caller === ANYBODY ? undefined : this.caller;
  }

  /** By default in the form of the route. */
  #send(failure: Failure, form = this.request.routeOptions?.config.door?.failure ?? plainForm): number {
    const shown = form(failure);
    sendFailure(this.request, this.reply, shown);
    return shown.status;
  }
}

/** Values, and keys in some modes, stand behind the `?`. */
export function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  return path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;
}
