// Who collects traces, as the server is told of them.
import type { Observer } from '../http/exchange.ts';
import type { Span } from './span.ts';

export interface Tracing {
  /** A request that has come, perhaps in the course of its caller's trace. The second function is told how it ended, and ends the span. */
  request: (...request: Parameters<Observer['begin']>) => NonNullable<ReturnType<Observer['begin']>>;
  /** Work that no caller waits for. */
  background(name: string): Span;
}
