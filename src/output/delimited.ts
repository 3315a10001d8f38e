// The formats csv (RFC 4180, lines ended by LF) and tsv (the backslash escapes of ClickHouse and PostgreSQL).

import { columnNames } from '../base/column-names.ts';
import type { QueryResult, ResultColumn, Value } from '../base/result.ts';
import { batched } from './batch.ts';
import type { Formulas, Layout, RowPrinter, RowText } from './format.ts';
import { textPrinter } from './value.ts';

interface Delimited {
  readonly delimiter: string;
  readonly null: string;
  readonly heading: (name: string) => string;
  /** Writes the text of a value as a cell. */
  readonly cell: (type: ResultColumn['type']) => (text: string, value: Value) => string;
  readonly formulas?: Formulas;
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

/**
 * Characters that begin a formula in a spreadsheet, or that it drops before one; the last four are the wide forms that some take for the others. The
 * engine, which prints large results itself, looks for the same: see execution/export/text.ts. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const asText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

/** Numbers, also in JSON and in columns of any type, are never touched. */
const safeCsvRules: Delimited = {
  ...csvRules,
  formulas: 'escape',
  heading: (name) => csvRules.heading(asText(name)),
  cell: (type) => {
    if (bareTypes.has(type.kind) || type.kind === 'JSON') return csvRules.cell(type);
    return (text, value) => quoted(typeof value === 'string' ? asText(text) : text);
  },
};
const csvRulesFor = (formulas: Formulas | undefined): Delimited => (formulas === 'escape' ? safeCsvRules : csvRules);

const tsvEscapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };
const escaped = (text: string): string => text.replace(/[\t\n\r\\]/g, (character) => tsvEscapes[character] ?? character);
const tsvRules: Delimited = { delimiter: '\t', null: '\\N', heading: escaped, cell: () => escaped };

function rowPrinter(columns: readonly ResultColumn[], rules: Delimited): RowPrinter {
  const printers = columns.map(({ type }) => {
    const print = textPrinter(type);
    const cell = rules.cell(type);
    return (value: Value): string => (value === null ? rules.null : cell(print(value), value));
  });
  return {
    head: `${columnNames(columns).map(rules.heading).join(rules.delimiter)}\n`,
    keys: [],
    line: (row) => `${printers.map((print, i) => print(row[i] ?? null)).join(rules.delimiter)}\n`,
    formulas: rules.formulas,
  };
}

function* lines(result: QueryResult, rules: Delimited): Iterable<string> {
  const { head, line } = rowPrinter(result.columns, rules);
  yield head;
  for (const row of result.rows) yield line(row);
}

export const csv = (result: QueryResult, layout?: Pick<Layout, 'formulas'>): Iterable<string> =>
  batched(lines(result, csvRulesFor(layout?.formulas)));
export const tsv = (result: QueryResult): Iterable<string> => batched(lines(result, tsvRules));

/** The same for results that are too large to be kept in memory. */
export const csvRows =
  (formulas: Formulas): RowText =>
  (columns) =>
    rowPrinter(columns, csvRulesFor(formulas));
export const tsvRows: RowText = (columns) => rowPrinter(columns, tsvRules);
