// The formats json (`{"result": […]}`, as the HTTP answer) and ndjson (one object per line).

import { columnNames } from '../base/column-names.ts';
import type { QueryResult, ResultColumn, Row } from '../base/result.ts';
import { batched } from './batch.ts';
import type { RowText } from './format.ts';
import { jsonPrinter, jsonString } from './value.ts';

/** A printer of rows as JSON objects. */
function objectPrinter(columns: readonly ResultColumn[]): (row: Row) => string {
  const keys = columnNames(columns).map(jsonString);
  const printers = columns.map((column) => jsonPrinter(column.type));
  return (row) => {
    let text = '{';
    for (let i = 0; i < printers.length; i++) text += `${i === 0 ? '' : ','}${keys[i]}:${printers[i]?.(row[i] ?? null)}`;
    return `${text}}`;
  };
}

function* objects(result: QueryResult): Iterable<string> {
  const print = objectPrinter(result.columns);
  for (const row of result.rows) yield print(row);
}

function* document(result: QueryResult): Iterable<string> {
  let separator = '\n';
  yield '{"result": [';
  for (const object of objects(result)) {
    yield `${separator}${object}`;
    separator = ',\n';
  }
  yield result.rows.length === 0 ? ']' : '\n]';
  const meta = {
    truncated: result.truncated || undefined,
    rows: result.truncated ? result.rows.length : undefined,
    missing: result.missing,
  };
  const facts = Object.entries(meta).flatMap(([name, fact]) => (fact === undefined ? [] : `"${name}": ${JSON.stringify(fact)}`));
  yield facts.length > 0 ? `, "meta": {${facts.join(', ')}}}\n` : '}\n';
}

function* lines(result: QueryResult): Iterable<string> {
  for (const object of objects(result)) yield `${object}\n`;
}

/** Prints rows as lines of ndjson, for results that are too large to be kept in memory. */
export const ndjsonRows: RowText = (columns) => {
  const print = objectPrinter(columns);
  return { head: '', keys: columnNames(columns).map(jsonString), line: (row) => `${print(row)}\n` };
};

/** The document says in `meta` that the row limit cut the result. */
export const json = (result: QueryResult): Iterable<string> => batched(document(result));
export const ndjson = (result: QueryResult): Iterable<string> => batched(lines(result));
