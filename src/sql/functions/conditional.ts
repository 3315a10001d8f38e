// Conditional functions. https://cloud.google.com/bigquery/docs/reference/standard-sql/conditional_expressions
import { call, iff, infix, NULL } from '../target/build.ts';
import { define, type Family } from './define.ts';

export const conditional: Family = {
  COALESCE: define(
    '...values T -> T',
    ({ values }) => (values.length === 1 && values[0] !== undefined ? values[0] : call('coalesce', ...values)),
    { finite: true },
  ),
  IFNULL: define(
    'value T, otherwise T -> T',
    ({ value, otherwise }, c) => (c.type.kind === 'ARRAY' ? value : call('ifNull', value, otherwise)),
    { finite: true },
  ),
  NULLIF: define('value T, match T -> T', ({ value, match }) => iff(infix('=', value, match), NULL, value), { finite: true }),
  NULLIFZERO: define('value INT64 -> INT64 | value NUMERIC -> NUMERIC | value FLOAT64 -> FLOAT64', ({ value }) =>
    call('nullIf', value, { kind: 'lit', value: 0 }),
  ),
  ZEROIFNULL: define('value INT64 -> INT64 | value NUMERIC -> NUMERIC | value FLOAT64 -> FLOAT64', ({ value }) =>
    call('ifNull', value, { kind: 'lit', value: 0 }),
  ),
};
