// What a text could be: the types of columns in files that hold nothing but texts.
import { quoteIdentifier } from '../../clickhouse/quote.ts';
import { usualForms } from '../../clickhouse/time-form.ts';
import { BOOL, DATE, FLOAT64, INT64, STRING, TIME, TIMESTAMP, type Type } from '../../sql/base/types.ts';
import type { Ask } from './description.ts';

const MONTH = '(0[1-9]|1[0-2])';
const DAY = '(0[1-9]|[12][0-9]|3[01])';
const CLOCK = '([01][0-9]|2[0-3]):[0-5][0-9]';
const SECONDS = ':[0-5][0-9]([.][0-9]{1,6})?';
const ZONE = ' ?(Z|UTC|[+-][0-9]{2}(:[0-9]{2})?)';
/** Not 007, which is a name or a code; nor what is beyond INT64, which is one, too. */
const INTEGER = '[+-]?(0|[1-9][0-9]{0,18})';
const FLOAT = '[+-]?((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?';

/** As `--format csv` writes them; they are numbers only among others. */
const NOT_NUMBER = 'NaN|-?Infinity';

const CLASSES = {
  bool: '(?i)true|false',
  int: INTEGER,
  float: FLOAT,
  special: NOT_NUMBER,
  date: `[0-9]{4}-${MONTH}-${DAY}`,
  timestamp: `[0-9]{4}-${MONTH}-${DAY}[ T]${CLOCK}${SECONDS}(${ZONE})?`,
  time: `${CLOCK}${SECONDS}`,
} as const;

/** Rows that are looked at for what columns hold, as many as the engine looks at itself. */
export const SAMPLE_ROWS = 25_000;

/** SQL for the class of a text, a name of CLASSES, `text`, or `none` for NULL and the empty text. Most texts are of no class, which one pattern says. */
export function textClass(text: string): string {
  const value = `ifNull(${text}, '')`;
  const is = (pattern: string): string => `match(${value}, '^(?:${pattern})$')`;
  const { int, float, ...others } = CLASSES;
  const rest = Object.entries(others).flatMap(([name, pattern]) => [is(pattern), `'${name}'`]);
  return `multiIf(${[
    `${value} = ''`,
    `'none'`,
    ...[`NOT ${is(Object.values(CLASSES).join('|'))}`, `'text'`],
    ...[is(int), `if(isNull(toInt64OrNull(${value})), 'text', 'int')`],
    // Digits alone beyond INT64 are a code: as a number they would lose some.
    ...[`${is(float)} AND NOT match(${value}, '^[+-]?[0-9]+$')`, `'float'`],
    ...rest,
    `'text'`,
  ].join(', ')})`;
}

/** So many rows show the usual forms of times. */
export const FEW_ROWS = 100;

/** The usual forms of times in columns of text, which the beginning of `rows` has. */
export async function formsAmong(
  columns: readonly string[],
  rows: string,
  settings: string,
  ask: Ask,
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (columns.length === 0) return {};
  const texts = columns.map((name) => `groupArray(ifNull(${quoteIdentifier(name)}, ''))`).join(', ');
  const few = `max_threads = 1, input_format_parallel_parsing = 0, max_block_size = ${FEW_ROWS}`;
  const [row = []] = await ask(`SELECT ${texts} FROM (SELECT * FROM ${rows} LIMIT ${FEW_ROWS}) SETTINGS ${settings}, ${few}`);
  return Object.fromEntries(columns.map((name, i) => [name, usualForms(row[i] as readonly string[])]));
}

/** True for a class that says nothing but that it is text. */
export const isText = (kind: string): boolean => kind === 'text' || kind === 'none';

/** The type of a column whose values have these classes. */
export function typeOfClasses(classes: readonly string[]): Type {
  const found = [...new Set(classes)].filter((one) => one !== 'none').sort();
  return TYPES[found.join(' ')] ?? STRING;
}

const TYPES: Readonly<Record<string, Type>> = {
  bool: BOOL,
  int: INT64,
  float: FLOAT64,
  'float int': FLOAT64,
  'float special': FLOAT64,
  'int special': FLOAT64,
  'float int special': FLOAT64,
  date: DATE,
  timestamp: TIMESTAMP,
  'date timestamp': TIMESTAMP,
  time: TIME,
};

/** How the text of a value is read that is to be of `type`. */
export function storedScalar({ kind }: Type): string {
  switch (kind) {
    case 'INT64':
      return 'Nullable(Int128)'; // ClickHouse reads digits beyond Int64 as another number
    case 'FLOAT64':
      return 'Nullable(Float64)';
    case 'BOOL':
      return 'Nullable(Bool)';
    default:
      return 'Nullable(String)';
  }
}
