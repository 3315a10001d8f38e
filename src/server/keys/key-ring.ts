// The keys a server knows: a secret in, the key it belongs to out.
import { timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Key } from './key.ts';
import { readKeyFile } from './key-file.ts';
import type { KeyRecord } from './key-record.ts';
import { hashOf, idInSecret } from './secret.ts';

export interface KeyRing {
  /**
   * The key of a secret; undefined for one that is unknown, revoked, or expired. Changes of the file count within a second.
   * Throws QuernError `config` while the file cannot be used: a key that was revoked could not be told from others.
   */
  verify(secret: string): Key | undefined;
  /** Whether more than one key could be right now; also said while the file cannot be used. */
  several(): boolean;
  /** The keys that work now; none while the file cannot be used. */
  list(): readonly Key[];
  /** How many keys there are, the expired ones left out. Rejects with what `verify` throws. */
  count(): Promise<number>;
}

interface KeyRingOptions {
  /** Without such a file there are no keys. */
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Entry {
  readonly key: Key;
  readonly expiresAtMs: number;
  readonly secrets: readonly { readonly hash: Buffer; readonly untilMs: number }[];
}

interface Proof {
  readonly key: Key;
  readonly untilMs: number;
}

const CHECK_EVERY_MS = 500;
/** Compared when no key has the id, so that the time tells nothing about which ids exist. */
const NO_SECRET = [{ hash: Buffer.alloc(32), untilMs: Number.NEGATIVE_INFINITY }];

export function openKeyRing({ file, now }: KeyRingOptions): KeyRing {
  let entries: ReadonlyMap<string, Entry> = new Map();
  /** Secrets that were right since the file was read: hashing one for every request would cost as much as finding its answer. */
  const proven = new Map<string, Proof>();
  let trouble: unknown;
  let stamp = '';
  let checkedMs = Number.NEGATIVE_INFINITY;

  const current = (nowMs: number): ReadonlyMap<string, Entry> => {
    if (Math.abs(nowMs - checkedMs) >= CHECK_EVERY_MS) {
      checkedMs = nowMs;
      const found = stampOf(file);
      if (found !== stamp || trouble !== undefined) {
        stamp = found;
        trouble = undefined;
        entries = new Map();
        proven.clear();
        try {
          entries = new Map(readKeyFile(file).map((record) => [record.key.id, entryOf(record)]));
        } catch (cause) {
          trouble = cause;
        }
      }
    }
    if (trouble !== undefined) throw trouble;
    return entries;
  };

  return {
    verify(secret) {
      const nowMs = now();
      const id = proven.get(secret)?.key.id ?? idInSecret(secret);
      const entry = id === undefined ? undefined : current(nowMs).get(id);
      const proof = proven.get(secret) ?? proofOf(secret, entry);
      if (proof === undefined) return undefined;
      proven.set(secret, proof);
      return nowMs < proof.untilMs ? proof.key : undefined;
    },
    several() {
      try {
        const nowMs = now();
        let working = 0;
        for (const { expiresAtMs } of current(nowMs).values()) if (nowMs < expiresAtMs && ++working > 1) return true;
        return false;
      } catch {
        return true; // runs of callers who were let in before may still wait
      }
    },
    list() {
      try {
        const nowMs = now();
        return [...current(nowMs).values()].filter(({ expiresAtMs }) => nowMs < expiresAtMs).map(({ key }) => key);
      } catch {
        return []; // requests say what is wrong
      }
    },
    async count() {
      const nowMs = now();
      return [...current(nowMs).values()].filter(({ expiresAtMs }) => nowMs < expiresAtMs).length;
    },
  };
}

/** Compares with every secret there is, so that the time tells nothing of which one is near. */
function proofOf(secret: string, entry: Entry | undefined): Proof | undefined {
  const hash = hashOf(secret);
  const [known] = (entry?.secrets ?? NO_SECRET).filter((one) => timingSafeEqual(one.hash, hash));
  return entry === undefined || known === undefined ? undefined : { key: entry.key, untilMs: Math.min(known.untilMs, entry.expiresAtMs) };
}

function entryOf({ key, hash, retired }: KeyRecord): Entry {
  return {
    key,
    expiresAtMs: key.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt),
    secrets: [
      { hash: Buffer.from(hash, 'hex'), untilMs: Number.POSITIVE_INFINITY },
      ...retired.map((one) => ({ hash: Buffer.from(one.hash, 'hex'), untilMs: Date.parse(one.until) })),
    ],
  };
}

/** Another text whenever the file is another: replaced, written to, or with another mode. */
function stampOf(file: string): string {
  try {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? 'no file' : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
  } catch (cause) {
    return String(cause); // the folder may not be entered; reading the file tells so
  }
}
