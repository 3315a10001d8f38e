// How often a key may ask: a bucket per key that refills evenly.

import type { Failure } from '../http/failure.ts';
import { tooOften } from '../http/refusal.ts';
import type { Key, Rate } from './key.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

type Rated = Pick<Key, 'id' | 'rate'>;

/** Buckets that several servers take from. */
export interface SharedBuckets {
  /** Takes one if there is one, and returns how many are left. Undefined while the counts cannot be reached. */
  take(id: string, rate: Rate): Promise<{ readonly taken: boolean; readonly tokens: number } | undefined>;
  /** False while asking would be in vain. */
  readonly up: boolean;
}

export type RateLimit = ReturnType<typeof createRateLimit>;

/** While `shared` is up, it counts; when it goes away, this server continues from the last counts of it. */
export function createRateLimit(now: () => number, shared?: SharedBuckets) {
  const buckets = new Map<string, Bucket>();
  const filled = (id: string, { count, perSeconds }: Rate): Bucket => {
    const at = now();
    const bucket = buckets.get(id) ?? { tokens: count, filledAtMs: at };
    // A clock that is set back must not empty the bucket.
    bucket.tokens = Math.min(count, bucket.tokens + Math.max(0, at - bucket.filledAtMs) * (count / (perSeconds * 1000)));
    bucket.filledAtMs = at;
    buckets.set(id, bucket);
    return bucket;
  };
  const refuse = ({ count, perSeconds }: Rate, tokens: number): Failure =>
    tooOften(count, perSeconds, Math.ceil((1 - tokens) * (perSeconds / count)));
  const takeHere = (id: string, rate: Rate): Failure | undefined => {
    const bucket = filled(id, rate);
    if (bucket.tokens < 1) return refuse(rate, bucket.tokens);
    bucket.tokens--;
    return undefined;
  };
  const takeThere = async (id: string, rate: Rate, there: SharedBuckets): Promise<Failure | undefined> => {
    const found = await there.take(id, rate);
    if (found === undefined) return takeHere(id, rate);
    buckets.set(id, { tokens: found.tokens, filledAtMs: now() });
    return found.taken ? undefined : refuse(rate, found.tokens);
  };
  return {
    /** Takes one request from the key's allowance; what is refused costs nothing. At once (no Promise) unless other servers are to be asked. */
    take({ id, rate }: Rated) {
      if (rate === undefined) return undefined;
      return shared?.up === true ? takeThere(id, rate, shared) : takeHere(id, rate);
    },
    /** Returns what is left of the allowance, and the seconds until it is full; undefined for a key without one. */
    left({ id, rate }: Rated) {
      if (rate === undefined) return undefined;
      const { tokens } = filled(id, rate);
      return { requests: Math.floor(tokens), fullInSeconds: Math.ceil((rate.count - tokens) * (rate.perSeconds / rate.count)) };
    },
  };
}
