// STRING and BYTES functions about whole values. https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions
import type { Ch } from '../clickhouse/ast.ts';
import { array, bare, call, iff, infix, isNull, lit } from '../clickhouse/build.ts';
import { define, type Family, type LowerCall } from './define.ts';

export const isBytes = (c: LowerCall, position = 0): boolean => c.typeOf(position).kind === 'BYTES';
/** ClickHouse's lengths and positions are unsigned. */
export const int64 = (value: Ch): Ch => call('toInt64', value);

/** Text in which every character is one byte. */
export const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

function split(value: Ch, delimiter: Ch | undefined, c: LowerCall): Ch {
  const known = delimiter === undefined ? ',' : c.constant(1);
  // splitByString would cut at every byte.
  const characters = isBytes(c) ? call('splitByString', lit(''), value) : call('extractAll', value, lit('.'));
  const parts = known === '' ? characters : call('splitByString', delimiter ?? lit(','), value);
  const split_ = known === undefined && delimiter !== undefined ? iff(infix('=', delimiter, lit('')), characters, parts) : parts;
  // An empty text has one part, as in BigQuery; NULL has none.
  return iff(isNull(value), array(), split_);
}

export const string: Family = {
  CONCAT: define('...values STRING -> STRING | ...values BYTES -> BYTES', ({ values }) =>
    values.length === 1 && values[0] !== undefined ? values[0] : call('concat', ...values),
  ),
  LOWER: define('value STRING -> STRING | value BYTES -> BYTES', ({ value }, c) => call(isBytes(c) ? 'lower' : 'lowerUTF8', value)),
  UPPER: define('value STRING -> STRING | value BYTES -> BYTES', ({ value }, c) => call(isBytes(c) ? 'upper' : 'upperUTF8', value)),
  LENGTH: define('value STRING -> INT64 | value BYTES -> INT64', ({ value }, c) =>
    int64(call(isBytes(c) ? 'length' : 'lengthUTF8', value)),
  ),
  CHAR_LENGTH: define('value STRING -> INT64', ({ value }) => int64(call('lengthUTF8', value))),
  CHARACTER_LENGTH: define('value STRING -> INT64', ({ value }) => int64(call('lengthUTF8', value))),
  BYTE_LENGTH: define('value STRING -> INT64 | value BYTES -> INT64', ({ value }) => int64(call('length', value))),
  OCTET_LENGTH: define('value STRING -> INT64 | value BYTES -> INT64', ({ value }) => int64(call('length', value))),
  STARTS_WITH: define('value STRING, prefix STRING -> BOOL | value BYTES, prefix BYTES -> BOOL', ({ value, prefix }) =>
    call('startsWith', value, prefix),
  ),
  ENDS_WITH: define('value STRING, suffix STRING -> BOOL | value BYTES, suffix BYTES -> BOOL', ({ value, suffix }) =>
    call('endsWith', value, suffix),
  ),
  REPLACE: define('value STRING, from STRING, to STRING -> STRING | value BYTES, from BYTES, to BYTES -> BYTES', ({ value, from, to }) =>
    call('replaceAll', value, from, to),
  ),
  REVERSE: define('value STRING -> STRING | value BYTES -> BYTES', ({ value }, c) => call(isBytes(c) ? 'reverse' : 'reverseUTF8', value)),
  REPEAT: define('value STRING, count INT64 -> STRING | value BYTES, count INT64 -> BYTES', ({ value, count }, c) => {
    const known = c.constant(1);
    const repeated = call('repeat', value, bare(count));
    return typeof known === 'bigint' && known >= 0n
      ? repeated
      : c.failIf(infix('<', count, lit(0)), 'REPEAT: the count is negative', repeated);
  }),
  SPLIT: define(
    'value STRING, [delimiter STRING] -> ARRAY<STRING> | value BYTES, delimiter BYTES -> ARRAY<BYTES>',
    ({ value, delimiter }, c) => split(value, delimiter, c),
  ),
};
