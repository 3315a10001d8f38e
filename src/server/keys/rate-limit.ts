// How often a key may ask: a bucket per key that refills evenly.

import { type Refusal, tooOften } from '../http/refusal.ts';
import type { Key } from './key.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Takes one request from the key's allowance; what is refused costs nothing. */
export type RateLimit = (key: Pick<Key, 'id' | 'rate'>) => Refusal | undefined;

export function createRateLimit(now: () => number): RateLimit {
  const buckets = new Map<string, Bucket>();
  return ({ id, rate }) => {
    if (rate === undefined) return undefined;
    const at = now();
    const perMs = rate.count / (rate.perSeconds * 1000);
    const bucket = buckets.get(id) ?? { tokens: rate.count, filledAtMs: at };
    // A clock that is set back must not empty the bucket.
    bucket.tokens = Math.min(rate.count, bucket.tokens + Math.max(0, at - bucket.filledAtMs) * perMs);
    bucket.filledAtMs = at;
    buckets.set(id, bucket);
    if (bucket.tokens < 1) return tooOften(rate.count, rate.perSeconds, Math.ceil((1 - bucket.tokens) / perMs / 1000));
    bucket.tokens--;
    return undefined;
  };
}
