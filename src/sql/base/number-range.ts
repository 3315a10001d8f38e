// Ranges of numbers: the bounds between which a value surely lies. Where they show that a result fits its type, no check of overflow is written.
import type { Type } from './types.ts';

/** The least and the greatest value, as floats: a bound near the end of a type counts as beyond it. A NULL lies in every range, NaN in none. */
export type Range = readonly [low: number, high: number];

/** The range of numbers of rows, elements or characters: nothing has more. */
export const COUNT: Range = [0, 2 ** 40];

const WIDEST: Readonly<Record<string, Range>> = {
  INT64: [-(2 ** 63), 2 ** 63],
  NUMERIC: [-1e29, 1e29],
  BIGNUMERIC: [-5.8e38, 5.8e38],
};
/** Bounds a little below those of the types, since floats round. */
const SAFE: Readonly<Record<string, number>> = { INT64: 9.22e18, NUMERIC: 9.9e28, BIGNUMERIC: 5.7e38, FLOAT64: 1.7e308 };

/** Returns the range of all values of the type, or of the elements of an array; undefined for FLOAT64, which may be NaN. */
export const rangeOfType = (type: Type): Range | undefined => (type.kind === 'ARRAY' ? rangeOfType(type.element) : WIDEST[type.kind]);

/** True if every value of the range is one of the type. */
export function fits(range: Range | undefined, { kind }: Type): boolean {
  const most = SAFE[kind];
  return range !== undefined && most !== undefined && range[0] >= -most && range[1] <= most;
}

type MaybeRange = Range | undefined;

/** Returns the range that spans the corners; undefined where a corner is no number. */
function spanning(corners: readonly number[]): MaybeRange {
  return corners.some(Number.isNaN) ? undefined : [Math.min(...corners), Math.max(...corners)];
}

export const sumRange = (a: MaybeRange, b: MaybeRange): MaybeRange => a && b && spanning([a[0] + b[0], a[1] + b[1]]);
export const differenceRange = (a: MaybeRange, b: MaybeRange): MaybeRange => a && b && spanning([a[0] - b[1], a[1] - b[0]]);
export const productRange = (a: MaybeRange, b: MaybeRange): MaybeRange =>
  a && b && spanning(a.flatMap((x) => b.map((y) => (x === 0 || y === 0 ? 0 : x * y))));
export const negatedRange = (a: MaybeRange): MaybeRange => a && [-a[1], -a[0]];
export const magnitudeRange = (a: MaybeRange): MaybeRange => a && [0, Math.max(Math.abs(a[0]), Math.abs(a[1]))];

/** Returns the range of a value that is one of several. */
export function unionRange(ranges: readonly MaybeRange[]): MaybeRange {
  let all: MaybeRange;
  for (const range of ranges) {
    if (range === undefined) return undefined;
    all = all === undefined ? range : [Math.min(all[0], range[0]), Math.max(all[1], range[1])];
  }
  return all;
}

/** Microseconds from the year 1 to 9999, and some. */
const ALL_TIME = 3.2e17;

/** Returns the range of the difference of two times, in parts that are `part` microseconds long. */
export function partsBetween(_end: MaybeRange, _start: MaybeRange, part: MaybeRange): MaybeRange {
  const most = ALL_TIME / (part?.[0] ?? 1);
  return [-most, most];
}

/** The ranges of a time that differs from another one by a day at most, and of one that is at most a year and a day earlier, in microseconds. */
export const withinADay = (time: MaybeRange): MaybeRange => time && [time[0] - 8.64e10, time[1] + 8.64e10];
export const withinAYear = (time: MaybeRange): MaybeRange => time && [time[0] - 3.2e13, time[1]];
