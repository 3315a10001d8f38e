// Keeps the rows of recent answers warm: runs each pair of saved query and arguments again every `cache_warming` seconds.
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { Call } from './answer.ts';

export type WarmPair = Pick<Call, 'prepared' | 'arguments'>;

interface WarmingOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Upper bound on runs at once; the others wait here, not at the engine. */
  readonly atOnce: number;
  /** Upper bound on pairs; the one whose last answer is longest ago goes first. */
  readonly mostPairs: number;
  /** Makes the pair's rows new. */
  readonly warm: (key: string, pair: WarmPair) => Promise<void>;
  readonly onFailure: (pair: WarmPair, error: unknown) => void;
}

interface Known {
  readonly pair: WarmPair;
  answeredAtMs: number;
  /** Calls the next run off. */
  cancel: () => void;
}

/** A pair without an answer during so many intervals is no longer kept warm. */
const RECENT_INTERVALS = 3;
/** Runs come earlier by up to this part of the interval, so that pairs first asked for together drift apart. */
const JITTER = 0.1;

export class Warming {
  readonly #options: WarmingOptions;
  readonly #pairs: LRUCache<string, Known>;
  readonly #due: (() => Promise<void>)[] = [];
  #running = 0;
  #stopped = false;

  constructor(options: WarmingOptions) {
    this.#options = options;
    this.#pairs = new LRUCache({ max: options.mostPairs, dispose: (known) => known.cancel() });
  }

  /** Returns how many pairs are kept warm. */
  get pairs(): number {
    return this.#pairs.size;
  }

  /** Returns how many runs are under way. */
  get running(): number {
    return this.#running;
  }

  /** Keeps a pair warm for which an answer was just given. It is called for every answer, and costs next to nothing. */
  answered(key: string, { prepared, arguments: values }: WarmPair): void {
    if (this.#stopped || prepared.warmingSeconds === undefined) return;
    const { clock } = this.#options;
    const known = this.#pairs.get(key);
    if (known !== undefined) {
      known.answeredAtMs = clock.now();
      return;
    }
    const added: Known = { pair: { prepared, arguments: values }, answeredAtMs: clock.now(), cancel: () => undefined };
    this.#pairs.set(key, added);
    this.#schedule(key, added);
  }

  /** Begins no further run. */
  stop(): void {
    this.#stopped = true;
    this.#due.length = 0;
    this.#pairs.clear();
  }

  #schedule(key: string, known: Known): void {
    const { clock, random } = this.#options;
    known.cancel = clock.after(intervalMs(known.pair) * (1 - JITTER * random()), () => this.#begin(key, known));
  }

  #begin(key: string, known: Known): void {
    if (this.#options.clock.now() - known.answeredAtMs > RECENT_INTERVALS * intervalMs(known.pair)) {
      this.#pairs.delete(key);
      return;
    }
    this.#due.push(() => this.#run(key, known));
    this.#next();
  }

  async #run(key: string, known: Known): Promise<void> {
    try {
      await this.#options.warm(key, known.pair);
    } catch (error) {
      this.#options.onFailure(known.pair, error);
    }
    if (!this.#stopped && this.#pairs.peek(key) === known) this.#schedule(key, known);
  }

  #next(): void {
    while (!this.#stopped && this.#running < this.#options.atOnce) {
      const job = this.#due.shift();
      if (job === undefined) return;
      this.#running++;
      void job().finally(() => {
        this.#running--;
        this.#next();
      });
    }
  }
}

const intervalMs = ({ prepared }: WarmPair): number => (prepared.warmingSeconds ?? 0) * 1000;
