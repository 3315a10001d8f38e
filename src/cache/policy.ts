// Decides whether an entry may answer. Pure: the clock is an argument.

export interface PolicyInput {
  readonly storedAtMs: number;
  readonly nowMs: number;
  /** Seconds an entry is fresh. */
  readonly ttlSeconds: number;
  /** Tightens the TTL for one run. */
  readonly maxAgeSeconds?: number | undefined;
  /** Seconds after the TTL in which old rows may still be shown while new ones are fetched. */
  readonly staleSeconds?: number;
  /** Seconds after the TTL in which old rows may be shown when new ones cannot be had. */
  readonly staleIfErrorSeconds?: number;
}

/** `emergency`: only when the engine cannot answer. */
export type Freshness = 'fresh' | 'stale' | 'emergency' | 'expired';

/** Clocks of machines sharing a folder differ a little; an entry from further in the future says that a clock was set back. */
const CLOCK_TOLERANCE_SECONDS = 60;

export function freshness(input: PolicyInput): Freshness {
  const { storedAtMs, nowMs, ttlSeconds, maxAgeSeconds, staleSeconds = 0, staleIfErrorSeconds = 0 } = input;
  const age = (nowMs - storedAtMs) / 1000;
  if (age < -CLOCK_TOLERANCE_SECONDS) return 'expired';
  const limit = Math.min(ttlSeconds, maxAgeSeconds ?? ttlSeconds);
  if (age < limit) return 'fresh';
  // A caller who names an age accepts nothing older.
  if (maxAgeSeconds !== undefined) return 'expired';
  if (age < ttlSeconds + staleSeconds) return 'stale';
  return age < ttlSeconds + staleIfErrorSeconds ? 'emergency' : 'expired';
}

/** Whole seconds since the entry was stored, never negative. */
export function ageSeconds(storedAtMs: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - storedAtMs) / 1000));
}
