// Rates in Redis: a bucket of requests for each key, which all servers take from.
import type { SharedBuckets } from '../keys/rate-limit.ts';
import type { Redis } from './redis.ts';

/** Fills the bucket for the time that has passed on the clock of Redis, and takes one. Whoever fills and takes does so alone. */
const TAKE = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local count, period = tonumber(ARGV[1]), tonumber(ARGV[2])
local held = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(held[1]) or count
local at = tonumber(held[2]) or now
tokens = math.min(count, tokens + math.max(0, now - at) * count / period)
local taken = tokens >= 1
if taken then tokens = tokens - 1 end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', now)
redis.call('PEXPIRE', KEYS[1], period + 1000)
return { taken and 1 or 0, tostring(tokens) }`;

export function sharedBuckets(redis: Redis): SharedBuckets {
  return {
    get up() {
      return redis.up;
    },
    async take(id, { count, perSeconds }) {
      // A bucket of another size is another bucket.
      const name = redis.key('rate', id, `${count}/${perSeconds}`);
      const found = await redis.ask((commands) => commands.eval(TAKE, 1, name, count, Math.round(perSeconds * 1000)));
      if (!Array.isArray(found)) return undefined;
      const tokens = Number(found[1]);
      return Number.isFinite(tokens) ? { taken: found[0] === 1, tokens } : undefined;
    },
  };
}
