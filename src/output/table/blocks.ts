// Draws rows as blocks below each other, one line per column, for results that are too wide for a box.
import type { ChalkInstance } from 'chalk';
import { shorten, widthOf } from '../width.ts';
import type { Cell } from './cell.ts';

const gap = 2;
/** A value keeps at least this much beside long names. */
const roomForValue = 20;

/** Texts are cut at the terminal's edge; where `whole` is true they are not, and the terminal may wrap them. */
export function* drawBlocks(
  names: readonly string[],
  body: readonly (readonly Cell[])[],
  whole: readonly boolean[],
  width: number,
  chalk: ChalkInstance,
): Iterable<string> {
  const nameWidth = Math.min(Math.max(...names.map(widthOf)), Math.max(roomForValue, width - gap - roomForValue));
  const shownNames = names.map((name) => shorten(name, nameWidth));
  const valueWidth = Math.max(1, width - nameWidth - gap);
  if (body.length === 0) yield `${[titled('no rows', width, chalk), ...shownNames.map((name) => chalk.bold(name))].join('\n')}\n`;
  for (const [number, row] of body.entries()) {
    const lines = row.map(({ text, isNull }, i) => {
      const name = shownNames[i] ?? '';
      const shown = whole[i] || isNull ? text : shorten(text, valueWidth);
      return `${chalk.bold(name)}${' '.repeat(nameWidth - widthOf(name) + gap)}${isNull ? chalk.dim(shown) : shown}`.trimEnd();
    });
    yield `${[titled(`row ${number + 1}`, width, chalk), ...lines].join('\n')}\n`;
  }
}

const titled = (title: string, width: number, chalk: ChalkInstance): string =>
  chalk.dim(`── ${title} ${'─'.repeat(Math.max(2, width - title.length - 4))}`);
