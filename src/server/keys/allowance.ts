// The headers that say what a key may still do, in the fields of the IETF's draft "RateLimit header fields for HTTP".
// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
import { ANYBODY, type Caller } from './authentication.ts';
import { type Budgets, isBudgeted } from './budgets.ts';
import type { RateLimit } from './rate-limit.ts';

/** Names and values of headers; undefined for a caller without bounds. */
export type Allowance = (caller: Caller) => Readonly<Record<string, string>> | undefined;

const HOUR_SECONDS = 3600;

export function createAllowance(rateLimit: Pick<RateLimit, 'left'>, budgets: Pick<Budgets, 'left'>): Allowance {
  return (caller) => {
    if (caller === ANYBODY || (caller.rate === undefined && !isBudgeted(caller))) return undefined;
    const policies: string[] = [];
    const states: string[] = [];
    const { rate } = caller;
    const requests = rateLimit.left(caller);
    if (rate !== undefined && requests !== undefined) {
      policies.push(`"requests";q=${rate.count};w=${rate.perSeconds}`);
      states.push(`"requests";r=${requests.requests};t=${requests.fullInSeconds}`);
    }
    for (const { name, most, left, moreInSeconds } of budgets.left(caller)) {
      policies.push(`"${name}";q=${most};w=${HOUR_SECONDS};qu="${name}"`);
      states.push(`"${name}";r=${left};t=${moreInSeconds}`);
    }
    return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
  };
}
