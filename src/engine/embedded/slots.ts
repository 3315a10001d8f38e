// A bound on how many things run at once; waiters are served in order, and may give up.
import { departure } from '../../base/departure.ts';

/** Queries that the engine runs at once. libuv has four threads: one stays free for files, and for quern's own small queries. */
export const EMBEDDED_QUERIES = 3;

export interface Slots {
  /** Resolves to the function that gives the slot back. Rejects when `signal` aborts while waiting. */
  acquire(signal?: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return {
    async acquire(signal) {
      if (free > 0) {
        free--;
        return release;
      }
      await new Promise<void>((resolve, reject) => {
        const start = (): void => {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(start), 1);
          reject(departure(signal?.reason));
        };
        signal?.addEventListener('abort', giveUp, { once: true });
        waiting.push(start);
      });
      return release;
    },
  };
}
