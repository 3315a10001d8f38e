// What is in files that have types: Parquet, Arrow, ORC and Avro. Sources and loads ask for it here, so that a column has one type.
import { quoteString } from '../../clickhouse/quote.ts';
import { bareType, type ClickHouseType, literalArgument, readType } from '../../clickhouse/type.ts';
import { arrayOf, BYTES, DATE, DATETIME, INT64, JSON_TYPE, structOf, TIME, type Type } from '../../sql/base/types.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import type { Ask, Described } from './description.ts';
import { DESCRIBING, settingsText } from './engine-files.ts';
import { type FileFormat, FORMATS } from './formats.ts';
import { HOLDS_INTERVALS, intervalColumns, structsOfNulls } from './parquet-metadata.ts';
import { checkColumns } from './sensible.ts';

/** Files by the table function that reads them in one of the engine's formats. */
export interface TypedFiles {
  all(format: string): string;
  /** Of which what they all have in common is found. */
  first(format: string): string;
  readonly several: boolean;
  /** As messages name them. */
  readonly label: string;
}

const METADATA = 'ParquetMetadata';

/** `schema` is what is said of columns. Throws what `ask` throws, and QuernError `config` for too many columns. */
export async function describeTyped(
  format: FileFormat,
  schema: readonly DeclaredColumn[],
  files: TypedFiles,
  ask: Ask,
): Promise<Described> {
  const { engine } = FORMATS[format];
  const settings = {
    ...DESCRIBING,
    input_format_parquet_local_time_as_utc: 0,
    // A column that one of several files lacks is NULL in its rows.
    schema_inference_make_columns_nullable: files.several ? 1 : 3,
    schema_inference_mode: files.several && format !== 'avro' ? 'union' : 'default',
  };
  const rows = await ask(`DESCRIBE TABLE ${files.all(engine)} SETTINGS ${settingsText(settings)}`);
  const found = rows.map(([name, type]): TableColumn => ({ name: String(name), type: String(type) }));
  checkColumns('config', files.label, found);
  const isParquet = format === 'parquet';
  const physical = isParquet ? await parquetTypes(files.first(METADATA), ask) : new Map<string, Type>();
  const intervals = isParquet ? await intervalColumns(found, files.all(METADATA), ask) : new Set<string>();
  const days = found.filter(({ type }) => bareType(readType(type)).name === 'Date32').map(({ name }) => name);
  // Arrow does not say which days there are.
  const possible = format === 'arrow' ? days : [];
  const far = isParquet ? await daysAfar(days, files.all(METADATA), ask) : possible;
  const declared: DeclaredColumn[] = [];
  const columns = found.map(({ name, type }): TableColumn => {
    const said = schema.find((one) => one.name.toLowerCase() === name.toLowerCase())?.type;
    if (said === undefined && intervals.has(name)) return { name, type, unread: HOLDS_INTERVALS };
    // Days of all years; ClickHouse's own dates begin in 1900.
    if (said === undefined ? far.includes(name) : said.kind === 'DATE' && days.includes(name)) {
      if (said === undefined) declared.push({ name, type: DATE });
      return { name, type: 'Nullable(Int32)' };
    }
    const own = said ?? physical.get(name) ?? declaredBy(readType(type), { integers: false, local: isParquet || format === 'arrow' });
    if (own === undefined) return { name, type };
    if (said === undefined) declared.push({ name, type: own });
    if (own.kind === 'JSON') return { name, type: 'Nullable(String)' };
    return { name, type: own.kind === 'TIME' ? 'Nullable(Time64(6))' : type };
  });
  const hasStructs = isParquet && found.some(({ type }) => type.includes('Tuple('));
  const structs = hasStructs ? await structsOfNulls(files.all(METADATA), ask) : [];
  return {
    format: engine,
    settings: {},
    columns,
    declared: declared.filter(({ type }) => type.kind !== 'TIME'),
    ...(structs.length === 0 ? {} : { structsOfNulls: structs }),
  };
}

/** Types of columns that ClickHouse reads as others: by what Parquet says of them. */
async function parquetTypes(metadata: string, ask: Ask): Promise<ReadonlyMap<string, Type>> {
  const rows = await ask(`SELECT c.path, c.physical_type, c.logical_type FROM ${metadata} ARRAY JOIN columns AS c`);
  return new Map(
    rows.flatMap(([path, physical, logical]): readonly (readonly [string, Type])[] => {
      if (/^Time\(/.test(String(logical))) return [[String(path), TIME]];
      if (logical === 'JSON') return [[String(path), JSON_TYPE]];
      return logical === 'None' && physical === 'BYTE_ARRAY' ? [[String(path), BYTES]] : [];
    }),
  );
}

const [FIRST_DAY, LAST_DAY] = [-25567, 120529];

/** Columns of Parquet with days outside the years 1900 to 2299, of those that are called `days`. */
async function daysAfar(days: readonly string[], metadata: string, ask: Ask): Promise<readonly string[]> {
  if (days.length === 0) return [];
  const day = (bound: string): string => `toInt64OrZero(ifNull(c.statistics.${bound}, ''))`;
  const rows = await ask(
    `SELECT DISTINCT c.path FROM ${metadata} ARRAY JOIN row_groups AS g ARRAY JOIN g.columns AS c ` +
      `WHERE c.path IN (${days.map(quoteString).join(', ')}) AND (${day('min')} < ${FIRST_DAY} OR ${day('max')} > ${LAST_DAY})`,
  );
  return rows.map(([path]) => String(path));
}

interface Reading {
  /** Integers are stored wider than they are, so that one beyond INT64 is seen. */
  readonly integers: boolean;
  /** A time without a zone is what a clock showed. */
  readonly local: boolean;
}

/** What ClickHouse's type does not say by itself; of a struct the fields of which that is so. */
export function declaredBy(stored: ClickHouseType, reading: Reading): Type | undefined {
  const { name, args } = bareType(stored);
  switch (name) {
    case 'Int64':
      return reading.integers ? INT64 : undefined;
    case 'DateTime64':
      return reading.local && literalArgument(bareType(stored), 1) === '' ? DATETIME : undefined;
    case 'Array': {
      const element = args[0] === undefined ? undefined : declaredBy(args[0].type, reading);
      return element === undefined || element.kind === 'ARRAY' ? undefined : arrayOf(element);
    }
    case 'Tuple':
    case 'Map': {
      const fields = args.flatMap((arg, i) => {
        const type = declaredBy(arg.type, reading);
        return type === undefined ? [] : [{ name: name === 'Map' ? (['key', 'value'][i] ?? '') : arg.name, type }];
      });
      if (fields.length === 0) return undefined;
      return name === 'Map' ? arrayOf(structOf(fields)) : structOf(fields);
    }
    default:
      return undefined;
  }
}
