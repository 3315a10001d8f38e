// Work that names tables which are looked up when they are named.
import type { SourceCatalog } from '../sql/source.ts';

/** A name that means a table of which nothing is known yet: see withTables. No error of the user's. */
export class UndescribedTable extends Error {
  readonly source: string;

  constructor(source: string) {
    super(`${source} has not been looked up yet`);
    this.source = source;
  }
}

interface LookedUpSources {
  load(): Promise<SourceCatalog>;
  /** Looks up the table of a name, so that the catalog has it. Absent where every name is known. */
  lookUp?(name: string): Promise<void>;
}

/** Does work with the sources, and begins again when it names a table that had to be looked up first. */
export async function withTables<T>(sources: LookedUpSources, work: (catalog: SourceCatalog) => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work(await sources.load());
    } catch (error) {
      if (!(error instanceof UndescribedTable) || sources.lookUp === undefined) throw error;
      await sources.lookUp(error.source);
    }
  }
}
