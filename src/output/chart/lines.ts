// Draws numbers over time as lines: all series in one plot, on one scale, with a legend.
import type { ChalkInstance } from 'chalk';
import { shorten, widthOf } from '../width.ts';
import { type Canvas, caption, plotRow, timeFloor } from './frame.ts';
import { createRaster, type Drawn, type Raster } from './raster.ts';
import { rangeOfLines, type Scale, scaleFor, unitOf } from './scale.ts';
import type { Series } from './series.ts';
import { type TimeAxis, timeAxis } from './time.ts';

/** There are as many marks, and as many colours that differ. */
export const MOST_LINES = 8;
const usualRows = 12;
const widestStep = 12;
const longestName = 32;

/** Draws at most MOST_LINES series. `times` are sorted and distinct, and at least one. */
export function* lineLines(all: readonly Series<number>[], times: readonly number[], canvas: Canvas): Iterable<string> {
  const { chalk, colour, glyphs, width } = canvas;
  const ink = (series: number) => inkOf(chalk, series);
  const braille = !glyphs.plain && (colour || all.length === 1);
  const bare = braille ? () => '' : (series: number) => glyphs.marks[series] ?? '';
  const mark = (series: number) => (colour ? glyphs.swatch : bare(series));
  const legend = legendLines(
    all.map(({ name }, i) => ({ mark: mark(i), name: shorten(name, Math.min(longestName, Math.max(1, width - 4))) })),
    width,
    ink,
  );
  // Below the plot: the axis, its names, the range and a caption.
  const rows = Math.max(2, Math.min(usualRows, canvas.height === undefined ? usualRows : canvas.height - legend.length - 4));
  const scale = sharedScale(all, rows);
  const margin = Math.max(...scale.labels.map(widthOf));
  const room = Math.max(1, width - margin - 2);
  const time = timeAxis(times, room * (braille ? 2 : 1));
  const cells = time.even ? Math.max(1, Math.min(room, (time.slots - 1) * widestStep + 1)) : room;
  const raster = createRaster(cells, scale.rows, braille);
  for (const [i, series] of all.entries()) draw(series, i, { raster, time, scale });
  yield* legend;
  for (let row = scale.rows - 1; row >= 0; row--) {
    const drawn = raster.row(scale.rows - 1 - row);
    const glyph = (one: Drawn) => (braille ? one.braille : (glyphs.marks[one.series] ?? ''));
    yield plotRow(scale.labels[row + 1] ?? '', margin, inked(drawn, glyph, ink), canvas);
  }
  const cellOf = (place: number) => (time.slots === 1 ? 0 : Math.round((place / (time.slots - 1)) * (cells - 1)));
  yield* timeFloor(time, { label: scale.labels[0] ?? '', margin, cells, cellOf }, canvas);
  const perCell = Math.ceil(time.slots / cells);
  if (time.even && time.slots > raster.width) yield caption(`each column spans ${perCell} buckets`, margin, canvas);
}

function inkOf(chalk: ChalkInstance, series: number): (text: string) => string {
  const inks = [chalk.cyan, chalk.yellow, chalk.magenta, chalk.green, chalk.red, chalk.blue, chalk.white, chalk.gray];
  return inks[series % inks.length] ?? chalk.white;
}

function sharedScale(all: readonly Series<number>[], rows: number): Scale {
  const { low, high } = rangeOfLines(all);
  const units = new Set(all.map(({ name }) => unitOf(name)));
  return scaleFor(low, high, rows, units.size === 1 ? [...units][0] : '');
}

/** Prints a row without the blanks at its end; neighbours of one series are coloured as one. */
function inked(
  cells: readonly (Drawn | undefined)[],
  glyph: (drawn: Drawn) => string,
  ink: (series: number) => (text: string) => string,
): string {
  let [line, run] = ['', ''];
  let series: number | undefined;
  for (const cell of [...cells.slice(0, cells.findLastIndex((one) => one !== undefined) + 1), undefined]) {
    if (cell?.series !== series) {
      line += series === undefined ? run : ink(series)(run);
      [series, run] = [cell?.series, ''];
    }
    run += cell === undefined ? ' ' : glyph(cell);
  }
  return line;
}

interface Plot {
  readonly raster: Raster;
  readonly time: TimeAxis;
  readonly scale: Scale;
}

/** Draws neighbours as joined; a missing bucket, or a NULL, leaves a gap. */
function draw({ points }: Series<number>, series: number, { raster, time, scale }: Plot): void {
  const sorted = points.filter(({ at }) => Number.isFinite(at)).sort((a, b) => a.at - b.at);
  const dot = (at: number, value: number) => ({
    x: time.slots === 1 ? 0 : Math.round((time.slotOf(at) / (time.slots - 1)) * (raster.width - 1)),
    // The row whose upper edge has the label of the value.
    y: Math.max(0, Math.round((scale.heightOf(value) / scale.rows) * raster.height) - 1),
  });
  for (const [i, { at, value }] of sorted.entries()) {
    if (!Number.isFinite(value)) continue;
    const before = sorted[i - 1];
    const here = dot(at, value);
    const joined = before !== undefined && Number.isFinite(before.value) && time.joined(before.at, at);
    raster.line(joined ? dot(before.at, before.value) : here, here, series);
  }
}

interface Entry {
  readonly mark: string;
  readonly name: string;
}

/** Puts as many entries on a line as fit. */
function legendLines(entries: readonly Entry[], width: number, ink: (series: number) => (text: string) => string): readonly string[] {
  const lines: string[] = [];
  let used = 0;
  for (const [i, { mark, name }] of entries.entries()) {
    const size = widthOf(mark) + (mark === '' ? 0 : 1) + widthOf(name);
    const text = mark === '' ? name : `${ink(i)(mark)} ${name}`;
    if (used > 0 && used + 3 + size <= width) {
      lines.push(`${lines.pop()?.slice(0, -1)}   ${text}\n`);
      used += 3 + size;
    } else {
      lines.push(`${text}\n`);
      used = size;
    }
  }
  return lines;
}
