// CAST … FORMAT of numbers: texts as the reference implementation writes them.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows } = queryRunner();

test.each([
  // Digits stand on the right, behind a place for the sign.
  ['1234', '$999,999', '   $1,234'],
  ['-5', '$9,999', '    -$5'],
  ['0', '999', '   0'],
  ['0', '$999,999', '       $0'],
  ['-0.0', '999', '   0'],
  ['-0.4', '99', ' -0'],
  ['1e15', '9,999,999,999,999,999', ' 1,000,000,000,000,000'],
  ['1e23', '999,999,999,999,999,999,999,999', '  99,999,999,999,999,991,611,392'],
  ['12345', '99999', ' 12345'],
  // Floats round as they are held, halves to even; decimals round halves up.
  ['0.125', '9.99', '  .12'],
  ['0.135', '9.99', '  .14'],
  ['2.675', '9.99', ' 2.67'],
  ["NUMERIC '0.125'", '9.99', '  .13'],
  ["NUMERIC '-1234.567'", '$999,999.99', '  -$1,234.57'],
  ["BIGNUMERIC '12'", '99.9', ' 12.0'],
  ['2.5', '99', '  2'],
  // A 0 holds its place.
  ['0.5', '.99', ' .50'],
  ['0.5', '0.00', ' 0.50'],
  ['12', '9,990.0', '    12.0'],
  ['-0.001', '9.99', ' -.00'],
  ['0.3', '9,999.9', '      .3'],
  // Numbers that do not fit.
  ['1234', '999', ' ###'],
  ['-1234', '$999.99', '-$###.##'],
  ['999.5', '999', ' ###'],
  ['12345', '9,999', ' #,###'],
  ['1.5', '.9', ' .#'],
  // Without the places that nothing is in.
  ['1234', 'FM$999,999', '$1,234'],
  ['1234567', 'fm999,999', '###,###'],
  ['-9223372036854775807 - 1', '9,999,999,999,999,999,999', '-9,223,372,036,854,775,808'],
  ['CAST(NULL AS INT64)', '999', null],
  ['CAST(NULL AS FLOAT64)', '9.9', null],
  ['CAST(NULL AS NUMERIC)', '9.9', null],
])('%s as %s', async (value, format, expected) => {
  expect(await rows(`SELECT CAST(${value} AS STRING FORMAT '${format}')`)).toEqual([[expected]]);
  expect(await rows(`SELECT SAFE_CAST(x AS STRING FORMAT '${format}') FROM (SELECT ${value} AS x)`)).toEqual([[expected]]);
});

test('inf and NaN fail', async () => {
  await expect(rows("SELECT CAST(x AS STRING FORMAT '999') FROM UNNEST([CAST('inf' AS FLOAT64)]) AS x")).rejects.toThrow(
    'FORMAT of inf and NaN is not supported',
  );
});

test.each(['9,99,999', '0,000', '9.9EEEE', 'S999', '999MI', '9PR', 'XXX', '9.', 'FM9.99', 'FM9.00', 'V9', '$', '', '9$', 'C999'])(
  '%s is refused',
  (format) => {
    expect(refusal(`SELECT CAST(1 AS STRING FORMAT '${format}')`)).toBe(`unsupported: the format '${format}' of numbers is not supported`);
  },
);

test('NULL as a format gives NULL', async () => {
  expect(await rows('SELECT CAST(1 AS STRING FORMAT NULL), CAST(x AS STRING FORMAT NULL) FROM UNNEST([1.5]) AS x')).toEqual([[null, null]]);
});

test('a format that is no constant is refused', () => {
  expect(refusal("SELECT CAST(1 AS STRING FORMAT x) FROM UNNEST(['9']) AS x")).toBe('unsupported: FORMAT must be a constant string');
});
