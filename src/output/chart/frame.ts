// The frame of charts over time: the upward axis at the left, the time axis below, and captions.
import type { ChalkInstance } from 'chalk';
import { shorten, widthOf } from '../width.ts';
import type { Glyphs } from './glyphs.ts';
import { rangeText, type TimeAxis, timeTicks } from './time.ts';

/** The size and the style of a drawing. */
export interface Canvas {
  readonly width: number;
  /** The lines of the terminal, where the chart fills it. */
  readonly height: number | undefined;
  readonly chalk: ChalkInstance;
  readonly colour: boolean;
  readonly glyphs: Glyphs;
  /** ` UTC` for instants. */
  readonly zone: string;
}

/** Draws a row of a plot behind its label. */
export function plotRow(label: string, margin: number, cells: string, { chalk, glyphs }: Canvas): string {
  return `${' '.repeat(Math.max(0, margin - widthOf(label)))}${chalk.dim(`${label} ${glyphs.tick}`)}${cells}\n`;
}

/** Draws the time axis under a plot of `cells` cells; `cellOf` gives the cell of a place of the axis. `label` stands at the bottom edge. */
export function* timeFloor(
  axis: TimeAxis,
  plot: { readonly label: string; readonly margin: number; readonly cells: number; readonly cellOf: (place: number) => number },
  { width, chalk, glyphs, zone }: Canvas,
): Iterable<string> {
  const { label, margin, cells, cellOf } = plot;
  const floor = new Array<string>(cells).fill(glyphs.floor);
  let names = '';
  for (const { at, text } of timeTicks(axis, cells)) {
    const cell = Math.max(0, Math.min(cells - 1, Math.floor(cellOf(axis.placeOf(at)))));
    const start = Math.max(0, Math.min(cells - text.length, cell - Math.floor(text.length / 2)));
    floor[cell] = glyphs.floorTick;
    if (start + text.length > cells || (names !== '' && start < names.length + 1)) continue;
    names = names.padEnd(start) + text;
  }
  const indent = ' '.repeat(margin + 2);
  yield chalk.dim(`${' '.repeat(Math.max(0, margin - widthOf(label)))}${label} ${glyphs.corner}${floor.join('')}`).concat('\n');
  if (names !== '') yield `${chalk.dim(`${indent}${names}`)}\n`;
  yield caption(rangeText(axis, zone, width), margin, { width, chalk });
}

/** Draws a line below a plot, moved to the left as far as it must be. */
export function caption(text: string, margin: number, { width, chalk }: Pick<Canvas, 'width' | 'chalk'>): string {
  return `${' '.repeat(Math.max(0, Math.min(margin + 2, width - widthOf(text))))}${chalk.dim(shorten(text, width))}\n`;
}
