// Small functions on numbers: bits, buckets, distances, decimal texts.
import { fail } from '../base/fail.ts';
import { COUNT } from '../base/number-range.ts';
import { BIGNUMERIC, holdsKind, NUMERIC, STRING, type Type, typeName } from '../base/types.ts';
import type { SqlExpression } from '../target/ast.ts';
import { call, ident, iff, infix, isNull, lambda, lit, NULL, not } from '../target/build.ts';
import { define, type Family, type LowerCall } from './define.ts';
import { strict } from './strict.ts';

/** A sign before or after the digits, spaces around them, commas between them. */
const DECIMAL =
  '^\\s*(?:[+-]\\s*)?(?:[0-9][0-9,]*\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?\\s*$|^\\s*(?:[0-9][0-9,]*\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?\\s*[+-]\\s*$';

function parseDecimal(text: SqlExpression, type: Type, c: LowerCall): SqlExpression {
  const plain = call('replaceRegexpAll', text, lit('[\\s,]'), lit(''));
  const signed = call('replaceRegexpOne', plain, lit('^([^+-].*)([+-])$'), lit('\\2\\1'));
  return c.failIf(not(call('match', text, lit(DECIMAL))), `PARSE_${type.kind}: the text is not a number`, c.cast(signed, STRING, type));
}

export const convert = (): Family => ({
  BIT_COUNT: strict('value INT64 -> INT64 | value BYTES -> INT64', ({ value }) => call('toInt64', call('bitCount', value)), {
    range: COUNT,
  }),
  TYPEOF: define('value ANY -> STRING', (_args, c) => {
    const type = c.typeOf(0);
    return holdsKind(type, 'RECORD')
      ? fail('type', c.args[0]?.span ?? { start: 0, end: 0 }, 'TYPEOF does not take a record of a log event', 'name a field of it')
      : lit(typeName(type));
  }),
  PARSE_NUMERIC: strict('text STRING -> NUMERIC', ({ text }, c) => parseDecimal(text, NUMERIC, c)),
  PARSE_BIGNUMERIC: strict('text STRING -> BIGNUMERIC', ({ text }, c) => parseDecimal(text, BIGNUMERIC, c)),
  RANGE_BUCKET: strict('point T, boundaries ARRAY<T> -> INT64', ({ point, boundaries }, c) => {
    const [boundary, special] = [c.fresh('boundary'), c.fresh('boundary')];
    const below = lambda([boundary], infix('<=', ident(boundary), point));
    const count = call('toInt64', call('arrayCount', below, boundaries));
    const isNan = (value: SqlExpression): SqlExpression => (c.typeOf(0).kind === 'FLOAT64' ? call('isNaN', value) : lit(false));
    const unordered = infix('!=', call('arraySort', boundaries), boundaries);
    const unknown = call('arrayExists', lambda([special], infix('OR', isNull(ident(special)), isNan(ident(special)))), boundaries);
    const found = c.failIf(infix('OR', unknown, unordered), 'RANGE_BUCKET: the boundaries are not in order', count);
    return iff(infix('OR', isNull(point), isNan(point)), NULL, found);
  }),
  EUCLIDEAN_DISTANCE: strict('left ARRAY<FLOAT64>, right ARRAY<FLOAT64> -> FLOAT64', ({ left, right }) => call('L2Distance', left, right)),
  COSINE_DISTANCE: strict('left ARRAY<FLOAT64>, right ARRAY<FLOAT64> -> FLOAT64', ({ left, right }) => call('cosineDistance', left, right)),
});
