// The formats csv (RFC 4180, lines ended by LF) and tsv (the backslash escapes of ClickHouse and PostgreSQL).
import type { QueryResult, ResultColumn, Value } from '../result.ts';
import { batched } from './batch.ts';
import type { RowPrinter, RowText } from './format.ts';
import { columnNames, textPrinter } from './value.ts';

interface Delimited {
  readonly delimiter: string;
  readonly null: string;
  readonly cell: (text: string) => string;
}

const csvRules: Delimited = {
  delimiter: ',',
  null: '',
  // An empty string is quoted, so that it differs from NULL, which is nothing at all; blanks at the ends are, since some readers trim them.
  cell: (text) => (text === '' || /[",\r\n]|^[ \t]|[ \t]$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
};

const tsvEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
const tsvRules: Delimited = {
  delimiter: '\t',
  null: '\\N',
  cell: (text) => text.replace(/[\t\n\r\\]/g, (character) => tsvEscapes[character] ?? character),
};

function rowPrinter(columns: readonly ResultColumn[], rules: Delimited): RowPrinter {
  const printers = columns.map((column) => textPrinter(column.type));
  return {
    head: `${columnNames(columns).map(rules.cell).join(rules.delimiter)}\n`,
    keys: [],
    line: (row) => `${printers.map((print, i) => cellText(row[i] ?? null, print, rules)).join(rules.delimiter)}\n`,
  };
}

function* lines(result: QueryResult, rules: Delimited): Iterable<string> {
  const { head, line } = rowPrinter(result.columns, rules);
  yield head;
  for (const row of result.rows) yield line(row);
}

const cellText = (value: Value, print: (value: Value) => string, rules: Delimited): string =>
  value === null ? rules.null : rules.cell(print(value));

export const csv = (result: QueryResult): Iterable<string> => batched(lines(result, csvRules));
export const tsv = (result: QueryResult): Iterable<string> => batched(lines(result, tsvRules));

/** The same for results that are never held as a whole. */
export const csvRows: RowText = (columns) => rowPrinter(columns, csvRules);
export const tsvRows: RowText = (columns) => rowPrinter(columns, tsvRules);
