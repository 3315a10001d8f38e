// CSV and TSV: which line is the header, what divides values, and what columns hold, found in the first lines of the first file.
import { QuernError } from '../../base/errors.ts';
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import { LONGEST_FORM, usualForms } from '../../clickhouse/time-form.ts';
import type { TableColumn } from '../../sql/layouts/index.ts';
import type { DeclaredColumn } from '../table-schema.ts';
import type { FilesDefinition } from './definition.ts';
import type { Ask, FilesDescription } from './description.ts';
import { DESCRIBING, type EngineFiles, fileFunction, type LookedAt, settingsText } from './engine-files.ts';
import { mayEndBlank } from './last-lines.ts';
import { checkColumns } from './sensible.ts';
import { FEW_ROWS, isText, SAMPLE_ROWS, storedScalar, textClass, typeOfClasses } from './text-class.ts';

/** Texts as they stand: without this the engine takes off spaces, and takes for the header what it thinks is one. */
const AS_WRITTEN = {
  ...DESCRIBING,
  input_format_csv_trim_whitespaces: 0,
  input_format_csv_detect_header: 0,
} as const;
const BLANK_AT_END = { input_format_csv_skip_trailing_empty_lines: 1 } as const;

/** The lines in their order, in blocks that make up the sample: a line behind it is not looked at yet. */
const FIRST_LINES = `max_threads = 1, input_format_parallel_parsing = 0, max_block_size = ${SAMPLE_ROWS / 10}`;

/** How the lines of a file are read. */
interface LineForm {
  readonly delimiter: string;
  /** Lines that are not looked at. */
  readonly skip: number;
  readonly nullText: string | undefined;
}

/** For a blank to divide values the engine wants to be told twice. An empty text is one where another text is NULL, as in BigQuery. */
const settingsFor = ({ delimiter, skip, nullText }: LineForm) => ({
  ...AS_WRITTEN,
  format_csv_delimiter: delimiter,
  ...(nullText === undefined ? {} : { format_csv_null_representation: nullText, input_format_csv_empty_as_default: 0 }),
  ...(skip === 0 ? {} : { input_format_csv_skip_first_lines: skip }),
  ...(delimiter.trim() === '' ? { input_format_csv_allow_whitespace_or_tab_as_delimiter: 1 } : {}),
});

type Cells = readonly (string | null)[];
type SampleRow = readonly [Cells, readonly string[], Sample['classes'], readonly Cells[], number];

/** The first lines of a file, all values taken as texts. */
interface Sample {
  /** Its lines to skip are those above the ones that were looked at. */
  readonly form: LineForm;
  /** Values of the first line, and their classes. */
  readonly first: Cells;
  readonly firstClasses: readonly string[];
  /** Classes of the values below it, by column. */
  readonly classes: readonly (readonly string[])[];
  /** The first lines, which show the usual forms of times. */
  readonly few: readonly Cells[];
  /** The first line begins with a byte order mark. */
  readonly isMarked: boolean;
}

/** Throws what `ask` throws, and QuernError `config` for a file without columns. */
export async function describeText(
  definition: FilesDefinition,
  schema: readonly DeclaredColumn[],
  { all, first, several, names: [path = ''] }: LookedAt,
  ask: Ask,
): Promise<Omit<FilesDescription, 'partitions'>> {
  const sample = await lookInto(definition, first, ask);
  const { skipLeadingRows: skip } = definition;
  const header = skip === 0 ? false : (definition.header ?? looksLikeHeader(sample));
  if (sample.isMarked && !header)
    throw new QuernError('config', `${path} begins with a byte order mark, and no line names its columns`, {
      hint: 'add a line with names, or save the file without the mark',
    });
  // A line that is to be skipped is no row, whether it names columns or not.
  const isRow = !header && (skip === undefined || sample.form.skip === skip);
  const classes = sample.classes.map((below, i) => (!isRow ? below : [...below, sample.firstClasses[i] ?? '']));
  const shown = header ? headerNames(sample.first, path, several) : namesOf(schema, classes, path);
  checkColumns(
    'config',
    path,
    shown.map((name) => ({ name })),
  );
  const columns = shown.map((name, i) => {
    const said = schema.find((one) => one.name.toLowerCase() === name.toLowerCase())?.type;
    return { name, said, type: said ?? typeOfClasses(classes[i] ?? []) };
  });
  const times = columns.flatMap(({ type: { kind } }, i) => (kind === 'TIMESTAMP' || kind === 'DATETIME' ? [i] : []));
  // By the names in each file where there are several, as their columns may stand in another order; and in a single one wherever these are as
  // they stand there: then the engine passes over the cells of columns that a query does not read.
  const byName = header && (several || shown.every((name, i) => name === sample.first[i]));
  const above = sample.form.skip + (isRow || byName ? 0 : 1);
  return {
    format: byName ? 'CSVWithNames' : 'CSV',
    settings: { ...settingsFor({ ...sample.form, skip: above }), ...(!('paths' in all) || mayEndBlank(all.paths) ? BLANK_AT_END : {}) },
    columns: columns.map(({ name, type }): TableColumn => {
      // The engine reads no truth value within quotes.
      if (type.kind === 'BOOL') return { name, type: 'Nullable(String)', written: true };
      return { name, type: storedScalar(type), ...(type.kind === 'BYTES' ? { written: true } : {}) };
    }),
    forms: Object.fromEntries(times.map((i) => [columns[i]?.name ?? '', usualForms(sample.few.map((cells) => cells[i] ?? ''))])),
    declared: columns.flatMap(({ name, type, said }) => (said === undefined && type.kind !== 'STRING' ? [{ name, type }] : [])),
  };
}

