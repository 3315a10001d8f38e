// Pairs whose last run failed: they are answered with old rows, and not run again at once.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** Pairs remembered; one that is forgotten is only asked for sooner. */
const MOST = 10_000;

export function createFailures(clock: Clock, pauseMs: number) {
  const failedAtMs = new LRUCache<string, number>({ max: MOST });
  return {
    note: (pair: string) => void failedAtMs.set(pair, clock.now()),
    forget: (pair: string) => void failedAtMs.delete(pair),
    /** The last run failed. */
    has: (pair: string) => failedAtMs.has(pair),
    /** It failed so recently that another try is too early. */
    tooEarly(pair: string) {
      const at = failedAtMs.peek(pair);
      return at !== undefined && Math.abs(clock.now() - at) < pauseMs;
    },
  };
}
