// What the translator must know of a source: its ClickHouse table, and how each column is held there.

import type { Type } from './base/types.ts';
import type { ColumnRead } from './layouts/index.ts';

export interface SourceColumn {
  readonly name: string;
  readonly type: Type;
  readonly read: ColumnRead;
  /** `*` does not show it. */
  readonly pseudo?: true;
}

export interface UnreadColumn {
  readonly name: string;
  /** ClickHouse type text. */
  readonly stored: string;
  readonly why: string;
}

export interface Source {
  readonly name: string;
  readonly database?: string;
  readonly table: string;
  /** All tables of the database whose names begin so are read as one. */
  readonly wildcard?: true;
  /** Columns that `*` does not show, as GoogleSQL expressions over the others. */
  readonly computed?: readonly { readonly name: string; readonly expression: string }[];
  /** Only rows for which this holds belong to the source: a GoogleSQL condition on its columns. */
  readonly only?: string;
  /** It is the rows of this GoogleSQL query, which reads nothing else. */
  readonly query?: string;
  /** The table is read on every shard of this cluster: `cluster('name', database.table)`. */
  readonly cluster?: string;
  /** Its rows may be on several machines even if it names no cluster: it is a table of a server, where a table may stand for those of all shards. */
  readonly sharded?: true;
  /** The table function that reads it, where it is no table: only what the project file says comes here. */
  readonly read?: { readonly name: 's3' | 'url'; readonly args: readonly string[] };
  readonly columns: readonly SourceColumn[];
  /** Columns of the table that queries cannot read. */
  readonly unread?: readonly UnreadColumn[];
  /** Columns with STRUCTs that may be NULL in the files, which are read as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
  /** The table is not there: a query may name the source in a WITH table that nobody reads, but rows cannot be had. */
  readonly absent?: { readonly message: string; readonly hint: string };
  /** Column name → path of a field that always equals it (`project` → `['metadata', 'project_ref']`): filters on the field also filter the column. */
  readonly sameAs?: Readonly<Record<string, readonly string[]>>;
  /** No event is without those fields, unless its column holds '' or 0: the columns are filtered instead of them. */
  readonly sameAsEverywhere?: boolean;
  /** Only rows whose stored column holds this text belong to the source. */
  readonly rows?: readonly { readonly column: string; readonly value: string }[];
}

/** Finds sources by the name in FROM (also an alias such as `cloudflare.logs.prod`); `names` is for suggestions. */
export interface SourceCatalog {
  find(name: string): Source | undefined;
  readonly names: readonly string[];
}
