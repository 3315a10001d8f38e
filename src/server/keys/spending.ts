// What the runs of each key have cost in the last hour. Servers that share a folder count together: each writes a file of its own there and reads
// those of the others, so that no lock is needed, and a server that starts again goes on where the one before it ended.

import { randomBytes } from 'node:crypto';
import { promises as fs, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { jsonIn } from '../../base/json.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { Clock } from '../clock.ts';

/** Rows read from tables, and milliseconds at the engine. */
export interface Cost {
  readonly rows: number;
  readonly ms: number;
}

/** The costs of a key by minutes since 1970, the oldest first. */
export type SpentByMinute = ReadonlyMap<number, Cost>;

export interface Spending {
  add(key: string, cost: Cost): void;
  /** Of the last 60 minutes, this one included. */
  spent(key: string): SpentByMinute;
  /** Asks what others have spent, if that has not been asked just now; absent where `spent` does so itself. Never rejects. */
  learn?(key: string): Promise<void>;
  /** Writes what is not written yet, and stops. */
  close(): Promise<void>;
}

interface SpendingOptions {
  /** Made when it is needed. */
  readonly folder: string;
  readonly clock: Clock;
  /** Called once, with words, when the folder cannot be used: then this server counts for itself. */
  readonly onNote: (note: string) => void;
}

/** For a server that does not count. */
export const NO_SPENDING: Spending = { add: () => undefined, spent: () => new Map(), close: async () => undefined };

/** In the folder of the cache, which servers share. */
export const spendingFolder = (cacheFolder: string): string => join(cacheFolder, 'spending');

export const MINUTES = 60;
const MINUTE_MS = 60_000;
const WRITE_AFTER_MS = 1000;
const READ_EVERY_MS = 1000;
const VERSION = 1;
const SUFFIX = '.spent.json';

type Ledger = Map<string, Map<number, Cost>>;

export function openSpending({ folder, clock, onNote }: SpendingOptions): Spending {
  const own: Ledger = new Map();
  const file = `${process.pid}-${randomBytes(6).toString('hex')}${SUFFIX}`;
  const others = readOthers(folder, file);
  let foreign: readonly Ledger[] = [];
  let readMs = Number.NEGATIVE_INFINITY;
  let callOff: (() => void) | undefined;
  let writing = Promise.resolve();
  let noted = false;

  const write = async (): Promise<void> => {
    try {
      forgetOld(own, minuteOf(clock.now()));
      makeFolder(folder, 0o700);
      const temporary = join(folder, `.${file}.tmp`);
      await fs.writeFile(temporary, printLedger(own), { mode: 0o600 });
      await fs.rename(temporary, join(folder, file));
    } catch (cause) {
      if (!noted) onNote(`key budgets cannot be shared with other servers: ${messageOf(cause)}`);
      noted = true;
    }
  };
  const writeSoon = (): void => {
    callOff ??= clock.after(WRITE_AFTER_MS, () => {
      callOff = undefined;
      writing = writing.then(write);
    });
  };

  return {
    add(key, cost) {
      const minutes = own.get(key) ?? new Map<number, Cost>();
      addCost(minutes, minuteOf(clock.now()), cost);
      own.set(key, minutes);
      writeSoon();
    },
    spent(key) {
      const nowMs = clock.now();
      if (Math.abs(nowMs - readMs) >= READ_EVERY_MS) {
        readMs = nowMs;
        foreign = others(minuteOf(nowMs));
      }
      return together([own, ...foreign], key, minuteOf(nowMs));
    },
    async close() {
      const due = callOff !== undefined;
      callOff?.();
      callOff = undefined;
      await (due ? writing.then(write) : writing);
    },
  };
}

/** What all servers of the folder have written of a key; for commands. */
export function readSpent(folder: string, key: string, nowMs: number): SpentByMinute {
  const minute = minuteOf(nowMs);
  return together(readOthers(folder, '')(minute), key, minute);
}

/** Since 1970. */
export const minuteOf = (ms: number): number => Math.floor(ms / MINUTE_MS);

const together = (ledgers: readonly Ledger[], key: string, now: number): SpentByMinute =>
  ofLastHour(
    ledgers.flatMap((ledger) => [...(ledger.get(key) ?? [])]),
    now,
  );

/** Adds to the cost of a minute. */
export function addCost(minutes: Map<number, Cost>, minute: number, { rows, ms }: Cost): void {
  const before = minutes.get(minute);
  minutes.set(minute, before === undefined ? { rows, ms } : { rows: before.rows + rows, ms: before.ms + ms });
}

/** Returns the sums by minute of those that are of the 60 minutes until `now`. */
export function ofLastHour(costs: Iterable<readonly [minute: number, cost: Cost]>, now: number): SpentByMinute {
  const sum = new Map<number, Cost>();
  for (const [minute, cost] of costs) if (minute > now - MINUTES) addCost(sum, minute, cost);
  return new Map([...sum].sort(([a], [b]) => a - b));
}

function forgetOld(ledger: Ledger, now: number): void {
  for (const [key, minutes] of ledger) {
    for (const minute of minutes.keys()) if (minute <= now - MINUTES) minutes.delete(minute);
    if (minutes.size === 0) ledger.delete(key);
  }
}

/** Reads the files of a folder but one. Those that have not changed are not read again, and those that hold nothing of the last hour go. */
function readOthers(folder: string, own: string): (now: number) => readonly Ledger[] {
  const known = new Map<string, { readonly stamp: string; readonly ledger: Ledger }>();
  return (now) => {
    const names = namesIn(folder).filter((name) => name !== own);
    for (const name of known.keys()) if (!names.includes(name)) known.delete(name);
    for (const name of names) {
      const path = join(folder, name);
      try {
        const { mtimeMs, ctimeMs, size, ino } = statSync(path);
        const stamp = [mtimeMs, ctimeMs, size, ino].join(' ');
        if (known.get(name)?.stamp !== stamp) known.set(name, { stamp, ledger: parseLedger(readFileSync(path, 'utf8')) });
        if (minuteOf(mtimeMs) <= now - MINUTES) void fs.rm(path, { force: true }).catch(() => undefined);
      } catch {
        known.delete(name); // it has gone meanwhile
      }
    }
    return [...known.values()].map(({ ledger }) => ledger);
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(SUFFIX) && !name.startsWith('.'));
  } catch {
    return []; // nobody has written there yet
  }
}

function printLedger(ledger: Ledger): string {
  const keys = [...ledger].map(([key, minutes]) => [key, [...minutes].map(([minute, { rows, ms }]) => [minute, rows, Math.round(ms)])]);
  return JSON.stringify({ version: VERSION, keys: Object.fromEntries(keys) });
}

/** What a newer version wrote, or what is damaged, counts as nothing. */
function parseLedger(text: string): Ledger {
  const ledger: Ledger = new Map();
  const { version, keys } = (jsonIn(text) ?? {}) as { readonly version?: unknown; readonly keys?: unknown };
  if (version !== VERSION || typeof keys !== 'object' || keys === null) return ledger;
  for (const [key, minutes] of Object.entries(keys)) {
    if (!Array.isArray(minutes)) continue;
    const cells = minutes.filter(isCell).map(([minute, rows, ms]) => [minute, { rows, ms }] as const);
    ledger.set(key, new Map(cells));
  }
  return ledger;
}

const isCell = (value: unknown): value is readonly [number, number, number] =>
  Array.isArray(value) && value.length === 3 && value.every((part) => typeof part === 'number' && part >= 0);
