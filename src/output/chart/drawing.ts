// The content of a chart, however it is drawn: the numbers of a result as series over times or labels.

import { columnNames } from '../../base/column-names.ts';
import type { QueryResult, Row, Value } from '../../base/result.ts';
import type { ChartOptions } from '../format.ts';
import { textPrinter } from '../value.ts';
import { visible } from '../visible.ts';
import { type ChartChoice, chooseChart } from './choice.ts';
import type { Series } from './series.ts';

export type Drawing =
  | {
      readonly kind: 'times';
      readonly series: readonly Series<number>[];
      /** Sorted and distinct, at least one. */
      readonly times: readonly number[];
      /** Follows each time that is shown. */
      readonly zone: '' | ' UTC';
      /** True if labels split one column of numbers into series, which belong on one scale. */
      readonly split: boolean;
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'labels';
      readonly series: readonly Series<string>[];
      /** False where a label is only the number of its row. */
      readonly named: boolean;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'nothing'; readonly reason: 'no rows' | 'no times' };

/** Throws `usage` where there is no number to draw, or an option cannot be followed. Names and labels are safe to show. */
export function drawingOf(result: QueryResult, options: ChartOptions): Drawing {
  const choice = chooseChart(result, options);
  if (result.rows.length === 0) return { kind: 'nothing', reason: 'no rows' };
  const notes = leftOut(result, choice);
  if (!choice.overTime) {
    const label = (row: Row, i: number) => (choice.x === undefined ? String(i + 1) : textOf(result, row, choice.x));
    return { kind: 'labels', series: seriesOf(result, choice, label), named: choice.x !== undefined, notes };
  }
  const series = seriesOf(result, choice, (row) => timeOf(row[choice.x ?? 0]));
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].filter(Number.isFinite).sort((a, b) => a - b);
  if (times.length === 0) return { kind: 'nothing', reason: 'no times' };
  const zone = choice.x !== undefined && result.columns[choice.x]?.type.kind === 'TIMESTAMP' ? ' UTC' : '';
  return { kind: 'times', series, times, zone, split: choice.series.length > 0 && choice.y.length === 1, notes };
}

/** Chooses the series with the largest numbers, and keeps their order. */
export function largest<At>(all: readonly Series<At>[], most: number): readonly Series<At>[] {
  if (all.length <= most) return all;
  const size = ({ points }: Series<At>) => points.reduce((sum, { value }) => sum + (Number.isFinite(value) ? Math.abs(value) : 0), 0);
  const chosen = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, most));
  return all.filter((series) => chosen.has(series));
}

/** Makes one series per column of numbers, and per group where labels split them into groups. */
function seriesOf<At>(result: QueryResult, { y, series }: ChartChoice, at: (row: Row, i: number) => At): readonly Series<At>[] {
  const names = columnNames(result.columns).map(visible);
  const key = (row: Row) => series.map((column) => textOf(result, row, column)).join(' ');
  const groups = series.length === 0 ? new Map([['', result.rows]]) : grouped(result.rows, key);
  return [...groups].flatMap(([group, rows]) =>
    y.map((column) => ({
      name: series.length === 0 ? (names[column] ?? '') : `${names[column]} ${group}`,
      column: series.length === 0 ? undefined : (names[column] ?? ''),
      group: series.length === 0 ? undefined : group,
      points: rows.map((row, i) => ({ at: at(row, i), value: numberOf(row[column]) })),
    })),
  );
}

function grouped(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const name = key(row);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [row]);
    else group.push(row);
  }
  return groups;
}

/** Reports the values that have no place in the chart; NULL is a gap that shows. */
function leftOut({ rows }: QueryResult, { x, overTime, y }: ChartChoice): readonly string[] {
  const timeless = overTime ? rows.filter((row) => Number.isNaN(timeOf(row[x ?? 0]))).length : 0;
  const endless = rows.reduce((sum, row) => sum + y.filter((at) => row[at] !== null && !Number.isFinite(numberOf(row[at]))).length, 0);
  return [
    timeless > 0
      ? `${timeless} ${timeless === 1 ? 'row has' : 'rows have'} no time and ${timeless === 1 ? 'is' : 'are'} not in the chart`
      : [],
    endless > 0 ? `${endless} ${endless === 1 ? 'number is' : 'numbers are'} not finite and not in the chart` : [],
  ].flat();
}

function textOf({ columns }: QueryResult, row: Row, column: number): string {
  const value = row[column] ?? null;
  return value === null ? 'NULL' : visible(textPrinter(columns[column]?.type ?? { kind: 'STRING' })(value));
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
