// The format chart: numbers over time as columns of blocks, or numbers by label as bars, drawn with characters.
import { Chalk } from 'chalk';
import { QuernError } from '../errors.ts';
import type { QueryResult, ResultColumn, Row, Value } from '../result.ts';
import { barLines } from './chart-bars.ts';
import { seriesLines } from './chart-series.ts';
import type { Layout } from './format.ts';
import type { Series } from './series.ts';
import { columnNames, isNumber, textPrinter } from './value.ts';
import { visible } from './visible.ts';

const timeTypes: ReadonlySet<ResultColumn['type']['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);
const defaultWidth = 80;
const mostSeries = 12;

/** Draws every numeric column over the first column that holds times, or as bars by the first other column. */
export function* chart(result: QueryResult, layout: Layout): Iterable<string> {
  const names = columnNames(result.columns).map(visible);
  const indexes = result.columns.map((_, i) => i);
  const time = indexes.find((i) => timeTypes.has(result.columns[i]?.type.kind ?? 'STRING'));
  const numeric = indexes.filter((i) => isNumber(result.columns[i]?.type ?? { kind: 'STRING' }));
  const label = indexes.find((i) => i !== time && !numeric.includes(i));
  if (numeric.length === 0) {
    throw new QuernError('usage', 'this result has no column of numbers to draw', { hint: 'use --format table' });
  }
  const width = layout.width ?? defaultWidth;
  const chalk = new Chalk({ level: layout.colour ? 1 : 0 });
  const text = (row: readonly Value[], column: number | undefined) =>
    column === undefined ? '' : visible(textPrinter(result.columns[column]?.type ?? { kind: 'STRING' })(row[column] ?? 'NULL'));
  if (time === undefined) {
    const series = numeric.map((column): Series<string> => {
      const points = result.rows.map((row, i) => ({
        at: label === undefined ? String(i + 1) : text(row, label),
        value: numberOf(row[column]),
      }));
      return { name: names[column] ?? '', points };
    });
    yield* barLines(series, width, chalk);
    return;
  }
  const split = label !== undefined && repeats(result.rows.map((row) => row[time])) ? label : undefined;
  const groups = split === undefined ? [result.rows] : grouped(result.rows, (row) => text(row, split));
  const series = groups.flatMap((rows) =>
    numeric.map((column): Series<number> => {
      const name = names[column] ?? '';
      const points = rows.map((row) => ({ at: timeOf(row[time]), value: numberOf(row[column]) }));
      return { name: split === undefined ? name : `${name} ${text(rows[0] ?? [], split)}`, points };
    }),
  );
  yield* seriesLines(series.slice(0, mostSeries), width, chalk);
  if (series.length > mostSeries) yield chalk.dim(`… and ${series.length - mostSeries} more series`).concat('\n');
}

const repeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

function grouped(rows: readonly Row[], key: (row: Row) => string): readonly (readonly Row[])[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** NaN stands for a gap. */
function numberOf(value: Value | undefined): number {
  return value === null || value === undefined || typeof value === 'object' ? Number.NaN : Number(value);
}

/** Milliseconds since 1970; a DATETIME or DATE is read as UTC. */
function timeOf(value: Value | undefined): number {
  if (typeof value !== 'string') return Number.NaN;
  return Date.parse(value.includes('T') && !value.endsWith('Z') ? `${value}Z` : value);
}
