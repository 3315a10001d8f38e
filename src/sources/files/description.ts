// What is known of the files of a source once the engine has looked at them: enough to read them without looking again.
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { DeclaredColumn } from '../table-schema.ts';

export interface FilesDescription {
  /** Columns as they are read, in the order of the file. */
  readonly columns: readonly TableColumn[];
  /** Types that the stored ones do not say. */
  readonly declared: readonly DeclaredColumn[];
  /** Forms of the texts in columns of times, by their names: see usualForms. */
  readonly forms?: Readonly<Record<string, readonly string[]>>;
  /** Columns with STRUCTs that may be NULL, which the engine reads as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
  /** Columns with texts that nobody has looked at: they must be UTF-8. */
  readonly texts?: readonly string[];
  /** The values of folders `key=value`, which are no columns to the engine. */
  readonly partitions: readonly TableColumn[];
  /** The engine's name for the format. */
  readonly format: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

/** Rows of a query of quern's own. */
export type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** What is in the files themselves. */
export type Described = Omit<FilesDescription, 'partitions'>;
