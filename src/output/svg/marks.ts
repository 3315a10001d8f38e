// Draws one series over time: as a line with gaps where buckets are missing, or as columns.

import type { TimeAxis } from '../chart/time.ts';
import { COLOURS, type Drawn } from './frame.ts';
import { px } from './text.ts';

interface Marks {
  readonly axis: TimeAxis;
  xOf(time: number): number;
  yOf(value: number): number;
  /** The place of zero. */
  readonly zero: number;
  readonly slotWidth: number;
}

interface Dot {
  readonly x: number;
  readonly y: number;
}

/** With fewer times each point is a dot as well. */
const FEW = 40;

/** `filled` adds the area down to zero. Neighbours are joined; a missing bucket, or a NULL, leaves a gap; a point between gaps is a dot. */
export function lineMarks({ points, index }: Drawn, { axis, xOf, yOf, zero, filled }: Marks & { readonly filled: boolean }): string {
  const colour = index % COLOURS;
  const runs: Dot[][] = [];
  let before: number | undefined;
  for (const { at, value } of points) {
    if (!Number.isFinite(value)) {
      before = undefined;
      continue;
    }
    const dot = { x: xOf(at), y: yOf(value) };
    if (before !== undefined && axis.joined(before, at)) runs.at(-1)?.push(dot);
    else runs.push([dot]);
    before = at;
  }
  const lines = runs.filter((run) => run.length > 1).map((run) => thinned(run));
  const path = lines.map((run) => `M${run.map(({ x, y }) => `${px(x)} ${px(y)}`).join('L')}`).join('');
  const areas = filled
    ? lines.map(
        (run) =>
          `M${px(run[0]?.x ?? 0)} ${px(zero)}L${run.map(({ x, y }) => `${px(x)} ${px(y)}`).join('L')}L${px(run.at(-1)?.x ?? 0)} ${px(zero)}Z`,
      )
    : [];
  const dots = (points.length <= FEW ? runs.flat() : runs.filter((run) => run.length === 1).flat()).map(
    ({ x, y }) => `<circle class="f${colour}" cx="${px(x)}" cy="${px(y)}" r="2.6"/>`,
  );
  return [
    areas.length === 0 ? '' : `<path class="area f${colour}" d="${areas.join('')}"/>`,
    path === '' ? '' : `<path class="plot l${colour}" d="${path}"/>`,
    ...dots,
  ].join('');
}

/** Columns that share a pixel show the one that is furthest from zero; a zero is a line. */
export function columnMarks({ points, index }: Drawn, { xOf, yOf, zero, slotWidth }: Marks): string {
  const width = Math.max(1, slotWidth * (slotWidth > 4 ? 0.78 : 1));
  const tops = new Map<string, number>();
  for (const { at, value } of points) {
    if (!Number.isFinite(value)) continue;
    const x = px(slotWidth < 1 ? Math.round(xOf(at)) : xOf(at) - width / 2);
    const y = yOf(value);
    if (Math.abs(y - zero) >= Math.abs((tops.get(x) ?? zero) - zero)) tops.set(x, y);
  }
  const columns = [...tops].map(([x, y]) => `M${x} ${px(zero)}V${px(y === zero ? zero - 1 : y)}h${px(width)}V${px(zero)}Z`);
  return `<path class="f${index % COLOURS}" d="${columns.join('')}"/>`;
}

/** Keeps the first, the lowest, the highest and the last of the dots in a pixel's width: the line looks the same. */
function thinned(run: readonly Dot[]): readonly Dot[] {
  const pixels = new Map<number, Dot[]>();
  for (const dot of run) {
    const within = pixels.get(Math.floor(dot.x));
    if (within === undefined) pixels.set(Math.floor(dot.x), [dot]);
    else within.push(dot);
  }
  return [...pixels.values()].flatMap((dots) => {
    if (dots.length <= 4) return dots;
    const by = [...dots.keys()].sort((a, b) => (dots[a]?.y ?? 0) - (dots[b]?.y ?? 0));
    const kept = [...new Set([0, by[0] ?? 0, by.at(-1) ?? 0, dots.length - 1])].sort((a, b) => a - b);
    return kept.flatMap((i) => dots[i] ?? []);
  });
}
