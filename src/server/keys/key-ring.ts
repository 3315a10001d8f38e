// The keys a server knows: a secret in, the key it belongs to out.
import { timingSafeEqual } from 'node:crypto';
import { type BigIntStats, statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import type { Key } from './key.ts';
import { readKeyFile, readLargeKeyFile, readOn } from './key-file.ts';
import type { KeyLines } from './key-lines.ts';
import { KeyReader } from './key-reader.ts';
import type { KeyRecord } from './key-record.ts';
import { hashOf, idInSecret } from './secret.ts';

interface Signer {
  readonly key: Key;
  /** See KeyRecord. */
  readonly publicKeys: readonly string[];
}

interface KeyRingOptions {
  /** Without such a file there are no keys. */
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Proof {
  readonly key: Key;
  readonly untilMs: number;
  /** The line of the file for which the secret was right. */
  readonly line: string | undefined;
}

export const CHECK_EVERY_MS = 500;
/** Secrets that are not hashed for every request. */
const MOST_PROVEN = 10_000;
/** A file up to this size is read at once; of a larger one that is new, the server reads some at a time, and goes by the old one meanwhile. */
const AT_ONCE_BYTES = 500_000;
/** Compared when no key has the id, so that the time tells nothing about which ids exist. */
const NO_SECRET = [{ hash: Buffer.alloc(32), untilMs: Number.NEGATIVE_INFINITY }];

/** The keys of a file, which is looked at now and then. */
function watchedKeys(file: string) {
  let reader = new KeyReader(file);
  let trouble: unknown;
  let seen: BigIntStats | undefined;
  let stamp = '';
  let checkedMs = Number.NEGATIVE_INFINITY;
  let reading = false;

  const hold = (found: KeyReader | undefined): void => {
    reader = found ?? new KeyReader(file);
    trouble = undefined;
  };

  const readLarge = async (): Promise<void> => {
    reading = true;
    try {
      hold((await readLargeKeyFile(file))?.reader);
    } catch (cause) {
      trouble = cause;
    }
    reading = false; // what changes meanwhile is seen at the next look
  };

  const read = (stat: BigIntStats | undefined): void => {
    const before = seen;
    seen = stat;
    const same =
      trouble === undefined && stat !== undefined && stat.ino === before?.ino && stat.dev === before.dev && stat.mode === before.mode;
    if (same && stat.size > before.size && readOn(file, reader)) return;
    const isLarge = stat !== undefined && before !== undefined && stat.size > AT_ONCE_BYTES && (stat.mode & 0o077n) === 0n;
    if (isLarge) void readLarge();
    else hold(readKeyFile(file)?.reader);
  };

  const look = (): void => {
    if (reading) return;
    const [stat, found] = stampOf(file);
    if (found === stamp && trouble === undefined) return;
    stamp = found;
    try {
      read(stat);
    } catch (cause) {
      trouble = cause;
      reader = new KeyReader(file);
    }
  };

  const current = (nowMs: number): KeyLines => {
    if (Math.abs(nowMs - checkedMs) >= CHECK_EVERY_MS) {
      checkedMs = nowMs;
      look();
    }
    if (trouble !== undefined) throw trouble;
    return reader.keys;
  };

  return { current, look };
}

export type KeyRing = ReturnType<typeof openKeyRing>;

export function openKeyRing({ file, now }: KeyRingOptions) {
  const { current, look } = watchedKeys(file);
  /** Secrets that were right: hashing one for every request would cost as much as finding its answer. */
  const proven = new LRUCache<string, Proof>({ max: MOST_PROVEN });
  const recordOf = rememberedRecords();
  return {
    /**
     * The key of a secret; undefined for one that is unknown, revoked, or expired. Changes of the file count within a second.
     * Throws QuernError `config` while the file cannot be used: a key that was revoked could not be distinguished from others.
     */
    verify(secret: string) {
      const nowMs = now();
      const known = proven.get(secret);
      const id = known?.key.id ?? idInSecret(secret);
      const keys = id === undefined ? undefined : current(nowMs);
      const line = id === undefined ? undefined : keys?.line(id);
      const proof =
        known !== undefined && known.line === line ? known : proofOf(secret, line, id === undefined ? undefined : keys?.get(id));
      if (proof === undefined) return undefined;
      if (proof !== known) proven.set(secret, proof);
      return nowMs < proof.untilMs ? proof.key : undefined;
    },
    /** The key of that id, and what checks the signatures of its service account now; undefined where there is none. Throws as `verify` does. */
    signer(id: string) {
      const nowMs = now();
      const record = recordOf(id, current(nowMs));
      return record === undefined || expiryOf(record.key) <= nowMs ? undefined : signerOf(record, nowMs);
    },
    /** Returns true if more than one key could be right now, and while the file cannot be used. */
    several() {
      try {
        const nowMs = now();
        return current(nowMs).countAt(nowMs, 2) > 1;
      } catch {
        return true; // runs of callers who were let in before may still wait
      }
    },
    /** The keys with budgets that work now; none while the file cannot be used. */
    budgeted() {
      try {
        const nowMs = now();
        return Array.from(current(nowMs).budgetedAt(nowMs), ({ key }) => key);
      } catch {
        return []; // requests say what is wrong
      }
    },
    /** How many keys there are, the expired ones left out. Rejects with what `verify` throws. */
    async count() {
      const nowMs = now();
      return current(nowMs).countAt(nowMs);
    },
    /** Looks whether the file has changed, as the others do by themselves; for a server that nobody may ask for a while. */
    look,
  };
}

/** Reads records so that the same key is the same object as long as its line is. */
function rememberedRecords(): (id: string, keys: KeyLines) => KeyRecord | undefined {
  const known = new LRUCache<string, { readonly line: string; readonly record: KeyRecord }>({ max: MOST_PROVEN });
  return (id, keys) => {
    const line = keys.line(id);
    const before = known.get(id);
    if (before !== undefined && before.line === line) return before.record;
    const record = keys.get(id);
    if (record !== undefined && line !== undefined) known.set(id, { line, record });
    return record;
  };
}

/** Undefined for a key without a service account. */
function signerOf({ key, publicKey, retired }: KeyRecord, nowMs: number): Signer | undefined {
  const working = retired.filter(({ until }) => nowMs < Date.parse(until));
  const publicKeys = [publicKey, ...working.map((one) => one.publicKey)].filter((one) => one !== undefined);
  return publicKeys.length === 0 ? undefined : { key, publicKeys };
}

/** Compares with every secret there is, so that the time tells nothing of which one is near. */
function proofOf(secret: string, line: string | undefined, record: KeyRecord | undefined): Proof | undefined {
  const hash = hashOf(secret);
  const [known] = (record === undefined ? NO_SECRET : secretsOf(record)).filter((one) => timingSafeEqual(one.hash, hash));
  if (record === undefined || known === undefined) return undefined;
  const { key } = record;
  return { key, line, untilMs: Math.min(known.untilMs, expiryOf(key)) };
}

const expiryOf = ({ expiresAt }: Key): number => (expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt));

function secretsOf({ hash, retired }: KeyRecord): readonly { readonly hash: Buffer; readonly untilMs: number }[] {
  return [
    { hash: Buffer.from(hash, 'hex'), untilMs: Number.POSITIVE_INFINITY },
    ...retired.map((one) => ({ hash: Buffer.from(one.hash, 'hex'), untilMs: Date.parse(one.until) })),
  ];
}

/** Another text whenever the file is another: replaced, written to, or with another mode. */
function stampOf(file: string): readonly [BigIntStats | undefined, string] {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) return [undefined, 'no file'];
    return [stat, [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')];
  } catch (cause) {
    return [undefined, String(cause)]; // the folder may not be entered; reading the file tells so
  }
}
