// Which rows of the cache a prepared query wants with its arguments.
import type { Wanted } from '../cache/cache.ts';
import { cacheKeys } from '../cache/key.ts';
import { type ArgumentValues, bindingsFor } from '../queries/parameters.ts';
import type { Version } from '../sources/version.ts';
import type { PreparedQuery } from './prepared-query.ts';

interface Circumstances {
  readonly version: Version;
  /** The instant is part of the key only when it was given. */
  readonly asOf?: string | undefined;
}

// The same prepared query comes again and again to a server.
const keysOf = new WeakMap<PreparedQuery, { readonly data: string; readonly keys: ReturnType<typeof cacheKeys> }>();

export function rowsKey(prepared: PreparedQuery, values: ArgumentValues, { version, asOf }: Circumstances): string {
  let held = keysOf.get(prepared);
  const data = version.of(prepared.sources);
  if (held?.data !== data) {
    held = { data, keys: cacheKeys({ ...prepared, version: data }) };
    keysOf.set(prepared, held);
  }
  return held.keys(bindingsFor(prepared.bound, values, asOf));
}

export function wantedRows(prepared: PreparedQuery, values: ArgumentValues, circumstances: Circumstances): Wanted {
  const { name: query, ttlSeconds } = prepared;
  return {
    key: rowsKey(prepared, values, circumstances),
    query,
    arguments: values,
    ttlSeconds,
    asOf: circumstances.asOf,
    madeBy: circumstances.version.place,
  };
}

/** Callers who want the same rows of the same query share a run; but one who wants them fresh must not get those of a run that began before. */
export const flightName = ({ key, query }: Pick<Wanted, 'key' | 'query'>, fresh: boolean): string =>
  `${fresh ? 'fresh ' : ''}${query} ${key}`;
