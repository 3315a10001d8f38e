// Repeats attempts with growing, random pauses.
import { setTimeout as wait } from 'node:timers/promises';
import { throwIfAborted } from '../cancellation.ts';
import type { Deadline } from './deadline.ts';
import type { Trouble } from './reply.ts';

interface RetryOptions {
  readonly deadline: Deadline;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The value of an attempt, or why it failed. */
export type Outcome<T> = { readonly value: T } | Trouble;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** Returns the value of the first attempt that succeeds; throws the error of the last. No pause reaches beyond the deadline. */
export async function withRetries<T>(attempt: (number: number) => Promise<Outcome<T>>, options: RetryOptions): Promise<T> {
  for (let number = 1; ; number++) {
    const outcome = await attempt(number);
    if ('value' in outcome) return outcome.value;
    throwIfAborted(options.deadline.signal);
    // Between half of the pause and all of it: callers that failed together do not come back together.
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (number - 1), LONGEST_PAUSE_MS) * (0.5 + options.random() / 2);
    if (number > outcome.moreAttempts || pauseMs >= options.deadline.leftMs()) throw outcome.error;
    await options.pause(pauseMs, options.deadline.signal);
    throwIfAborted(options.deadline.signal);
  }
}

export async function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined); // the caller reads from the signal why it ended
}
