// Draws cells as a box, with cli-table3.
import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import { widthOf } from '../width.ts';
import type { Cell } from './cell.ts';

/**
 * cli-table3 measures text by older Unicode tables than terminals use, so it is given runs of a placeholder one column wide, which are
 * replaced by the real cells in the order they appear.
 */
export function drawBox(
  heading: readonly (readonly string[])[],
  body: readonly (readonly Cell[])[],
  alignRight: readonly boolean[],
  chalk: ChalkInstance,
): string {
  const placeholder = (width: number) => '\ue000'.repeat(width);
  const box = new Table({
    head: heading.map((lines) => lines.map((line) => placeholder(widthOf(line))).join('\n')),
    colAligns: alignRight.map((right) => (right ? 'right' : 'left')),
    style: { head: [], border: [], compact: true },
  });
  for (const row of body) box.push(row.map((one) => placeholder(one.width)));
  const height = Math.max(...heading.map((lines) => lines.length));
  const headTexts = Array.from({ length: height }, (_, line) => heading.map((lines) => lines[line] ?? '')).flat();
  const texts = [
    ...headTexts.filter((text) => widthOf(text) > 0).map((text) => chalk.bold(text)),
    ...body.flat().flatMap(({ text, width, isNull }) => (width === 0 ? [] : [isNull ? chalk.dim(text) : text])),
  ];
  let next = 0;
  return `${box.toString().replace(/\ue000+/g, () => texts[next++] ?? '')}\n`;
}
