// What is said of a source: which table stands for it, and where its columns are.

import type { ScalarType } from '../sql/base/types.ts';
import type { AttributeFacts, LayoutName } from '../sql/layouts/index.ts';
import type { FilesDefinition } from './files/definition.ts';
import type { DeclaredColumn } from './table-schema.ts';

/** A column of the table, or with a key an entry of a Map column: `ResourceAttributes['project']`. */
export interface ColumnReference {
  readonly column: string;
  readonly key?: string;
}

/** Events with records, or rows whose columns have the types that BigQuery would give them. */
export type SourceKind = 'logs' | 'table';

export interface SourceDefinition {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly database?: string;
  /** Of files: what the engine knows them by while a query runs. */
  readonly table: string;
  /** The source is files. */
  readonly files?: FilesDefinition;
  /** All tables whose names begin so: `table: shop.events_*`. */
  readonly wildcard?: true;
  /** What _TABLE_SUFFIX is: a column, or a GoogleSQL expression of columns. */
  readonly suffix?: string | undefined;
  /** The time of which _PARTITIONTIME and _PARTITIONDATE are the day, likewise. */
  readonly partition?: string | undefined;
  /** The table is read on every shard of this cluster. */
  readonly cluster?: string | undefined;
  /** By which its rows were spread over shards, as ClickHouse's SQL. */
  readonly shardingKey?: string | undefined;
  /** What its rows are, where neither its name nor its columns say it. */
  readonly kind?: SourceKind | undefined;
  /** Layout of `metadata` where the column's type does not say it, or must not. */
  readonly layout?: LayoutName | undefined;
  /** What the layout has settings of its own for. */
  readonly layoutSettings?: Readonly<Record<string, string>>;
  /** Whether records hold one element or may hold several. */
  readonly records?: 'one' | 'several' | undefined;
  /** By the name the source shows. */
  readonly columns: Readonly<Record<string, ColumnReference>>;
  /** Declared types of metadata's fields, by dotted path. */
  readonly fields: Readonly<Record<string, ScalarType>>;
  /** Column name → path of the field that always equals it. */
  readonly sameAs: Readonly<Record<string, readonly string[]>>;
  /** Only the rows whose stored column holds this text belong to the source. */
  readonly rows: Readonly<Record<string, string>>;
  /** Types that ClickHouse cannot tell, of columns by the names that the source shows. */
  readonly schema?: readonly DeclaredColumn[];
  /** What a preset knows of the entries of Map columns. */
  readonly attributes?: AttributeFacts;
}

/** A table of the engine; a wildcard is all tables that begin so. */
export type EngineTable = Pick<SourceDefinition, 'database' | 'table' | 'wildcard'>;

/** Returns the table that is written so; one that ends in `*` is a wildcard. */
export const writtenTable = (database: string | undefined, written: string): EngineTable => ({
  ...(database === undefined ? {} : { database }),
  ...(written.endsWith('*') ? { table: written.slice(0, -1), wildcard: true } : { table: written }),
});

/** Returns the definition of a source of which nothing is said but which table stands for it. */
export const bareDefinition = (
  name: string,
  table: Pick<SourceDefinition, 'table'> & Partial<Pick<SourceDefinition, 'database' | 'kind' | 'schema' | 'wildcard'>>,
): SourceDefinition => ({ name, aliases: [], columns: {}, fields: {}, sameAs: {}, rows: {}, ...table });

/** The project's own words go before `declared`. */
export function withDeclared(definition: SourceDefinition, declared: readonly DeclaredColumn[]): SourceDefinition {
  const { schema = [] } = definition;
  const said = new Set(schema.map(({ name }) => name.toLowerCase()));
  return { ...definition, schema: [...schema, ...declared.filter(({ name }) => !said.has(name.toLowerCase()))] };
}
