// Draws numbers by label as horizontal bars, one group of bars per series; negative numbers go to the left.

import { shorten, widthOf } from '../width.ts';
import type { Canvas } from './frame.ts';
import { barOf } from './glyphs.ts';
import { unitOf } from './scale.ts';
import { type Series, shortNumber } from './series.ts';

const longestLabel = 32;
const mostBars = 50;

/** Draws each series under its name, at most 50 bars of it, or as many as the height has room for. */
export function* barLines(all: readonly Series<string>[], canvas: Canvas): Iterable<string> {
  const { width, chalk, glyphs } = canvas;
  const most = canvas.height === undefined ? mostBars : Math.max(1, Math.min(mostBars, Math.floor(canvas.height / all.length) - 2));
  for (const series of all) {
    const shown = series.points.slice(0, most);
    const labels = shown.map((point) => shorten(point.at, Math.min(longestLabel, Math.floor(width / 3))));
    const labelWidth = Math.max(0, ...labels.map(widthOf));
    const unit = unitOf(series.name);
    const numbers = shown.map(({ value }) => (Number.isNaN(value) ? 'NULL' : `${shortNumber(value)}${unit}`));
    const room = Math.max(1, width - labelWidth - 3 - Math.max(0, ...numbers.map((number) => number.length)));
    const values = shown.map(({ value }) => value).filter(Number.isFinite);
    const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
    // Scaled before they are added: the sum of huge numbers is no number.
    const size = Math.max(high, -low);
    const span = size === 0 ? 1 : high / size - low / size;
    const leftRoom = size === 0 ? 0 : Math.round((-low / size / span) * room);
    const cells = (value: number, of: number, end: number) => (Number.isFinite(value) && end !== 0 ? (value / end) * of : 0);
    yield `${chalk.bold(shorten(series.name, width))}\n`;
    for (const [i, { value }] of shown.entries()) {
      const label = labels[i] ?? '';
      const left = value < 0 ? barOf(cells(value, leftRoom, low), glyphs.left) : '';
      const right = value > 0 ? barOf(cells(value, room - leftRoom, high), glyphs.right) : '';
      const turned = [...left].reverse().join('');
      const before = `${' '.repeat(labelWidth - widthOf(label))}${label} ${' '.repeat(Math.max(0, leftRoom - widthOf(left)))}`;
      yield `${before}${chalk.yellow(turned)}${chalk.dim(glyphs.wall)}${chalk.cyan(right)} ${numbers[i]}\n`;
    }
    if (series.points.length > most) yield chalk.dim(`${shorten(`… and ${series.points.length - most} more rows`, width)}\n`);
  }
}
