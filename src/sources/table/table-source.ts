// A source from its definition and the columns that its table has, as DESCRIBE TABLE names them. Pure: the caller asks the engine.

import { didYouMean, QuernError } from '../../base/errors.ts';
import { readType } from '../../clickhouse/type.ts';
import { STRING, type Type } from '../../sql/base/types.ts';
import {
  entryColumn,
  type HeldColumn,
  plainColumn,
  type RecordWishes,
  recordLayoutOf,
  type TableColumn,
  type TableWishes,
  tableColumn,
  withNested,
} from '../../sql/layouts/index.ts';
import { RECORD_LAYOUTS } from '../../sql/layouts/records.ts';
import type { Source, SourceColumn, UnreadColumn } from '../../sql/source.ts';
import { findLogSource, isLeaf, type LogSource, plainColumns, type RecordFields } from '../log/log-sources.ts';
import type { ColumnReference, SourceDefinition } from '../source-definition.ts';
import { computedColumns, suffixOfTables } from '../suffix.ts';

/** The column of a log source that holds an event's record. */
const METADATA = 'metadata';

/** OpenTelemetry's logs are partitioned and ordered by this column, which is toDateTime(Timestamp) by default. */
const SECONDS = { of: 'Timestamp', column: 'TimestampTime' } as const;

/** Tables whose columns say what they are: OpenTelemetry's exporter for ClickHouse, Logflare, and Supabase, which shows that one with other names. */
interface KnownShape {
  readonly marks: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  /** The time column of whose seconds the key is made: ORDER BY (project, source_name, toDateTime(timestamp), timestamp). */
  readonly keyOfSeconds?: string;
}
const KNOWN_SHAPES: readonly KnownShape[] = [
  {
    marks: ['Timestamp', 'Body', 'ResourceAttributes', 'LogAttributes'],
    columns: { timestamp: 'Timestamp', event_message: 'Body', metadata: 'LogAttributes' },
  },
  {
    marks: ['timestamp', 'event_message', 'source_name', 'log_attributes'],
    columns: { metadata: 'log_attributes' },
    keyOfSeconds: 'timestamp',
  },
  { marks: ['timestamp', 'event_message', 'source', 'log_attributes'], columns: { metadata: 'log_attributes' } },
];

/**
 * The source as the translator sees it. Columns that the definition does not name are shown under their own names; those of a type that
 * queries cannot read are left out. Throws QuernError `config` where the definition and the table do not fit.
 */
