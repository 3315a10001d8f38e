// What a header says of the cache: how long a result is fresh, and whether rows of whole buckets of time outlive it.
import { formatDuration, parseDuration } from '../../base/quantity.ts';
import type { FieldReader, Invalid } from './fields.ts';

interface CacheRules {
  /** 0 disables the cache. */
  readonly ttlSeconds: number;
  readonly keepBuckets: boolean;
}

/** The fields of `cache:` where it is a mapping. */
export const CACHE_FIELDS = ['ttl', 'buckets'] as const;

/** `cache: 15m`, or `cache: { ttl: 15m, buckets: false }`. */
export function readCache(fields: FieldReader): CacheRules {
  const ttl = fields.field('cache', (value) => (isMapping(value) ? ('mapping' as const) : readCacheTime(value))) ?? 0;
  if (ttl !== 'mapping') return { ttlSeconds: ttl, keepBuckets: true };
  const own = fields.mapping('cache');
  own?.refuseOthers(CACHE_FIELDS, 'cache');
  if (own?.has('ttl') === false) own.problem('', 'has no ttl', 'write it like { ttl: 15m, buckets: false }');
  return { ttlSeconds: own?.field('ttl', readCacheTime) ?? 0, keepBuckets: own?.field('buckets', readSwitch) ?? true };
}

const isMapping = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Seconds; 0 for `disabled`. */
export function readCacheTime(value: unknown): number | Invalid {
  if (value === 'disabled') return 0;
  const seconds = typeof value === 'string' ? parseDuration(value) : undefined;
  if (seconds !== undefined) return seconds;
  const hint =
    typeof value === 'number' && value > 0 ? `write the unit: ${formatDuration(value)}` : 'write it like 900s, 15m, 1h or disabled';
  return { message: `${JSON.stringify(value)} is not a duration`, hint };
}

export function readSwitch(value: unknown): boolean | Invalid {
  return typeof value === 'boolean' ? value : { message: `${JSON.stringify(value)} is not true or false` };
}
