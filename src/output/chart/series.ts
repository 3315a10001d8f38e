// The named series of points that charts draw, and numbers short enough for an axis.

/** One series: a value or a gap per point; points are times (ms since 1970) or labels. */
export interface Series<Point> {
  readonly name: string;
  /** Set where labels split the numbers into series: the column of the numbers, and the label. The name is both. */
  readonly column?: string;
  readonly group?: string;
  readonly points: readonly { readonly at: Point; readonly value: number }[];
}

/** Widens a range by all values that are numbers. */
export function extentOf(all: readonly Series<unknown>[], [low, high]: readonly [number, number]): readonly [number, number] {
  const values = all.flatMap(({ points }) => points.map(({ value }) => value)).filter(Number.isFinite);
  return [values.reduce((a, b) => Math.min(a, b), low), values.reduce((a, b) => Math.max(a, b), high)];
}

/** The letters of large numbers, and from where on they are written. */
export const LETTERS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e4, 'k'],
] as const;

/** Prints a number in at most six characters or so: `950`, `1.25k`, `3.1M`. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return value.toExponential(1);
  for (const [unit, letter] of LETTERS) {
    if (size >= unit) return `${trimmed(value / (unit === 1e4 ? 1e3 : unit))}${letter}`;
  }
  return size !== 0 && size < 0.001 ? value.toExponential(1) : trimmed(value);
}

function trimmed(value: number): string {
  const few = Math.abs(value) >= 10 ? 1 : 3;
  return String(Number(value.toFixed(Math.abs(value) >= 100 ? 0 : few)));
}
