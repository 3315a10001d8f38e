// Admission to what takes time, above all the engine: so many runs at once, shared in turns between tenants; a bounded number waits, and none of them for long.

import { QuernError } from '../../base/errors.ts';
import { throwIfAborted } from '../../engine/cancellation.ts';
import type { Clock } from '../clock.ts';
import { BACKGROUND, type Party, type Tenant } from './tenant.ts';

export interface Admission {
  /**
   * Resolves when the turn of one of the party has come. Rejects with QuernError `busy` when there is no place in the queue, or when the
   * turn does not come in time, and as an aborted query does when `signal` aborts.
   */
  admit(party: Party, signal: AbortSignal): Promise<Turn>;
  readonly running: number;
  readonly waiting: number;
}

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
  /** Whether one tenant leaves a slot to the others even while they want none. */
  readonly spare: () => boolean;
  readonly clock: Clock;
  readonly words?: BusyWords;
}

/** What those are told who get no turn. */
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
  /** One for each tenant of the party. */
  readonly lines: Set<Line>;
  readonly begin: (line: Line) => void;
  readonly refuse: (error: QuernError) => void;
}

/** How much the newest run counts in the mean length. */
const NEWEST = 0.2;
const MOST_RETRY_SECONDS = 60;

export function createAdmission({ atOnce, waiting: mostWaiting, waitMs, spare, clock, words = OF_ENGINE }: AdmissionOptions): Admission {
  /** Of all tenants that ever came: there are no more than keys. */
  const lines = new Map<string, Line>();
  /** Those with waiters; whoever had a turn last stands last. */
  const inTurn = new Set<Line>();
  let running = 0;
  let waiting = 0;

  const lineOf = (tenant: Tenant): Line => {
    const line = lines.get(tenant.id) ?? { tenant, running: 0, waiters: new Set(), meanMs: 1000 };
    line.tenant = tenant; // its rights may have changed
    lines.set(tenant.id, line);
    return line;
  };

  const background = lineOf(BACKGROUND);
  const mostInBackground = Math.max(1, Math.floor(atOnce / 2));

  const mostOf = (line: Line): number => {
    if (line === background) return mostInBackground;
    return Math.min(line.tenant.maxConcurrent ?? atOnce, spare() ? Math.max(1, atOnce - 1) : atOnce);
  };

  const mayBegin = (line: Line): boolean => {
    if (running >= atOnce || line.running >= mostOf(line)) return false;
    if (atOnce <= 2 || !spare()) return true;
    // Runs are never broken off: had one tenant and the background all slots, a newcomer would wait for the end of the shortest run.
    if (line === background) return busiest() + line.running < atOnce - 1;
    return line.running === 0 || line.running + background.running < atOnce - 1;
  };

  /** The runs of the tenant that has most. */
  const busiest = (): number => {
    let most = 0;
    for (const line of lines.values()) if (line !== background && line.running > most) most = line.running;
    return most;
  };

  const toTheEnd = (line: Line): void => {
    inTurn.delete(line);
    if (line.waiters.size > 0) inTurn.add(line);
  };

  const forget = (waiter: Waiter): void => {
    waiting--;
    for (const line of waiter.lines) {
      line.waiters.delete(waiter);
      if (line.waiters.size === 0) inTurn.delete(line);
    }
    waiter.lines.clear();
  };

  /** Who has the fewest runs at the engine is next: equal shares of the time, however long the runs of each are. */
  const next = (): Line | undefined => {
    let found: Line | undefined;
    for (const line of inTurn) {
      if ((found === undefined || line.running < found.running) && mayBegin(line)) found = line;
    }
    return found;
  };

  const beginAll = (): void => {
    for (let line = next(); line !== undefined; line = next()) {
      const [waiter] = line.waiters;
      waiter?.begin(line);
    }
  };

  const beginIn = (line: Line): Turn => {
    const beganAtMs = clock.now();
    running++;
    line.running++;
    toTheEnd(line);
    return {
      sharers: line.waiters.size === 0 ? 1 : mostOf(line),
      end() {
        line.meanMs += NEWEST * (clock.now() - beganAtMs - line.meanMs);
        running--;
        line.running--;
        toTheEnd(line);
        beginAll();
      },
    };
  };

  const busy = (message: string, line: Line): QuernError => {
    const share = Math.max(1, Math.floor(atOnce / Math.max(1, inTurn.size)));
    const seconds = Math.ceil((line.meanMs * line.waiters.size) / Math.min(share, line.tenant.maxConcurrent ?? share) / 1000);
    return new QuernError('busy', message, {
      hint: 'try again in a while',
      retryAfterSeconds: Math.min(Math.max(seconds, 1), MOST_RETRY_SECONDS),
    });
  };

  /** One waiter too many: the newest of whoever has the most waiters goes. */
  const makeRoom = (newcomer: Waiter, own: Line): void => {
    let longest = own;
    for (const line of inTurn) if (line.waiters.size > longest.waiters.size) longest = line;
    // Who shares its run with others waits in their name, too.
    const given = longest === own ? undefined : [...longest.waiters].findLast((waiter) => waiter.lines.size === 1);
    if (given === undefined) newcomer.refuse(busy(words.full(mostWaiting), own));
    else given.refuse(busy(words.displaced, longest));
  };

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    async admit(party, signal) {
      throwIfAborted(signal);
      return new Promise((resolve, reject) => {
        let stopTimer: () => void = () => undefined;
        const leave = (): void => {
          forget(waiter);
          party.watch(() => undefined);
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
          begin(line) {
            leave();
            resolve(beginIn(line));
          },
          refuse: quit,
        };
        /** Gives the line of the tenant. */
        const standIn = (tenant: Tenant): Line => {
          const line = lineOf(tenant);
          waiter.lines.add(line);
          line.waiters.add(waiter);
          inTurn.add(line);
          stopTimer();
          const late = () => quit(busy(words.late(waitMs / 1000), line));
          stopTimer = clock.after(waitMs, late);
          return line;
        };

        waiting++;
        const [own] = [...party.tenants.values()].map(standIn);
        signal.addEventListener('abort', giveUp, { once: true });
        party.watch((tenant) => {
          standIn(tenant);
          beginAll();
        });
        beginAll();
        if (own !== undefined && waiter.lines.size > 0 && waiting > mostWaiting) makeRoom(waiter, own);
      });
    },
  };
}
