// Draws cells as a box, with cli-table3.
import type { ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import { widthOf } from '../width.ts';
import type { Cell } from './cell.ts';

type Row = readonly (readonly Cell[])[];

/** cli-table3 looks at all rows above each row: a hundred keep that cheap. */
const ROWS_AT_ONCE = 100;

/**
 * Cells are lists of lines. cli-table3 measures text by older Unicode tables than terminals use, so it is given runs of a placeholder one column wide, which are
 * replaced by the real cells in the order they appear.
 */
export function* drawBox(
  heading: readonly (readonly string[])[],
  body: readonly Row[],
  alignRight: readonly boolean[],
  chalk: ChalkInstance,
): Iterable<string> {
  const widths = heading.map((lines) => Math.max(0, ...lines.map(widthOf)));
  for (const row of body)
    for (const [i, lines] of row.entries()) for (const { width } of lines) if (width > (widths[i] ?? 0)) widths[i] = width;
  const settings = {
    colAligns: alignRight.map((right) => (right ? ('right' as const) : ('left' as const))),
    colWidths: widths.map((width) => width + PADDING),
    style: { head: [], border: [], compact: true },
  };
  for (let from = 0; from === 0 || from < body.length; from += ROWS_AT_ONCE) {
    const rows = body.slice(from, from + ROWS_AT_ONCE);
    const box = new Table({
      ...settings,
      head: from === 0 ? heading.map((lines) => lines.map((line) => placeholder(widthOf(line))).join('\n')) : [],
    });
    for (const row of rows) box.push(row.map((lines) => lines.map(({ width }) => placeholder(width)).join('\n')));
    const texts = [
      ...(from === 0 ? byLine(heading).flatMap((text) => (widthOf(text) === 0 ? [] : [chalk.bold(text)])) : []),
      ...rows.flatMap(byLine).flatMap(({ text, width, isNull }) => (width === 0 ? [] : [isNull ? chalk.dim(text) : text])),
    ];
    // Between two of these boxes there is no border.
    const lines = box.toString().split('\n');
    const isLast = from + ROWS_AT_ONCE >= body.length;
    const shown = lines.slice(from === 0 ? 0 : 1, isLast ? lines.length : -1).join('\n');
    let next = 0;
    yield `${shown.replace(/\ue000+/g, () => texts[next++] ?? '')}\n`;
  }
}

/** The blanks on both sides of a cell. */
const PADDING = 2;
const placeholder = (width: number): string => '\ue000'.repeat(width);

/** Returns the lines of cells in the order in which a box shows them: the first of each, then the second. */
const byLine = <T>(cells: readonly (readonly T[])[]): readonly T[] =>
  Array.from({ length: Math.max(0, ...cells.map((lines) => lines.length)) }, (_, line) =>
    cells.flatMap((lines) => lines[line] ?? []),
  ).flat();
