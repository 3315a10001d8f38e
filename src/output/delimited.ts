// The formats csv (RFC 4180, lines ended by LF) and tsv (the backslash escapes of ClickHouse and PostgreSQL).
import type { QueryResult, ResultColumn, Value } from '../result.ts';
import { batched } from './batch.ts';
import type { RowPrinter, RowText } from './format.ts';
import { columnNames, textPrinter } from './value.ts';

interface Delimited {
  readonly delimiter: string;
  readonly null: string;
  readonly heading: (name: string) => string;
  /** What becomes of a value's text. */
  readonly cell: (type: ResultColumn['type']) => (text: string) => string;
}

const quoted = (text: string): string => `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
const bare = (text: string): string => text;

/** Types whose text never holds a comma, a quote or a line break. */
const bareTypes: ReadonlySet<ResultColumn['type']['kind']> = new Set([
  'BOOL',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'BIGNUMERIC',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'INTERVAL',
]);

const csvRules: Delimited = {
  delimiter: ',',
  null: '',
  // Blanks at the ends are quoted, since some readers trim them.
  heading: (name) => (name === '' || /[",\r\n]|^[ \t]|[ \t]$/.test(name) ? quoted(name) : name),
  // Text is always quoted: NULL, which is nothing at all, differs from the empty string, and readers that guess types see which are text.
  cell: (type) => (bareTypes.has(type.kind) ? bare : quoted),
};

const tsvEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
const escaped = (text: string): string => text.replace(/[\t\n\r\\]/g, (character) => tsvEscapes[character] ?? character);
const tsvRules: Delimited = { delimiter: '\t', null: '\\N', heading: escaped, cell: () => escaped };

function rowPrinter(columns: readonly ResultColumn[], rules: Delimited): RowPrinter {
  const printers = columns.map(({ type }) => {
    const print = textPrinter(type);
    const cell = rules.cell(type);
    return (value: Value): string => (value === null ? rules.null : cell(print(value)));
  });
  return {
    head: `${columnNames(columns).map(rules.heading).join(rules.delimiter)}\n`,
    keys: [],
    line: (row) => `${printers.map((print, i) => print(row[i] ?? null)).join(rules.delimiter)}\n`,
  };
}

function* lines(result: QueryResult, rules: Delimited): Iterable<string> {
  const { head, line } = rowPrinter(result.columns, rules);
  yield head;
  for (const row of result.rows) yield line(row);
}

export const csv = (result: QueryResult): Iterable<string> => batched(lines(result, csvRules));
export const tsv = (result: QueryResult): Iterable<string> => batched(lines(result, tsvRules));

/** The same for results that are never held as a whole. */
export const csvRows: RowText = (columns) => rowPrinter(columns, csvRules);
export const tsvRows: RowText = (columns) => rowPrinter(columns, tsvRules);
