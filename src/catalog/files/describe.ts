// Asks the engine what is in files: their columns, and what each holds.
import { bareType, type ClickHouseType, literalArgument, readType } from '../../clickhouse/type.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import { arrayOf, BYTES, DATETIME, INT64, JSON_TYPE, structOf, TIME, type Type } from '../../sql/types.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import type { FilesDefinition } from './definition.ts';
import { describeText } from './describe-text.ts';
import type { Ask, FilesDescription } from './description.ts';
import { fileFunction, NO_PARTITIONS, settingsText } from './engine-files.ts';
import { FORMATS, JSON_FORMATS, TEXT_FORMATS } from './formats.ts';
import { partitionsOf } from './hive.ts';
import type { ListedFile } from './list-files.ts';
import { SAMPLE_ROWS, textClass, typeOfClasses } from './text-class.ts';

/**
 * `schema` is what the project says of columns. Throws what `ask` throws, and QuernError `config` where nothing can be found out.
 */
export async function describeFiles(
  definition: FilesDefinition,
  schema: readonly DeclaredColumn[],
  files: readonly ListedFile[],
  ask: Ask,
): Promise<FilesDescription> {
  const { format } = definition;
  // A file of no bytes has no rows; formats with a frame are not read from one.
  const filled = files.filter(({ bytes }) => bytes > 0);
  const paths = (filled.length === 0 ? files : filled).map(({ path }) => path);
  const partitions = definition.hivePartitions ? partitionsOf(files.map(({ path }) => path)) : [];
  const known = TEXT_FORMATS.includes(format)
    ? await describeText(definition, schema, paths, ask)
    : JSON_FORMATS.includes(format)
      ? await describeJson(FORMATS[format].engine, schema, paths, ask)
      : await describeTyped(definition, schema, paths, ask);
  const taken = new Set(partitions.map(({ name }) => name.toLowerCase()));
  // A column that is both in the file and in the folder's name is the folder's, as it is for BigQuery.
  return { ...known, columns: known.columns.filter(({ name }) => !taken.has(name.toLowerCase())), partitions };
}

type Described = Omit<FilesDescription, 'partitions'>;

async function described(ask: Ask, paths: readonly string[], format: string, settings: FilesDescription['settings']) {
  const rows = await ask(`DESCRIBE TABLE ${fileFunction(paths, format)} SETTINGS ${settingsText(settings)}`);
  return rows.map(([name, type]): TableColumn => ({ name: String(name), type: String(type) }));
}

/** Text that looks like a date is a text, until the values are looked at; what is not declared is not guessed at. */
const AS_WRITTEN = {
  ...NO_PARTITIONS,
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  schema_inference_make_columns_nullable: 1,
};

async function describeJson(format: string, schema: readonly DeclaredColumn[], paths: readonly string[], ask: Ask): Promise<Described> {
  // All files at once, or columns that the first lacks would be missed.
  const union = { ...AS_WRITTEN, schema_inference_mode: paths.length > 1 ? 'union' : 'default' };
  const found = await described(ask, paths, format, union);
  const texts = found.filter(({ name, type }) => type === 'Nullable(String)' && !isSaid(schema, name));
  const times = await timesAmong(texts, paths, format, ask);
  const columns = found.map(({ name, type }): TableColumn => {
    const said = schema.find((one) => sameName(one.name, name));
    // ClickHouse reads digits beyond INT64 as another number.
    return { name, type: said === undefined ? type.replaceAll(/\bU?Int64\b/g, 'Int128') : storedFor(said.type, type) };
  });
  const whole = found.flatMap(({ name, type }) => {
    const declared = isSaid(schema, name) ? undefined : declaredBy(readType(type), { integers: true, local: false });
    return declared === undefined ? [] : [{ name, type: declared }];
  });
  return { format, settings: {}, columns, declared: [...whole, ...times] };
}

/** Columns of text whose values, as far as they were looked at, are all dates or all times. */
async function timesAmong(
  columns: readonly TableColumn[],
  paths: readonly string[],
  format: string,
  ask: Ask,
): Promise<readonly DeclaredColumn[]> {
  if (columns.length === 0) return [];
  const classes = columns.map(({ name }) => `groupUniqArray(${textClass(name)})`).join(', ');
  const sample = `SELECT * FROM ${fileFunction(paths.slice(0, 1), format, columns)} LIMIT ${SAMPLE_ROWS} SETTINGS ${settingsText(NO_PARTITIONS)}`;
  const [row = []] = await ask(`SELECT ${classes} FROM (${sample})`);
  return columns.flatMap(({ name }, i) => {
    const type = typeOfClasses(row[i] as readonly string[]);
    return type.kind === 'DATE' || type.kind === 'TIMESTAMP' ? [{ name, type }] : [];
  });
}

