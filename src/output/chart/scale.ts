// The upward axis of a chart: rows of a round number each, so that every label stands exactly where it belongs.
import { extentOf, LETTERS, type Series, shortNumber } from './series.ts';

export interface Scale {
  readonly rows: number;
  /** Texts at the edges of the rows, from the bottom; '' where a label would only be noise. */
  readonly labels: readonly string[];
  /** The place of zero, in rows above the bottom; negative when the axis begins higher. */
  readonly zero: number;
  /** Rows above the bottom, with a fraction. */
  heightOf(value: number): number;
}

const roundNumbers = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
/** Axes with few rows label nearly each of them, and use these numbers. */
const [fewRows, roundest] = [6, [1, 2, 2.5, 5, 10]];
const roundLabels = ['1', '2', '25', '3', '4', '5', '6', '8'];
const mostLabels = 5;
/** Exponents of ten that neither vanish nor overflow. */
const [least, most] = [-300, 306];

/** Makes an axis of at most `mostRows` rows that holds both numbers; `suffix` follows each label. */
export function scaleFor(low: number, high: number, mostRows: number, suffix = ''): Scale {
  const top = low === 0 && high === 0 ? 1 : high;
  const { unit, from, to } = roundRows(low, top, mostRows);
  const rows = to - from;
  const every = labelStep(rows, unit);
  const labels = Array.from({ length: rows + 1 }, (_, i) =>
    (from + i) % every === 0 || rows === 1 ? axisNumber((from + i) * unit, Math.max(Math.abs(from), Math.abs(to)) * unit) + suffix : '',
  );
  return { rows, labels, zero: -from, heightOf: (value) => Math.max(0, Math.min(rows, value / unit - from)) };
}

/** Most rows of a logarithmic axis that are read as powers of ten. */
const mostDecades = 40;

/**
 * Makes a logarithmic axis from `low`, the smallest number above zero, to `high`, with a row for each power of ten or for several. Numbers without a
 * logarithm stand below them, on a row of its own that is labelled `floor`.
 */
export function logScaleFor({ low, high, floor }: RangeAboveZero, suffix = ''): Scale {
  const [least, largest] = high > 0 ? [Math.min(low, high), high] : [1, 10];
  const [bottom, top] = [Math.floor(tenth(least)), Math.ceil(tenth(largest))];
  const from = Math.max(bottom, top - mostDecades);
  const each = Math.max(1, Math.ceil((top - from) / mostLabels));
  const steps = Math.max(1, Math.ceil((top - from) / each));
  const powers = Array.from({ length: steps + 1 }, (_, i) => shortNumber(10 ** (from + i * each)) + suffix);
  const below = floor === '' ? 0 : 1;
  return {
    rows: steps + below,
    labels: below === 0 ? powers : [floor, ...powers],
    zero: -1,
    heightOf: (value) => (value > 0 ? below + Math.max(0, Math.min(steps, (tenth(value) - from) / each)) : 0),
  };
}

/** The logarithm, without the last digits that would put 1000 above its own power of ten. */
const tenth = (value: number): number => Number(Math.log10(value).toFixed(9));

interface RangeAboveZero {
  readonly low: number;
  readonly high: number;
  /** The label for numbers that are not above zero; '' where all are. */
  readonly floor: '' | '0' | '≤ 0';
}

/** Finds the smallest number above zero, and the largest. */
export function rangeAboveZero(all: readonly Series<unknown>[]): RangeAboveZero {
  let [low, high, least] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY];
  for (const { points } of all) {
    for (const { value } of points) {
      if (!Number.isFinite(value)) continue;
      least = Math.min(least, value);
      if (value > 0) [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
  }
  if (least > 0) return { low, high, floor: '' };
  return { low, high, floor: least === 0 ? '0' : '≤ 0' };
}

/** Zero is part of the axis of lines unless all values are far from it: then their differences are what there is to see. */
export function rangeOfLines(all: readonly Series<unknown>[]): { readonly low: number; readonly high: number } {
  const [low, high] = extentOf(all, [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  const far = low < high && (low > high / 2 || high < low / 2);
  return { low: far ? low : Math.min(0, low), high: far ? high : Math.max(0, high) };
}

function roundRows(low: number, high: number, mostRows: number): { readonly unit: number; readonly from: number; readonly to: number } {
  const exponent = Math.floor(Math.log10(high / mostRows - low / mostRows));
  for (let power = Math.max(least, Math.min(most, exponent)); power <= most + 1; power++) {
    for (const round of mostRows <= fewRows ? roundest : roundNumbers) {
      // Divided, as 1e-1 is more exact than ten times 0.01 is.
      const unit = power < 0 ? round / 10 ** -power : round * 10 ** power;
      const [from, to] = [Math.floor(low / unit), Math.ceil(high / unit)];
      if (to - from <= mostRows) return { unit, from, to: Math.max(to, from + 1) };
    }
  }
  return { unit: 1e308, from: low < 0 ? -2 : 0, to: high > 0 ? 2 : 0 };
}

/** Returns how many rows lie between labels: as few as leave five labels, or a little more where the labels are rounder. */
function labelStep(rows: number, unit: number): number {
  const fewest = Math.ceil(rows / mostLabels);
  const digits = (step: number) => (unit * step).toExponential(6).replace(/\.?0*e.*|\./g, '');
  return [fewest, fewest + 1, fewest + 2].find((step) => roundLabels.includes(digits(step))) ?? fewest;
}

/** Prints the label of an axis, all of which have the letter of its largest number. */
function axisNumber(value: number, largest: number): string {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return '';
  if (largest >= 1e15 || largest < 0.001) return shortNumber(value);
  const [size, letter] = LETTERS.find(([least]) => largest >= least) ?? [1, ''];
  return `${Number((value / (letter === 'k' ? 1e3 : size)).toPrecision(12))}${letter}`;
}

const suffixes: readonly (readonly [RegExp, string])[] = [
  [/_(?:ms|millis|milliseconds)$/i, 'ms'],
  [/_(?:s|secs?|seconds)$/i, 's'],
  [/_bytes$/i, 'B'],
  [/_(?:pct|percent)$/i, '%'],
];

/** Returns the unit that a column's name ends with, if it does. */
export const unitOf = (name: string): string => suffixes.find(([pattern]) => pattern.test(name))?.[1] ?? '';
