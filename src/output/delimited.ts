// The formats csv (RFC 4180, lines ended by LF) and tsv (the backslash escapes of ClickHouse and PostgreSQL).
import type { QueryResult, Value } from '../result.ts';
import { batched } from './batch.ts';
import { columnNames, textPrinter } from './value.ts';

interface Delimited {
  readonly delimiter: string;
  readonly null: string;
  readonly cell: (text: string) => string;
}

const csvRules: Delimited = {
  delimiter: ',',
  null: '',
  // An empty string is quoted, so that it differs from NULL, which is nothing at all.
  cell: (text) => (text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text),
};

const tsvEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
const tsvRules: Delimited = {
  delimiter: '\t',
  null: '\\N',
  cell: (text) => text.replace(/[\t\n\r\\]/g, (character) => tsvEscapes[character] ?? character),
};

function* lines(result: QueryResult, rules: Delimited): Iterable<string> {
  yield `${columnNames(result.columns).map(rules.cell).join(rules.delimiter)}\n`;
  const printers = result.columns.map((column) => textPrinter(column.type));
  for (const row of result.rows) {
    const cells = printers.map((print, i) => cellText(row[i] ?? null, print, rules));
    yield `${cells.join(rules.delimiter)}\n`;
  }
}

const cellText = (value: Value, print: (value: Value) => string, rules: Delimited): string =>
  value === null ? rules.null : rules.cell(print(value));

export const csv = (result: QueryResult): Iterable<string> => batched(lines(result, csvRules));
export const tsv = (result: QueryResult): Iterable<string> => batched(lines(result, tsvRules));
