// CAST between numbers, and of text to numbers. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import type { Ch } from '../clickhouse/ast.ts';
import { bare, call, iff, infix, lit, raw } from '../clickhouse/build.ts';
import type { CastRule, CastRules } from './cast-rule.ts';

/** `toInt64` fails on what it can't read; `toInt64OrNull` is SAFE_CAST. */
const parse =
  (name: string, ...args: readonly Ch[]): CastRule =>
  (value, { safe }) =>
    call(safe ? `${name}OrNull` : name, call('toString', value), ...args);

const trimmed = (value: Ch): Ch => call('trimBoth', value);

/** Numbers that round to INT64 half away from zero and fail outside of its range. */
const floatToInt: CastRule = (value, { safe }) => {
  const rounded = iff(infix('<', value, lit(0)), call('ceil', infix('-', value, raw('0.5'))), call('floor', infix('+', value, raw('0.5'))));
  return safe ? call('accurateCastOrNull', rounded, lit('Int64')) : call('accurateCast', rounded, lit('Int64'));
};

export const NUMBER_CASTS: CastRules = {
  'INT64>FLOAT64': (value) => call('toFloat64', bare(value)),
  'INT64>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'INT64>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'INT64>BOOL': (value) => infix('!=', value, lit(0)),
  'BOOL>INT64': (value) => call('toInt64', value),
  'FLOAT64>INT64': floatToInt,
  'FLOAT64>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'FLOAT64>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'NUMERIC>INT64': floatToInt,
  'NUMERIC>FLOAT64': (value) => call('toFloat64', value),
  'NUMERIC>BIGNUMERIC': (value) => call('toDecimal256', value, lit(38)),
  'BIGNUMERIC>INT64': floatToInt,
  'BIGNUMERIC>FLOAT64': (value) => call('toFloat64', value),
  'BIGNUMERIC>NUMERIC': (value) => call('toDecimal128', value, lit(9)),
  'STRING>INT64': (value, context) => parse('toInt64')(trimmed(value), context),
  'STRING>FLOAT64': (value, context) => parse('toFloat64')(trimmed(value), context),
  'STRING>NUMERIC': (value, context) => parse('toDecimal128', lit(9))(trimmed(value), context),
  'STRING>BIGNUMERIC': (value, context) => parse('toDecimal256', lit(38))(trimmed(value), context),
};
