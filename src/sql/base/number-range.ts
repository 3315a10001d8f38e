// Ranges of numbers: between which bounds a value surely lies. Where they show that a result fits its type, no check of overflow is written.
import type { Type } from './types.ts';

/** The least and the greatest value, as floats: what is near the ends of a type counts as beyond them. A NULL lies in every range, NaN in none. */
export type Range = readonly [low: number, high: number];

/** A number of rows, elements or characters: none of them is longer than this. */
export const COUNT: Range = [0, 2 ** 40];

const WIDEST: Readonly<Record<string, Range>> = {
  INT64: [-(2 ** 63), 2 ** 63],
  NUMERIC: [-1e29, 1e29],
  BIGNUMERIC: [-5.8e38, 5.8e38],
};
/** A little less than the types hold, for what floats round. */
const SAFE: Readonly<Record<string, number>> = { INT64: 9.22e18, NUMERIC: 9.9e28, BIGNUMERIC: 5.7e38, FLOAT64: 1.7e308 };

/** What is known of any value of the type, or of the elements of an array: nothing of FLOAT64, which may be NaN. */
export const rangeOfType = (type: Type): Range | undefined => (type.kind === 'ARRAY' ? rangeOfType(type.element) : WIDEST[type.kind]);

/** Whether every value of the range is one of the type. */
export function fits(range: Range | undefined, { kind }: Type): boolean {
  const most = SAFE[kind];
  return range !== undefined && most !== undefined && range[0] >= -most && range[1] <= most;
}

type Given = Range | undefined;

/** A range of what is made of corners; undefined where a corner is no number. */
function spanning(corners: readonly number[]): Given {
  return corners.some(Number.isNaN) ? undefined : [Math.min(...corners), Math.max(...corners)];
}

export const sumRange = (a: Given, b: Given): Given => a && b && spanning([a[0] + b[0], a[1] + b[1]]);
export const differenceRange = (a: Given, b: Given): Given => a && b && spanning([a[0] - b[1], a[1] - b[0]]);
export const productRange = (a: Given, b: Given): Given =>
  a && b && spanning(a.flatMap((x) => b.map((y) => (x === 0 || y === 0 ? 0 : x * y))));
export const negatedRange = (a: Given): Given => a && [-a[1], -a[0]];
export const magnitudeRange = (a: Given): Given => a && [0, Math.max(Math.abs(a[0]), Math.abs(a[1]))];

/** Of one of several values. */
export function unionRange(ranges: readonly Given[]): Given {
  let all: Given;
  for (const range of ranges) {
    if (range === undefined) return undefined;
    all = all === undefined ? range : [Math.min(all[0], range[0]), Math.max(all[1], range[1])];
  }
  return all;
}

/** Microseconds from the year 1 to 9999, and some. */
const ALL_TIME = 3.2e17;

/** Of what lies between two times, in parts: `part` is how many microseconds one has. */
export function partsBetween(_end: Given, _start: Given, part: Given): Given {
  const most = ALL_TIME / (part?.[0] ?? 1);
  return [-most, most];
}

/** Of a time that is another one by a day at most, and by a year and a day at most, in microseconds. */
export const withinADay = (time: Given): Given => time && [time[0] - 8.64e10, time[1] + 8.64e10];
export const withinAYear = (time: Given): Given => time && [time[0] - 3.2e13, time[1]];
