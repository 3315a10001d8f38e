// Decimal texts as NUMERIC and BIGNUMERIC.
import { expect, test } from 'vitest';
import { decimalText } from '../../src/sql/base/decimal-text.ts';

test.each([
  ['1.5', '1.5'],
  ['  -1.50 ', '-1.5'],
  ['+.5', '0.5'],
  ['5.', '5'],
  ['1e3', '1000'],
  ['12.34E-1', '1.234'],
  ['0.0000000005', '0.000000001'],
  ['-0.0000000004', '0'],
  ['99999999999999999999999999999.999999999', '99999999999999999999999999999.999999999'],
  ['99999999999999999999999999999.9999999995', undefined],
  ['1e29', undefined],
  ['0e99', '0'],
  ['1e-99', '0'],
  ['', undefined],
  ['.', undefined],
  ['1 2', undefined],
  ['abc', undefined],
])('%j as NUMERIC is %j', (text, value) => {
  expect(decimalText(text, 'NUMERIC')).toBe(value);
});

test('BIGNUMERIC keeps 38 decimals and rounds the rest away from zero', () => {
  expect(decimalText('-0.000000000000000000000000000000000000015', 'BIGNUMERIC')).toBe('-0.00000000000000000000000000000000000002');
});