export function sourceFromTable(definition: SourceDefinition, described: readonly TableColumn[]): Source {
  const { name, database, table, cluster, shardingKey, sameAs, rows } = definition;
  const shape = KNOWN_SHAPES.find(({ marks }) => marks.every((mark) => described.some((c) => c.name === mark)));
  const mapped: Record<string, ColumnReference> = {
    ...Object.fromEntries(Object.entries(shape?.columns ?? {}).map(([shown, column]) => [shown, { column }])),
    ...definition.columns,
  };
  const logs = isLogs(definition, shape);
  const columns = logs ? gathered(described, definition, mapped) : withNested(described);
  const ofKind = logs ? logColumn : plainTableColumn;
  const declared: Declared = { ...definition, types: firstOf((definition.schema ?? []).map((column) => [column.name, column.type])) };
  const toColumn = (as: string, column: HeldColumn, key: string | undefined): ReturnType<MakeColumn> =>
    column.unread === undefined ? ofKind(as, column, key, declared) : { unread: column.unread };
  const shown: SourceColumn[] = Object.entries(mapped).map(([as, reference]) => {
    const column = columns.find((c) => c.name === reference.column);
    if (column === undefined) throw noColumn(definition, as, reference.column, columns);
    const made = toColumn(as, column, reference.key);
    if ('unread' in made) {
      throw new QuernError('config', `sources.${name}.columns.${as}: ${reference.column} is ${column.type}, which queries cannot read`, {
        hint: made.unread,
      });
    }
    return made;
  });
  const known =
    shape?.columns['timestamp'] === SECONDS.of && columns.some((c) => c.name === SECONDS.column && readType(c.type).name === 'DateTime');
  const taken = new Set(shown.map((c) => c.name.toLowerCase()));
  const unread: UnreadColumn[] = [];
  for (const column of columns) {
    if (taken.has(column.name.toLowerCase())) continue;
    const made = toColumn(column.name, column, undefined);
    if ('unread' in made) unread.push({ name: column.name, stored: column.type, why: made.unread });
    else shown.push(made);
  }
  // What queries may ask of a log source by its name, with or without such a column here.
  for (const column of knownSource(definition)?.columns ?? []) {
    if (!shown.some((c) => c.name.toLowerCase() === column)) shown.push({ name: column, type: STRING, read: { layout: 'absent' } });
  }
  for (const key of [...Object.keys(rows)]) {
    if (!described.some((c) => c.name === key)) throw noColumn(definition, key, key, columns);
  }
  const byName = firstOf(shown.map((column) => [column.name, column]));
  for (const { name: column } of definition.schema ?? []) {
    const found = byName.get(column.toLowerCase());
    if (found === undefined) throw noColumn(definition, `its schema`, column, columns);
    if (recordLayoutOf(found.read) !== undefined) {
      throw new QuernError('config', `sources.${name}.schema: ${column} holds records of log events`, {
        hint: 'declare the types of their fields under `fields`',
      });
    }
  }
  for (const [column, path] of Object.entries(sameAs)) {
    for (const wanted of [column, path[0] ?? '']) {
      if (shown.some((c) => c.name === wanted)) continue;
      throw new QuernError('config', `sources.${name}.same_as.${column}: the source has no column ${wanted}`, {});
    }
  }
  const computed = computedColumns(definition, shown);
  return {
    name,
    ...(database === undefined ? {} : { database }),
    table,
    ...(definition.wildcard === true ? { wildcard: true } : {}),
    ...(cluster === undefined ? {} : { cluster, sharded: true }),
    ...(shardingKey === undefined ? {} : { shardingKey }),
    columns: [...shown.map((column) => withSeconds(column, known, shape?.keyOfSeconds)), ...suffixOfTables(definition)],
    ...(computed.length === 0 ? {} : { computed }),
    ...(unread.length === 0 ? {} : { unread }),
    ...(Object.keys(sameAs).length === 0 ? {} : { sameAs, sameAsEverywhere: true }),
    ...(Object.keys(rows).length === 0 ? {} : { rows: Object.entries(rows).map(([column, value]) => ({ column, value })) }),
  };
}

/** Records in the sense of log events are read of log sources only: those known by name or columns, those said to be, and those of whose records something is said. */
function isLogs(definition: SourceDefinition, shape: KnownShape | undefined): boolean {
  const { kind, layout, records, fields, sameAs } = definition;
  if (kind !== undefined) return kind === 'logs';
  if (shape !== undefined || knownSource(definition) !== undefined) return true;
  return layout !== undefined || records !== undefined || [fields, sameAs].some((said) => Object.keys(said).length > 0);
}

/** The columns of a source of files that hold records of log events, to be read as they are written. */
export function recordColumns(definition: SourceDefinition): readonly string[] {
  const { layout, columns } = definition;
  return isLogs(definition, undefined) && (layout === undefined || layout === 'text') ? [columns[METADATA]?.column ?? METADATA] : [];
}

/** Columns that make a record together are one. */
function gathered(
  columns: readonly TableColumn[],
  definition: SourceDefinition,
  mapped: Readonly<Record<string, ColumnReference>>,
): readonly HeldColumn[] {
  const elsewhere = [...Object.values(mapped).map(({ column }) => column), ...Object.keys(definition.rows)];
  const own = [...plainColumns(knownSource(definition)).map(([name]) => name), ...elsewhere.map((name) => name.toLowerCase())];
  const wishes: TableWishes = { ...wishesOf(definition), source: definition.name, metadata: METADATA, own: new Set(own) };
  const declared = RECORD_LAYOUTS.filter(({ name }) => name === definition.layout);
  const others = RECORD_LAYOUTS.filter((layout) => layout.recognised === 'by its type' && !declared.includes(layout));
  return [...declared, ...others].reduce<readonly HeldColumn[]>((all, layout) => layout.gather?.(all, wishes) ?? all, columns);
}

function noColumn({ name, table, files }: SourceDefinition, as: string, column: string, columns: readonly TableColumn[]): QuernError {
  const names = columns.map((c) => c.name);
  return new QuernError(
    'config',
    `sources.${name}: ${files === undefined ? `the table ${table} has` : 'its files have'} no column ${column} for ${as}`,
    {
      hint: didYouMean(column, names) ?? `its columns are: ${names.join(', ')}`,
    },
  );
}

