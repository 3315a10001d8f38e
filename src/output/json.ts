// The formats json (`{"result": […]}`, as the HTTP answer) and ndjson (one object per line).
import type { QueryResult } from '../result.ts';
import { batched } from './batch.ts';
import { columnNames, jsonPrinter } from './value.ts';

function* objects(result: QueryResult): Iterable<string> {
  const keys = columnNames(result.columns).map((name) => JSON.stringify(name));
  const printers = result.columns.map((column) => jsonPrinter(column.type));
  for (const row of result.rows) {
    let text = '{';
    for (let i = 0; i < printers.length; i++) text += `${i === 0 ? '' : ','}${keys[i]}:${printers[i]?.(row[i] ?? null)}`;
    yield `${text}}`;
  }
}

function* document(result: QueryResult): Iterable<string> {
  let separator = '\n';
  yield '{"result": [';
  for (const object of objects(result)) {
    yield `${separator}${object}`;
    separator = ',\n';
  }
  yield result.rows.length === 0 ? ']}\n' : '\n]}\n';
}

function* lines(result: QueryResult): Iterable<string> {
  for (const object of objects(result)) yield `${object}\n`;
}

export const json = (result: QueryResult): Iterable<string> => batched(document(result));
export const ndjson = (result: QueryResult): Iterable<string> => batched(lines(result));
