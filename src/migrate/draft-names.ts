// A name of its own for each query that is imported.
import { freeName, queryName } from './query-name.ts';

interface Unnamed {
  readonly name: string;
  readonly id?: string | undefined;
  readonly folders?: readonly string[] | undefined;
}

interface DraftName {
  readonly name: string;
  /** The name it would have, which a saved query has. */
  readonly taken?: string;
}

/**
 * In their order: the names they had, as near as may be. Where several want one, the folders they were in stand before it, as many as tell them
 * apart, and a number behind it where that does not. One that `taken` has, in lower case, ends in `-imported`.
 */
export function draftNames(queries: readonly Unnamed[], taken: ReadonlySet<string>): readonly DraftName[] {
  const wanted = queries.map((query, i) => ({ query, name: queryName(query.name) || `endpoint-${query.id?.slice(0, 8) ?? i + 1}` }));
  const twins = new Map<string, Unnamed[]>();
  for (const { query, name } of wanted) twins.set(name.toLowerCase(), [...(twins.get(name.toLowerCase()) ?? []), query]);
  const names = new Set<string>(taken);
  return wanted.map(({ query, name }) => {
    const own = withFolders(query, name, twins.get(name.toLowerCase()) ?? []);
    const isTaken = taken.has(own.toLowerCase());
    const free = freeName(isTaken ? `${own}-imported` : own, names);
    names.add(free.toLowerCase());
    return { name: free, ...(isTaken ? { taken: own } : {}) };
  });
}

/** The name, with its nearest folders before it until no twin has the same. */
function withFolders(query: Unnamed, name: string, twins: readonly Unnamed[]): string {
  const { folders = [] } = query;
  const others = twins.filter((one) => one !== query).map(({ folders: own = [] }) => own);
  for (let count = 1; others.length > 0 && count <= folders.length; count++) {
    const near = folders.slice(-count);
    if (others.every((own) => own.slice(-count).join('/').toLowerCase() !== near.join('/').toLowerCase()))
      return queryName([...near, name].join('.')) || name;
  }
  return name;
}
