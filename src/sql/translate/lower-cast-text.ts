// CAST to and from text, bytes and booleans. https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_functions#cast
import type { Ch } from '../clickhouse/ast.ts';
import { bare, call, cast, iff, infix, isNull, lit, NULL } from '../clickhouse/build.ts';
import type { CastRule, CastRules } from './cast-rule.ts';

const toText: CastRule = (value) => cast(value, 'Nullable(String)');

/** Shortest text with the point that tells a float from an integer only where BigQuery prints one. */
const floatToText = (value: Ch): Ch =>
  call(
    'multiIf',
    call('isNaN', value),
    lit('NaN'),
    call('isInfinite', value),
    iff(infix('>', value, lit(0)), lit('Infinity'), lit('-Infinity')),
    cast(value, 'Nullable(String)'),
  );

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
      safe ? NULL : call('toBool', value),
    ),
  'STRING>BYTES': (value) => value,
  'BYTES>STRING': (value) => value,
  'DYNAMIC>STRING': (value) => value,
};
