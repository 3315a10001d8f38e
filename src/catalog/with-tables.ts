// Work that names sources which are looked at when they are named.
import type { SourceCatalog } from '../sql/source.ts';

/** Names of sources of which nothing is known yet: see withTables. No error of the user's. */
export class UndescribedTable extends Error {
  readonly names: readonly string[];

  constructor(...names: readonly string[]) {
    super(`${names.join(', ')} not looked up yet`);
    this.names = names;
  }
}

interface LookedUpSources {
  load(): Promise<SourceCatalog>;
  /** Looks at the source of a name, so that the catalog has it. Absent where every name is known. */
  lookUp?(name: string): Promise<void>;
}

/** Does work with the sources, and begins again when it names some that had to be looked at first. */
export async function withTables<T>(sources: LookedUpSources, work: (catalog: SourceCatalog) => T | Promise<T>): Promise<T> {
  const { lookUp } = sources;
  for (const tried = new Set<string>(); ; ) {
    try {
      return await work(await sources.load());
    } catch (error) {
      if (!(error instanceof UndescribedTable) || lookUp === undefined || error.names.every((name) => tried.has(name))) throw error;
      await Promise.all(error.names.map((name) => lookUp(name)));
      for (const name of error.names) tried.add(name);
    }
  }
}

/** Throws UndescribedTable with all of the names that have to be looked at, so that none of them takes an attempt of its own. */
export function assertLookedUp(names: readonly string[], { find }: SourceCatalog): void {
  const undescribed: string[] = [];
  for (const name of names) {
    try {
      find(name);
    } catch (error) {
      if (error instanceof UndescribedTable) undescribed.push(...error.names);
    }
  }
  if (undescribed.length > 0) throw new UndescribedTable(...new Set(undescribed));
}
