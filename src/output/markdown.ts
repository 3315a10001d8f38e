// The format markdown: a GitHub table, numbers to the right, NULL in italics.

import { columnNames } from '../base/column-names.ts';
import type { QueryResult } from '../base/result.ts';
import { batched } from './batch.ts';
import { isNumber, textPrinter } from './value.ts';

/** Every character with a meaning in a table cell or in inline text is escaped, so that data is shown, never interpreted. */
export function escapedMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|~&]/g, '\\$&').replace(/\r\n|\r|\n/g, '<br>');
}

function* lines(result: QueryResult): Iterable<string> {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  yield line(columnNames(result.columns).map(escapedMarkdown));
  yield line(result.columns.map((column) => (isNumber(column.type) ? '---:' : '---')));
  const printers = result.columns.map((column) => textPrinter(column.type));
  for (const row of result.rows) {
    yield line(
      printers.map((print, i) => {
        const value = row[i] ?? null;
        return value === null ? '*NULL*' : escapedMarkdown(print(value));
      }),
    );
  }
}

export const markdown = (result: QueryResult): Iterable<string> => batched(lines(result));
