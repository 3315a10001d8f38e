// Makes, rotates and revokes keys.
import { didYouMean, QuernError } from '../../base/errors.ts';
import type { Key } from './key.ts';
import { readKeyFile, updateKeyFile } from './key-file.ts';
import type { KeyLines } from './key-lines.ts';
import { KeyReader } from './key-reader.ts';
import type { KeyRecord } from './key-record.ts';
import { hashOf, idInPrefix, newId, newSecret, prefixOf } from './secret.ts';

export interface KeyStore {
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface NewKey extends Omit<Key, 'id' | 'prefix' | 'createdAt' | 'expiresAt'> {
  readonly expiresInSeconds?: number | undefined;
  /** See KeyRecord. */
  readonly publicKey?: string | undefined;
}

export interface IssuedKey {
  readonly key: Key;
  /** Known here and never again. */
  readonly secret: string;
}

/** The keys in the order they were made, the expired ones included. */
export function listKeys({ file }: Pick<KeyStore, 'file'>): readonly Key[] {
  return Array.from(keysIn(file).records(), ({ key }) => key);
}

/** The key of that id, prefix or name. Throws QuernError `usage` when there is none. */
export const findKey = ({ file }: Pick<KeyStore, 'file'>, reference: string): Key => find(keysIn(file), reference).key;

const keysIn = (file: string): KeyLines => (readKeyFile(file)?.reader ?? new KeyReader(file)).keys;

/** Throws QuernError `usage` when a key has that name; a name, like an id, means one key. */
export async function createKey({ file, now }: KeyStore, { expiresInSeconds, publicKey, ...rights }: NewKey): Promise<IssuedKey> {
  return updateKeyFile(file, (keys) => {
    const taken = keyCalled(rights.name, keys);
    if (taken !== undefined) {
      throw new QuernError('usage', `the key ${rights.name} already exists`, {
        hint: `choose another name, or give the key a new secret with \`quern keys rotate ${taken.key.prefix}\``,
      });
    }
    const id = unusedId(keys);
    const createdMs = now();
    const key: Key = {
      id,
      prefix: prefixOf(id),
      ...rights,
      createdAt: instant(createdMs),
      ...(expiresInSeconds === undefined ? {} : { expiresAt: expiry(createdMs, expiresInSeconds) }),
    };
    const secret = newSecret(id);
    return { change: { put: { key, hash: hexOf(secret), publicKey, retired: [] } }, value: { key, secret } };
  });
}

/** Throws QuernError `usage` when no key has that id, prefix or name. */
export function revokeKey({ file }: Pick<KeyStore, 'file'>, reference: string): Promise<Key> {
  return updateKeyFile(file, (keys) => {
    const { key } = find(keys, reference);
    return { change: { revoked: key.id }, value: key };
  });
}

interface Rotation {
  /** How long the secrets before this one still work; without it they stop at once. */
  readonly graceSeconds?: number | undefined;
  /** A new time to expire; without it the key expires when it did. */
  readonly expiresInSeconds?: number | undefined;
  /** Of its new service account; the old one ends as the old secret does. */
  readonly publicKey?: string | undefined;
}

/** A new secret for a key. Throws QuernError `usage` when there is no such key, or when it has expired and is not to live on. */
export function rotateKey(
  { file, now }: KeyStore,
  reference: string,
  { graceSeconds = 0, expiresInSeconds, publicKey }: Rotation = {},
): Promise<IssuedKey> {
  return updateKeyFile(file, (keys) => {
    const old = find(keys, reference);
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
    const retired = graceSeconds === 0 ? [] : [...working, { hash: old.hash, until, publicKey: old.publicKey }];
    return { change: { put: { key, hash: hexOf(secret), publicKey, retired } }, value: { key, secret } };
  });
}

/** The key that has this name, id or prefix. */
function keyCalled(text: string, keys: KeyLines): KeyRecord | undefined {
  const id = idInPrefix(text);
  return keys.named(text) ?? keys.get(text) ?? (id !== undefined && prefixOf(id) === text ? keys.get(id) : undefined);
}

function find(keys: KeyLines, reference: string): KeyRecord {
  const id = idInPrefix(reference) ?? reference;
  const found = keys.get(id) ?? keys.named(reference);
  if (found !== undefined) return found;
  // A pasted secret must not come back in an error.
  const shown = idInPrefix(reference) === undefined ? reference : prefixOf(id);
  throw new QuernError('usage', `there is no key ${shown}`, {
    hint: didYouMean(shown, wordsFor(keys)) ?? 'list them with `quern keys list`',
  });
}

function* wordsFor(keys: KeyLines): Iterable<string> {
  for (const { key } of keys.records()) {
    yield key.name;
    yield key.prefix;
  }
}

function unusedId(keys: KeyLines): string {
  for (;;) {
    const id = newId();
    if (!keys.has(id) && keys.named(id) === undefined) return id;
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
