// Numbers by label as horizontal bars, one group of bars per series.
import type { ChalkInstance } from 'chalk';
import { type Series, shortNumber } from './series.ts';
import { shorten, widthOf } from './width.ts';

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const longestLabel = 32;
const mostBars = 50;

/** Draws each series under its name, at most 50 bars of it. Negative numbers have no bar; their number is shown. */
export function* barLines(all: readonly Series<string>[], width: number, chalk: ChalkInstance): Iterable<string> {
  for (const series of all) {
    const shown = series.points.slice(0, mostBars);
    const labels = shown.map((point) => shorten(point.at, longestLabel));
    const labelWidth = Math.max(0, ...labels.map(widthOf));
    const numbers = shown.map((point) => (Number.isNaN(point.value) ? 'NULL' : shortNumber(point.value)));
    const room = Math.max(8, width - labelWidth - 3 - Math.max(0, ...numbers.map((number) => number.length + 1)));
    const top = Math.max(0, ...shown.map((point) => point.value).filter(Number.isFinite));
    yield `${chalk.bold(series.name)}\n`;
    for (const [i, point] of shown.entries()) {
      const label = labels[i] ?? '';
      yield `${' '.repeat(labelWidth - widthOf(label))}${label} ${chalk.dim('│')}${chalk.cyan(bar(point.value, top, room))} ${numbers[i]}\n`;
    }
    if (series.points.length > mostBars) yield chalk.dim(`… and ${series.points.length - mostBars} more rows\n`);
  }
}

function bar(value: number, top: number, room: number): string {
  if (!Number.isFinite(value) || value <= 0 || top === 0) return '';
  const length = Math.max(1, Math.round((value / top) * room * 8));
  return `${'█'.repeat(Math.floor(length / 8))}${eighths[length % 8] ?? ''}`;
}
