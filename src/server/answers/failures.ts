// Pairs whose last run failed: they are answered with old rows, and not run again at once.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

interface Failures {
  note(pair: string): void;
  forget(pair: string): void;
  /** The last run failed. */
  has(pair: string): boolean;
  /** It failed so recently that another try is too early. */
  tooEarly(pair: string): boolean;
}

/** Pairs remembered; one that is forgotten is only asked for sooner. */
const MOST = 10_000;

export function createFailures(clock: Clock, pauseMs: number): Failures {
  const failedAtMs = new LRUCache<string, number>({ max: MOST });
  return {
    note: (pair) => void failedAtMs.set(pair, clock.now()),
    forget: (pair) => void failedAtMs.delete(pair),
    has: (pair) => failedAtMs.has(pair),
    tooEarly(pair) {
      const at = failedAtMs.peek(pair);
      return at !== undefined && Math.abs(clock.now() - at) < pauseMs;
    },
  };
}
