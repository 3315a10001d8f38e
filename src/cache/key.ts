// What makes two runs the same run: the key of a cache entry.
import { createHash } from 'node:crypto';
import type { ResultColumn, Value } from '../result.ts';
import { type Encoded, encodeValue } from './codec.ts';

export interface KeyParts {
  /** The translated SQL, and the settings it runs with. */
  readonly sql: string;
  readonly settings: Readonly<Record<string, string | number>>;
  /** Only what is bound: arguments that the query does not use never change a key. The instant is among them only when it was asked for. */
  readonly bindings: readonly { readonly name: string; readonly type: string; readonly value: Value }[];
  /** Identity of the engine and its data. */
  readonly engineId: string;
  readonly maxRows: number;
  /** The columns decide how rows are read; undefined when only the engine knows them. */
  readonly columns?: readonly ResultColumn[];
}

/** Part of every key, so that versions of quern with different entries can share a folder. */
export const ENTRY_VERSION = 1;

/** 64 hexadecimal digits. */
export function cacheKey(parts: KeyParts): string {
  const bindings = parts.bindings.map(({ name, type, value }) => [name, type, encodeValue(value)] as const);
  const text: Encoded = [
    ENTRY_VERSION,
    parts.sql,
    Object.entries(parts.settings).sort(byName),
    [...bindings].sort(byName),
    parts.engineId,
    parts.maxRows,
    JSON.stringify(parts.columns ?? null),
  ];
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}

function byName(a: readonly [string, ...unknown[]], b: readonly [string, ...unknown[]]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
