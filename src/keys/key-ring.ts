// The keys a server knows: a secret in, the key it belongs to out.
import type { Key } from './key.ts';

export interface KeyRing {
  /**
   * The key of a secret; undefined for one that is unknown, revoked, or expired. Changes of the file count within a second.
   * Throws QuernError `config` while the file cannot be used: then nobody's key can be told from a revoked one.
   */
  verify(secret: string): Promise<Key | undefined>;
  /** How many keys there are, the expired ones left out. Throws as `verify` does. */
  count(): Promise<number>;
}

export interface KeyRingOptions {
  /** Without such a file there are no keys. */
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
