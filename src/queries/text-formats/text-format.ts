// The formats that the text of a parameter may have to have: `format:` in a header. The query gets the text as it was given.
import { jsonIn } from '../../base/json.ts';
import { offsetMicros, parseDate, parseDatetime, parseTime, parseTimestamp } from '../../sql/base/civil.ts';
import { regexpProblem } from './regexp.ts';

export type TextFormatName = 'regexp' | 'timestamp' | 'datetime' | 'date' | 'time' | 'time_zone' | 'json' | 'uuid';

interface TextFormat {
  /** Completes "… is not ". */
  readonly expected: string;
  readonly example: string;
  /** The format in terms of JSON Schema and OpenAPI, as far as they know it. */
  readonly schema: { readonly format?: string; readonly pattern?: string };
  /** undefined where the text is of this format; else more about what is wrong, '' where there is no more to say. */
  problem(text: string): string | undefined;
}

const unless = (fits: boolean): string | undefined => (fits ? undefined : '');

const DAY = '\\d{4}-\\d{1,2}-\\d{1,2}';
const CLOCK = '\\d{1,2}:\\d{1,2}:\\d{1,2}(\\.\\d{1,6})?';
const OFFSET = '[+-]\\d{1,2}(:?\\d{1,2})?';
/** The empty text passes, see textFormatProblem. */
const orNothing = (pattern: string): { readonly pattern: string } => ({ pattern: `^(${pattern})?$` });

/** Texts of times are those that BigQuery casts; a zone's name within a text is none that ClickHouse reads. */
const TEXT_FORMATS: Readonly<Record<TextFormatName, TextFormat>> = {
  regexp: { expected: 'a regular expression', example: '^/rest/v[12]/', schema: { format: 'regex' }, problem: regexpProblem },
  timestamp: {
    expected: 'a timestamp',
    example: '2026-01-02T03:04:05Z',
    schema: orNothing(`${DAY}([ Tt](${CLOCK}( UTC|[zZ]|${OFFSET})?|${OFFSET}))?`),
    problem(text) {
      const read = parseTimestamp(text);
      return unless(read !== undefined && (read.zone === '' || read.zone === 'Z'));
    },
  },
  datetime: {
    expected: 'a date and a time of day',
    example: '2026-01-02 03:04:05',
    schema: orNothing(`${DAY}([ Tt]${CLOCK})?`),
    problem: (text) => unless(parseDatetime(text) !== undefined),
  },
  date: {
    expected: 'a date',
    example: '2026-01-02',
    schema: orNothing(DAY),
    problem: (text) => unless(parseDate(text) !== undefined),
  },
  time: {
    expected: 'a time of day',
    example: '03:04:05',
    schema: orNothing(CLOCK),
    problem: (text) => unless(parseTime(text) !== undefined),
  },
  time_zone: { expected: 'a time zone', example: 'Europe/Berlin', schema: {}, problem: (text) => unless(isTimeZone(text)) },
  json: { expected: 'JSON', example: '{"status": 404}', schema: {}, problem: (text) => unless(jsonIn(text) !== undefined) },
  uuid: {
    expected: 'a UUID',
    example: '9b2c7a54-6d1e-4f0a-8c35-2f7d90b1e6a4',
    schema: orNothing('[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'),
    problem: (text) => unless(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)),
  },
};

export const TEXT_FORMAT_NAMES = Object.keys(TEXT_FORMATS) as readonly TextFormatName[]; // Object.keys only knows strings

export const textFormatSchema = (name: TextFormatName): TextFormat['schema'] => TEXT_FORMATS[name].schema;

/**
 * Returns what is wrong with `text`, to follow its value: `is not a date such as 2026-01-02`. The empty text passes, since queries take it for none;
 * they say what it means to them.
 */
export function textFormatProblem(name: TextFormatName, text: string, example: string | undefined): string | undefined {
  const { expected, example: usual, problem } = TEXT_FORMATS[name];
  const found = text === '' ? undefined : problem(text);
  if (found === undefined) return undefined;
  const instead = example ?? usual;
  return found === '' ? `is not ${expected} such as ${instead}` : `is not ${expected}: ${found}; for example ${instead}`;
}

/** True for the zones that this Node knows; the engine has the last word. */
function isTimeZone(text: string): boolean {
  if (offsetMicros(text) !== undefined) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
