// What a catalog knows, as a list for people: each source with its table and layout, or why it cannot be used.

import { QuernError } from '../base/errors.ts';
import { type Type, typeName } from '../sql/base/types.ts';
import { layoutOf, recordLayoutOf } from '../sql/layouts/index.ts';
import type { Source, SourceCatalog, SourceColumn, UnreadColumn } from '../sql/source.ts';
import type { ListedFiles } from './files/file-sources.ts';
import { sourceOrError } from './source-problem.ts';
import { tableText } from './table-text.ts';

export interface ListedSource {
  readonly name: string;
  /** Other names for FROM. */
  readonly aliases: readonly string[];
  /** As ClickHouse writes it; of files, as the project does. */
  readonly table: string;
  /** The format of its files, how the project names them, and what lies there now; nothing of those at an address. */
  readonly files?: ListedFiles;
  /** Layout of its records, such as json; '' when it has none. */
  readonly layout: string;
  readonly columns: readonly ListedColumn[];
  /** Columns of the table that queries cannot read. */
  readonly unread: readonly UnreadColumn[];
  /** The table of a cluster, or the one that stands for those of all shards. */
  readonly sharded?: { readonly cluster?: string | undefined; readonly database?: string | undefined; readonly table: string };
  /** Of a table of the engine, once they have been asked for. */
  readonly rows?: number | undefined;
  readonly bytes?: number | undefined;
  /** Lists for people leave it out: a log source without rows, or without a table, that the project does not define. */
  readonly isHidden?: true | undefined;
  /** Why queries cannot read it. */
  readonly problem?: QuernError;
}

interface ListedColumn {
  readonly name: string;
  /** GoogleSQL type. */
  readonly type: string;
  /** Where the table has it: `LogAttributes['id']`. */
  readonly stored: string;
}

/** The sources of `catalog`, by name. */
export function listSources(catalog: SourceCatalog): readonly ListedSource[] {
  const byName = new Map<string, { source: ListedSource; aliases: string[] }>();
  for (const name of catalog.names) {
    const listed = listSource(catalog, name) ?? { ...NOTHING, name };
    const known = byName.get(listed.name);
    if (known === undefined) byName.set(listed.name, { source: listed, aliases: name === listed.name ? [] : [name] });
    else if (name !== listed.name) known.aliases.push(name);
  }
  return [...byName.values()].map(({ source, aliases }) => ({ ...source, aliases })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

const NOTHING = { aliases: [], table: '', layout: '', columns: [], unread: [] };

/** What the name stands for in FROM; undefined for nothing. */
export function listSource(catalog: SourceCatalog, name: string): ListedSource | undefined {
  const source = sourceOrError(catalog, name);
  if (source === undefined) return undefined;
  if (source instanceof QuernError) return { ...NOTHING, name, problem: source };
  if (source.absent === undefined) return { ...listed(source), aliases: [] };
  const { message, hint } = source.absent;
  return { ...NOTHING, name: source.name, isHidden: true, problem: new QuernError('unknown-source', message, { hint }) };
}

function listed(source: Source): Omit<ListedSource, 'aliases'> {
  const layouts = source.columns.flatMap(({ read }) => recordLayoutOf(read)?.name ?? []);
  return {
    name: source.name,
    table: source.query === undefined ? tableText(source) : '',
    layout: [...new Set(layouts)].join(', '),
    columns: source.columns.flatMap((column) => [
      { name: column.name, type: typeName(column.type), stored: layoutOf(column.read).place(column.read, []) },
      ...fieldsOf(column, [], column.type),
    ]),
    unread: source.unread ?? [],
    ...(source.sharded === true ? { sharded: { cluster: source.cluster, database: source.database, table: source.table } } : {}),
  };
}

/** The declared fields of a record, by their paths. */
function fieldsOf(column: SourceColumn, path: readonly string[], type: Type): readonly ListedColumn[] {
  const record = type.kind === 'ARRAY' ? type.element : type;
  if (record.kind !== 'RECORD') return [];
  return record.fields.flatMap(({ name, type: field }) => {
    const at = [...path, name ?? ''];
    const nested = fieldsOf(column, at, field);
    if (nested.length > 0) return nested;
    return [{ name: [column.name, ...at].join('.'), type: typeName(field), stored: layoutOf(column.read).place(column.read, at) }];
  });
}

/** Returns the names of the columns without those of the fields of their records, which are listed by their paths. */
export function columnNames(columns: readonly Pick<ListedColumn, 'name'>[]): readonly string[] {
  const names = new Set(columns.map(({ name }) => name));
  const isField = (name: string): boolean => name.split('.').some((_, i, path) => i > 0 && names.has(path.slice(0, i).join('.')));
  return [...names].filter((name) => !isField(name));
}
