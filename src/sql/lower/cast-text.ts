// CAST to and from text, bytes and booleans. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import { and, bare, call, cast, failIf, iff, infix, isNull, lit, NULL, not, raw } from '../target/build.ts';
import { isConstant } from '../target/constant.ts';
import type { CastRule, CastRules } from './cast-rule.ts';

const toText: CastRule = (value) => cast(value, 'Nullable(String)');

/** Writes the shorter of 15 and 17 digits that reads back as the same number, with an exponent like C's. */
const floatToText: CastRule = (value) => {
  // Adding 0 removes the sign of -0.0.
  const short = call('printf', lit('%.15g'), infix('+', value, lit(0)));
  const long = call('printf', lit('%.17g'), value);
  const exact = iff(infix('=', call('toFloat64', short), value), short, long);
  // ClickHouse's text has the fewest digits that read back, which takes a sixth of the time: up to 15 of them are those of %.15g, and 17 those of %.17g.
  const [text, size] = [call('toString', value), call('abs', value)];
  const within = (from: string, to: string) => and(infix('>=', size, raw(from)), infix('<', size, raw(to)));
  const ofLarge = iff(infix('=', call('length', call('toString', size)), lit('1.234567890123456'.length)), long, text);
  const isShort = (from: string, to: string) => and(within(from, to), infix('<=', call('length', text), lit('0.12345678901234'.length)));
  // Each use of a long value is analyzed anew.
  const usual =
    value.kind === 'ident'
      ? iff(within('1.0', '1e15'), ofLarge, iff(isShort('1e-4', '1.0'), text, exact))
      : iff(isShort('1e-4', '1e15'), text, exact);
  const digits = isConstant(value) ? exact : usual;
  return call(
    'multiIf',
    call('isFinite', value),
    digits,
    call('isNaN', value),
    lit('nan'),
    infix('>', value, lit(0)),
    lit('inf'),
    infix('<', value, lit(0)),
    lit('-inf'),
    NULL,
  );
};

const bytesToText: CastRule = (value, { safe }) => {
  const bad = not(call('isValidUTF8', value));
  return safe ? iff(bad, NULL, value) : failIf(bad, 'CAST: the bytes are not UTF-8 text', value);
};

export const TEXT_CASTS: CastRules = {
  'INT64>STRING': (value, context) => toText(bare(value), context),
  'BOOL>STRING': (value) => iff(value, lit('true'), iff(isNull(value), NULL, lit('false'))),
  'FLOAT64>STRING': floatToText,
  'NUMERIC>STRING': toText,
  'BIGNUMERIC>STRING': toText,
  'STRING>BOOL': (value, { safe }) =>
    call(
      'multiIf',
      infix('=', call('lower', value), lit('true')),
      lit(true),
      infix('=', call('lower', value), lit('false')),
      lit(false),
      safe ? NULL : failIf(not(isNull(value)), 'CAST: the text is neither true nor false', NULL),
    ),
  'STRING>BYTES': (value) => value,
  'BYTES>STRING': bytesToText,
  'DYNAMIC>STRING': (value) => value,
};
