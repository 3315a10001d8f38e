// How a request ended, as logs and metrics are told.
import type { FastifyRequest } from 'fastify';
import type { ArgumentValues } from '../../queries/parameters.ts';
import type { Answer } from '../answers/answer.ts';
import type { Refusal } from '../http/refusal.ts';
import type { Caller } from '../keys/authentication.ts';
import type { RequestFailure } from './log.ts';

export interface Outcome {
  readonly endpoint: string;
  readonly status: number;
  readonly caller: Caller | Refusal;
  /** Code of the server's own refusal. */
  readonly refused?: Refusal['code'];
  readonly answer?: Answer;
  readonly arguments?: ArgumentValues;
  readonly failure?: RequestFailure;
}

/** A request that has been answered. */
export interface FinishedExchange {
  readonly request: FastifyRequest;
  readonly outcome: Outcome;
  readonly elapsedMs: number;
  /** Of a request for no endpoint. */
  readonly path: string | undefined;
}
