// The elements of PARSE_DATE, PARSE_TIMESTAMP and similar functions: a regular expression and the fields that its groups read.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements#format_elements_date_time

/** Fields of a date and a time as text; `…Name` are words, the offset is in three parts. */
export type FieldName =
  | 'year'
  | 'year2'
  | 'isoYear'
  | 'isoYear2'
  | 'month'
  | 'monthName'
  | 'quarter'
  | 'day'
  | 'dayOfYear'
  | 'sundayWeek'
  | 'mondayWeek'
  | 'hour'
  | 'hour12'
  | 'meridiem'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'secondOfDay'
  | 'epoch'
  | 'zulu'
  | 'offsetSign'
  | 'offsetHour'
  | 'offsetMinute';

export type Target = 'DATE' | 'DATETIME' | 'TIME' | 'TIMESTAMP';

export interface Token {
  /** One group per field, in their order. */
  readonly pattern: string;
  /**
   * The pattern where a digit follows: elements take as many digits as they can, so all of them must be there. RE2 would give some
   * back otherwise. Absent: the pattern does not end with a variable number of digits.
   */
  readonly full?: string;
  readonly fields: readonly FieldName[];
  /** It takes one digit more than it may have, if there is one, so that behind it digits begin only after white space. */
  readonly greedy?: true;
  /** The text it reads begins with a digit. */
  readonly digits: boolean;
}

const text = (pattern: string, ...fields: readonly FieldName[]): Token => ({ pattern, fields, digits: false });
const number = (pattern: string, full: string, ...fields: readonly FieldName[]): Token => ({ pattern, full, fields, digits: true });

const MONTH_NAMES =
  '(?i:(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))';
const WEEKDAY_NAMES = '(?i:sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?)';

const YEAR_OF_DATE = number('(\\d{1,4})', '(\\d{4})', 'year');
const YEAR: Token = { ...YEAR_OF_DATE, pattern: '(\\d{1,5})', greedy: true };
export const MONTH = number('(1[0-2]|0?[1-9])', '(1[0-2]|0[1-9])', 'month');
export const MONTH_NAME = text(MONTH_NAMES, 'monthName');
export const DAY = number('([12]\\d|3[01]|0?[1-9])', '([12]\\d|3[01]|0[1-9])', 'day');
export const DAY_OF_YEAR = number('([12]\\d\\d|3[0-5]\\d|36[0-6]|0?[1-9]\\d|0{0,2}[1-9])', '([012]\\d\\d|3[0-5]\\d|36[0-6])', 'dayOfYear');
export const HOUR = number('(1\\d|2[0-3]|0?\\d)', '([01]\\d|2[0-3])', 'hour');
export const HOUR_12 = number('(1[0-2]|0?[1-9])', '(1[0-2]|0[1-9])', 'hour12');
const MERIDIEM = text('(?i:([ap])m)', 'meridiem');
export const MINUTE = number('([0-5]?\\d)', '([0-5]\\d)', 'minute');
export const SECOND = number('(60|[0-5]?\\d)', '(60|[0-5]\\d)', 'second');

/** RE2's \s has no vertical tab. */
export const WHITE_SPACE = '[\\s\\v]*';
export const SOME_SPACE = '[\\s\\v]+';
const SPACE = text(WHITE_SPACE);
const WEEKDAY = text(WEEKDAY_NAMES);
const DATE_YEAR_2 = number('(\\d{1,2})', '(\\d\\d)', 'year2');