/** Parquet, Arrow, ORC and Avro say themselves what is in them. */
async function describeTyped(
  { format }: FilesDefinition,
  schema: readonly DeclaredColumn[],
  paths: readonly string[],
  ask: Ask,
): Promise<Described> {
  const { engine } = FORMATS[format];
  const settings = {
    ...NO_PARTITIONS,
    input_format_parquet_local_time_as_utc: 0,
    // A column that one of several files lacks is NULL in its rows.
    schema_inference_make_columns_nullable: paths.length > 1 ? 1 : 3,
    schema_inference_mode: paths.length > 1 && format !== 'avro' ? 'union' : 'default',
  };
  const found = await described(ask, paths, engine, settings);
  const physical = format === 'parquet' ? await parquetTypes(paths.slice(0, 1), ask) : new Map<string, Type>();
  const declared: DeclaredColumn[] = [];
  const columns = found.map(({ name, type }): TableColumn => {
    const said = schema.find((one) => sameName(one.name, name))?.type;
    // Days of all years; ClickHouse's own dates begin in 1900.
    if (said?.kind === 'DATE' && bareType(readType(type)).name === 'Date32') return { name, type: 'Nullable(Int32)' };
    const own =
      said ?? physical.get(name) ?? declaredBy(readType(type), { integers: false, local: format === 'parquet' || format === 'arrow' });
    if (own === undefined) return { name, type };
    if (said === undefined) declared.push({ name, type: own });
    if (own.kind === 'JSON') return { name, type: 'Nullable(String)' };
    return { name, type: own.kind === 'TIME' ? 'Nullable(Time64(6))' : type };
  });
  return { format: engine, settings: {}, columns, declared: declared.filter(({ type }) => type.kind !== 'TIME') };
}

/** Types of columns that ClickHouse reads as others: by what Parquet says of them. */
async function parquetTypes(paths: readonly string[], ask: Ask): Promise<ReadonlyMap<string, Type>> {
  const rows = await ask(
    `SELECT c.path, c.physical_type, c.logical_type FROM ${fileFunction(paths, 'ParquetMetadata')} ARRAY JOIN columns AS c`,
  );
  return new Map(
    rows.flatMap(([path, physical, logical]): readonly (readonly [string, Type])[] => {
      const type = /^Time\(/.test(String(logical))
        ? TIME
        : logical === 'JSON'
          ? JSON_TYPE
          : logical === 'None' && physical === 'BYTE_ARRAY'
            ? BYTES
            : undefined;
      return type === undefined ? [] : [[String(path), type]];
    }),
  );
}

interface Told {
  /** Integers are stored wider than they are, so that one beyond INT64 is seen. */
  readonly integers: boolean;
  /** A time without a zone is what a clock showed. */
  readonly local: boolean;
}

/** What ClickHouse's type does not say by itself; of a struct the fields of which that is so. */
function declaredBy(stored: ClickHouseType, told: Told): Type | undefined {
  const { name, args } = bareType(stored);
  switch (name) {
    case 'Int64':
      return told.integers ? INT64 : undefined;
    case 'DateTime64':
      return told.local && literalArgument(bareType(stored), 1) === '' ? DATETIME : undefined;
    case 'Array': {
      const element = args[0] === undefined ? undefined : declaredBy(args[0].type, told);
      return element === undefined ? undefined : arrayOf(element);
    }
    case 'Tuple':
    case 'Map': {
      const fields = args.flatMap((arg, i) => {
        const type = declaredBy(arg.type, told);
        return type === undefined ? [] : [{ name: name === 'Map' ? (['key', 'value'][i] ?? '') : arg.name, type }];
      });
      if (fields.length === 0) return undefined;
      return name === 'Map' ? arrayOf(structOf(fields)) : structOf(fields);
    }
    default:
      return undefined;
  }
}

/** How a value of JSON is read that is declared to be of `type`, where `found` is what it seemed to be. */
function storedFor(type: Type, found: string): string {
  switch (type.kind) {
    case 'INT64':
      return 'Nullable(Int128)';
    case 'FLOAT64':
      return 'Nullable(Float64)';
    case 'BOOL':
      return 'Nullable(Bool)';
    case 'ARRAY':
      return type.element.kind === 'STRUCT' || type.element.kind === 'RECORD'
        ? found.replaceAll(/\bU?Int64\b/g, 'Int128')
        : `Array(${storedFor(type.element, found)})`;
    case 'STRUCT':
    case 'RECORD':
      return found.replaceAll(/\bU?Int64\b/g, 'Int128');
    default:
      return 'Nullable(String)';
  }
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const isSaid = (schema: readonly DeclaredColumn[], name: string): boolean => schema.some((one) => sameName(one.name, name));
