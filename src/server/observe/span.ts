// Spans say where the time of a request goes, for whoever collects traces. Without a collector, which is the default, there are none.
import { QuernError } from '../../base/errors.ts';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** A stretch of time with a name; what happens within it has spans of its own. No fact about it is a value that a caller sent. */
export interface Span {
  /** A span within this one. `client`: another system does the work. */
  begin(name: string, kind?: 'client'): Span;
  note(facts: Facts): void;
  /** The header `traceparent` of the W3C, with which another system goes on with the trace. */
  readonly traceparent: string;
  end(error?: unknown): void;
}

/** Does the work in a span within `outer`; without one, just the work. */
export async function within<T>(outer: Span | undefined, name: string, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  if (outer === undefined) return work(undefined);
  const span = outer.begin(name);
  return ending(span, () => work(span));
}

/** Does the work, and ends the span with it. */
export async function ending<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    span.end();
    return done;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Notes the code of a failure, and no words, since those may hold values. */
export const codeOf = (error: unknown): string => (error instanceof QuernError ? error.code : 'internal');
