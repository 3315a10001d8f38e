// Keeps the rows of what is asked for lately warm: runs each pair of saved query and arguments again every `cache_warming` seconds.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Call } from './answer.ts';

export type WarmPair = Pick<Call, 'prepared' | 'arguments'>;

export interface Warming {
  /** Somebody was given an answer for this pair. Cheap: it is called for every answer. */
  asked(key: string, pair: WarmPair): void;
  /** Pairs that are kept warm. */
  readonly pairs: number;
  /** Runs under way. */
  readonly running: number;
  /** Begins no further run. */
  stop(): void;
}

interface WarmingOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Runs at once; the others wait for their turn here, not at the engine. */
  readonly atOnce: number;
  /** Upper bound on pairs; the one that was asked for longest ago goes first. */
  readonly mostPairs: number;
  /** Makes the pair's rows new. */
  readonly warm: (key: string, pair: WarmPair) => Promise<void>;
  readonly onFailure: (pair: WarmPair, error: unknown) => void;
}

interface Known {
  readonly pair: WarmPair;
  askedAtMs: number;
  /** Calls the next run off. */
  cancel: () => void;
}

/** A pair that nobody asked for during so many intervals is let go. */
const RECENT_INTERVALS = 3;
/** Runs come earlier by up to this part of the interval, so that pairs first asked for together drift apart. */
const JITTER = 0.1;

export function startWarming({ clock, random, atOnce, mostPairs, warm, onFailure }: WarmingOptions): Warming {
  let running = 0;
  let stopped = false;
  const due: (() => Promise<void>)[] = [];
  const pairs = new LRUCache<string, Known>({ max: mostPairs, dispose: (known) => known.cancel() });

  const intervalMs = ({ prepared }: WarmPair): number => (prepared.warmingSeconds ?? 0) * 1000;

  const schedule = (key: string, known: Known): void => {
    known.cancel = clock.after(intervalMs(known.pair) * (1 - JITTER * random()), () => begin(key, known));
  };

  const begin = (key: string, known: Known): void => {
    if (clock.now() - known.askedAtMs > RECENT_INTERVALS * intervalMs(known.pair)) {
      pairs.delete(key);
      return;
    }
    due.push(() => run(key, known));
    next();
  };

  const run = async (key: string, known: Known): Promise<void> => {
    try {
      await warm(key, known.pair);
    } catch (error) {
      onFailure(known.pair, error);
    }
    if (!stopped && pairs.peek(key) === known) schedule(key, known);
  };

  const next = (): void => {
    while (!stopped && running < atOnce) {
      const job = due.shift();
      if (job === undefined) return;
      running++;
      void job().finally(() => {
        running--;
        next();
      });
    }
  };

  return {
    asked(key, pair) {
      if (stopped || pair.prepared.warmingSeconds === undefined) return;
      const known = pairs.get(key);
      if (known !== undefined) {
        known.askedAtMs = clock.now();
        return;
      }
      // Not the call itself, which knows its caller.
      const { prepared, arguments: values } = pair;
      const added: Known = { pair: { prepared, arguments: values }, askedAtMs: clock.now(), cancel: () => undefined };
      pairs.set(key, added);
      schedule(key, added);
    },
    get pairs() {
      return pairs.size;
    },
    get running() {
      return running;
    },
    stop() {
      stopped = true;
      due.length = 0;
      pairs.clear();
    },
  };
}
