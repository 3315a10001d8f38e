// Decides how wide the columns of a table are, which of them shrink when the terminal is too narrow, and when no box fits it at all.
import { cutAt, widthOf } from '../width.ts';

interface ColumnSize {
  readonly name: string;
  /** Terminal columns of the widest value. */
  readonly values: number;
  /** True when the values must not be cut. */
  readonly whole: boolean;
}

/** Narrower columns of text would be unreadable. */
const shortestText = 10;
/** The words of a heading, between `_` and spaces, are broken inside only when wider than the first; than the second when nothing else helps. */
const longestWord = 16;
const longestPiece = 7;
/** The characters ` │ ` around every column, and the edges. */
const frame = (columns: number): number => 3 * columns + 1;

/**
 * Returns the width of each column so that the box is at most `width` wide (undefined: as wide as it wants), or undefined when that would cut
 * a number or time. Headings give way first, by wrapping; then texts, the longest most.
 */
export function columnWidths(columns: readonly ColumnSize[], width: number | undefined): readonly number[] | undefined {
  const natural = columns.map(({ name, values }) => Math.max(widthOf(name), values));
  const available = width === undefined ? Number.POSITIVE_INFINITY : width - frame(columns.length);
  const floor = (texts: number, word: number) =>
    columns.map(({ name, values, whole }) => Math.max(whole ? values : Math.min(values, texts), widestWord(name, word)));
  const floors = [floor(Number.POSITIVE_INFINITY, longestWord), floor(shortestText, longestWord), floor(shortestText, longestPiece)];
  if (sum(floors.at(-1) ?? []) > available) return undefined;
  const widths = floors.reduce<readonly number[]>((from, least) => shrunk(from, least, available), natural);
  // A heading may wrap into fewer columns than it was given.
  return widths.map((given, i) =>
    given === natural[i]
      ? given
      : Math.max(Math.min(columns[i]?.values ?? 0, given), ...headingLines(columns[i]?.name ?? '', given).map(widthOf)),
  );
}

/** Breaks a heading into lines of at most `width` columns, after `_` and at spaces, and inside a word only where one is too long. */
export function headingLines(name: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (let word of words(name)) {
    if (widthOf(line) + widthOf(word.trimEnd()) > width && line !== '') {
      lines.push(line.trimEnd());
      line = '';
    }
    while (widthOf(word.trimEnd()) > width) {
      const [start, rest] = cutAt(word, width);
      lines.push(start);
      word = rest;
    }
    line += word;
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line.trimEnd()];
}

/** Breaks a text into lines of at most `width` columns, at spaces, and in a word where one is too long for a line. */
export function textLines(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(...headingLines(word, width));
  }
  return lines;
}

const words = (name: string): readonly string[] => name.match(/[^_ ]*[_ ]+|[^_ ]+/g) ?? [];

const widestWord = (name: string, most: number): number =>
  Math.min(most, Math.max(0, ...words(name).map((word) => widthOf(word.trimEnd()))));

/** Shrinks the widest columns first, none below its floor, until all fit. */
function shrunk(from: readonly number[], floor: readonly number[], available: number): readonly number[] {
  const widths = [...from];
  for (let excess = sum(widths) - available; excess > 0; excess--) {
    const spare = widths.map((width, i) => (width > (floor[i] ?? 0) ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) break;
    widths[spare.indexOf(widest)] = widest - 1;
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
