// Draws rows as blocks below each other, one line per column, for results that are too wide for a box.
import type { ChalkInstance } from 'chalk';
import { shorten, widthOf } from '../width.ts';
import type { Cell } from './cell.ts';
import { textLines } from './widths.ts';

const gap = 2;
/** A value keeps at least this much room behind long names. */
const roomForValue = 20;
/** Names are cut down to this in favour of numbers and times; then the terminal wraps those. */
const leastForName = 12;

interface BlockLayout {
  /** Columns whose values are not cut; the terminal may wrap them. */
  readonly whole: readonly boolean[];
  /** Wraps other texts, instead of cutting them. */
  readonly wrap: boolean;
  /** The width of the terminal. */
  readonly width: number;
}

export function* drawBlocks(
  names: readonly string[],
  body: readonly (readonly Cell[])[],
  { whole, wrap, width }: BlockLayout,
  chalk: ChalkInstance,
): Iterable<string> {
  const usual = Math.max(roomForValue, width - gap - roomForValue);
  const widestWhole = body.flat().reduce((most, one, i) => (whole[i % names.length] ? Math.max(most, one.width) : most), 0);
  const besideWhole = width - gap - widestWhole;
  const most = besideWhole < leastForName ? usual : Math.min(usual, besideWhole);
  const nameWidth = Math.min(Math.max(...names.map(widthOf)), most);
  const shownNames = names.map((name) => shorten(name, nameWidth));
  const valueWidth = Math.max(1, width - nameWidth - gap);
  if (body.length === 0) yield `${[titled('no rows', width, chalk), ...shownNames.map((name) => chalk.bold(name))].join('\n')}\n`;
  for (const [number, row] of body.entries()) {
    const lines = row.map(({ text, isNull }, i) => {
      const name = shownNames[i] ?? '';
      const fitting = () => (wrap ? textLines(text, valueWidth) : [shorten(text, valueWidth)]);
      const lines = whole[i] || isNull ? [text] : fitting();
      const shown = lines.map((line) => (isNull ? chalk.dim(line) : line)).join(`\n${' '.repeat(nameWidth + gap)}`);
      return `${chalk.bold(name)}${' '.repeat(nameWidth - widthOf(name) + gap)}${shown}`.trimEnd();
    });
    yield `${[titled(`row ${number + 1}`, width, chalk), ...lines].join('\n')}\n`;
  }
}

const titled = (title: string, width: number, chalk: ChalkInstance): string =>
  chalk.dim(`── ${title} ${'─'.repeat(Math.max(2, width - title.length - 4))}`);
