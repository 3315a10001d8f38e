// Whether a text has the form in which a file usually writes times, without looking at its parts one by one: its bytes are one number of 256 bits, and a few sums
// and masks of it say that every digit is one, and every other character the one of the form.

/** Years of other centuries are seen by what checks any form. */
const CENTURY = '20';
const DIGIT = '0';
const HOUR = 11;
const MONTH = 5;
const DAY = 8;
/** What added to the first digit of an hour, and of a minute or a second, makes it more than a digit if it is above 2, and above 5. */
const SUMMANDS: Readonly<Record<number, number>> = { [HOUR]: 13, 14: 10, 17: 10 };
const ANY_DIGIT = 6;
const BYTES = 32;
/** Of numbers of so many bytes: longer texts are told by the byte behind the form. */
export const LONGEST_FORM = BYTES - 1;

const LEADING = /^0000-00-00[ T]00:00:00/;

/**
 * Numbers in decimal digits that tell of `v`, the bytes of a text as a number, whether the text has a form, a time of this century with 0 for each digit: a clock
 * that there is, and a month and a day that are not 0, though perhaps too large. It is so where `v & mask` and `(v + sum) & mask` are `wanted`, `v & twenties` or
 * `v & fours` is 0, and `v & month` and `v & day` are not.
 */
interface TimeForm {
  readonly mask: string;
  readonly wanted: string;
  readonly sum: string;
  /** Of hours: 20 to 23, not 24 to 29. */
  readonly twenties: string;
  readonly fours: string;
  readonly month: string;
  readonly day: string;
}

/** Undefined for a form that is none of these, or too long. */
export function timeForm(form: string): TimeForm | undefined {
  if (!LEADING.test(form) || form.length > LONGEST_FORM) return undefined;
  const isDigit = (at: number): boolean => at >= CENTURY.length && form[at] === DIGIT;
  const bits = (at: number, first: number, second: number): string => number((i) => [first, second][i - at] ?? 0);
  return {
    mask: number((at) => (isDigit(at) ? 0xf0 : 0xff)),
    wanted: number((at) => (CENTURY + form.slice(CENTURY.length)).charCodeAt(at) & (isDigit(at) ? 0xf0 : 0xff)),
    sum: number((at) => (isDigit(at) ? (SUMMANDS[at] ?? ANY_DIGIT) : 0)),
    twenties: bits(HOUR, 0b0010, 0),
    fours: bits(HOUR, 0, 0b1100),
    month: bits(MONTH, 0xf, 0xf),
    day: bits(DAY, 0xf, 0xf),
  };
}

/** The first byte is the lowest. */
function number(byte: (at: number) => number): string {
  let sum = 0n;
  for (let at = BYTES - 1; at >= 0; at--) sum = (sum << 8n) | BigInt(byte(at) || 0);
  return String(sum);
}

/** So many forms are tried before a text is looked at part by part. */
const MOST_FORMS = 2;

/** The most frequent forms of texts, with 0 for each digit. */
export function usualForms(texts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const form = text.replaceAll(/\d/g, DIGIT);
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([form]) => form)
    .slice(0, MOST_FORMS);
}
