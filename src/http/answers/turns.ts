// Turns at the engine: so many at once, a bounded number waiting in order, and none of them for long.
import { throwIfAborted } from '../../engine/cancellation.ts';
import { QuernError } from '../../errors.ts';
import type { Clock } from '../clock.ts';

export interface Turns {
  /**
   * Resolves to the function that ends the turn. Rejects with QuernError `busy` when too many wait already, or when the turn does not come
   * in time, and as an aborted query does when `signal` aborts.
   */
  take(signal: AbortSignal): Promise<() => void>;
  readonly running: number;
  readonly waiting: number;
}

interface TurnsOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  readonly clock: Clock;
}

/** How much the newest turn counts in the mean length. */
const NEWEST = 0.2;
const MOST_RETRY_SECONDS = 60;

export function createTurns({ atOnce, waiting: mostWaiting, waitMs, clock }: TurnsOptions): Turns {
  let running = 0;
  let meanMs = 1000;
  const queue: (() => void)[] = [];

  const begin = (): (() => void) => {
    const beganAtMs = clock.now();
    return () => {
      meanMs += NEWEST * (clock.now() - beganAtMs - meanMs);
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    };
  };

  const busy = (message: string): QuernError => {
    const seconds = Math.ceil((meanMs * (queue.length + 1)) / atOnce / 1000);
    return new QuernError('busy', message, {
      hint: 'ask again in a while',
      retryAfterSeconds: Math.min(Math.max(seconds, 1), MOST_RETRY_SECONDS),
    });
  };

  return {
    get running() {
      return running;
    },
    get waiting() {
      return queue.length;
    },
    async take(signal) {
      throwIfAborted(signal);
      if (running < atOnce) {
        running++;
        return begin();
      }
      if (queue.length >= mostWaiting) throw busy(`the engine is busy, and as many queries wait for it as may (${queue.length})`);
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          signal.removeEventListener('abort', giveUp);
          stopTimer();
        };
        const start = (): void => {
          leave();
          resolve();
        };
        const quit = (error: unknown): void => {
          leave();
          queue.splice(queue.indexOf(start), 1);
          reject(error);
        };
        const giveUp = (): void => {
          try {
            throwIfAborted(signal);
          } catch (error) {
            quit(error);
          }
        };
        const stopTimer = clock.after(waitMs, () => quit(busy(`the engine had no time for this query within ${waitMs / 1000} s`)));
        signal.addEventListener('abort', giveUp, { once: true });
        queue.push(start);
      });
      return begin();
    },
  };
}
