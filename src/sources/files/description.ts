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
  /** What queries see instead where a column is made of the texts that the engine reads. */
  readonly view?: FilesView | undefined;
  /** The engine's name for the format. */
  readonly format: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

interface FilesView {
  /** All that there are. */
  readonly columns: readonly TableColumn[];
  /** ClickHouse SQL of them and of `_path`, where what reads the files is to stand for `from`. */
  readonly sql: string;
  readonly from: string;
}

/** The columns as queries see them, and what is known of them. */
export const shownFacts = ({ columns, view, partitions, declared, forms, structsOfNulls }: FilesDescription) => ({
  columns: view?.columns ?? columns,
  partitions,
  declared,
  forms,
  structsOfNulls,
});

/** Rows of a query of quern's own. */
export type Ask = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** What is in the files themselves. */
export type Described = Omit<FilesDescription, 'partitions'>;
