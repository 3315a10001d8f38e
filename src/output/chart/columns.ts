// Numbers over time as columns of block characters: a panel per series, each with a scale of its own, over one shared time axis.

import { shorten, widthOf } from '../width.ts';
import { type Canvas, caption, plotRow, timeFloor } from './frame.ts';
import type { Glyphs } from './glyphs.ts';
import { type Scale, scaleFor, unitOf } from './scale.ts';
import { type Series, shortNumber } from './series.ts';
import { type TimeAxis, timeAxis } from './time.ts';

const longestName = 24;
const widestColumn = 6;

/** Draws up to four series as panels, more as one line each. `times` are sorted and distinct, and at least one. */
export function* columnLines(all: readonly Series<number>[], times: readonly number[], canvas: Canvas): Iterable<string> {
  const { width, chalk } = canvas;
  const rows = panelRows(all.length, canvas.height);
  const panels = all.map((series) => ({
    series,
    scale: scaleOf(series, rows),
    name: shorten(series.name, rows === 1 ? Math.min(longestName, Math.floor(width / 3)) : width - 2),
  }));
  const highest = panels.map(({ series }) => shortNumber(highestValue(series)));
  const numbers = rows === 1 ? highest : panels.flatMap(({ scale }) => scale.labels);
  const numberWidth = Math.max(...numbers.map(widthOf));
  const margin = rows === 1 ? Math.max(...panels.map(({ name }) => widthOf(name))) + 1 + numberWidth : numberWidth;
  const axis = columnAxis(times, Math.max(1, width - margin - 2));
  for (const [i, { series, scale, name }] of panels.entries()) {
    const values = highestOf(series, axis);
    if (rows > 1) yield `${' '.repeat(Math.min(margin + 2, Math.max(0, width - widthOf(name))))}${chalk.bold(name)}\n`;
    for (let row = scale.rows - 1; row >= 0; row--) {
      const cells = values.map((value) => cellOf(value, row, scale, canvas.glyphs));
      const drawn = chalk.cyan(widened(cells, axis.columnWidth).trimEnd());
      if (rows > 1) yield plotRow(scale.labels[row + 1] ?? '', margin, drawn, canvas);
      else yield plotRow(`${name}${(highest[i] ?? '').padStart(margin - widthOf(name))}`, margin, drawn, canvas);
    }
    if (rows > 1 && i < panels.length - 1) yield chalk.dim(`${(scale.labels[0] ?? '').padStart(margin)} ${canvas.glyphs.corner}\n`);
  }
  const cells = axis.columns * axis.columnWidth;
  const place = (slot: number) => Math.floor(slot / axis.slotsPerColumn) * axis.columnWidth + Math.floor((axis.columnWidth - 1) / 2);
  const label = rows === 1 ? '' : (panels.at(-1)?.scale.labels[0] ?? '');
  yield* timeFloor(axis.time, { label, margin, cells, cellOf: place }, canvas);
  if (axis.slotsPerColumn > 1) yield caption(`each column: the highest of ${axis.slotsPerColumn} buckets`, margin, canvas);
  else if (!axis.time.even) yield caption('each column: the highest of its rows', margin, canvas);
}

/** The panels share the rest of the screen; the axis, its names and the captions need five lines. */
function panelRows(panels: number, height: number | undefined): number {
  const few = panels <= 4 ? 4 : 1;
  const usual = panels <= 2 ? 6 : few;
  const room = height === undefined ? usual : Math.floor((height - 5) / panels) - 2;
  return room < 2 ? 1 : Math.min(usual, room);
}

/** Returns a negative number where all are negative; 0 where there is none. */
function highestValue({ points }: Series<number>): number {
  const values = points.flatMap(({ value }) => (Number.isFinite(value) ? [value] : []));
  return values.length === 0 ? 0 : values.reduce((high, value) => Math.max(high, value));
}

/** Scales from 0 to the highest, or the lowest, value. A panel of one row has no room for negative numbers. */
function scaleOf({ name, points }: Series<number>, rows: number): Scale {
  const [low, high] = points.reduce(([least, most], { value }) => [Math.min(least, value || 0), Math.max(most, value || 0)], [0, 0]);
  if (rows > 1) return scaleFor(low ?? 0, high ?? 0, rows, unitOf(name));
  const range = (high ?? 0) - (low ?? 0);
  return { rows: 1, labels: [], zero: 0, heightOf: (value) => (range === 0 ? 0 : (value - (low ?? 0)) / range) };
}

interface ColumnAxis {
  readonly time: TimeAxis;
  readonly slotsPerColumn: number;
  readonly columns: number;
  /** Characters per column, one of them a gap when there are three or more. */
  readonly columnWidth: number;
}

function columnAxis(times: readonly number[], width: number): ColumnAxis {
  const time = timeAxis(times, width);
  const slotsPerColumn = Math.ceil(time.slots / width);
  const columns = Math.ceil(time.slots / slotsPerColumn);
  return { time, slotsPerColumn, columns, columnWidth: Math.max(1, Math.min(widestColumn, Math.floor(width / columns))) };
}

/** The highest of the values that share a column; NaN where there is none. */
function highestOf({ points }: Series<number>, { time, slotsPerColumn, columns }: ColumnAxis): readonly number[] {
  const values = new Array<number>(columns).fill(Number.NaN);
  for (const { at, value } of points) {
    if (!Number.isFinite(value) || !Number.isFinite(at)) continue;
    const column = Math.floor(time.slotOf(at) / slotsPerColumn);
    const before = values[column] ?? Number.NaN;
    if (Number.isNaN(before) || value > before) values[column] = value;
  }
  return values;
}

/** Draws the part of a column in one row: columns stand on zero, and hang from it; a zero is a line, and a gap nothing. */
function cellOf(value: number, row: number, { heightOf, zero }: Scale, { up, down, none }: Glyphs): string {
  if (Number.isNaN(value)) return ' ';
  const height = heightOf(value);
  if (value === 0 && height === zero && row === zero) return none;
  const filled = height >= zero ? Math.min(height, row + 1) - Math.max(zero, row) : Math.min(zero, row + 1) - Math.max(height, row);
  if (filled <= 0) return ' ';
  const partial = height >= zero ? up : down;
  return partial[Math.max(0, Math.min(partial.length - 1, Math.round(filled * partial.length) - 1))] ?? ' ';
}

function widened(cells: readonly string[], columnWidth: number): string {
  if (columnWidth < 3) return cells.map((cell) => cell.repeat(columnWidth)).join('');
  return cells.map((cell) => `${cell.repeat(columnWidth - 1)} `).join('');
}