/** Semicolons, tabs and bars divide values where a comma divides nothing. */
export const DELIMITERS = [',', ';', '\t', '|'];

async function lookInto(
  { format, delimiter, header, skipLeadingRows = 0, nullText }: FilesDefinition,
  files: EngineFiles,
  ask: Ask,
): Promise<Sample> {
  const skip = header === false ? skipLeadingRows : Math.max(skipLeadingRows - 1, 0);
  const sample = (one: string): Promise<Sample> => sampleOf(files, { delimiter: one, skip, nullText }, ask);
  if (delimiter !== undefined || format === 'tsv') return sample(delimiter ?? '\t');
  let byComma: Sample | { readonly error: unknown } | undefined;
  for (const one of DELIMITERS) {
    const found = await sample(one).catch((error: unknown) => ({ error }));
    if ('first' in found && found.first.length > 1) return found;
    byComma ??= found;
  }
  if (byComma === undefined || 'error' in byComma) throw byComma?.error;
  return byComma;
}

async function sampleOf(files: EngineFiles, form: LineForm, ask: Ask): Promise<Sample> {
  const settings = settingsText({
    ...settingsFor(form),
    ...BLANK_AT_END,
    input_format_csv_use_best_effort_in_schema_inference: 0,
  });
  // How many columns, which the first line says; a blank one at the end would be a line of another number.
  const oneRow = `${settings}, input_format_max_rows_to_read_for_schema_inference = 1`;
  const described = await ask(`DESCRIBE TABLE ${fileFunction(files, 'CSV')} SETTINGS ${oneRow}`);
  const columns = described.map(([name]): TableColumn => ({ name: String(name), type: 'Nullable(String)' }));
  checkColumns('config', 'paths' in files ? (files.paths[0] ?? '') : (files.args[0] ?? ''), columns);
  const values = columns.map(({ name }, i) => (i === 0 ? unmarked(quoteIdentifier(name)) : quoteIdentifier(name)));
  const cells = `SELECT [${values.join(', ')}] AS cells, rowNumberInAllBlocks() AS line, ${isMarked(quoteIdentifier(columns[0]?.name ?? ''))} AS marked`;
  const lines = `${cells} FROM ${fileFunction(files, 'CSV', columns)} LIMIT ${SAMPLE_ROWS}`;
  const classified = `SELECT line, cells, marked, arrayMap(cell -> ${textClass('cell')}, cells) AS kinds FROM (${lines})`;
  const [row = []] = await ask(
    'SELECT anyIf(cells, line = 0), anyIf(kinds, line = 0), groupUniqArrayForEachIf(kinds, line > 0), ' +
      `groupArrayIf(arrayMap(cell -> if(length(cell) <= ${LONGEST_FORM}, cell, ''), cells), line < ${FEW_ROWS}), max(marked) ` +
      `FROM (${classified}) SETTINGS ${settings}, ${FIRST_LINES}`,
  );
  const [first, firstClasses, classes, few, marked] = row as readonly unknown[] as SampleRow;
  return { form, first, firstClasses, classes: first.map((_, i) => classes[i] ?? []), few, isMarked: Number(marked) === 1 };
}

/** The engine passes over the byte order mark of a header alone: elsewhere it and the quotes behind it are part of the first cell. */
const isMarked = (cell: string): string => `startsWith(ifNull(${cell}, ''), '\ufeff')`;
const unmarked = (cell: string): string => `if(${isMarked(cell)}, replaceRegexpOne(${cell}, '^\ufeff"?((?s:.*?))"?$', '\\\\1'), ${cell})`;

/** Names are words: a line with a number, a date or a truth value in it is no header. */
const looksLikeHeader = ({ firstClasses }: Sample): boolean => firstClasses.every(isText) && firstClasses.some((kind) => kind === 'text');

function headerNames(first: Sample['first'], path: string, several: boolean): readonly string[] {
  if (first.some((name) => /\r(?!\n)/.test(name ?? '')))
    throw new QuernError('config', `${path}: its lines end with carriage returns alone`, { hint: 'convert them to line feeds' });
  const names = first.map((name, i) => (name ?? '').trim() || `column_${i + 1}`);
  const odd = several ? first.find((name) => name === null || name !== name.trim() || name === '') : undefined;
  if (odd === undefined) return names;
  throw new QuernError(
    'config',
    `${path}: its header has ${odd === null || odd.trim() === '' ? 'a column without a name' : `spaces around ${odd.trim()}`}`,
    {
      hint: 'columns of several files are matched by name: write it the same way in each file',
    },
  );
}

/** Without a header: the schema's, in its order, or those that BigQuery gives: string_field_0. */
function namesOf(schema: readonly DeclaredColumn[], classes: Sample['classes'], path: string): readonly string[] {
  if (schema.length === classes.length) return schema.map(({ name }) => name);
  if (schema.length === 0) return classes.map((of, i) => `${typeOfClasses(of).kind.toLowerCase()}_field_${i}`);
  throw new QuernError('config', `${path} has ${classes.length} columns and no header, and the schema has ${schema.length}`, {
    hint: 'name all columns in the schema, or set `header: true`',
  });
}
