// Makes, rotates and revokes keys.
import { nearest, QuernError } from '../../errors.ts';
import type { Key } from './key.ts';
import { readKeyFile, updateKeyFile } from './key-file.ts';
import type { KeyRecord } from './key-record.ts';
import { hashOf, idInPrefix, newId, newSecret, prefixOf } from './secret.ts';

export interface KeyStore {
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NewKey extends Omit<Key, 'id' | 'prefix' | 'createdAt' | 'expiresAt'> {
  readonly expiresInSeconds?: number | undefined;
}

export interface IssuedKey {
  readonly key: Key;
  /** Known here and never again. */
  readonly secret: string;
}

/** The keys in the order they were made, the expired ones included. */
export function listKeys({ file }: Pick<KeyStore, 'file'>): readonly Key[] {
  return readKeyFile(file).map(({ key }) => key);
}

/** The key of that id, prefix or name. Throws QuernError `usage` when there is none. */
export const findKey = ({ file }: Pick<KeyStore, 'file'>, reference: string): Key => find(readKeyFile(file), reference).key;

/** Throws QuernError `usage` when a key has that name; a name, like an id, means one key. */
export function createKey({ file, now }: KeyStore, { expiresInSeconds, ...rights }: NewKey): Promise<IssuedKey> {
  return updateKeyFile(file, (records) => {
    const taken = records.find(({ key }) => [key.name, key.id, key.prefix].includes(rights.name));
    if (taken !== undefined) {
      throw new QuernError('usage', `the key ${rights.name} already exists`, {
        hint: `choose another name, or give the key a new secret with \`quern keys rotate ${taken.key.prefix}\``,
      });
    }
    const id = unusedId(records);
    const createdMs = now();
    const key: Key = {
      id,
      prefix: prefixOf(id),
      ...rights,
      createdAt: instant(createdMs),
      ...(expiresInSeconds === undefined ? {} : { expiresAt: expiry(createdMs, expiresInSeconds) }),
    };
    const secret = newSecret(id);
    return { records: [...records, { key, hash: hexOf(secret), retired: [] }], value: { key, secret } };
  });
}

/** Throws QuernError `usage` when no key has that id, prefix or name. */
export function revokeKey({ file }: Pick<KeyStore, 'file'>, reference: string): Promise<Key> {
  return updateKeyFile(file, (records) => {
    const revoked = find(records, reference);
    return { records: records.filter((record) => record !== revoked), value: revoked.key };
  });
}

interface Rotation {
  /** How long the secrets before this one still work; without it they stop at once. */
  readonly graceSeconds?: number | undefined;
  /** A new time to expire; without it the key expires when it did. */
  readonly expiresInSeconds?: number | undefined;
}

/** A new secret for a key. Throws QuernError `usage` when there is no such key, or when it has expired and is not to live on. */
export function rotateKey(
  { file, now }: KeyStore,
  reference: string,
  { graceSeconds = 0, expiresInSeconds }: Rotation = {},
): Promise<IssuedKey> {
  return updateKeyFile(file, (records) => {
    const old = find(records, reference);
    const secret = newSecret(old.key.id);
    const expiresAt = expiresInSeconds === undefined ? old.key.expiresAt : expiry(now(), expiresInSeconds);
    if (expiresAt !== undefined && Date.parse(expiresAt) <= now()) {
      throw new QuernError('usage', `the key ${old.key.name} has expired: a new secret would not work`, {
        hint: 'add --expires, such as --expires 90d',
      });
    }
    const key: Key = { ...old.key, ...(expiresAt === undefined ? {} : { expiresAt }) };
    const until = expiry(now(), graceSeconds);
    const working = old.retired.filter((one) => Date.parse(one.until) > now());
    // Whoever rotates without grace wants every older secret dead.
    const retired = graceSeconds === 0 ? [] : [...working, { hash: old.hash, until }];
    const rotated: KeyRecord = { key, hash: hexOf(secret), retired };
    return { records: records.map((record) => (record === old ? rotated : record)), value: { key, secret } };
  });
}

function find(records: readonly KeyRecord[], reference: string): KeyRecord {
  const id = idInPrefix(reference) ?? reference;
  const found = records.find(({ key }) => key.id === id) ?? records.find(({ key }) => key.name === reference);
  if (found !== undefined) return found;
  // A pasted secret must not come back in an error.
  const shown = idInPrefix(reference) === undefined ? reference : prefixOf(id);
  const near = nearest(
    shown,
    records.flatMap(({ key }) => [key.name, key.prefix]),
  );
  throw new QuernError('usage', `there is no key ${shown}`, {
    hint: near === undefined ? 'list them with `quern keys list`' : `did you mean ${near}?`,
  });
}

function unusedId(records: readonly KeyRecord[]): string {
  for (;;) {
    const id = newId();
    if (!records.some(({ key }) => key.id === id || key.name === id)) return id;
  }
}

const hexOf = (secret: string): string => hashOf(secret).toString('hex');
const instant = (ms: number): string => new Date(ms).toISOString();

function expiry(nowMs: number, seconds: number): string {
  const ms = nowMs + seconds * 1000;
  if (ms > Date.UTC(9999, 0))
    throw new QuernError('usage', 'that is after the year 9999', { hint: 'leave out --expires for a key that does not expire' });
  return instant(ms);
}
