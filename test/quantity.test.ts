// Durations and sizes as people write them.
import { expect, test } from 'vitest';
import { formatCount, formatDuration, formatNumber, formatSize, parseDuration, parseSize } from '../src/base/quantity.ts';

test('durations need a unit', () => {
  expect(['900s', '15m', '1h', '2d', '500ms', '1.5h', ' 3s '].map(parseDuration)).toEqual([900, 900, 3600, 172_800, 0.5, 5400, 3]);
  expect(['', '5', 's', '5 s', '-5s', '5w', '1h30m'].map(parseDuration)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('durations are printed in the largest unit that is exact', () => {
  expect([900, 3600, 90, 86_400, 0, 0.25].map(formatDuration)).toEqual(['15m', '1h', '90s', '1d', '0s', '250ms']);
});

test('sizes are bytes, in powers of 1000 or 1024', () => {
  expect(['4096', '256MB', '1.5 GiB', '10kb', '1B'].map(parseSize)).toEqual([4096, 256e6, 1.5 * 2 ** 30, 10_000, 1]);
  expect(['', 'MB', '-1MB', '1XB'].map(parseSize)).toEqual([undefined, undefined, undefined, undefined]);
});

test('sizes are printed in the largest unit that is exact', () => {
  expect([256e6, 2 ** 31, 4096, 1500, 1, 64e6].map(formatSize)).toEqual(['256MB', '2GiB', '4KiB', '1500B', '1B', '64MB']);
});

test('numbers are printed with their digits in groups', () => {
  expect([0, 999, 1000, 12_345, 1_234_567].map(formatNumber)).toEqual(['0', '999', '1,000', '12,345', '1,234,567']);
  expect([formatCount(1, 'row'), formatCount(0, 'row'), formatCount(1000, 'bad line')]).toEqual(['1 row', '0 rows', '1,000 bad lines']);
});
