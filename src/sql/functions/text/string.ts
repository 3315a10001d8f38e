// STRING and BYTES functions about whole values. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions
import { COUNT } from '../../base/number-range.ts';
import type { SqlExpression } from '../../target/ast.ts';
import { array, bare, call, ident, iff, infix, lambda, lit } from '../../target/build.ts';
import type { Family, LowerCall } from '../define.ts';
import { nullsPass, strict } from '../strict.ts';

export const isBytes = (c: LowerCall, position = 0): boolean => c.typeOf(position).kind === 'BYTES';
/** ClickHouse's lengths and positions are unsigned. */
export const int64 = (value: SqlExpression): SqlExpression => call('toInt64', value);

/** Text in which every character is one byte. */
export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

/** Bytes that no text has. */
const NO_TEXT = call('unhex', lit('FFFEFF'));

/** ClickHouse splits by one delimiter for all rows, and replaces by one of each row. */
function splitByRow(value: SqlExpression, delimiter: SqlExpression, c: LowerCall): SqlExpression {
  const byMark = (text: SqlExpression, mark: SqlExpression): SqlExpression =>
    call('splitByString', NO_TEXT, call('replaceAll', text, mark, NO_TEXT));
  if (!isBytes(c)) return byMark(value, delimiter);
  // Each byte as a character: then the bytes of no text are free.
  const [latin1, utf8, part] = [lit('ISO-8859-1'), lit('UTF-8'), c.fresh('part')];
  const asText = (bytes: SqlExpression): SqlExpression => call('convertCharset', bytes, latin1, utf8);
  return call('arrayMap', lambda([part], call('convertCharset', ident(part), utf8, latin1)), byMark(asText(value), asText(delimiter)));
}

function split(value: SqlExpression, delimiter: SqlExpression | undefined, c: LowerCall): SqlExpression {
  const known = delimiter === undefined ? ',' : c.constant(1);
  // splitByString would cut at every byte.
  const each = isBytes(c) ? call('splitByString', lit(''), value) : call('extractAll', value, lit('.'));
  const characters = iff(infix('=', value, lit('')), array(lit('')), each);
  // An empty text has one part, as in BigQuery; NULL has none.
  if (known !== undefined || delimiter === undefined)
    return nullsPass(c, [value], known === '' ? characters : call('splitByString', delimiter ?? lit(','), value), array());
  const by = call('ifNull', delimiter, lit(','));
  const parts = delimiter.kind === 'param' ? call('splitByString', by, value) : splitByRow(value, by, c);
  return nullsPass(c, [value, delimiter], iff(infix('=', by, lit('')), characters, parts), array());
}

/** The longest text that BigQuery makes by repeating and padding. */
export const MOST_BYTES = 2 ** 20;

export const string = (): Family => ({
  CONCAT: strict('...values TEXT -> STRING | ...values BYTES -> BYTES', ({ values }) =>
    values.length === 1 && values[0] !== undefined ? values[0] : call('concat', ...values),
  ),
  LOWER: strict('value STRING -> STRING | value BYTES -> BYTES', ({ value }, c) => call(isBytes(c) ? 'lower' : 'lowerUTF8', value), {
    nullForNullOnly: true,
  }),
  UPPER: strict('value STRING -> STRING | value BYTES -> BYTES', ({ value }, c) => call(isBytes(c) ? 'upper' : 'upperUTF8', value), {
    nullForNullOnly: true,
  }),
  LENGTH: strict(
    'value STRING -> INT64 | value BYTES -> INT64',
    ({ value }, c) => int64(call(isBytes(c) ? 'length' : 'lengthUTF8', value)),
    { range: COUNT, length: true },
  ),
  CHAR_LENGTH: strict('value STRING -> INT64', ({ value }) => int64(call('lengthUTF8', value)), { range: COUNT, length: true }),
  CHARACTER_LENGTH: strict('value STRING -> INT64', ({ value }) => int64(call('lengthUTF8', value)), { range: COUNT, length: true }),
  BYTE_LENGTH: strict('value STRING -> INT64 | value BYTES -> INT64', ({ value }) => int64(call('length', value)), {
    range: COUNT,
    length: true,
  }),
  OCTET_LENGTH: strict('value STRING -> INT64 | value BYTES -> INT64', ({ value }) => int64(call('length', value)), {
    range: COUNT,
    length: true,
  }),
  STARTS_WITH: strict(
    'value STRING, prefix STRING -> BOOL | value BYTES, prefix BYTES -> BOOL',
    ({ value, prefix }) => call('startsWith', value, prefix),
    { searches: 'value', matches: true },
  ),
  ENDS_WITH: strict(
    'value STRING, suffix STRING -> BOOL | value BYTES, suffix BYTES -> BOOL',
    ({ value, suffix }) => call('endsWith', value, suffix),
    { searches: 'value', matches: true },
  ),
  REPLACE: strict(
    'value STRING, from STRING, to STRING -> STRING | value BYTES, from BYTES, to BYTES -> BYTES',
    ({ value, from, to }, c) => {
      const known = c.constant(1);
      if (!isBytes(c) || (typeof known === 'string' && isAscii(known))) return call('replaceAll', value, from, to);
      // ClickHouse overlooks some matches in bytes that are not valid UTF-8.
      const [latin1, utf8] = [lit('ISO-8859-1'), lit('UTF-8')];
      const texts = [value, from, to].map((bytes) => call('convertCharset', bytes, latin1, utf8));
      return call('convertCharset', call('replaceAll', ...texts), utf8, latin1);
    },
  ),
  REVERSE: strict('value STRING -> STRING | value BYTES -> BYTES', ({ value }, c) => call(isBytes(c) ? 'reverse' : 'reverseUTF8', value)),
  REPEAT: strict('value STRING, count INT64 -> STRING | value BYTES, count INT64 -> BYTES', ({ value, count }, c) => {
    const [text, known] = [c.constant(0), c.constant(1)];
    if (
      typeof text === 'string' &&
      text !== '' &&
      typeof known === 'bigint' &&
      known >= 0n &&
      text.length * 3 * Number(known) <= MOST_BYTES
    )
      return call('repeat', value, bare(count));
    // ClickHouse repeats nothing only so often, and fails for a long text that nobody reads.
    const size = infix('*', call('toFloat64', count), call('length', value));
    const isLong = infix('>', size, lit(MOST_BYTES));
    const repeated = call('repeat', value, iff(infix('OR', isLong, infix('<=', size, lit(0))), lit(0), bare(count)));
    const checked = c.failIf(isLong, 'REPEAT: the text is longer than 1 MB', repeated);
    return typeof known === 'bigint' && known >= 0n
      ? checked
      : c.failIf(infix('<', count, lit(0)), 'REPEAT: the count is negative', checked);
  }),
  SPLIT: strict(
    'value STRING, [delimiter STRING] -> ARRAY<STRING> | value BYTES, delimiter BYTES -> ARRAY<BYTES>',
    ({ value, delimiter }, c) => split(value, delimiter, c),
    { neverFails: true },
  ),
});
