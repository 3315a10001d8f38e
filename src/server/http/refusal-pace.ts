// How fast a caller is refused: whoever asks again at once is answered slowly, because refusing hundreds of requests takes the time of all others.
import type { Clock } from '../clock.ts';

/** So many refusals of a caller are sent at once; after that, one in so many milliseconds. */
const AT_ONCE = 100;
const DISTANCE_MS = 20;
/** Upper bound on requests that wait to be refused, of all callers. */
const MOST_WAITING = 1000;

export type RefusalPace = ReturnType<typeof createRefusalPace>;

export function createRefusalPace(clock: Clock) {
  /** When the next refusal of a caller would be due if they came evenly. */
  const due = new Map<string, number>();
  const waiting = new Set<() => void>();
  let ended = false;

  return {
    /** Calls `tell`: at once, or in a while when the caller has been refused often of late. */
    refuse(callerId: string, tell: () => void) {
      const now = clock.now();
      const at = Math.max(due.get(callerId) ?? 0, now);
      const delayMs = at - now - AT_ONCE * DISTANCE_MS;
      if (ended || waiting.size >= MOST_WAITING) {
        tell();
        return;
      }
      due.set(callerId, at + DISTANCE_MS);
      if (delayMs <= 0) {
        tell();
        return;
      }
      const tellNow = (): void => {
        waiting.delete(tellNow);
        callOff();
        tell();
      };
      const callOff = clock.after(delayMs, tellNow);
      waiting.add(tellNow);
    },
    /** Sends all refusals that wait, and from now on none waits. */
    end() {
      ended = true;
      for (const tellNow of waiting) tellNow();
    },
  };
}
