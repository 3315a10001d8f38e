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
const LONGEST = BYTES - 1;

const LEADING = /^0000-00-00[ T]00:00:00/;

/**
 * ClickHouse SQL, true where `text`, SQL of a Nullable(String), has the form `form`, a time of this century with 0 for each digit: a clock that there is, and a
 * month and a day that are not 0, though perhaps too large. Undefined for a form that it does not know.
 */
export function hasForm(text: string, form: string): string | undefined {
  if (!LEADING.test(form) || form.length > LONGEST) return undefined;
  const isDigit = (at: number): boolean => at >= CENTURY.length && form[at] === DIGIT;
  const mask = number((at) => (isDigit(at) ? 0xf0 : 0xff));
  const wanted = number((at) => (CENTURY + form.slice(CENTURY.length)).charCodeAt(at) & (isDigit(at) ? 0xf0 : 0xff));
  const sum = number((at) => (isDigit(at) ? (SUMMANDS[at] ?? ANY_DIGIT) : 0));
  const value = `reinterpretAsUInt256(${text})`;
  const bits = (at: number, first: number, second: number): string =>
    `bitAnd(${value}, ${number((i) => (i === at ? first : i === at + 1 ? second : 0))})`;
  return (
    `(bitAnd(${value}, ${mask}) = ${wanted} AND bitAnd(${value} + ${sum}, ${mask}) = ${wanted}` +
    ` AND (${bits(HOUR, 0b0010, 0)} = 0 OR ${bits(HOUR, 0, 0b1100)} = 0)` + // 20 to 23, not 24 to 29
    ` AND ${bits(MONTH, 0xf, 0xf)} != 0 AND ${bits(DAY, 0xf, 0xf)} != 0)`
  );
}

/** The first byte is the lowest. */
function number(byte: (at: number) => number): string {
  let sum = 0n;
  for (let at = BYTES - 1; at >= 0; at--) sum = (sum << 8n) | BigInt(byte(at) || 0);
  return `toUInt256('${sum}')`;
}

/** So many forms are tried before each text is looked at. */
const MOST_FORMS = 2;
const TIME = /\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| UTC|[+-]\d\d(?::?\d\d)?)?/g;

/** The forms of the times in the text of a file's beginning, the most frequent first, with 0 for each digit. */
export function usualForms(head: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const [found] of head.matchAll(TIME)) {
    const form = found.replace(/\d/g, DIGIT);
    counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([form]) => form)
    .slice(0, MOST_FORMS);
}
