// Text that is safe and measurable on a terminal: data may hold anything, so it never reaches the terminal as it is.
import stringWidth from 'string-width';

// C0 and C1 controls, DEL, line separators, invisible direction marks (https://trojansource.codes) and lone surrogates.
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\0': '\\0' };

/** The text with every character that could move the cursor, colour or reorder it written as an escape. */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return named[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`);
  });
}

const plainAscii = /^[\x20-\x7e]*$/;

/** Terminal columns that visible text takes: wide characters and emoji count 2, combining marks 0. */
export function widthOf(text: string): number {
  return plainAscii.test(text) ? text.length : stringWidth(text);
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Visible text cut to at most `width` columns (1 or more); what is cut off is replaced by `…`. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (plainAscii.test(text)) return `${text.slice(0, width - 1)}…`;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
