// What ClickHouse says of a value that it cannot take, in words that people understand; and which value that is, where it tells.
import { unescapeString } from '../clickhouse/quote.ts';
import type { RejectedValue } from '../errors.ts';

interface Reading {
  readonly codes: readonly number[];
  readonly pattern: RegExp;
  /** Of the parts that the pattern captures. */
  readonly read: (...parts: readonly string[]) => RejectedValue;
}

/** Texts are of ClickHouse 26.7; where another version says it otherwise, its own text is shown. */
const READINGS: readonly Reading[] = [
  {
    codes: [427],
    pattern: /cannot compile re2: (.*?), error: (.*?)\. Look at https:/s,
    read: (sent, reason) => {
      // quern's own flag before the pattern, see pattern() of regexp-text.ts.
      const value = sent.replace(/^\(\?-s\)/, '');
      const [, ends = reason] = [sent, value].flatMap((text) =>
        reason.endsWith(`: ${text}`) ? [text, reason.slice(0, -text.length - 2)] : [],
      );
      return { value, why: `is not a regular expression: ${ends}` };
    },
  },
  { codes: [36], pattern: /Cannot load time zone (.*?)(?:: In scope|: while|$)/s, read: (value) => ({ value, why: 'is not a time zone' }) },
  {
    codes: [25],
    pattern: /at the end of LIKE pattern '(.*?)'(?:: while|: In scope|\. |$)/s,
    read: (value) => ({
      value,
      why: 'is not a valid LIKE pattern: it ends with a backslash, which must be followed by the character to escape',
    }),
  },
  { codes: [153], pattern: /Division by zero/, read: () => ({ why: 'division by zero' }) },
  {
    codes: [6, 27, 38, 41, 69, 72, 376, 457, 467],
    pattern: /[Vv]alue (.*?) cannot be parsed as (.*?) for query parameter '(\w+)'/s,
    read: (value, type, parameter) => ({ value, parameter, why: `cannot be read as ${type}` }),
  },
  {
    codes: [6],
    pattern: /Cannot parse string '((?:[^'\\]|\\.)*)' as (\w+):/s,
    read: (value, type) => ({ value: unescapeString(value), why: `cannot be read as ${type}` }),
  },
  {
    codes: [70],
    pattern: /Value in column \S+ cannot be safely converted into type (\w+)/,
    read: (type) => ({ why: `a value is out of the range of ${type === 'Int64' ? 'INT64' : type}` }),
  },
  { codes: [407], pattern: /overflow|too (?:big|large)/i, read: () => ({ why: 'a number is out of the range of its type' }) },
  {
    codes: [69],
    pattern: /would produce (\d+) array elements, which is greater than the allowed maximum of (\d+)/,
    read: (count, most) => ({ why: `an array would have ${count} elements; ${most} are allowed` }),
  },
  {
    codes: [131],
    pattern: /Too many times to repeat \((\d+)\), maximum is: (\d+)/,
    read: (count, most) => ({ why: `text would be repeated ${count} times; ${most} are allowed` }),
  },
  { codes: [125], pattern: /more than one row/, read: () => ({ why: 'a scalar subquery returned more than one row' }) },
  { codes: [131], pattern: /./, read: () => ({ why: 'text would be too long' }) },
  { codes: [128], pattern: /./, read: () => ({ why: 'an array would be too large' }) },
  { codes: [376], pattern: /Cannot parse uuid (.*?):/s, read: (value) => ({ value, why: 'is not a UUID' }) },
];

/** Of a guard in the translated SQL: the message of throwIf, or of its form for constants, a message that is read as a number. */
function guardsWords(code: number, text: string): RejectedValue | undefined {
  const why = code === 395 ? text : code === 6 ? /^Cannot parse string '(.*)' as UInt8/.exec(text)?.[1] : undefined;
  return why === undefined ? undefined : { why: code === 6 ? unescapeString(why) : why };
}

/** undefined where the failure is not one of a value, or not put so that it can be read. `text` is the gist of `message`. */
export function rejectedValue(code: number | undefined, text: string, message: string): RejectedValue | undefined {
  if (code === undefined) return undefined;
  const guards = guardsWords(code, text);
  if (guards !== undefined) return guards;
  for (const { codes, pattern, read } of READINGS) {
    const parts = codes.includes(code) ? pattern.exec(message) : null;
    if (parts !== null) return read(...parts.slice(1).map((part) => part ?? ''));
  }
  return undefined;
}

/** `"((" is not a regular expression: missing )` */
export function saying({ value, why }: RejectedValue): string {
  if (value === undefined) return why;
  return `${JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value)} ${why}`;
}