/** Literal text: itself; any run of white space stands for any other, also for none. */
export const literal = (written: string): Token => ({
  pattern: written
    .split(/([ \t\n\v\f\r]+)/)
    .map((part) => (/^[ \t\n\v\f\r]/.test(part) ? WHITE_SPACE : part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')))
    .join(''),
  fields: [],
  digits: /^\d/.test(written),
});

/** Seconds with a fraction of at most `most` digits. */
function secondWithFraction(most: number | null): Token {
  const digits = most === null ? '\\d*' : `\\d{0,${most}}`;
  const pattern = `(60|[0-5]?\\d)(?:\\.(${digits}))?`;
  if (most === null) return { pattern, fields: ['second', 'fraction'], digits: true };
  // A point, which is where the seconds end, may stand behind one digit.
  return number(pattern, `(60|[0-5]\\d|\\d\\b)(?:\\.(\\d{${most}}))?`, 'second', 'fraction');
}

/** Offsets: `+05`, `+0530`; with a colon and Z in the extended form. */
const OFFSET = text('([+-])(0\\d|1[0-4])([0-5]\\d)?', 'offsetSign', 'offsetHour', 'offsetMinute');
const OFFSET_EXTENDED = text('(?:([zZ])|([+-])(0\\d|1[0-4])(?::([0-5]\\d))?)', 'zulu', 'offsetSign', 'offsetHour', 'offsetMinute');

const single = (token: Token): readonly Token[] => [token];
const CLOCK = [HOUR, literal(':'), MINUTE, literal(':'), SECOND];
const SLASHED = [MONTH, literal('/'), DAY, literal('/'), DATE_YEAR_2];
const ISO_DATE = [YEAR_OF_DATE, literal('-'), MONTH, literal('-'), DAY];

/** By the letters after `%`. */
export const PARSE_TOKENS: Readonly<Record<string, readonly Token[]>> = {
  '%': single(literal('%')),
  n: single(SPACE),
  t: single(SPACE),
  A: single(WEEKDAY),
  a: single(WEEKDAY),
  B: single(MONTH_NAME),
  b: single(MONTH_NAME),
  h: single(MONTH_NAME),
  c: [WEEKDAY, SPACE, MONTH_NAME, SPACE, DAY, SPACE, ...CLOCK, SPACE, YEAR_OF_DATE],
  D: SLASHED,
  x: SLASHED,
  d: single(DAY),
  e: single(DAY),
  F: ISO_DATE,
  G: single(number('(\\d{1,4})', '(\\d{4})', 'isoYear')),
  g: single(number('(\\d{1,2})', '(\\d\\d)', 'isoYear2')),
  j: single(DAY_OF_YEAR),
  m: single(MONTH),
  Q: single(number('([1-4])', '([1-4])', 'quarter')),
  U: single(number('([1-4]\\d|5[0-3]|0?\\d)', '([0-4]\\d|5[0-3])', 'sundayWeek')),
  W: single(number('([1-4]\\d|5[0-3]|0?\\d)', '([0-4]\\d|5[0-3])', 'mondayWeek')),
  // The week of the year and the weekday say nothing without each other, and are read over.
  V: single(number('(?:[1-4]\\d|5[0-3]|0?[1-9])', '(?:0[1-9]|[1-4]\\d|5[0-3])')),
  u: single(number('[1-7]', '[1-7]')),
  w: single(number('[0-6]', '[0-6]')),
  Y: single(YEAR),
  E4Y: single(number('(\\d{4})', '(\\d{4})', 'year')),
  y: single(DATE_YEAR_2),
  H: single(HOUR),
  k: single(HOUR),
  I: single(HOUR_12),
  l: single(HOUR_12),
  M: single(MINUTE),
  p: single(MERIDIEM),
  P: single(MERIDIEM),
  R: [HOUR, literal(':'), MINUTE],
  r: [HOUR_12, literal(':'), MINUTE, literal(':'), SECOND, SPACE, MERIDIEM],
  S: single(SECOND),
  T: CLOCK,
  X: CLOCK,
  s: single({ pattern: '(-?\\d{1,12})', fields: ['epoch'], digits: true }),
  z: single(OFFSET),
  Ez: single(OFFSET_EXTENDED),
  'E*S': single(secondWithFraction(null)),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`E${n}S`, single(n === 0 ? SECOND : secondWithFraction(n))])),
};
