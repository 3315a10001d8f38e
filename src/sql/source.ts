// A source as the translator knows it: its ClickHouse table, and how each column is stored there.

import type { Type } from './base/types.ts';
import type { ColumnRead } from './layouts/index.ts';

export interface SourceColumn {
  readonly name: string;
  readonly type: Type;
  readonly read: ColumnRead;
  /** True of columns that `*` does not show. */
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
  /** All tables of the database whose names begin with `table` are read as one. */
  readonly wildcard?: true;
  /** Columns that `*` does not show, as GoogleSQL expressions over the others. */
  readonly computed?: readonly { readonly name: string; readonly expression: string }[];
  /** A GoogleSQL condition on its columns: only rows for which it holds belong to the source. */
  readonly only?: string;
  /** A GoogleSQL query, which reads nothing else: its rows are those of the source. */
  readonly query?: string;
  /** The cluster on every shard of which the table is read: `cluster('name', 'database', 'table')`. */
  readonly cluster?: string;
  /** ClickHouse's SQL for the key by which its rows were spread over shards, by whoever wrote the project file. */
  readonly shardingKey?: string;
  /** True if its rows are on several servers: the table is read on every shard of a cluster, or stands for those of all shards. */
  readonly sharded?: true;
  /** The cluster whose shards have the table: that of a Distributed table, or the one by whose name it is read, if the server that is asked has it too. */
  readonly distributedOver?: string;
  /** True if it reads other tables, of which some stand for those of all shards. */
  readonly readsOthers?: true;
  /** The table function that reads it, where it is no table; only definitions of the project file lead here. */
  readonly read?: { readonly name: 's3' | 'url'; readonly args: readonly string[] };
  readonly columns: readonly SourceColumn[];
  /** Columns of the table that queries cannot read. */
  readonly unread?: readonly UnreadColumn[];
  /** Columns with STRUCTs that may be NULL in the files: they are read as STRUCTs of NULLs. */
  readonly structsOfNulls?: readonly string[];
  /** Why the table is not there: a query may name the source in a WITH table that nobody reads, but nothing can read its rows. */
  readonly absent?: { readonly message: string; readonly hint: string };
  /** By column name, the path of a field that always equals it (`project`: `['metadata', 'project_ref']`): filters on the field also filter the column. */
  readonly sameAs?: Readonly<Record<string, readonly string[]>>;
  /** True if no event lacks those fields unless its column holds '' or 0: the columns are filtered instead of the fields. */
  readonly sameAsEverywhere?: boolean;
  /** Stored columns and the texts that they hold in the rows which belong to the source. */
  readonly rows?: readonly { readonly column: string; readonly value: string }[];
}

/** Finds sources by the name in FROM, which may be an alias such as `cloudflare.logs.prod`; `names` is for suggestions. */
export interface SourceCatalog {
  find(name: string): Source | undefined;
  readonly names: readonly string[];
  /** Those of the names that are of log sources without rows. */
  readonly empty?: readonly string[];
}