function withSeconds(column: SourceColumn, hasColumn: boolean, keyOfSeconds: string | undefined): SourceColumn {
  const { read } = column;
  if (read.layout !== 'column') return column;
  if (hasColumn && read.column === SECONDS.of) return { ...column, read: { ...read, secondsColumn: SECONDS.column } };
  return read.column === keyOfSeconds ? { ...column, read: { ...read, keyOfSeconds: true } } : column;
}

/** The values by their names in lower case; the first of several of one name. */
const firstOf = <T>(entries: readonly (readonly [string, T])[]): ReadonlyMap<string, T> =>
  new Map([...entries].reverse().map(([name, value]) => [name.toLowerCase(), value]));

/** A definition, and the types in its schema by their names in lower case. */
type Declared = SourceDefinition & { readonly types: ReadonlyMap<string, Type> };

type MakeColumn = (
  name: string,
  column: HeldColumn,
  key: string | undefined,
  definition: Declared,
) => SourceColumn | { readonly unread: string };

const plainTableColumn: MakeColumn = (name, column, key, definition) => {
  if (key !== undefined) return entryOf(name, column, key, definition);
  const declared = declaredType(name, definition);
  const made = tableColumn(column, declared);
  if (!('unread' in made)) return { name, ...made };
  if (declared !== undefined) throw new QuernError('config', `sources.${definition.name}.schema: ${name}: ${made.unread}`, {});
  return made;
};

const declaredType = (name: string, { types }: Declared): Type | undefined => types.get(name.toLowerCase());

function entryOf(name: string, column: HeldColumn, key: string, definition: Declared): SourceColumn {
  const declared = declaredType(name, definition);
  const entry = entryColumn(column, key, { declared, attributes: definition.attributes });
  if (entry === undefined) {
    throw new QuernError('config', `sources.${definition.name}.columns.${name}: ${column.name} is ${column.type}, which has no entries`, {
      hint: "an entry is read from a Map(String, String): Attributes['key']",
    });
  }
  if ('unread' in entry) throw new QuernError('config', `sources.${definition.name}.schema: ${name}: ${entry.unread}`, {});
  return { name, ...entry };
}

const logColumn: MakeColumn = (name, column, key, definition) => {
  if (key !== undefined) return entryOf(name, column, key, definition);
  const ofType = RECORD_LAYOUTS.find((layout) => layout.recognised === 'by its type' && layout.fits(column));
  const isMetadata = name.toLowerCase() === METADATA;
  const declared = isMetadata ? RECORD_LAYOUTS.find((layout) => layout.name === definition.layout) : undefined;
  const layout = declared ?? ofType ?? (isMetadata ? RECORD_LAYOUTS.find(({ recognised }) => recognised === 'as metadata') : undefined);
  if (layout === undefined) {
    if (declaredType(name, definition) !== undefined) return plainTableColumn(name, column, key, definition);
    const plain = plainColumn(column) ?? tableColumn(column);
    return 'unread' in plain ? plain : { name, ...plain };
  }
  if (!layout.fits(column)) {
    throw new QuernError('config', `sources.${definition.name}: ${column.name} is ${column.type}, which is not the layout ${layout.name}`, {
      hint: ofType === undefined ? 'leave out the layout' : `its layout is ${ofType.name}`,
    });
  }
  return { name, ...layout.column(column, isMetadata ? wishesOf(definition) : { declared: new Map(), settings: {} }) };
};

const wishesOf = (definition: SourceDefinition): RecordWishes => ({
  declared: declaredFields(definition),
  records: definition.records,
  settings: definition.layoutSettings ?? {},
  attributes: definition.attributes,
});

/** The log source of that name or alias. */
function knownSource({ name, aliases }: SourceDefinition): LogSource | undefined {
  return [name, ...aliases].map(findLogSource).find((source) => source !== undefined);
}

/** Types by dotted path: those of the log source of that name, then the definition's own. */
function declaredFields(definition: SourceDefinition): ReadonlyMap<string, Type> {
  const { fields } = definition;
  const known = knownSource(definition);
  return new Map<string, Type>([...(known === undefined ? [] : leafTypes(known.metadata)), ...Object.entries(fields)]);
}

function leafTypes(fields: RecordFields, prefix = ''): readonly (readonly [string, Type])[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isLeaf(field) ? [[`${prefix}${name}`, field.type] as const] : leafTypes(field, `${prefix}${name}.`),
  );
}
