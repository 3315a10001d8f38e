// Puts together what a server shares with others through Redis.
import { openRedis, type RedisAddress } from './redis.ts';
import { sharedBuckets } from './shared-buckets.ts';
import { sharedResults } from './shared-results.ts';
import { sharedSpending } from './shared-spending.ts';

interface ShareOptions {
  readonly address: RedisAddress;
  readonly now: () => number;
  readonly graceSeconds: () => number;
  readonly longestRunMs: number;
  /** Called when Redis goes away, when it is back, and when it refuses a command. */
  readonly onTrouble: (message: string) => void;
  readonly onBack: (message: string) => void;
}

export type Shared = Awaited<ReturnType<typeof shareThroughRedis>>;

/** Throws what openRedis throws. */
export async function shareThroughRedis({ address, now, graceSeconds, longestRunMs, onTrouble, onBack }: ShareOptions) {
  const redis = await openRedis({ address, onTrouble, onBack });
  return {
    get up() {
      return redis.up;
    },
    results: sharedResults({ redis, graceSeconds, longestRunMs }),
    buckets: sharedBuckets(redis),
    spending: sharedSpending({ redis, now }),
    close: redis.close,
  };
}
