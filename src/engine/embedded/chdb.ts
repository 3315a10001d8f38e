// The only file that knows the chdb package: loads it on first use, and opens its sessions.
import { createRequire } from 'node:module';
import type { Session } from 'chdb';
import { QuernError } from '../../base/errors.ts';

export type { Session } from 'chdb';

/** The part of the package that quern uses. */
export interface Chdb {
  readonly Session: typeof Session;
  /** Resolves when sessions that were closed while they were busy are really gone. */
  readonly drainPending: () => Promise<void>;
}

/**
 * Loads chdb, an optional dependency of some 500 MB, on first use.
 * Throws QuernError `unreachable` when it is not installed or has no binary for this machine.
 */
export function loadChdb(): Chdb {
  try {
    // It is CommonJS: with import() Node would first load what it has for modules, which a command does without.
    return createRequire(import.meta.url)('chdb');
  } catch (cause) {
    const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
    const absent = /^Cannot find module 'chdb'/.test(reason);
    throw new QuernError('unreachable', `the embedded engine, the optional package chdb, is not ${absent ? 'installed' : 'available'}`, {
      hint: 'install it with `npm install chdb` (Linux with glibc, macOS), or use a ClickHouse server with --url',
      ...(absent ? {} : { notes: [reason] }),
      cause,
    });
  }
}
