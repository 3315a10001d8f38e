// Who collects traces, as the server is told of them.
import type { FastifyRequest } from 'fastify';
import type { FinishedExchange } from './outcome.ts';
import type { Span } from './span.ts';

export interface Tracing {
  /** A request that has come, perhaps in the course of its caller's trace. The second function is told how it ended, and ends the span. */
  request(request: FastifyRequest): { readonly span: Span; readonly end: (exchange: FinishedExchange) => void };
  /** Work that no caller waits for. */
  background(name: string): Span;
}
