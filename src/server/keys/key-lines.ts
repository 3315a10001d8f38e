// The keys of a file as its lines, of which only those that somebody uses are read: a hundred thousand keys as objects take time and memory that
// nobody has to spare. A line is a key, which takes the place of the one with its id, or says that a key is revoked.
import { type KeyRecord, recordFromJson, recordToJson } from './key-record.ts';

/** Text of a line, a character for each byte. */
type Line = string;

interface KeyLine {
  readonly line: Line;
  readonly expiresAtMs: number;
  readonly budgeted: boolean;
}

export type KeyChange = { readonly put: KeyRecord } | { readonly revoked: string };

/** What must be known of all keys stands at the beginning of their lines; see recordToJson. */
const KEY = /^\{"id":"([0-9A-Za-z]{8})",(?:"expiresAt":"([^"\\]+)",)?("maxScanPerHour":\d+,)?("maxTimePerHour":\d+,)?"name":"/;
/** Of most keys no more than this. */
const ID = '{"id":"';
const ID_ENDS = ID.length + 8;
const NAME_AT = ID_ENDS + 2;
const REVOKED = /^\{"revoked":"([0-9A-Za-z]{8})"\}$/;

const bytesOf = (text: string): Line => Buffer.from(text, 'utf8').toString('latin1');
const textOf = (line: Line): string => Buffer.from(line, 'latin1').toString('utf8');

export const lineOf = (change: KeyChange): Line => bytesOf(JSON.stringify('put' in change ? recordToJson(change.put) : change));

/** How a name stands in the line of its key. */
const nameInLine = (name: string): Line => bytesOf(`"name":${JSON.stringify(name)},`);

/** The key of a line, or in words what is wrong with it. */
function recordIn(line: Line): KeyRecord | string {
  try {
    return recordFromJson(JSON.parse(textOf(line)));
  } catch {
    return 'is not JSON';
  }
}

export class KeyLines {
  readonly #keys = new Map<string, KeyLine>();
  readonly #damaged: (message: string) => Error;
  /** How many lines have said something, the last word or not. */
  #changes = 0;

  /** `damaged`: the error of a line that cannot be read. */
  constructor(damaged: (message: string) => Error) {
    this.#damaged = damaged;
  }

  get size(): number {
    return this.#keys.size;
  }

  /** How many of the lines another has put out of force. */
  get outdated(): number {
    return this.#changes - this.#keys.size;
  }

  /** Gives what is wrong with the line, in words. */
  apply(line: Line): string | undefined {
    this.#changes++;
    if (line.startsWith(ID) && line.startsWith('","name":"', ID_ENDS) && line.endsWith('}')) {
      this.#keys.set(line.slice(ID.length, ID_ENDS), { line, expiresAtMs: Number.POSITIVE_INFINITY, budgeted: false });
      return undefined;
    }
    const key = line.endsWith('}') ? KEY.exec(line) : null;
    if (key !== null) {
      const [, id = '', expiresAt, scan, time] = key;
      const expiresAtMs = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
      this.#keys.set(id, { line, expiresAtMs, budgeted: (scan ?? time) !== undefined });
      return undefined;
    }
    const revoked = REVOKED.exec(line)?.[1];
    if (revoked !== undefined) {
      this.#keys.delete(revoked);
      return undefined;
    }
    // Written by somebody else: the fields may stand in another order.
    const record = recordIn(line);
    if (typeof record === 'string') return record;
    const written = lineOf({ put: record });
    return written === line ? 'is not a key' : this.apply(written);
  }

  has(id: string): boolean {
    return this.#keys.has(id);
  }

  /** Undefined for an id that no key has. */
  line(id: string): Line | undefined {
    return this.#keys.get(id)?.line;
  }

  get(id: string): KeyRecord | undefined {
    const line = this.line(id);
    return line === undefined ? undefined : this.#read(line);
  }

  /** The key of that name. */
  named(name: string): KeyRecord | undefined {
    const words = nameInLine(name);
    for (const { line } of this.#keys.values()) {
      const here = line.startsWith('"name":', NAME_AT) ? line.startsWith(words, NAME_AT) : line.includes(words);
      const record = here ? this.#read(line) : undefined;
      if (record?.key.name === name) return record;
    }
    return undefined;
  }

  /** In the order in which the keys were made. */
  *records(): Iterable<KeyRecord> {
    for (const { line } of this.#keys.values()) yield this.#read(line);
  }

  *lines(): Iterable<Line> {
    for (const { line } of this.#keys.values()) yield line;
  }

  /** How many work at that time; no further than `most`. */
  countAt(nowMs: number, most = Number.POSITIVE_INFINITY): number {
    let count = 0;
    for (const { expiresAtMs } of this.#keys.values()) if (nowMs < expiresAtMs && ++count >= most) break;
    return count;
  }

  /** Those with budgets that work at that time. */
  *budgetedAt(nowMs: number): Iterable<KeyRecord> {
    for (const { line, expiresAtMs, budgeted } of this.#keys.values()) if (budgeted && nowMs < expiresAtMs) yield this.#read(line);
  }

  #read(line: Line): KeyRecord {
    const record = recordIn(line);
    if (typeof record === 'string') throw this.#damaged(`the key ${line.slice(ID.length, ID_ENDS)} ${record}`);
    return record;
  }
}
