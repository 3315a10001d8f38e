// How wide visible text is on a terminal, and text cut to a width.
import stringWidth from 'string-width';

const plainAscii = /^[\x20-\x7e]*$/;

/** Terminal columns that visible text takes: wide characters and emoji count 2, combining marks 0. */
export function widthOf(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

/** Visible text cut to at most `width` columns (1 or more); what is cut off is replaced by `…`. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (plainAscii.test(text)) return `${text.slice(0, width - 1)}…`;
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
