// What a name in FROM can be. Each kind of source has a folder; kinds.ts is the table of them.

import type { Source, SourceCatalog } from '../sql/source.ts';
import type { ListedTable, WantedTables } from './information-schema/list-tables.ts';
import type { SchemaOptions } from './information-schema/schema-source.ts';
import type { SourceDefinition } from './source-definition.ts';

/** What a name leads to. */
export interface Found {
  /** Changes whenever the translation of a query over the source could; absent where the version of no names says so. */
  readonly digest?: string;
  /** Returns the source as the translator sees it. Throws QuernError where it cannot be read, or where something is wrong with the name. */
  read(): Source | Promise<Source>;
}

export interface SourceKind {
  /** Names that need no definition, for lists and suggestions. */
  readonly names?: readonly string[];
  /** Those of them behind which there is nothing yet. */
  readonly empty?: readonly string[];
  /** Returns what a definition of the project is; undefined if it is of another kind. Rejects with what is wrong with the engine alone. */
  define?(definition: SourceDefinition): Promise<Found | undefined>;
  /** Returns what a name is that the project does not define; undefined if it is of another kind. Rejects with what is wrong with the engine alone. */
  find?(name: string, resolver: Resolver): Promise<Found | undefined>;
}

/** What a kind may ask about other names. */
export interface Resolver {
  /** Returns what a name is by a definition or a kind, without rules and parts of wildcards; undefined for nothing. */
  known(name: string): Promise<Found | undefined>;
  /** Returns what a definition leads to that a kind has made. */
  define(definition: SourceDefinition): Promise<Found>;
  /** Resolves every name that lists have. */
  all(): Promise<ResolvedSources>;
}

/** Sources by the names for which they were resolved. `find` throws QuernError for one that cannot be read. */
export type ResolvedSources = SourceCatalog;

/** What names stand for: a translation of a text that has them holds as long as it is the same. */
export interface SourcesVersion {
  /** Those that lead to sources which must be looked at for it. */
  readonly names: readonly string[];
  /** Another once any of them could stand for something else, or what stands behind it could have other columns. */
  readonly value: string;
}

/** What names in FROM stand for, as it holds for one run. */
export interface Sources {
  /** Looks at what the names stand for, each once. Rejects with what is wrong with the engine; what is wrong with a source is told by `find`. */
  resolve(names: Iterable<string>): Promise<ResolvedSources>;
  /** The same for every name that lists have. */
  resolveAll(): Promise<ResolvedSources>;
  /** Lists the tables of a dataset, or all; those of rules and of a server's databases, too. Absent: there are no lists. */
  listTables?(wanted: WantedTables): Promise<readonly ListedTable[]>;
  /** Lists the databases of a server, with tables or without. */
  listDatabases?(): Promise<readonly string[]>;
  /** Returns the view of INFORMATION_SCHEMA that a name asks for, with saved queries among what there is; undefined for another name. */
  informationSchema?(name: string, options: SchemaOptions): Promise<Source | undefined>;
  /** Returns the version of what the names stand for. That of no names is of all that is known without looking at a source. */
  versionOf(names: Iterable<string>): Promise<SourcesVersion>;
}
