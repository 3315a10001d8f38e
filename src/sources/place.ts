// What the kinds of sources may know of the place where the rows are.

import type { QuernError } from '../base/errors.ts';
import type { Sections } from './definition.ts';
import type { StoredTable } from './loaded/stored-table.ts';
import type { SourceMemory } from './memory.ts';

export interface Place {
  /** The sections of the project file. */
  readonly sections: Sections;
  readonly memory: SourceMemory;
  /** Databases that neither rules nor definitions reach, see mappedName. */
  readonly closed: readonly string[];
  /** What was loaded, on the embedded engine. */
  readonly loaded?: LoadedSources | undefined;
  /** Where log sources would be tables, on a server: said of one that is not there. */
  readonly server?: { readonly absent: (name: string) => { readonly message: string; readonly hint: string } } | undefined;
  /** Runs a query of quern's own. */
  readonly ask: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** The error for whoever would have to ask, where the engine is not to be asked. */
  readonly unasked?: QuernError | undefined;
}

/** What the manifest of a store says of its sources. */
export interface LoadedSources {
  readonly sources: Readonly<Record<string, { readonly severalElements: boolean; readonly referenceEverywhere?: boolean } | undefined>>;
  readonly tables: Readonly<Record<string, StoredTable>>;
}
