// Admission to the engine and to translation: a bounded number of runs at once, shared in turns between tenants; a bounded number waits, none for long.

import { QuernError } from '../../base/errors.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { Clock } from '../clock.ts';
import { BACKGROUND, type Tenant, type Waiters } from './tenant.ts';

interface Turn {
  /** How many runs of the tenant are to share the engine: 1 as long as none waits for another. */
  readonly sharers: number;
  /** Must be called when the run has ended. */
  end(): void;
}

export interface AdmissionOptions {
  readonly atOnce: number;
  readonly waiting: number;
  readonly waitMs: number;
  /** Returns whether one tenant leaves a slot to the others even while they want none. */
  readonly spare: () => boolean;
  readonly clock: Clock;
  readonly words?: BusyWords;
}

/** The messages for those who get no turn. */
export interface BusyWords {
  readonly full: (mostWaiting: number) => string;
  readonly displaced: string;
  readonly late: (seconds: number) => string;
}

const OF_ENGINE: BusyWords = {
  full: (mostWaiting) => `the engine is busy, and the queue is full (${mostWaiting})`,
  displaced: 'the engine is busy, and this query gave up its place in the queue to a caller with fewer queries',
  late: (seconds) => `the engine was not free for this query within ${seconds} s`,
};

/** The runs of one tenant. */
interface Line {
  tenant: Tenant;
  running: number;
  /** In the order they came. */
  readonly waiters: Set<Waiter>;
  meanMs: number;
}

interface Waiter {
  /** One for each tenant of the waiters. */
  readonly lines: Set<Line>;
  readonly begin: (line: Line) => void;
  readonly refuse: (error: QuernError) => void;
}

