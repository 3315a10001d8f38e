// The files of sources, as a run uses them.

import type { QuernError } from '../../base/errors.ts';
import type { Settings } from '../../engine/session-settings.ts';

interface ListedFiles {
  readonly format: string;
  /** As the project names them. */
  readonly patterns: readonly string[];
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** The sources that are files, as they lay there when they were listed. Nothing is known of a source before it is. */
export interface HeldFiles {
  /** Keeps open what a query reads, beyond the work for which the snapshot was made, until what this gives is called. */
  hold(): () => Promise<void>;
  /** The work for which the snapshot was made is done. */
  leave(): Promise<void>;
  /** Lists the files of those of `sources` that are files, once. */
  list(sources: readonly string[]): Promise<void>;
  /** Whether files that were listed have come, gone or changed since. */
  haveChanged(): Promise<boolean>;
  /** Whether all of them have been listed. */
  isListed(sources: readonly string[]): boolean;
  /** Returns the version of the rows of those of `sources` that are files: names, sizes and times, as one text. */
  version(sources: readonly string[]): string;
  /** Returns the same for one that is files of this machine, whose rows are the same as long as this is; undefined for others. */
  exactVersion(source: string): string | undefined;
  /** What makes them tables of a session for the query `sql`, see EngineQuery. Rejects with QuernError `data` where one cannot be made ready for the engine. */
  tables(sources: readonly string[], sql: string): Promise<readonly string[]>;
  /** Without which a query would not read them as they are. Throws QuernError `config` where those of one are not those of another. */
  settings(sources: readonly string[]): Promise<Settings>;
  /** True when one of them is read by the query itself, at an address. */
  inQuery(sources: readonly string[]): boolean;
  /** Where those of `sources` lie that are files elsewhere, as the project names them. */
  addresses(sources: readonly string[]): readonly string[];
  /** What a source is that is files; undefined for others. */
  listed(source: string): ListedFiles | undefined;
  /** The failure of a query over `sources`, told of the file and the line where the engine could not read on; undefined for one that is not about a file. */
  trouble(error: unknown, sources: readonly string[]): Promise<QuernError | undefined>;
}
