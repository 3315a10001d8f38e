// The format chart: numbers over time as columns or lines, or numbers by label as bars, drawn with characters.
import { Chalk } from 'chalk';
import type { QueryResult } from '../../base/result.ts';
import type { Layout } from '../format.ts';
import { shorten } from '../width.ts';
import { barLines } from './bars.ts';
import { columnLines } from './columns.ts';
import { drawingOf, largest } from './drawing.ts';
import type { Canvas } from './frame.ts';
import { glyphsFor } from './glyphs.ts';
import { lineLines, MOST_LINES } from './lines.ts';

const defaultWidth = 80;
/** A narrower chart would be unreadable. */
const leastWidth = 20;
const mostPanels = 12;

/**
 * Draws the numbers over the times of the first column that has them, or as bars by the first label. Labels that repeat with the times
 * split the numbers into series, which are lines on one scale; numbers of several columns are panels of columns, each on its own.
 */
export function* chart(result: QueryResult, layout: Layout): Iterable<string> {
  const drawing = drawingOf(result, layout.chart ?? {});
  const width = layout.width ?? defaultWidth;
  const chalk = new Chalk({ level: layout.colour ? 1 : 0 });
  if (width < leastWidth) {
    yield `${shorten(`a chart needs ${leastWidth} columns`, Math.max(1, width))}\n`;
    return;
  }
  if (drawing.kind === 'nothing') {
    yield `(${drawing.reason} to draw)\n`;
    return;
  }
  for (const note of drawing.notes) layout.onNote?.(note);
  const zone = drawing.kind === 'times' ? drawing.zone : '';
  const canvas: Canvas = { width, height: layout.height, chalk, colour: layout.colour, glyphs: glyphsFor(layout.ascii === true), zone };
  if (drawing.kind === 'labels') {
    yield* barLines(drawing.series, canvas);
    return;
  }
  const { series: all, times, split } = drawing;
  const lines = layout.chart?.kind === 'line' || (layout.chart?.kind === undefined && split);
  const shown = lines ? largest(all, MOST_LINES) : all.slice(0, mostPanels);
  yield* (lines ? lineLines : columnLines)(shown, times, canvas);
  const left = all.length - shown.length;
  if (left > 0) yield chalk.dim(`${shorten(`… and ${left} more series${lines ? ', whose numbers are smaller' : ''}`, width)}\n`);
}
