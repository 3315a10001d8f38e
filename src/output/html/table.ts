// Prints rows as an HTML table: numbers to the right, NULL as such, nested values as JSON.

import { columnNames } from '../../base/column-names.ts';
import type { QueryResult, ResultColumn, Value } from '../../base/result.ts';
import { isNested, isNumber, textPrinter } from '../value.ts';
import { words } from './page.ts';

const moments: ReadonlySet<ResultColumn['type']['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE', 'TIME']);

/** Shows the first `most` rows; all when absent. */
export function* htmlTable({ columns, rows }: QueryResult, most = rows.length): Iterable<string> {
  const classes = columns.map(({ type }) => classOf(type));
  const printers = columns.map(({ type }) => textPrinter(type));
  const head = columnNames(columns).map((name, i) => `<th scope="col"${classes[i]}>${words(name)}</th>`);
  yield `<div class="scroll"><table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n`;
  for (const row of rows.slice(0, most)) {
    const cells = printers.map((print, i) => `<td${classes[i]}>${cellOf(row[i] ?? null, print)}</td>`);
    yield `<tr>${cells.join('')}</tr>\n`;
  }
  yield '</tbody>\n</table></div>\n';
}

function cellOf(value: Value, print: (value: Exclude<Value, null>) => string): string {
  if (value === null) return '<i class="quiet">NULL</i>';
  // Line breaks stay: a page has room for them.
  return print(value).split(/\r?\n/).map(words).join('<br>');
}

function classOf(type: ResultColumn['type']): string {
  if (isNumber(type)) return ' class="count"';
  if (moments.has(type.kind)) return ' class="moment"';
  return isNested(type) || type.kind === 'JSON' ? ' class="json"' : '';
}
