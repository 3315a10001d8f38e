// What a name in FROM can be. Each kind of source has a folder; kinds.ts is the table of them.

import type { Source, SourceCatalog } from '../sql/source.ts';
import type { SourceDefinition } from './source-definition.ts';

/** What a name leads to. */
export interface Found {
  /** Changes whenever the translation of a query over the source could; absent where only the fingerprint of all sources says so. */
  readonly digest?: string;
  /** Returns the source as the translator sees it. Throws QuernError where it cannot be read, or where something is wrong with the name. */
  read(): Source | Promise<Source>;
}

export interface SourceKind {
  /** Names that need no definition, for lists and suggestions. */
  readonly names?: readonly string[];
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

/** What names in FROM stand for, as it holds for one run. */
export interface Sources {
  /** Changes whenever what names stand for could; what is in a source that was looked at is not in it. */
  readonly fingerprint: string;
  /** Looks at what the names stand for, each once. Rejects with what is wrong with the engine; what is wrong with a source is told by `find`. */
  resolve(names: Iterable<string>): Promise<ResolvedSources>;
  /** The same for every name that lists have. */
  resolveAll(): Promise<ResolvedSources>;
  /** Returns the digests of those names that lead to sources which have one. */
  digests(names: Iterable<string>): Promise<ReadonlyMap<string, string>>;
}
