// What charts draw: named series of points, and numbers short enough for an axis.

/** One series: a value or a gap per point; points are times (ms since 1970) or labels. */
export interface Series<Point> {
  readonly name: string;
  /** Where labels tell series apart: the column of its numbers, and the label. Their name is both. */
  readonly column?: string;
  readonly group?: string;
  readonly points: readonly { readonly at: Point; readonly value: number }[];
}

/** A number in at most six characters or so: `950`, `1.25k`, `3.1M`. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e15) return value.toExponential(1);
  for (const [unit, letter] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'k'],
  ] as const) {
    if (size >= unit) return `${trimmed(value / (unit === 1e4 ? 1e3 : unit))}${letter}`;
  }
  return size !== 0 && size < 0.001 ? value.toExponential(1) : trimmed(value);
}

const trimmed = (value: number): string => String(Number(value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3)));
