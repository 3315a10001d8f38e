// What stands above the rows of a CSV or TSV file: names of columns, or nothing.

import type { EmbeddedEngine } from '../../engine/embedded/embedded.ts';
import { QuernError } from '../../errors.ts';
import { checkColumns } from '../../sources/files/sensible.ts';
import { Invalid } from '../bad-lines.ts';
import { readCells } from '../csv.ts';
import type { EngineFile } from './engine-file.ts';
import { csvSettings, settingsText, type TextForm } from './insert-settings.ts';

export interface TextHead {
  /** Undefined where the columns get their names by their types. */
  readonly names: readonly string[] | undefined;
  /** How many cells a row has. */
  readonly cells: number;
}

/** Names for the columns of files without a header, in their order, and where they come from. */
export interface GivenNames {
  readonly names: readonly string[];
  /** As a message names it: `--schema`, a table, another file. */
  readonly of: string;
}

/** Throws what the engine says, and QuernError `load` for a line that names no columns and for a wrong number of names. */
export async function headOf(file: EngineFile, engine: EmbeddedEngine, form: TextForm, given: GivenNames | undefined): Promise<TextHead> {
  if (form.header) {
    const names = await headerOf(file, engine, form);
    return { names, cells: names.length };
  }
  const settings = { ...csvSettings(form), input_format_max_rows_to_read_for_schema_inference: 1 };
  const cells = (await engine.rows(`DESCRIBE TABLE ${file.from('CSV')} SETTINGS ${settingsText(settings)}`)).length;
  if (given === undefined || given.names.length === cells) return { names: given?.names, cells };
  throw new QuernError('load', `${file.name} has ${counted(cells)}, but ${given.of} has ${given.names.length}`, {
    hint: 'nothing was loaded; a file without a header must have all columns, in their order. Is the delimiter right? See --delimiter',
  });
}

const counted = (n: number): string => `${n} ${n === 1 ? 'column' : 'columns'}`;

/** As BigQuery calls columns that nobody has named: `int64_field_0`. */
export const nameless = (kind: string, at: number): string => `${kind.toLowerCase()}_field_${at}`;

async function headerOf(file: EngineFile, engine: EmbeddedEngine, form: TextForm): Promise<readonly string[]> {
  const line = lineInHead(file, form.skip) ?? (await lineOf(file, engine, form.skip));
  const hint = `${form.skip === 1 ? 'the first line' : `line ${form.skip}`} must name each column once; nothing was loaded`;
  if (line === undefined) throw new QuernError('load', `${file.name} has no line ${form.skip}`, { hint: 'nothing was loaded' });
  const text = String(line).replace(/\r$/, '');
  const cells = namesIn(form.skip === 1 ? text.replace(/^\ufeff/, '') : text, file, form);
  checkColumns(
    'load',
    file.name,
    cells.map((cell) => ({ name: cell })),
  );
  if (cells.includes('')) throw new QuernError('load', `column ${cells.indexOf('') + 1} of ${file.name} has no name`, { hint });
  const twice = cells.find((cell, i) => cells.findIndex((other) => other.toLowerCase() === cell.toLowerCase()) < i);
  if (twice !== undefined) throw new QuernError('load', `${file.name} has the column ${twice} twice`, { hint });
  const odd = form.surely ? undefined : cells.find((cell) => NO_NAME.test(cell));
  if (odd === undefined) return cells;
  throw new QuernError('load', `the first line of ${file.name} does not look like a header: it has ${odd}`, {
    hint: 'nothing was loaded; use --no-header if that line is a row, or --skip-leading-rows 1 if it names the columns',
  });
}

/** A whole line of the text that is known; lines are counted from 1. */
function lineInHead({ head }: EngineFile, number: number): string | undefined {
  const lines = head.split('\n', number + 1);
  return lines.length <= number ? undefined : Buffer.from(lines[number - 1] ?? '', 'latin1').toString();
}

async function lineOf(file: EngineFile, engine: EmbeddedEngine, number: number): Promise<unknown> {
  const [[line] = []] = await engine.rows(
    `SELECT line FROM ${file.from('LineAsString', 'line String')} LIMIT 1 OFFSET ${number - 1} SETTINGS max_threads = 1, input_format_parallel_parsing = 0`,
  );
  return line;
}

/** A number or a date: a value, rather than the name of a column. */
const NO_NAME = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^\d{4}-\d\d-\d\d([ T].*)?$/i;

function namesIn(line: string, { name }: EngineFile, { delimiter, skip }: TextForm): readonly string[] {
  try {
    return readCells(line, delimiter).map((cell) => (cell ?? '').trim());
  } catch (cause) {
    if (!(cause instanceof Invalid)) throw cause;
    throw new QuernError('load', `line ${skip} of ${name} is not a header: ${cause.message}`, {
      hint: 'nothing was loaded; say with --skip-leading-rows which line names the columns, or with --no-header that none does',
      cause,
    });
  }
}
