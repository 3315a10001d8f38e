// How often a key may ask: a bucket per key that refills evenly.

import { type Refusal, tooOften } from '../http/refusal.ts';
import type { Key } from './key.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

type Rated = Pick<Key, 'id' | 'rate'>;

export interface RateLimit {
  /** Takes one request from the key's allowance; what is refused costs nothing. */
  take(key: Rated): Refusal | undefined;
  /** What is left of it, and the seconds until it is full; undefined for a key without one. */
  left(key: Rated): { readonly requests: number; readonly fullInSeconds: number } | undefined;
}

export function createRateLimit(now: () => number): RateLimit {
  const buckets = new Map<string, Bucket>();
  const filled = ({ id }: Rated, { count, perSeconds }: NonNullable<Key['rate']>): Bucket => {
    const at = now();
    const bucket = buckets.get(id) ?? { tokens: count, filledAtMs: at };
    // A clock that is set back must not empty the bucket.
    bucket.tokens = Math.min(count, bucket.tokens + Math.max(0, at - bucket.filledAtMs) * (count / (perSeconds * 1000)));
    bucket.filledAtMs = at;
    buckets.set(id, bucket);
    return bucket;
  };
  return {
    take(key) {
      const { rate } = key;
      if (rate === undefined) return undefined;
      const bucket = filled(key, rate);
      if (bucket.tokens < 1) return tooOften(rate.count, rate.perSeconds, Math.ceil((1 - bucket.tokens) * (rate.perSeconds / rate.count)));
      bucket.tokens--;
      return undefined;
    },
    left(key) {
      const { rate } = key;
      if (rate === undefined) return undefined;
      const { tokens } = filled(key, rate);
      return { requests: Math.floor(tokens), fullInSeconds: Math.ceil((rate.count - tokens) * (rate.perSeconds / rate.count)) };
    },
  };
}
