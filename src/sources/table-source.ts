// A source from its definition and the columns that its table has, as DESCRIBE TABLE names them. Pure: the caller asks the engine.
import { bareType, type ClickHouseType, isNullable, isText, literalArgument, readType } from '../clickhouse/type.ts';
import { nearest, QuernError } from '../errors.ts';
import type { NestedField, NestedRecord, RecordRead, Source, SourceColumn } from '../sql/source.ts';
import {
  arrayOf,
  BIGNUMERIC,
  BOOL,
  DATE,
  FLOAT64,
  INT64,
  NUMERIC,
  recordOf,
  STRING,
  type StructField,
  TIMESTAMP,
  type Type,
} from '../sql/types.ts';
import type { ColumnReference, Layout, SourceDefinition } from './definition.ts';
import { findLogSource, isLeaf, type LogSource, type RecordFields } from './log-sources.ts';

/** A row of DESCRIBE TABLE. */
export interface TableColumn {
  readonly name: string;
  /** ClickHouse type text. */
  readonly type: string;
}

/** OpenTelemetry's logs are partitioned and ordered by this column, which is toDateTime(Timestamp) by default. */
const SECONDS = { of: 'Timestamp', column: 'TimestampTime' } as const;

/** Tables whose columns say what they are: OpenTelemetry's exporter for ClickHouse, and Logflare. */
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
];

/**
 * The source as the translator sees it. Columns that the definition does not name are shown under their own names; those of a type that
 * queries cannot read are left out. Throws QuernError `config` where the definition and the table do not fit.
 */
export function sourceFromTable(definition: SourceDefinition, described: readonly TableColumn[]): Source {
  const { name, database, table, cluster, sameAs, rows } = definition;
  const columns = withNested(described);
  const shape = KNOWN_SHAPES.find(({ marks }) => marks.every((mark) => columns.some((c) => c.name === mark)));
  const mapped: Record<string, ColumnReference> = {
    ...Object.fromEntries(Object.entries(shape?.columns ?? {}).map(([shown, column]) => [shown, { column }])),
    ...definition.columns,
  };
  const shown: SourceColumn[] = Object.entries(mapped).map(([as, reference]) => {
    const column = columns.find((c) => c.name === reference.column);
    if (column === undefined) throw noColumn(definition, as, reference.column, columns);
    const made = toColumn(as, column, reference.key, definition);
    if (made === undefined) {
      throw new QuernError('config', `sources.${name}.columns.${as}: ${reference.column} is ${column.type}, which queries cannot read`, {});
    }
    return made;
  });
  const known =
    shape?.columns['timestamp'] === SECONDS.of && columns.some((c) => c.name === SECONDS.column && readType(c.type).name === 'DateTime');
  const taken = new Set(shown.map((c) => c.name.toLowerCase()));
  for (const column of columns) {
    if (taken.has(column.name.toLowerCase())) continue;
    const made = toColumn(column.name, column, undefined, definition);
    if (made !== undefined) shown.push(made);
  }
  // What queries may ask of a log source by its name, with or without such a column here.
  for (const column of knownSource(definition)?.columns ?? []) {
    if (!shown.some((c) => c.name.toLowerCase() === column)) shown.push({ name: column, type: STRING, read: { layout: 'absent' } });
  }
  for (const key of [...Object.keys(rows)]) {
    if (!described.some((c) => c.name === key)) throw noColumn(definition, key, key, columns);
  }
  for (const [column, path] of Object.entries(sameAs)) {
    for (const wanted of [column, path[0] ?? '']) {
      if (shown.some((c) => c.name === wanted)) continue;
      throw new QuernError('config', `sources.${name}.same_as.${column}: the source has no column ${wanted}`, {});
    }
  }
  return {
    name,
    ...(database === undefined ? {} : { database }),
    table,
    ...(cluster === undefined ? {} : { cluster }),
    columns: shown.map((column) => withSeconds(column, known, shape?.keyOfSeconds)),
    ...(Object.keys(sameAs).length === 0 ? {} : { sameAs, sameAsEverywhere: true }),
    ...(Object.keys(rows).length === 0 ? {} : { rows: Object.entries(rows).map(([column, value]) => ({ column, value })) }),
  };
}

function noColumn({ name, table }: SourceDefinition, as: string, column: string, columns: readonly TableColumn[]): QuernError {
  const names = columns.map((c) => c.name);
  const near = nearest(column, names);
  return new QuernError('config', `sources.${name}: the table ${table} has no column ${column} for ${as}`, {
    hint: near === undefined ? `its columns are: ${names.join(', ')}` : `did you mean ${near}?`,
  });
}

