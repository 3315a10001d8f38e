// What a new table is to be: its columns by the file and by what the user says, its key, its partitions.

import { didYouMean, QuernError } from '../../base/errors.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { StoredColumn, TablePartition, TableShape } from '../../sources/loaded/stored-table.ts';
import { REPEATED_TEXT, storedType, WIDE, WIDENED } from '../../sources/loaded/stored-type.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { LOAD_COLUMN, LOAD_COLUMN_TYPE } from '../tables.ts';

export interface ShapeWishes {
  readonly orderBy?: readonly string[] | undefined;
  readonly partitionBy?: TablePartition | undefined;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const MOST_CHARACTERS = 150;

/** Throws QuernError `usage` for what cannot be the name of a table. */
export function checkTableName(name: string): void {
  const hint = 'use letters, digits, dots, dashes and underscores, such as orders or shop.orders-2026';
  if (!NAME.test(name)) throw new QuernError('usage', `${JSON.stringify(name)} is not a valid table name`, { hint });
  if (name.length > MOST_CHARACTERS)
    throw new QuernError('usage', `a table name can have at most ${MOST_CHARACTERS} characters, and this one has ${name.length}`, {});
}

/** `repeated`: the columns of texts of which few come again and again. */
export function makeShape(
  name: string,
  columns: readonly DeclaredColumn[],
  repeated: ReadonlySet<string>,
  wishes: ShapeWishes,
): TableShape {
  if (columns.length === 0) throw new QuernError('load', `the columns of ${name} are unknown`, { hint: 'name them with --schema' });
  const reserved = columns.find((column) => column.name.toLowerCase() === LOAD_COLUMN);
  if (reserved !== undefined)
    throw new QuernError('load', `a column cannot be called ${reserved.name}`, {
      hint: 'quern stores the number of the load there; rename the column in the file',
    });
  const stored = columns.map((column): StoredColumn => {
    const type = column.type.kind === 'STRING' && repeated.has(column.name) ? REPEATED_TEXT : storedType(column.type);
    if (type === undefined)
      throw new QuernError('load', `the type of ${column.name} cannot be stored in a table`, { hint: 'declare another one with --schema' });
    return { ...column, stored: type };
  });
  const pick = (wanted: string, flag: string): string => {
    const found = stored.find((column) => column.name.toLowerCase() === wanted.toLowerCase());
    if (found !== undefined) return found.name;
    const names = stored.map((column) => column.name);
    throw new QuernError('usage', `${flag}: ${name} has no column ${wanted}`, {
      hint: didYouMean(wanted, names) ?? `its columns are: ${names.join(', ')}`,
    });
  };
  const orderBy = wishes.orderBy?.map((wanted) => pick(wanted, '--order-by')) ?? timeKey(stored);
  for (const key of orderBy) {
    const kind = stored.find((column) => column.name === key)?.type.kind ?? '';
    if (['ARRAY', 'STRUCT', 'JSON'].includes(kind))
      throw new QuernError('usage', `--order-by: ${key} is of type ${kind}, which cannot be ordered`, {});
  }
  const { partitionBy } = wishes;
  return {
    name,
    columns: stored,
    orderBy,
    ...(partitionBy === undefined
      ? {}
      : { partitionBy: checkPartition({ ...partitionBy, column: pick(partitionBy.column, '--partition-by') }, stored) }),
  };
}

/** Rows are kept by their first time: queries ask for spans of it, and what is loaded comes by it. */
const timeKey = (columns: readonly StoredColumn[]): readonly string[] =>
  columns
    .filter(({ type }) => ['TIMESTAMP', 'DATETIME', 'DATE'].includes(type.kind))
    .slice(0, 1)
    .map(({ name }) => name);

const TIME_KINDS: readonly string[] = WIDENED;
const VALUE_KINDS: readonly string[] = ['STRING', 'INT64', 'BOOL'];

function checkPartition(partition: TablePartition, columns: readonly StoredColumn[]): TablePartition {
  const kind = columns.find(({ name }) => name === partition.column)?.type.kind ?? '';
  const isTime = TIME_KINDS.includes(kind);
  if (!isTime && partition.by !== undefined)
    throw new QuernError('usage', `--partition-by: ${partition.column} is of type ${kind}, which has no ${partition.by}s`, {});
  if (!isTime && !VALUE_KINDS.includes(kind))
    throw new QuernError('usage', `--partition-by: ${partition.column} is of type ${kind}`, {
      hint: 'name a column of dates, times, text or integers',
    });
  if (kind === 'DATE' && partition.by === 'hour')
    throw new QuernError('usage', `--partition-by: ${partition.column} is a DATE, which has no hours`, {});
  return isTime ? { ...partition, by: partition.by ?? 'day' } : partition;
}

/** Whether a column of dates or times holds their texts, as those did that were made for years beyond 1900 to 2299. */
export const isWide = ({ type, stored }: StoredColumn): boolean => WIDENED.includes(type.kind) && stored === WIDE;

/** `table` is a table's name as SQL has it. */
export function createOwnTableSql(shape: TableShape, table: string): string {
  const columns = shape.columns.map(({ name, stored }) => `${quoteIdentifier(name)} ${stored}`);
  const key = shape.orderBy.map(quoteIdentifier).join(', ');
  const partition = shape.partitionBy === undefined ? '' : ` PARTITION BY ${partitionSql(shape.partitionBy, shape.columns)}`;
  return (
    `CREATE TABLE ${table} (${[...columns, `${LOAD_COLUMN} ${LOAD_COLUMN_TYPE}`].join(', ')}) ENGINE = MergeTree` +
    `${partition} ORDER BY (${key}) SETTINGS allow_nullable_key = 1`
  );
}

const PREFIXES = { hour: 13, day: 10, month: 7, year: 4 } as const;
/** Of all the years that a column holds; what ClickHouse calls toStartOfHour and toStartOfMonth begins in 1970. */
const PARTITIONS = {
  hour: (name: string) => `toYYYYMMDD(${name}) * 100 + toHour(${name})`,
  day: (name: string) => `toDate32(${name})`,
  month: (name: string) => `toYYYYMM(${name})`,
  year: (name: string) => `toYear(${name})`,
} as const;

function partitionSql({ column, by }: TablePartition, columns: readonly StoredColumn[]): string {
  const name = quoteIdentifier(column);
  if (by === undefined) return name;
  const found = columns.find((each) => each.name === column);
  return found !== undefined && isWide(found) ? `substring(${name}, 1, ${PREFIXES[by]})` : PARTITIONS[by](name);
}
