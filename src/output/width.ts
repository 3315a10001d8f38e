// Measures how wide visible text is on a terminal, and cuts text to a width.
import stringWidth from 'string-width';

const plainAscii = /^[\x20-\x7e]*$/;

/** Terminal columns that visible text takes: wide characters and emoji count 2, combining marks 0. */
export function widthOf(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

/** Cuts visible text to at most `width` columns (1 or more), with `…` for the rest. */
export function shorten(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${cutAt(text, width - 1, 0)[0]}…`;
}

/** Cuts visible text in two: the first `width` columns, but at least `atLeast` characters as a reader counts them, and the rest. */
export function cutAt(text: string, width: number, atLeast = 1): readonly [string, string] {
  if (plainAscii.test(text)) return [text.slice(0, Math.max(width, atLeast)), text.slice(Math.max(width, atLeast))];
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let used = 0;
  let count = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width && count >= atLeast) return [text.slice(0, index), text.slice(index)];
    count++;
  }
  return [text, ''];
}