function withSeconds(column: SourceColumn, hasColumn: boolean, keyOfSeconds: string | undefined): SourceColumn {
  const { read } = column;
  if (read.layout !== 'column') return column;
  if (hasColumn && read.column === SECONDS.of) return { ...column, read: { ...read, secondsColumn: SECONDS.column } };
  return read.column === keyOfSeconds ? { ...column, read: { ...read, keyOfSeconds: true } } : column;
}

interface DescribedColumn extends TableColumn {
  readonly flattened?: true;
}

/** A Nested column is described as `metadata.request`, `metadata.response`, each an Array: put together again. */
function withNested(columns: readonly TableColumn[]): readonly DescribedColumn[] {
  const groups = new Map<string, TableColumn[]>();
  const others: TableColumn[] = [];
  for (const column of columns) {
    const dot = column.name.indexOf('.');
    if (dot <= 0 || readType(column.type).name !== 'Array') others.push(column);
    else groups.set(column.name.slice(0, dot), [...(groups.get(column.name.slice(0, dot)) ?? []), column]);
  }
  const nested = [...groups].map(([name, parts]): DescribedColumn => {
    const fields = parts.map((part) => `\`${part.name.slice(name.length + 1)}\` ${readType(part.type).args[0]?.type.text ?? ''}`);
    return { name, type: `Array(Tuple(${fields.join(', ')}))`, flattened: true };
  });
  return [...others, ...nested];
}

function toColumn(name: string, column: DescribedColumn, key: string | undefined, definition: SourceDefinition): SourceColumn | undefined {
  const isMetadata = name.toLowerCase() === 'metadata' && key === undefined;
  const layout = isMetadata ? (definition.layout ?? layoutOf(column.type) ?? 'text') : layoutOf(column.type);
  if (key !== undefined) {
    if (layoutOf(column.type) !== 'map') {
      throw new QuernError('config', `sources.${definition.name}.columns.${name}: ${column.name} is ${column.type}, which has no entries`, {
        hint: "an entry is read from a Map(String, String): Attributes['key']",
      });
    }
    return { name, type: STRING, read: { layout: 'column', column: column.name, clickhouseType: 'Nullable(String)', key } };
  }
  if (layout === undefined || (layout === 'text' && !isMetadata)) return plainColumn(name, column);
  const actual = layoutOf(column.type);
  if (layout === 'text' ? !isText(readType(column.type)) : actual !== layout) {
    throw new QuernError('config', `sources.${definition.name}: ${column.name} is ${column.type}, which is not the layout ${layout}`, {
      hint: actual === undefined ? 'leave the layout out' : `its layout is ${actual}`,
    });
  }
  const declared = isMetadata ? declaredFields(definition) : new Map<string, Type>();
  const records = isMetadata ? definition.records : undefined;
  return { name, ...recordColumn(column, layout, declared, records) };
}

/** The layout that a column of this type can only be; undefined for columns that hold no record. */
const layoutOf = (text: string): Exclude<Layout, 'text'> | undefined => layoutOfType(readType(text));

function layoutOfType(type: ClickHouseType): Exclude<Layout, 'text'> | undefined {
  switch (type.name) {
    case 'JSON':
      return 'json';
    case 'Map':
      return type.args.every((part) => isText(part.type)) ? 'map' : undefined;
    case 'Nested':
      return 'nested';
    default: {
      const tuple = type.name === 'Array' ? type.args[0]?.type : type;
      return tuple?.name === 'Tuple' && tuple.args.every(({ name }) => name !== null) ? 'nested' : undefined;
    }
  }
}

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

function recordColumn(
  column: DescribedColumn,
  layout: Layout,
  declared: ReadonlyMap<string, Type>,
  records: 'one' | 'several' | undefined,
): { readonly type: Type; readonly read: RecordRead } {
  switch (layout) {
    case 'json': {
      const typed = readType(column.type).args.flatMap(({ name, type }) =>
        name === null || name === 'SKIP' || name === 'max_dynamic_paths' ? [] : [[name, type] as const],
      );
      const types = new Map<string, Type>(typed.map(([path, type]) => [path, leafType(type) ?? STRING]));
      const typedPaths = Object.fromEntries(typed.map(([path, { text }]) => [path, text]));
      const read = { layout, column: column.name, typedPaths, severalElements: records === 'several' };
      return { type: recordTypeOf(new Map([...types, ...declared])), read };
    }
    case 'map':
      return { type: recordTypeOf(declared), read: { layout, column: column.name } };
    case 'text':
      return { type: recordTypeOf(declared), read: { layout, column: column.name, severalElements: records === 'several' } };
    case 'nested': {
      const record = nestedRecord(readType(column.type));
      return {
        type: nestedType(record, declared, ''),
        read: {
          layout,
          column: column.name,
          record,
          oneElement: records === 'one',
          ...(column.flattened === true ? { flattened: true } : {}),
        },
      };
    }
  }
}

