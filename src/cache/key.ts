// The key of a cache entry: two runs with the same key give the same rows.
import { createHash } from 'node:crypto';
import type { ResultColumn, Value } from '../base/result.ts';
import { type Encoded, encodeValue } from './codec.ts';

type Bindings = readonly { readonly name: string; readonly type: string; readonly value: Value }[];

interface KeyParts {
  /** The translated SQL, and the settings it runs with. */
  readonly sql: string;
  readonly settings: Readonly<Record<string, string | number>>;
  /** Only bound values: arguments that the query does not use never change a key. The instant is among them only when the request names it. */
  readonly bindings: Bindings;
  /** The version of the rows' data: see Version of sources/. */
  readonly version: string;
  readonly maxRows: number;
  /** The columns decide how rows are read; undefined when only the engine knows them. */
  readonly columns?: readonly ResultColumn[] | undefined;
}

/** Part of every key, so that versions of quern with different entries can share a folder. */
export const ENTRY_VERSION = 1;

/** 64 hexadecimal digits. What does not depend on the bindings is read once: the SQL may have many kilobytes. */
export function cacheKeys({ sql, settings, version, maxRows, columns }: Omit<KeyParts, 'bindings'>): (bindings: Bindings) => string {
  const before = [ENTRY_VERSION, sql, Object.entries(settings).sort(byName)].map((part) => `${JSON.stringify(part)},`);
  const after = [version, maxRows, JSON.stringify(columns ?? null)].map((part) => `,${JSON.stringify(part)}`).join('');
  const begun = createHash('sha256').update(`[${before.join('')}`);
  return (bindings) => {
    const bound: Encoded = bindings.map(({ name, type, value }) => [name, type, encodeValue(value)] as const).sort(byName);
    return begun.copy().update(JSON.stringify(bound)).update(`${after}]`).digest('hex');
  };
}

function byName(a: readonly [string, ...unknown[]], b: readonly [string, ...unknown[]]): number {
  if (a[0] === b[0]) return 0;
  return a[0] < b[0] ? -1 : 1;
}
