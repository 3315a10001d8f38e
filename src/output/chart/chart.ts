// The format chart: numbers over time as columns or lines, or numbers by label as bars, drawn with characters.
import { Chalk } from 'chalk';
import { columnNames } from '../../column-names.ts';
import type { QueryResult, Row, Value } from '../../result.ts';
import type { Layout } from '../format.ts';
import { textPrinter } from '../value.ts';
import { visible } from '../visible.ts';
import { shorten } from '../width.ts';
import { barLines } from './bars.ts';
import { type ChartChoice, chooseChart } from './choice.ts';
import { columnLines } from './columns.ts';
import type { Canvas } from './frame.ts';
import { glyphsFor } from './glyphs.ts';
import { lineLines, MOST_LINES } from './lines.ts';
import type { Series } from './series.ts';

const defaultWidth = 80;
/** Where nothing could be told from anything else. */
const leastWidth = 20;
const mostPanels = 12;

/**
 * Draws the numbers over the times of the first column that has them, or as bars by the first label. Labels that repeat with the times
 * split the numbers into series, which are lines on one scale; numbers of several columns are panels of columns, each on its own.
 */
export function* chart(result: QueryResult, layout: Layout): Iterable<string> {
  const choice = chooseChart(result, layout.chart ?? {});
  const width = layout.width ?? defaultWidth;
  const chalk = new Chalk({ level: layout.colour ? 1 : 0 });
  if (width < leastWidth) {
    yield `${shorten(`a chart needs ${leastWidth} columns`, Math.max(1, width))}\n`;
    return;
  }
  if (result.rows.length === 0) {
    yield '(no rows to draw)\n';
    return;
  }
  const zone = choice.x !== undefined && result.columns[choice.x]?.type.kind === 'TIMESTAMP' ? ' UTC' : '';
  const canvas: Canvas = { width, height: layout.height, chalk, colour: layout.colour, glyphs: glyphsFor(layout.ascii === true), zone };
  noteLeftOut(result, choice, layout);
  if (!choice.overTime) {
    yield* barLines(
      seriesOf(result, choice, (row, i) => (choice.x === undefined ? String(i + 1) : textOf(result, row, choice.x))),
      canvas,
    );
    return;
  }
  const all = seriesOf(result, choice, (row) => timeOf(row[choice.x ?? 0]));
  const times = [...new Set(all.flatMap(({ points }) => points.map(({ at }) => at)))].filter(Number.isFinite).sort((a, b) => a - b);
  if (times.length === 0) {
    yield '(no times to draw)\n';
    return;
  }
  const lines = layout.chart?.kind === 'line' || (layout.chart?.kind === undefined && choice.series.length > 0 && choice.y.length === 1);
  const shown = lines ? largest(all, MOST_LINES) : all.slice(0, mostPanels);
  yield* (lines ? lineLines : columnLines)(shown, times, canvas);
  const left = all.length - shown.length;
  if (left > 0) yield chalk.dim(`${shorten(`… and ${left} more series${lines ? ', whose numbers are smaller' : ''}`, width)}\n`);
}

/** One series per column of numbers, and per group where labels tell groups apart. */
function seriesOf<At>(result: QueryResult, { y, series }: ChartChoice, at: (row: Row, i: number) => At): readonly Series<At>[] {
  const names = columnNames(result.columns).map(visible);
  const key = (row: Row) => series.map((column) => textOf(result, row, column)).join(' ');
  const groups = series.length === 0 ? new Map([['', result.rows]]) : grouped(result.rows, key);
  return [...groups].flatMap(([group, rows]) =>
    y.map((column) => ({
      name: series.length === 0 ? (names[column] ?? '') : `${names[column]} ${group}`,
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

/** Those with the largest numbers, in the order they had. */
function largest(all: readonly Series<number>[], most: number): readonly Series<number>[] {
  if (all.length <= most) return all;
  const size = ({ points }: Series<number>) => points.reduce((sum, { value }) => sum + (Number.isFinite(value) ? Math.abs(value) : 0), 0);
  const chosen = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, most));
  return all.filter((series) => chosen.has(series));
}

/** NULL is a gap that shows; what has no place at all is told. */
function noteLeftOut({ rows }: QueryResult, { x, overTime, y }: ChartChoice, { onNote }: Layout): void {
  const timeless = overTime ? rows.filter((row) => Number.isNaN(timeOf(row[x ?? 0]))).length : 0;
  if (timeless > 0) onNote?.(`${timeless} ${timeless === 1 ? 'row has' : 'rows have'} no time, and no place in the chart`);
  const endless = rows.reduce((sum, row) => sum + y.filter((at) => row[at] !== null && !Number.isFinite(numberOf(row[at]))).length, 0);
  if (endless > 0) onNote?.(`${endless} ${endless === 1 ? 'number is' : 'numbers are'} not finite, and left out of the chart`);
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