/** ARRAY<RECORD> with the fields at these dotted paths. */
function recordTypeOf(types: ReadonlyMap<string, Type>): Type {
  const groups = new Map<string, Map<string, Type>>();
  const fields: StructField[] = [];
  for (const [path, type] of types) {
    const dot = path.indexOf('.');
    if (dot === -1) fields.push({ name: path, type });
    else groups.set(path.slice(0, dot), (groups.get(path.slice(0, dot)) ?? new Map<string, Type>()).set(path.slice(dot + 1), type));
  }
  return arrayOf(recordOf([...fields, ...[...groups].map(([name, inner]) => ({ name, type: recordTypeOf(inner) }))]));
}

/** `Array(Tuple(…))`, `Nested(…)` or `Tuple(…)`. */
function nestedRecord({ name: outer, args }: ClickHouseType): NestedRecord {
  const fields = outer === 'Array' ? (args[0]?.type.args ?? []) : args;
  return {
    kind: 'record',
    repeated: outer !== 'Tuple',
    fields: Object.fromEntries(
      fields.map(({ name, type }): [string, NestedField] => [
        name ?? '',
        layoutOfType(type) === 'nested' ? nestedRecord(type) : { kind: 'leaf', clickhouseType: type.text },
      ]),
    ),
  };
}

function nestedType(record: NestedRecord, declared: ReadonlyMap<string, Type>, prefix: string): Type {
  const fields = Object.entries(record.fields).map(([name, field]): StructField => {
    const path = `${prefix}${name}`;
    if (field.kind === 'record') return { name, type: nestedType(field, declared, `${path}.`) };
    const stored = readType(field.clickhouseType);
    const own = leafType(stored) ?? STRING;
    return { name, type: stored.name === 'Array' ? own : (declared.get(path) ?? own) };
  });
  return arrayOf(recordOf(fields));
}

/** A column or field that holds one value. */
interface PlainType {
  readonly type: Type;
  /** ClickHouse type without Nullable that stands for it, when the stored one does not. */
  readonly cast?: string;
}

const DATE_TIME = "DateTime64(6, 'UTC')";

function plainType(stored: ClickHouseType): PlainType | undefined {
  const type = bareType(stored);
  const { name, args } = type;
  switch (name) {
    case 'String':
      return { type: STRING };
    case 'FixedString':
    case 'UUID':
    case 'IPv4':
    case 'IPv6':
    case 'Enum8':
    case 'Enum16':
      return { type: STRING, cast: 'String' };
    case 'Bool':
      return { type: BOOL };
    case 'Int64':
      return { type: INT64 };
    case 'Float64':
      return { type: FLOAT64 };
    case 'Float32':
    case 'BFloat16':
      return { type: FLOAT64, cast: 'Float64' };
    case 'Decimal':
      return Number(literalArgument(type, 0)) <= 38 && Number(literalArgument(type, 1)) <= 9
        ? { type: NUMERIC, cast: 'Decimal(38, 9)' }
        : { type: BIGNUMERIC, cast: 'Decimal(76, 38)' };
    case 'Date32':
      return { type: DATE };
    case 'Date':
      return { type: DATE, cast: 'Date32' };
    case 'DateTime':
      return { type: TIMESTAMP, cast: DATE_TIME };
    case 'DateTime64':
      return literalArgument(type, 0) === '6' && literalArgument(type, 1) === 'UTC'
        ? { type: TIMESTAMP }
        : { type: TIMESTAMP, cast: DATE_TIME };
    case 'Array': {
      const [stands] = args;
      const element = stands === undefined ? undefined : plainType(stands.type);
      if (stands === undefined || element === undefined || element.type.kind === 'ARRAY') return undefined;
      return { type: arrayOf(element.type), cast: `Array(Nullable(${element.cast ?? bareType(stands.type).text}))` };
    }
    default:
      if (/^U?Int(8|16|32|64)$/.test(name)) return { type: INT64, cast: 'Int64' };
      return /^U?Int(128|256)$/.test(name) ? { type: BIGNUMERIC, cast: 'Decimal(76, 38)' } : undefined;
  }
}

const leafType = (type: ClickHouseType): Type | undefined => plainType(type)?.type;

function plainColumn(name: string, { name: column, type: stored }: TableColumn): SourceColumn | undefined {
  const type = readType(stored);
  const plain = plainType(type);
  if (plain === undefined) return undefined;
  const { cast } = plain;
  const castTo = cast === undefined || type.name === 'Array' || !isNullable(type) ? cast : `Nullable(${cast})`;
  return {
    name,
    type: plain.type,
    read: { layout: 'column', column, clickhouseType: stored, ...(castTo === undefined ? {} : { castTo }) },
  };
}
