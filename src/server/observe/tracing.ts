// The interface of whatever collects traces.
import type { Observer } from '../http/exchange.ts';
import type { Span } from './span.ts';

export interface Tracing {
  /** A request that has come, perhaps in the course of its caller's trace. The second function takes how it ended, and ends the span. */
  request: (...request: Parameters<Observer['begin']>) => NonNullable<ReturnType<Observer['begin']>>;
  /** Work that no caller waits for. */
  background(name: string): Span;
}
