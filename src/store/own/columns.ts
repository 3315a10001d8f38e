// Columns of files beside those of a table: what a new table is made of, and whether a file fits one that is there.

import { nearest, QuernError } from '../../base/errors.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { fileFunction, settingsText } from '../../sources/files/engine-files.ts';
import { type TableShape, typeOfStored } from '../../sources/loaded/stored-table.ts';
import type { ValueType } from '../../sources/loaded/stored-type.ts';
import type { DeclaredColumn } from '../../sources/table-schema.ts';
import { type FoundColumn, type FoundFile, isCsv, isJson } from './described-file.ts';
import type { EngineFile } from './engine-file.ts';
import { makeShape, type ShapeWishes } from './shape.ts';

interface FirstWishes extends ShapeWishes {
  readonly schema?: readonly DeclaredColumn[] | undefined;
}

/** The shape of a table made of the files. */
export async function firstShape(
  name: string,
  files: readonly FoundFile[],
  engine: EmbeddedEngine,
  wishes: FirstWishes,
): Promise<TableShape> {
  const columns = new Map<string, DeclaredColumn>();
  const declared = new Map((wishes.schema ?? []).map((column) => [column.name.toLowerCase(), column]));
  for (const [i, { file, found }] of files.entries()) {
    const names = new Set<string>();
    for (const column of found) {
      const key = column.name.toLowerCase();
      const before = columns.get(key);
      if (before === undefined && (i === 0 || isJson(file))) columns.set(key, firstColumn(file, column, declared.get(key)));
      else if (before !== undefined && !declared.has(key)) columns.set(key, { ...before, type: both(before.type, typeOf(file, column)) });
      names.add(key);
    }
    for (const column of wishes.schema ?? []) {
      if (names.has(column.name.toLowerCase())) continue;
      if (!isJson(file)) throw noColumn(file, column.name, found);
      columns.set(column.name.toLowerCase(), column);
    }
  }
  const repeated = await repeatedTexts(files[0], [...columns.values()], engine);
  return makeShape(name, [...columns.values()], repeated, wishes);
}

function firstColumn(file: EngineFile, column: FoundColumn, declared: DeclaredColumn | undefined): DeclaredColumn {
  if (declared !== undefined) {
    if (!isJson(file)) checkReadable(file, column, declared.type);
    return isJson(file) ? { ...declared, name: column.name } : declared;
  }
  return { name: column.name, type: typeOf(file, column) };
}

/** What queries make of the column. */
const typeOf = (file: EngineFile, column: FoundColumn): ValueType => checkReadable(file, column, undefined);

function checkReadable(file: EngineFile, { name, found, declared }: FoundColumn, wanted: ValueType | undefined): ValueType {
  const read = typeOfStored({ name, type: found }, wanted ?? declared);
  if ('type' in read) return read.type;
  throw new QuernError('load', `the column ${name} of ${file.name} cannot be loaded: ${read.unread}`, { hint: 'nothing was loaded' });
}

/** A type for the values of both. */
function both(a: ValueType, b: ValueType): ValueType {
  const kinds = [a.kind, b.kind];
  if (kinds.includes('INT64') && kinds.includes('FLOAT64')) return { kind: 'FLOAT64' };
  if (kinds.includes('DATE') && kinds.includes('TIMESTAMP')) return { kind: 'TIMESTAMP' };
  return a;
}

/** A text comes again so often that a dictionary of them is smaller, and faster to group by. */
const MOST_VALUES = 1000;
const TIMES = 10;
const SAMPLE_ROWS = MOST_VALUES * TIMES;

const STORED_TEXT = /^(?:LowCardinality\(|Nullable\()*String\)*$/;

async function repeatedTexts(
  first: FoundFile | undefined,
  columns: readonly DeclaredColumn[],
  engine: EmbeddedEngine,
): Promise<ReadonlySet<string>> {
  const texts = columns.filter(({ type }) => type.kind === 'STRING').map(({ name }) => name);
  if (first === undefined || texts.length === 0) return new Set();
  const { file, description } = first;
  const there = texts.filter((name) => description.columns.some((column) => column.name === name && STORED_TEXT.test(column.type)));
  if (there.length === 0) return new Set();
  const counts = there.map((name) => `uniq(${quoteIdentifier(name)})`).join(', ');
  const settings = settingsText({
    ...description.settings,
    input_format_allow_errors_ratio: 1,
    // A few rows: what is read ahead of them would be thrown away.
    max_threads: 1,
    input_format_parallel_parsing: 0,
    input_format_parquet_max_block_size: SAMPLE_ROWS,
  });
  const from = fileFunction({ paths: [file.path] }, description.format, description.columns);
  const names = there.map(quoteIdentifier).join(', ');
  const sql = `SELECT count(), ${counts} FROM (SELECT ${names} FROM ${from} LIMIT ${SAMPLE_ROWS}) SETTINGS ${settings}`;
  // Only how fast it is depends on this.
  const [rows, ...values] = (await engine.rows(sql).catch(() => []))[0] ?? [];
  return new Set(there.filter((_, i) => Number(values[i]) <= MOST_VALUES && Number(values[i]) * TIMES <= Number(rows)));
}

/**
 * The columns of the file, by the names of the table's. Throws QuernError `load` where the table has one that the file lacks, or the other way
 * round; what an object of JSON has is seen line by line.
 */
export function fitColumns(file: EngineFile, found: readonly FoundColumn[], shape: TableShape): readonly FoundColumn[] {
  for (const { name } of isJson(file) ? [] : shape.columns) {
    if (!found.some((column) => column.name.toLowerCase() === name.toLowerCase())) throw noColumn(file, name, found);
  }
  return found.map((column) => {
    const known = shape.columns.find(({ name }) => name.toLowerCase() === column.name.toLowerCase());
    if (known === undefined && isJson(file)) return column;
    if (known === undefined) {
      const near = nearest(
        column.name,
        shape.columns.map(({ name }) => name),
      );
      throw new QuernError('load', `${file.name} has a column ${column.name}, which ${shape.name} does not have`, {
        hint:
          near === undefined
            ? 'nothing was loaded; remove the column, or recreate the table with --replace'
            : `did you mean ${near}? Nothing was loaded`,
      });
    }
    if (!isJson(file)) checkReadable(file, column, known.type);
    return { ...column, name: known.name, fileName: column.fileName ?? column.name };
  });
}

function noColumn(file: EngineFile, name: string, found: readonly FoundColumn[]): QuernError {
  const names = found.map((column) => column.name);
  const near = nearest(name, names);
  const header = isCsv(file) ? '; if that line is not a header, add --no-header' : '';
  return new QuernError('load', `${file.name} has no column ${name}`, {
    hint:
      near === undefined ? `nothing was loaded; its columns are: ${names.join(', ')}${header}` : `did you mean ${near}? Nothing was loaded`,
  });
}
