// Text in pictures: escaped, measured without a font, and cut to a width.

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes visible text for XML and HTML. The two characters that XML cannot contain are shown as escapes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => escapes[one] ?? one).replace(/[\ufffe\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** The widths of characters as shares of the font size, a little more than usual fonts need. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/^\p{M}$/u, 0],
  [/^[iljtfI.,:;'|! ()[\]]$/, 0.36],
  [/^[mwMW@%—…]$/, 0.95],
  [/^[A-Z]$/, 0.7],
  [/^[\0-\u10ff]$/, 0.6],
];

const widthOfCharacter = (character: string): number => WIDTHS.find(([pattern]) => pattern.test(character))?.[1] ?? 1.1;

/** Returns about as many pixels as the text takes. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += widthOfCharacter(character);
  return width * size;
}

/** Cuts text to about so many pixels, with `…` for the rest. */
export function fitted(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let used = widthOfCharacter('…');
  let kept = '';
  for (const character of text) {
    used += widthOfCharacter(character);
    if (used * size > width) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Prints a number in as few digits as drawing needs. */
export const px = (value: number): string => String(Math.round(value * 10) / 10);
