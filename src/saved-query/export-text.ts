// A query whose rows the engine itself prints as lines of ndjson, csv or tsv: the very text that output/ prints for the same rows.
import type { ResultColumn } from '../result.ts';
import type { Type } from '../sql/types.ts';

export type LineFormat = 'ndjson' | 'csv' | 'tsv';

export interface LineQuery {
  readonly sql: string;
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface LineOptions {
  readonly format: LineFormat;
  /** All columns of the query, and the positions of those wanted. */
  readonly columns: readonly ResultColumn[];
  readonly positions: readonly number[];
  /** The wanted columns' names as JSON strings, for ndjson. */
  readonly keys: readonly string[];
  readonly maxRows: number;
}

/** How ClickHouse's format Template prints a value: as JSON, between quotes, or bare. */
interface Cell {
  readonly value: string;
  readonly rule: 'JSON' | 'CSV' | 'Raw';
}

/** A fraction of zero is left out. */
const wholeSeconds = (time: string, end = ''): string => `replaceOne(${time}, '.000000${end}', '${end}')`;

const ESCAPED_IN_TSV = String.raw`'[\\t\\n\\r\\\\]'`;

/** multiMatchAny finds a character of a class several times faster than match does. */
const TEXTS: Readonly<Record<LineFormat, (column: string) => Cell>> = {
  ndjson: (column) => ({ value: column, rule: 'JSON' }),
  csv: (column) => ({ value: `toString(${column})`, rule: 'CSV' }),
  tsv: (column) => {
    const text = `toString(${column})`;
    const escaped = [String.raw`'\\', '\\\\'`, String.raw`'\t', '\\t'`, String.raw`'\n', '\\n'`, String.raw`'\r', '\\r'`].reduce(
      (inner, pair) => `replaceAll(${inner}, ${pair})`,
      text,
    );
    return { value: `if(multiMatchAny(${text}, [${ESCAPED_IN_TSV}]), ${escaped}, ${text})`, rule: 'Raw' };
  },
};

/** undefined for a type whose text the engine cannot print as it should be. */
function cellOf(type: Type, column: string, format: LineFormat): Cell | undefined {
  const time = (value: string): Cell => ({ value, rule: format === 'ndjson' ? 'JSON' : 'Raw' });
  switch (type.kind) {
    case 'STRING':
    case 'BYTES':
      return TEXTS[format](column);
    case 'BOOL':
      return { value: `toBool(${column})`, rule: 'Raw' };
    case 'INT64':
      return { value: column, rule: 'Raw' };
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return { value: `toString(${column})`, rule: 'Raw' };
    case 'FLOAT64': {
      const quote = format === 'ndjson' ? '"' : '';
      const special = `multiIf(isNaN(${column}), '${quote}NaN${quote}', ${column} > 0, '${quote}Infinity${quote}', '${quote}-Infinity${quote}')`;
      return { value: `if(isFinite(${column}) = 0, ${special}, toString(${column}))`, rule: 'Raw' };
    }
    case 'INTERVAL':
      return time(`toString(${column})`);
    case 'DATE':
      return time(column);
    case 'TIME':
      return time(wholeSeconds(`toString(${column})`));
    case 'DATETIME':
      return time(wholeSeconds(`formatDateTime(${column}, '%Y-%m-%dT%H:%i:%S.%f')`));
    case 'TIMESTAMP':
      return time(wholeSeconds(`formatDateTime(${column}, '%Y-%m-%dT%H:%i:%S.%fZ')`, 'Z'));
    default:
      return undefined;
  }
}

const NULL_TEXTS: Readonly<Record<LineFormat, string>> = { ndjson: 'null', csv: '', tsv: '\\N' };

/** undefined when a column's type needs quern's own writers. Bytes that are not UTF-8, which no STRING of BigQuery holds, pass as they are. */
export function lineQuery(sql: string, { format, columns, positions, keys, maxRows }: LineOptions): LineQuery | undefined {
  const cells: Cell[] = [];
  for (const at of positions) {
    const column = columns[at];
    const cell = column === undefined ? undefined : cellOf(column.type, `q.q${at}`, format);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  const fields = cells.map(({ rule }, i) => `${format === 'ndjson' ? `${keys[i]?.replaceAll('$', '$$$$')}:` : ''}\${c${i}:${rule}}`);
  const row = fields.join(format === 'tsv' ? '\t' : ',');
  return {
    sql: exportQuery(
      sql,
      columns,
      cells.map(({ value }, i) => `${value} AS c${i}`),
      maxRows,
    ),
    settings: {
      format_template_row_format: `${format === 'ndjson' ? `{${row}}` : row}\n`,
      format_template_rows_between_delimiter: '',
      format_tsv_null_representation: NULL_TEXTS[format], // also that of bare text
      ...(format === 'csv' ? { format_csv_null_representation: NULL_TEXTS.csv } : {}),
    },
  };
}

/** The query with other expressions over its columns, which are called q0, q1 … since names of theirs could repeat or hide each other. */
export function exportQuery(sql: string, columns: readonly ResultColumn[], items: readonly string[], maxRows: number): string {
  const names = columns.map((_, i) => `q${i}`).join(', ');
  return `SELECT ${items.join(', ')} FROM (\n${sql}\n) AS q(${names}) LIMIT ${maxRows}`;
}
