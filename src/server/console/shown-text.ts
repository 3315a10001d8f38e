// Cells as text that is safe to look at: characters that show nothing, or reorder what is around them, are written out.
import { visible } from '../../output/visible.ts';
import { type Cell, exactJson, isNumber } from './exact-json.ts';

/** The text of a cell as it is, for the clipboard. */
export function plainText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  return isNumber(cell) ? cell.number : exactJson(cell);
}

/** On one line. */
export const shownText = (cell: Cell): string => visible(plainText(cell));

/** Line breaks as they are; nested values on several lines. */
export function shownLines(cell: Cell): string {
  const text = typeof cell === 'object' && cell !== null && !isNumber(cell) ? exactJson(cell, '  ') : plainText(cell);
  return text
    .split(/\r?\n/)
    .map((line) => line.split('\t').map(visible).join('\t'))
    .join('\n');
}
