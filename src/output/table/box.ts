// Draws cells as a box, with cli-table3.
import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import { widthOf } from '../width.ts';
import type { Cell } from './cell.ts';

/**
 * A cell is its lines. cli-table3 measures text by older Unicode tables than terminals use, so it is given runs of a placeholder one column wide, which are
 * replaced by the real cells in the order they appear.
 */
export function drawBox(
  heading: readonly (readonly string[])[],
  body: readonly (readonly (readonly Cell[])[])[],
  alignRight: readonly boolean[],
  chalk: ChalkInstance,
): string {
  const placeholder = (width: number) => '\ue000'.repeat(width);
  const box = new Table({
    head: heading.map((lines) => lines.map((line) => placeholder(widthOf(line))).join('\n')),
    colAligns: alignRight.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  for (const row of body) box.push(row.map((lines) => lines.map(({ width }) => placeholder(width)).join('\n')));
  const texts = [
    ...byLine(heading).flatMap((text) => (widthOf(text) === 0 ? [] : [chalk.bold(text)])),
    ...body.flatMap(byLine).flatMap(({ text, width, isNull }) => (width === 0 ? [] : [isNull ? chalk.dim(text) : text])),
  ];
  let next = 0;
  return `${box.toString().replace(/\ue000+/g, () => texts[next++] ?? '')}\n`;
}

/** The lines of cells in the order in which a box shows them: the first of each, then the second. */
const byLine = <T>(cells: readonly (readonly T[])[]): readonly T[] =>
  Array.from({ length: Math.max(0, ...cells.map((lines) => lines.length)) }, (_, line) =>
    cells.flatMap((lines) => lines[line] ?? []),
  ).flat();
