// Whether rows of some age may answer in a server, where old ones may stand in for a while.
import { freshness } from '../../cache/policy.ts';

/** `emergency`: only when the engine cannot answer. */
type Standing = 'fresh' | 'stale' | 'emergency' | 'expired';

interface StalePolicy {
  /** Seconds after the TTL in which old rows are given while new ones are fetched. */
  readonly staleSeconds: number;
  /** Seconds after the TTL in which old rows are given when the engine cannot answer. */
  readonly staleIfErrorSeconds: number;
}

export function standing(storedAtMs: number, nowMs: number, ttlSeconds: number, policy: StalePolicy): Standing {
  const found = freshness({ storedAtMs, nowMs, ttlSeconds, staleSeconds: policy.staleSeconds });
  if (found !== 'expired') return found;
  const inEmergency = freshness({ storedAtMs, nowMs, ttlSeconds, staleSeconds: policy.staleIfErrorSeconds });
  return inEmergency === 'expired' ? 'expired' : 'emergency';
}
