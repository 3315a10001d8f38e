// A key as the file holds it: with the hash of its secret. What is not understood is an error, for it might be a bound.
import type { Key, Rate } from './key.ts';
import { prefixOf } from './secret.ts';

export interface KeyRecord {
  readonly key: Key;
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string;
  /** Of the service account that the key is, too: its RSA key as DER (SubjectPublicKeyInfo) in base64. */
  readonly publicKey?: string | undefined;
  /** Secrets before the last rotation that still work. */
  readonly retired: readonly RetiredSecret[];
}

interface RetiredSecret {
  readonly hash: string;
  readonly publicKey?: string | undefined;
  /** ISO 8601, UTC. */
  readonly until: string;
}

/** What must be known of all keys of a file stands first; see key-lines.ts. */
export function recordToJson({
  key: { prefix: _, id, expiresAt, maxScanPerHour, maxTimePerHour, name, ...key },
  hash,
  publicKey,
  retired,
}: KeyRecord): object {
  return { id, expiresAt, maxScanPerHour, maxTimePerHour, name, ...key, hash, publicKey, ...(retired.length > 0 ? { retired } : {}) };
}

/** The record, or in words what is wrong with it. */
export function recordFromJson(value: unknown): KeyRecord | string {
  if (!isObject(value)) return 'is not an object';
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(FIELDS, name));
  if (unknown !== undefined) return `has a field ${JSON.stringify(unknown)}, which this version does not know`;
  for (const [name, { fits, optional }] of Object.entries(FIELDS)) {
    const field = value[name];
    if (field === undefined ? optional !== true : !fits(field)) return `has no usable ${name}`;
  }
  const { hash, publicKey, retired = [], ...key } = value as unknown as Omit<Key, 'prefix'> & Pick<KeyRecord, 'hash'> & Partial<KeyRecord>; // checked above
  return { key: { ...key, prefix: prefixOf(key.id) }, hash, ...(publicKey === undefined ? {} : { publicKey }), retired };
}

interface Field {
  fits(value: unknown): boolean;
  readonly optional?: true;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isInstant = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));
const isHash = (value: unknown): boolean => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isRate = (value: unknown): value is Rate =>
  isObject(value) && Object.keys(value).length === 2 && isCount(value['count']) && isCount(value['perSeconds']);
const isPublicKey = (value: unknown): boolean => isText(value) && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
const isRetired = (value: unknown): boolean =>
  isObject(value) &&
  Object.keys(value).every((name) => ['hash', 'until', 'publicKey'].includes(name)) &&
  isHash(value['hash']) &&
  isInstant(value['until']) &&
  (value['publicKey'] === undefined || isPublicKey(value['publicKey']));

const FIELDS: Readonly<Record<string, Field>> = {
  id: { fits: (value) => isText(value) && /^[0-9A-Za-z]{8}$/.test(value) },
  name: { fits: isText },
  scopes: { fits: (value) => Array.isArray(value) && value.length > 0 && value.every(isText) },
  pins: { fits: (value) => isObject(value) && Object.values(value).every(isText) },
  maxRows: { fits: isCount, optional: true },
  rate: { fits: isRate, optional: true },
  maxConcurrent: { fits: isCount, optional: true },
  maxScanPerHour: { fits: isCount, optional: true },
  maxTimePerHour: { fits: isCount, optional: true },
  role: { fits: (value) => value === 'console', optional: true },
  mayRefresh: { fits: (value) => typeof value === 'boolean' },
  createdAt: { fits: isInstant },
  expiresAt: { fits: isInstant, optional: true },
  hash: { fits: isHash },
  publicKey: { fits: isPublicKey, optional: true },
  retired: { fits: (value) => Array.isArray(value) && value.every(isRetired), optional: true },
};
