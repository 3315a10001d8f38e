// Says in words for people why ClickHouse rejected a value, and which value that is, where its message names it.

import type { RejectedValue } from '../base/errors.ts';
import { ERRORS } from '../clickhouse/errors.ts';
import { unescapeString } from '../clickhouse/quote.ts';

const { value: VALUE, length: LENGTH } = ERRORS;

interface Reading {
  readonly codes: readonly number[];
  readonly pattern: RegExp;
  /** Takes the parts that the pattern captures. */
  readonly read: (...parts: readonly string[]) => RejectedValue;
}

/** Texts are of ClickHouse 26.7; where another version says it otherwise, its own text is shown. */
const READINGS: readonly Reading[] = [
  {
    codes: [VALUE.CANNOT_COMPILE_REGEXP],
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
  {
    codes: [VALUE.BAD_ARGUMENTS],
    pattern: /Cannot load time zone (.*?)(?:: In scope|: while|$)/s,
    read: (value) => ({ value, why: 'is not a time zone' }),
  },
  {
    codes: [VALUE.CANNOT_PARSE_ESCAPE_SEQUENCE],
    pattern: /at the end of LIKE pattern '(.*?)'(?:: while|: In scope|\. |$)/s,
    read: (value) => ({
      value,
      why: 'is not a valid LIKE pattern: it ends with a backslash, which must be followed by the character to escape',
    }),
  },
  { codes: [VALUE.ILLEGAL_DIVISION], pattern: /Division by zero/, read: () => ({ why: 'division by zero' }) },
  {
    codes: [...Object.values(VALUE), LENGTH.ARGUMENT_OUT_OF_BOUND],
    pattern: /[Vv]alue (.*?) cannot be parsed as (.*?) for query parameter '(\w+)'/s,
    read: (value, type, parameter) => ({ value, parameter, why: `cannot be read as ${type}` }),
  },
  {
    codes: [VALUE.CANNOT_PARSE_TEXT],
    pattern: /Cannot parse string '((?:[^'\\]|\\.)*)' as (\w+):/s,
    read: (value, type) => ({ value: unescapeString(value), why: `cannot be read as ${type}` }),
  },
  {
    codes: [VALUE.CANNOT_CONVERT_TYPE],
    pattern: /Value in column \S+ cannot be safely converted into type (\w+)/,
    read: (type) => ({ why: `a value is out of the range of ${type === 'Int64' ? 'INT64' : type}` }),
  },
  {
    codes: [VALUE.DECIMAL_OVERFLOW],
    pattern: /overflow|too (?:big|large)/i,
    read: () => ({ why: 'a number is out of the range of its type' }),
  },
  {
    codes: [LENGTH.ARGUMENT_OUT_OF_BOUND],
    pattern: /would produce (\d+) array elements, which is greater than the allowed maximum of (\d+)/,
    read: (count, most) => ({ why: `an array would have ${count} elements; ${most} are allowed` }),
  },
  {
    codes: [LENGTH.TOO_LARGE_STRING_SIZE],
    pattern: /Too many times to repeat \((\d+)\), maximum is: (\d+)/,
    read: (count, most) => ({ why: `text would be repeated ${count} times; ${most} are allowed` }),
  },
  {
    codes: [VALUE.INCORRECT_RESULT_OF_SCALAR_SUBQUERY],
    pattern: /more than one row/,
    read: () => ({ why: 'a scalar subquery returned more than one row' }),
  },
  { codes: [LENGTH.TOO_LARGE_STRING_SIZE], pattern: /./, read: () => ({ why: 'text would be too long' }) },
  { codes: [LENGTH.TOO_LARGE_ARRAY_SIZE], pattern: /./, read: () => ({ why: 'an array would be too large' }) },
  { codes: [VALUE.CANNOT_PARSE_UUID], pattern: /Cannot parse uuid (.*?):/s, read: (value) => ({ value, why: 'is not a UUID' }) },
];

/** Returns the message of a check in the translated SQL: of throwIf, or for constants, of a message that is read as a number. */
function checkFailure(code: number, text: string): RejectedValue | undefined {
  if (code === VALUE.FUNCTION_THROW_IF_VALUE_IS_NON_ZERO) return { why: text };
  const shown = code === VALUE.CANNOT_PARSE_TEXT ? /^Cannot parse string '(.*)' as UInt8/.exec(text)?.[1] : undefined;
  return shown === undefined ? undefined : { why: unescapeString(shown) };
}

/** Returns undefined unless the failure is that of a value and its message can be read. `text` is the gist of `message`. */
export function rejectedValue(code: number | undefined, text: string, message: string): RejectedValue | undefined {
  if (code === undefined) return undefined;
  const check = checkFailure(code, text);
  if (check !== undefined) return check;
  for (const { codes, pattern, read } of READINGS) {
    const parts = codes.includes(code) ? pattern.exec(message) : null;
    if (parts !== null) return read(...parts.slice(1).map((part) => part ?? ''));
  }
  return undefined;
}

/** Says it as `"((" is not a regular expression: missing )`. */
export function rejectionText({ value, why }: RejectedValue): string {
  if (value === undefined) return why;
  return `${JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}…` : value)} ${why}`;
}
