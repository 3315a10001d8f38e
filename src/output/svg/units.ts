// The measures of numbers, read from the names of their columns: numbers of one measure share an axis, and its labels have the unit that suits them.

import { unitOf } from '../chart/scale.ts';
import { shortNumber } from '../chart/series.ts';

/** Words at the end of names whose numbers are not counts. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|_)(?:time|duration|latency|delay|elapsed|age)$/i, 'time'],
  [/(?:^|_)(?:rate|ratio|share|fraction)$/i, 'ratio'],
  [/(?:^|_)(?:size|memory)$/i, 'size'],
];

/** Returns the same text for columns whose numbers can be compared. */
export const measureOf = (column: string): string => unitOf(column) || (KINDS.find(([pattern]) => pattern.test(column))?.[1] ?? 'count');

interface Unit {
  readonly factor: number;
  readonly suffix: string;
}

/** Larger units of a unit, largest first, each from twice its size on: two seconds are 2s, and one and a half stay 1500ms. */
const LARGER: Readonly<Record<string, readonly Unit[]>> = {
  ms: [
    { factor: 3_600_000, suffix: 'h' },
    { factor: 60_000, suffix: 'min' },
    { factor: 1000, suffix: 's' },
  ],
  s: [
    { factor: 3600, suffix: 'h' },
    { factor: 60, suffix: 'min' },
  ],
  B: [
    { factor: 1e12, suffix: 'TB' },
    { factor: 1e9, suffix: 'GB' },
    { factor: 1e6, suffix: 'MB' },
    { factor: 1e3, suffix: 'kB' },
  ],
};

/** Returns the unit in which numbers up to `largest` are read most easily. */
export function unitFor(column: string, largest: number): Unit {
  const suffix = unitOf(column);
  return LARGER[suffix]?.find(({ factor }) => Math.abs(largest) >= 2 * factor) ?? { factor: 1, suffix };
}

/** Prints a short number with its unit: `1.2s`, `3.4MB`, `950`; a gap is `–`. */
export function shortValue(value: number, column: string): string {
  if (!Number.isFinite(value)) return '–';
  const { factor, suffix } = unitFor(column, value);
  return `${shortNumber(value / factor)}${suffix}`;
}

/** Prints the number with its digits in groups and the unit that the name says; fractions have six significant digits. */
export function fullValue(value: number, column: string): string {
  if (!Number.isFinite(value)) return '–';
  const most = Number.isInteger(value) || Math.abs(value) >= 1e6 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 6 };
  const text = Math.abs(value) >= 1e15 ? String(value) : value.toLocaleString('en-US', most);
  return `${text}${unitOf(column)}`;
}
