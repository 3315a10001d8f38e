// Values of BigQuery's types out of texts, as files have them. What ClickHouse's own readers let pass (an INT64 that wraps around, February 30,
// 25 o'clock) is found here: each text becomes the value that it says, or is told to be none.
import { quoteIdentifier, quoteString } from '../../clickhouse/quote.ts';
import { storedType, type ValueType } from './stored-type.ts';
import { hasForm } from './usual-times.ts';

export interface TextReading {
  /** ClickHouse SQL of the value. */
  readonly value: string;
  /** ClickHouse SQL, true where the text is none of the type; undefined where every text is one. */
  readonly bad: string | undefined;
  /** Of dates and times: for a column that holds any year. */
  readonly wide?: {
    /** ClickHouse SQL of the text that is kept. */
    readonly value: string;
    /** ClickHouse SQL, true where the text is a time that only such a column can hold. */
    readonly only: string;
  };
}

/** What is known of all texts. */
export interface KnownTexts {
  /** They are UTF-8. */
  readonly utf8: boolean;
  /** The forms that most times have, see formsIn. */
  readonly forms: readonly string[];
}

const NOTHING_KNOWN: KnownTexts = { utf8: false, forms: [] };

/** `text` is ClickHouse SQL of type Nullable(String), short, as it is written several times; of records and arrays, of what `textType` gives. */
export function readText(type: ValueType, text: string, known = NOTHING_KNOWN): TextReading {
  switch (type.kind) {
    case 'ARRAY':
      return readArray(type.element, text, known);
    case 'STRUCT':
      return readStruct(type, text, known);
    case 'STRING':
      return { value: text, bad: known.utf8 ? undefined : `ifNull(NOT isValidUTF8(${text}), false)` };
    case 'JSON':
      return { value: `nullIf(${text}, '')`, bad: `ifNull(${text} != '' AND NOT isValidJSON(${text}), false)` };
    case 'BYTES':
      return { value: `tryBase64Decode(${text})`, bad: `ifNull(${text} != '' AND tryBase64Decode(${text}) = '', false)` };
    case 'BOOL': {
      const value = `multiIf(${text} IN (${TRUE}), true, ${text} IN (${FALSE}), false, NULL)`;
      return { value, bad: missing(value, text) };
    }
    case 'INT64':
      return plain(`toInt64OrNull(${text})`, text);
    case 'FLOAT64': {
      const value = `toFloat64OrNull(${text})`;
      return { value, bad: `(${missing(value, text)} OR ifNull(isInfinite(${value}) AND NOT match(${text}, '^[+-]?[iI]'), false))` };
    }
    case 'NUMERIC':
      return decimal(text, 9, 'toDecimal128');
    case 'BIGNUMERIC':
      return decimal(text, 38, 'toDecimal256');
    case 'DATE': {
      const value = `toDate32OrNull(${text})`;
      // Of another day, or a day that there is not, ClickHouse makes one that there is.
      return { value, bad: `ifNull(toString(${value}) != ${text}, ${text} IS NOT NULL)`, wide: { value: text, only: wideDate(text) } };
    }
    case 'TIME': {
      const value = `toTime64OrNull(${text}, 6)`;
      return { value, bad: `ifNull(NOT (${shaped(text, TIMES)} AND ${clock(text, 1)}), false)` };
    }
    case 'DATETIME':
      return time(text, DATETIMES, known.forms);
    default:
      return time(text, TIMESTAMPS, known.forms);
  }
}

/** The type that a reader of files gives the texts of a value. */
export function textType(type: ValueType): string {
  if (type.kind === 'ARRAY') return `Array(${textType(type.element)})`;
  return `Nullable(${type.kind === 'STRUCT' ? tupleOfTexts(type) : 'String'})`;
}

type Struct = Extract<ValueType, { readonly kind: 'STRUCT' }>;

const tupleOfTexts = ({ fields }: Struct): string =>
  `Tuple(${fields.map(({ name, type }) => `${quoteIdentifier(name ?? '')} ${textType(type)}`).join(', ')})`;

function readStruct(type: Struct, text: string, known: KnownTexts): TextReading {
  const fields = type.fields.map((field, i) => readText(field.type, `tupleElement(${text}, ${i + 1})`, known));
  const whole = `CAST(tuple(${fields.map(({ value }) => value).join(', ')}), ${quoteString(storedType(type) ?? '')})`;
  return { value: `if(${text} IS NULL, NULL, ${whole})`, bad: anyOf(fields.map(({ bad }) => bad)) };
}

function readArray(element: ValueType, text: string, known: KnownTexts): TextReading {
  // Arrays hold no arrays, so that one name is enough; nor do they hold NULL.
  const { value, bad } = readText(element, 'x', known);
  return { value: `arrayMap(x -> ${value}, ${text})`, bad: `arrayExists(x -> ${anyOf(['x IS NULL', bad]) ?? ''}, ${text})` };
}

