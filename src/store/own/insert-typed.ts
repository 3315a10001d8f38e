// Inserts a file whose columns have types (Parquet, Arrow, ORC, Avro): its values become those of the table as queries would read them.

import { FORMATS } from '../../catalog/files/formats.ts';
import { selectAs } from '../../catalog/stored-select.ts';
import type { StoredColumn } from '../../catalog/stored-table.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import type { EngineFile } from './engine-file.ts';
import type { FoundColumn } from './infer.ts';
import { explained } from './infer.ts';
import { INSERT_SETTINGS, settingsText } from './insert-settings.ts';

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
  const { sql, settings } = selectAs(
    from,
    found.map(({ name, fileName, found: type }) => ({ name: fileName ?? name, type })),
    there.map((column) => ({ name: found.find(({ name }) => name === column.name)?.fileName ?? column.name, type: column.type })),
  );
  const texts = there.flatMap((column, i) => (column.type.kind === 'STRING' ? [`NOT isValidUTF8(ifNull(r.v${i}, ''))`] : []));
  const number = texts.length === 0 ? String(load) : `${load} + throwIf(${texts.join(' OR ')}, ${NOT_TEXT})`;
  const targets = [...there.map(({ name }) => quoteIdentifier(name)), '_quern_load'].join(', ');
  const command = `INSERT INTO ${into} (${targets}) SELECT r.*, ${number} FROM (${sql}) AS r SETTINGS ${settingsText({ ...settings, ...INSERT_SETTINGS })}`;
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

const UTF8 = 'quern: not UTF-8';
const NOT_TEXT = `'${UTF8}'`;
