// What a file may look like before anybody works with it: the length of its first lines, how many columns it has, and how these are called.
import { type ErrorCode, QuernError } from '../../base/errors.ts';
import type { Ask } from './description.ts';

/** As many as BigQuery's tables have. */
const MOST_COLUMNS = 10_000;
/** As long as BigQuery's names are. */
const LONGEST_NAME = 300;
const SHOWN = 40;

/**
 * Throws a QuernError of `code` for more columns than a table can have, fields of columns among them, for two of the same name, and for one whose name is too long to be
 * worked with. `label` is how people know the file.
 */
export function checkColumns(code: ErrorCode, label: string, columns: readonly { readonly name: string; readonly type?: string }[]): void {
  const count = columns.reduce((sum, { type = '' }) => sum + Math.max(1, fieldsIn(type)), 0);
  if (count > MOST_COLUMNS)
    throw new QuernError(code, `${label} has ${count} columns and fields, and there can be ${MOST_COLUMNS} at most`, {
      hint: 'keep values whose names vary in one text or JSON column, or split the file',
    });
  const seen = new Set<string>();
  for (const name of columns.map((column) => column.name)) {
    if (seen.has(name.toLowerCase()))
      throw new QuernError(code, `${label} has the column ${name} twice`, {
        hint: 'give each column a different name: upper and lower case make no difference',
      });
    seen.add(name.toLowerCase());
  }
  const long = columns.find(({ name }) => name.length > LONGEST_NAME);
  if (long === undefined) return;
  throw new QuernError(
    code,
    `${label} has a column whose name is ${long.name.length} characters long, and there can be ${LONGEST_NAME} at most: ${long.name.slice(0, SHOWN)}…`,
    { hint: 'is its first line a header, and the delimiter right?' },
  );
}

/** Fields of tuples, of which all but the last are followed by a comma. */
const fieldsIn = (type: string): number => (type.includes('Tuple(') ? type.split(',').length : 1);

/** Whether the lines of a file may be too long, by what is known of it without reading it. */
export const mayHaveLongLines = (bytes: number, packed: boolean): boolean => packed || bytes > LONGEST_LINE;

const LINES = 1000;
const LONGEST_LINE = 64 * 1024 * 1024;
/** Reading a line takes twice its length, and the buffers. */
const MEMORY = 4 * LONGEST_LINE;

/**
 * The engine finds columns in the first rows of a file and holds each as a whole, whatever limits there are: a few kilobytes may unpack to a line that fills the memory. Throws
 * a QuernError of `code` for a line that is too long. `lines` is the function that reads the file as lines.
 */
export async function checkLines(code: ErrorCode, label: string, lines: string, ask: Ask): Promise<void> {
  const settings = `max_threads = 1, input_format_parallel_parsing = 0, max_memory_usage = ${MEMORY}`;
  const longest = await ask(`SELECT max(length(line)) FROM (SELECT line FROM ${lines} LIMIT ${LINES}) SETTINGS ${settings}`).then(
    ([row = []]) => Number(row[0]),
    (error: unknown) => {
      if (error instanceof QuernError && error.code === 'limit') return Number.POSITIVE_INFINITY;
      throw error;
    },
  );
  if (longest <= LONGEST_LINE) return;
  throw new QuernError(code, `${label} has a line that is longer than ${LONGEST_LINE / 1024 / 1024} MB`, {
    hint: 'is it a file of lines? Another format can be set with format:',
  });
}