/** The conditions as one. */
export function anyOf(conditions: readonly (string | undefined)[]): string | undefined {
  const some = conditions.filter((condition) => condition !== undefined);
  return some.length === 0 ? undefined : `(${some.join(' OR ')})`;
}

const missing = (value: string, text: string): string => `(${value} IS NULL AND ${text} IS NOT NULL)`;
const plain = (value: string, text: string): TextReading => ({ value, bad: missing(value, text) });

const words = (...each: readonly string[]): string =>
  each.flatMap((word) => [word, word.toUpperCase(), `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`].map(quoteString)).join(', ');
const TRUE = words('true', 't', 'yes', 'y', '1');
const FALSE = words('false', 'f', 'no', 'n', '0');

/** Digits beyond those that the type has are rounded off, half of one away from zero. */
function decimal(text: string, scale: number, convert: string): TextReading {
  const exact = `toDecimal256OrNull(${text}, 38)`;
  const value = scale === 38 ? exact : `${convert}OrNull(toString(round(${exact}, ${scale})), ${scale})`;
  const shape = `match(${text}, '^[+-]?([0-9]+[.]?[0-9]{0,38}|[.][0-9]{1,38})([eE][+-]?[0-9]{1,2})?$')`;
  return { value, bad: `(${missing(value, text)} OR ifNull(NOT ${shape}, false))` };
}

/** Digits as 0: what is left is the form of a time. */
const shaped = (text: string, shapes: readonly string[]): string =>
  `translate(${text}, '123456789', '000000000') IN (${shapes.map(quoteString).join(', ')})`;

const CLOCKS = ['00:00:00', ...Array.from({ length: 9 }, (_, i) => `00:00:00.${'0'.repeat(i + 1)}`)];
const ZONES = ['Z', 'z', ' UTC', '+00', '-00', '+00:00', '-00:00', '+0000', '-0000', ' +00:00', ' -00:00'];
const TIMES = CLOCKS.slice(0, 7);
const DATETIMES = ['0000-00-00', ...CLOCKS.flatMap((clock) => [`0000-00-00 ${clock}`, `0000-00-00T${clock}`])];
const TIMESTAMPS = [...DATETIMES, ...DATETIMES.slice(1).flatMap((form) => ZONES.map((zone) => `${form}${zone}`))];

/** Whether the time of day that begins at a character is one. */
const clock = (text: string, at: number): string =>
  `substring(${text}, ${at}, 2) < '24' AND substring(${text}, ${at + 3}, 2) < '60' AND substring(${text}, ${at + 6}, 2) < '60'`;

function time(text: string, forms: readonly string[], usual: readonly string[]): TextReading {
  const value = `parseDateTime64BestEffortOrNull(${text}, 6, 'UTC')`;
  // Of a month or a day 0 ClickHouse makes the first.
  const right = `${shaped(text, forms)} AND ${clock(text, 12)} AND substring(${text}, 6, 2) > '00' AND substring(${text}, 9, 2) > '00'`;
  // The last days of the years that a column holds may lie beyond them in another zone.
  const near = `${text} >= '1900-01-02' AND ${text} < '2299-12-31'`;
  const quick = usual.flatMap((form) => (forms.includes(form) ? (hasForm(text, form) ?? []) : []));
  const cycle = `parseDateTime64BestEffortOrNull(concat(${inCycle(text)}, substring(${text}, 5)), 6, 'UTC')`;
  return {
    value,
    // What has a usual form is not looked at again: OR ends there.
    bad: `(${missing(value, text)} OR ifNull(NOT (${[...quick, `(${right} AND ${near})`].join(' OR ')}), false))`,
    wide: {
      value: `concat(leftPad(toString(toYear(${cycle}) + toInt32(substring(${text}, 1, 4)) - toInt32(${inCycle(text)})), 4, '0'), substring(toString(${cycle}), 5))`,
      only: `ifNull(${right} AND NOT (${near}) AND ${text} >= '0001' AND ${cycle} IS NOT NULL, false)`,
    },
  };
}

/** The calendar is the same every 400 years: a year from 1900 to 2299 that has the days of the text's. */
const inCycle = (text: string): string => `toString(1900 + (toUInt16OrZero(substring(${text}, 1, 4)) + 100) % 400)`;

function wideDate(text: string): string {
  const same = `concat(${inCycle(text)}, substring(${text}, 5))`;
  return `ifNull(${shaped(text, ['0000-00-00'])} AND ${text} >= '0001' AND toString(toDate32OrNull(${same})) = ${same}, false)`;
}
