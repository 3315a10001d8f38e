// A query whose rows the engine itself prints as lines of ndjson, csv or tsv: the very text that output/ prints for the same rows.

import type { LineFormat } from '../../base/formats.ts';
import type { ResultColumn } from '../../base/result.ts';
import { quoteString } from '../../clickhouse/quote.ts';
import type { Type } from '../../sql/base/types.ts';
import type { LinePrinter } from './rows.ts';

interface LineOptions {
  readonly format: LineFormat;
  /** All columns of the query, and the positions of those wanted. */
  readonly columns: readonly ResultColumn[];
  readonly positions: readonly number[];
  /** Of the same lines, where they are quern's own. */
  readonly printer: Pick<LinePrinter, 'keys' | 'formulas'>;
  readonly maxRows: number;
}

/** A fraction of zero is left out. */
const wholeSeconds = (time: string, end = ''): string => `replaceOne(${time}, '.000000${end}', '${end}')`;

/** As output/delimited.ts has it. */
const FORMULA = String.raw`'^[=+@\t\r\n＝＋－＠-]'`;

const ESCAPED_IN_TSV = String.raw`'[\\t\\n\\r\\\\]'`;

/** multiMatchAny finds a character of a class several times faster than match does. */
const TEXTS: Readonly<Record<LineFormat, (column: string) => string>> = {
  ndjson: (column) => `toJSONString(${column})`,
  csv: (column) => `replaceAll(toString(${column}), '"', '""')`,
  tsv: (column) => {
    const text = `toString(${column})`;
    const escaped = [String.raw`'\\', '\\\\'`, String.raw`'\t', '\\t'`, String.raw`'\n', '\\n'`, String.raw`'\r', '\\r'`].reduce(
      (inner, pair) => `replaceAll(${inner}, ${pair})`,
      text,
    );
    return `if(multiMatchAny(${text}, [${ESCAPED_IN_TSV}]), ${escaped}, ${text})`;
  },
};

/** The value's text, NULL for NULL and without the quotes of csv; undefined for a type that the engine cannot print as it should be. */
function textOf(type: Type, column: string, format: LineFormat): string | undefined {
  const bare = (value: string): string => (format === 'ndjson' ? `concat('"', ${value}, '"')` : value);
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
      return TEXTS[format](column);
    case 'BOOL':
      return `toString(toBool(${column}))`;
    case 'INT64':
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return `toString(${column})`;
    case 'FLOAT64': {
      const special = `multiIf(isNaN(${column}), ${bare("'NaN'")}, ${column} > 0, ${bare("'Infinity'")}, ${bare("'-Infinity'")})`;
      return `if(isFinite(${column}) = 0, ${special}, toString(${column}))`;
    }
    case 'INTERVAL':
    case 'DATE':
      return bare(`toString(${column})`);
    case 'TIME':
      return bare(wholeSeconds(`toString(${column})`));
    case 'DATETIME':
      return bare(wholeSeconds(`formatDateTime(${column}, '%Y-%m-%dT%H:%i:%S.%f')`));
    case 'TIMESTAMP':
      return bare(wholeSeconds(`formatDateTime(${column}, '%Y-%m-%dT%H:%i:%S.%fZ')`, 'Z'));
    default:
      return undefined;
  }
}

const DELIMITERS: Readonly<Record<LineFormat, string>> = { ndjson: ',', csv: ',', tsv: '\t' };
const NULL_TEXTS: Readonly<Record<LineFormat, string>> = { ndjson: 'null', csv: '', tsv: '\\N' };

/**
 * A query of one column, the lines: so all of the engine's threads print, while its format Template keeps one of them busy. undefined when a
 * column's type needs quern's own writers. Bytes that are not UTF-8, which no STRING of BigQuery holds, pass as they are.
 */
export function lineQuery(sql: string, { format, columns, positions, printer, maxRows }: LineOptions): string | undefined {
  const parts: string[] = [];
  for (const [i, at] of positions.entries()) {
    const type = columns[at]?.type;
    const column = `q.q${at}`;
    const text = type === undefined ? undefined : textOf(type, column, format);
    if (text === undefined) return undefined;
    const before = (i === 0 ? '' : DELIMITERS[format]) + (format === 'ndjson' ? `${printer.keys[i]}:` : '');
    const value = `ifNull(${text}, ${quoteString(NULL_TEXTS[format])})`;
    const isQuoted = format === 'csv' && (type?.kind === 'STRING' || type?.kind === 'BYTES');
    // Quotes that depend on NULL, since to put them around the text first would copy the text once more.
    const mark = `if(isNull(${column}), '', '"')`;
    const opening = printer.formulas === 'escape' ? `multiIf(isNull(${column}), '', match(${column}, ${FORMULA}), '"\\'', '"')` : mark;
    parts.push(quoteString(before), ...(isQuoted ? [opening, value, mark] : [value]));
  }
  const [start, end] = format === 'ndjson' ? ["'{'", "'}'"] : ["''", "''"];
  return exportQuery(sql, columns, [`concat(${[start, ...parts, end].join(', ')})`], maxRows);
}

/** The query with other expressions over its columns, which are called q0, q1 … since names of theirs could repeat or hide each other. */
export function exportQuery(sql: string, columns: readonly ResultColumn[], items: readonly string[], maxRows: number): string {
  const names = columns.map((_, i) => `q${i}`).join(', ');
  // The subquery between them, since the engine cannot rename columns of one that reads a merge() by an ARRAY JOIN and a filter.
  return `SELECT ${items.join(', ')} FROM (SELECT * FROM (\n${sql}\n)) AS q(${names}) LIMIT ${maxRows}`;
}
