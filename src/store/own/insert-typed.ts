// Inserts a file whose columns have types (Parquet, Arrow, ORC, Avro): its values become those of the table as queries would read them.

import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import { FORMATS } from '../../sources/files/formats.ts';
import type { StoredColumn } from '../../sources/loaded/stored-table.ts';
import type { EngineFile } from './engine-file.ts';
import type { FoundColumn } from './infer.ts';
import { explained } from './infer.ts';
import { INSERT_SETTINGS, settingsText } from './insert-settings.ts';
import { plainValue } from './plain-values.ts';

interface TypedInsert {
  readonly engine: EmbeddedEngine;
  readonly file: EngineFile;
  readonly columns: readonly StoredColumn[];
  /** What the file has, by the names of the table's columns. */
  readonly found: readonly FoundColumn[];
  readonly into: string;
  readonly load: number;
  readonly signal: AbortSignal | undefined;
}

export async function insertTyped({ engine, file, columns, found, into, load, signal }: TypedInsert): Promise<void> {
  const there = columns.filter(({ name }) => found.some((column) => column.name === name));
  const structure = found.map((column) => `${quoteIdentifier(column.fileName ?? column.name)} ${column.found}`).join(', ');
  const from = file.from(FORMATS[file.format].engine, structure);
  const { values, rows, settings } = await readValues(from, found, there);
  const isText = there.flatMap(({ type }, i) => (type.kind === 'STRING' ? [`ifNull(isValidUTF8(${values[i]}), 1)`] : []));
  // Without OR, which would look at the rows of each column only where those before it are right.
  const number =
    isText.length === 0 ? String(load) : `${load} + throwIf(${isText.reduce((a, b) => `bitAnd(${a}, ${b})`)} = 0, ${NOT_TEXT})`;
  const targets = [...there.map(({ name }) => quoteIdentifier(name)), '_quern_load'].join(', ');
  const command = `INSERT INTO ${into} (${targets}) SELECT ${[...values, number].join(', ')} FROM ${rows} SETTINGS ${settingsText({ ...settings, ...INSERT_SETTINGS })}`;
  try {
    await engine.command(command, signal);
  } catch (cause) {
    if (cause instanceof QuernError && `${cause.message} ${String(cause.cause)}`.includes(UTF8)) {
      throw new QuernError('load', `${file.name} has bytes that are not UTF-8 in a text column`, {
        hint: `nothing was loaded; declare the column as BYTES, such as --schema ${there.find(({ type }) => type.kind === 'STRING')?.name ?? 'name'}:BYTES`,
        cause,
      });
    }
    throw explained(file, cause);
  }
}

/** Handing blocks of plain values from the reader's threads to others takes longer than what those would do. */
const ONE_STREAM = { parallelize_output_from_storages: 0 } as const;

interface ReadValues {
  /** ClickHouse SQL of a value for each column of the table. */
  readonly values: readonly string[];
  /** What FROM has, for these. */
  readonly rows: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

/** How the columns `there` are read of a table function with the columns `found`. */
async function readValues(from: string, found: readonly FoundColumn[], there: readonly StoredColumn[]): Promise<ReadValues> {
  const inFile = found.map(({ name, fileName = name, found: type }) => ({ of: name, name: fileName, type }));
  const columns = there.flatMap(({ name, type }) => {
    const file = inFile.find(({ of }) => of === name);
    return file === undefined ? [] : [{ name: file.name, found: file.type, type }];
  });
  const values = columns.flatMap((column) => plainValue('r', column.name, column.found, column.type) ?? []);
  if (values.length === there.length) return { values, rows: `${from} AS r`, settings: ONE_STREAM };
  const { selectAs } = await import('../../sources/loaded/stored-select.ts');
  const { sql, settings } = selectAs(from, inFile, columns);
  return { values: there.map((_, i) => `r.v${i}`), rows: `(${sql}) AS r`, settings };
}

const UTF8 = 'quern: not UTF-8';
const NOT_TEXT = `'${UTF8}'`;
