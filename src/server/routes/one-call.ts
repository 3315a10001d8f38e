// A prepared call as one request makes it.
import type { PreparedQuery } from '../../execution/prepared-query.ts';
import type { ArgumentValues } from '../../queries/parameters.ts';
import type { AnswerCall, Renderer } from '../answers/answer.ts';
import type { Tenant } from '../answers/tenant.ts';
import type { Span } from '../observe/span.ts';

export type CallWords = Omit<AnswerCall, 'requestId' | 'signal' | 'fresh' | 'span'>;

/** A class, because an object literal with a getter would cost more than the rest of an answer from memory. */
export class OneCall implements AnswerCall {
  readonly prepared: PreparedQuery;
  readonly arguments: ArgumentValues;
  readonly render: Renderer;
  readonly redact: boolean;
  readonly maxRows?: number;
  readonly asOf?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly tenant: Tenant;
  readonly fresh: boolean;
  readonly requestId: string;
  readonly span: Span | undefined;
  #abort: AbortController | undefined;

  constructor(words: CallWords, fresh: boolean, requestId: string, span: Span | undefined) {
    this.prepared = words.prepared;
    this.arguments = words.arguments;
    this.render = words.render;
    this.redact = words.redact;
    if (words.maxRows !== undefined) this.maxRows = words.maxRows;
    if (words.asOf !== undefined) this.asOf = words.asOf;
    if (words.labels !== undefined) this.labels = words.labels;
    this.tenant = words.tenant;
    this.fresh = fresh;
    this.requestId = requestId;
    this.span = span;
  }

  /** Made when somebody looks: what memory answers needs none. */
  get abort(): AbortController {
    this.#abort ??= new AbortController();
    return this.#abort;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }
}