/** How much the newest run counts in the mean length. */
const NEWEST = 0.2;
const MOST_RETRY_SECONDS = 60;

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #words: BusyWords;
  /** One for each tenant that ever came: there are no more than keys. */
  readonly #lines = new Map<string, Line>();
  /** The lines with waiters; the one that had a turn last stands last. */
  readonly #inTurn = new Set<Line>();
  readonly #background: Line;
  #running = 0;
  #waiting = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#words = options.words ?? OF_ENGINE;
    this.#background = this.#lineOf(BACKGROUND);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Resolves when the turn of one of the waiters has come. Rejects with QuernError `busy` when there is no place in the queue, or when the
   * turn does not come in time, and as an aborted query does when `signal` aborts.
   */
  async admit(waiters: Waiters, signal: AbortSignal): Promise<Turn> {
    throwIfAborted(signal);
    return new Promise((resolve, reject) => {
      let stopTimer: () => void = () => undefined;
      const leave = (): void => {
        this.#forget(waiter);
        waiters.watch(() => undefined);
        signal.removeEventListener('abort', giveUp);
        stopTimer();
      };
      const quit = (error: unknown): void => {
        leave();
        reject(error);
      };
      const giveUp = (): void => {
        try {
          throwIfAborted(signal);
        } catch (error) {
          quit(error);
        }
      };
      const waiter: Waiter = {
        lines: new Set(),
        begin: (line) => {
          leave();
          resolve(this.#beginIn(line));
        },
        refuse: quit,
      };
      const standIn = (tenant: Tenant): Line => {
        const line = this.#enter(waiter, tenant);
        stopTimer();
        const { clock, waitMs } = this.#options;
        stopTimer = clock.after(waitMs, () => quit(this.#busy(this.#words.late(waitMs / 1000), line)));
        return line;
      };

      this.#waiting++;
      const [own] = [...waiters.tenants.values()].map(standIn);
      signal.addEventListener('abort', giveUp, { once: true });
      waiters.watch((tenant) => {
        standIn(tenant);
        this.#beginAll();
      });
      this.#beginAll();
      if (own !== undefined && waiter.lines.size > 0 && this.#waiting > this.#options.waiting) this.#makeRoom(waiter, own);
    });
  }

  #lineOf(tenant: Tenant): Line {
    const line = this.#lines.get(tenant.id) ?? { tenant, running: 0, waiters: new Set(), meanMs: 1000 };
    line.tenant = tenant; // its rights may have changed
    this.#lines.set(tenant.id, line);
    return line;
  }

  #mostOf(line: Line): number {
    const { atOnce, spare } = this.#options;
    if (line === this.#background) return Math.max(1, Math.floor(atOnce / 2));
    return Math.min(line.tenant.maxConcurrent ?? atOnce, spare() ? Math.max(1, atOnce - 1) : atOnce);
  }

  #mayBegin(line: Line): boolean {
    const { atOnce, spare } = this.#options;
    if (this.#running >= atOnce || line.running >= this.#mostOf(line)) return false;
    if (atOnce <= 2 || !spare()) return true;
    // Runs are never broken off: had one tenant and the background all slots, a newcomer would wait for the end of the shortest run.
    if (line === this.#background) return this.#busiest() + line.running < atOnce - 1;
    return line.running === 0 || line.running + this.#background.running < atOnce - 1;
  }

  /** The runs of the tenant that has most. */
  #busiest(): number {
    let most = 0;
    for (const line of this.#lines.values()) if (line !== this.#background && line.running > most) most = line.running;
    return most;
  }

  #enter(waiter: Waiter, tenant: Tenant): Line {
    const line = this.#lineOf(tenant);
    waiter.lines.add(line);
    line.waiters.add(waiter);
    this.#inTurn.add(line);
    return line;
  }

  #forget(waiter: Waiter): void {
    this.#waiting--;
    for (const line of waiter.lines) {
      line.waiters.delete(waiter);
      if (line.waiters.size === 0) this.#inTurn.delete(line);
    }
    waiter.lines.clear();
  }

  /** Returns the line with the fewest runs at the engine, so that all have equal shares of its time, however long their runs are. */
  #next(): Line | undefined {
    let found: Line | undefined;
    for (const line of this.#inTurn) {
      if ((found === undefined || line.running < found.running) && this.#mayBegin(line)) found = line;
    }
    return found;
  }

  #beginAll(): void {
    for (let line = this.#next(); line !== undefined; line = this.#next()) {
      const [waiter] = line.waiters;
      waiter?.begin(line);
    }
  }

  #beginIn(line: Line): Turn {
    const { clock } = this.#options;
    const beganAtMs = clock.now();
    this.#running++;
    line.running++;
    this.#toTheEnd(line);
    return {
      sharers: line.waiters.size === 0 ? 1 : this.#mostOf(line),
      end: () => {
        line.meanMs += NEWEST * (clock.now() - beganAtMs - line.meanMs);
        this.#running--;
        line.running--;
        this.#toTheEnd(line);
        this.#beginAll();
      },
    };
  }

  #toTheEnd(line: Line): void {
    this.#inTurn.delete(line);
    if (line.waiters.size > 0) this.#inTurn.add(line);
  }

  #busy(message: string, line: Line): QuernError {
    const share = Math.max(1, Math.floor(this.#options.atOnce / Math.max(1, this.#inTurn.size)));
    const seconds = Math.ceil((line.meanMs * line.waiters.size) / Math.min(share, line.tenant.maxConcurrent ?? share) / 1000);
    return new QuernError('busy', message, {
      hint: 'try again in a while',
      retryAfterSeconds: Math.min(Math.max(seconds, 1), MOST_RETRY_SECONDS),
    });
  }

  /** One waiter too many: the newest of whoever has the most waiters goes. */
  #makeRoom(newcomer: Waiter, own: Line): void {
    let longest = own;
    for (const line of this.#inTurn) if (line.waiters.size > longest.waiters.size) longest = line;
    // A waiter in several lines waits for other tenants too, and stays.
    const displaced = longest === own ? undefined : [...longest.waiters].findLast((waiter) => waiter.lines.size === 1);
    if (displaced === undefined) newcomer.refuse(this.#busy(this.#words.full(this.#options.waiting), own));
    else displaced.refuse(this.#busy(this.#words.displaced, longest));
  }
}
