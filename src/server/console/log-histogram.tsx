// How many rows of a log there are at each time, by how serious they are.
import { useMemo } from 'preact/hooks';
import { roundStep } from '../../output/chart/time.ts';
import { SEVERITIES, type Severity } from './log-level.ts';

interface LogMoment {
  readonly seconds: number | null;
  readonly severity: Severity;
}

interface LogHistogramProps {
  readonly moments: readonly LogMoment[];
  /** The row whose bar is marked. */
  readonly chosen: number;
  /** Gets the first row of a bar. */
  readonly onPick: (row: number) => void;
}

interface Bar {
  readonly at: number;
  readonly rows: number[];
  readonly counts: Map<Severity, number>;
}

const [MOST_BARS, BAR, GAP, HEIGHT] = [80, 10, 2, 56];

/** Nothing where fewer than two times are known. */
export function LogHistogram({ moments, chosen, onPick }: LogHistogramProps) {
  const histogram = useMemo(() => barsOf(moments), [moments]);
  const shapes = useMemo(() => histogram?.bars.map((bar, i) => shapeOf(bar, { i, most: histogram.most, onPick })), [histogram]);
  if (histogram === undefined) return null;
  const { bars, step, start, most } = histogram;
  return (
    <div class="histogram">
      <svg
        class="histogram-bars"
        viewBox={`0 0 ${bars.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Rows over time, at most ${most} in ${spoken(step)}`}
      >
        <rect class="here" y={0} width={BAR} height={HEIGHT} x={histogram.barOf(chosen) * BAR} />
        {shapes}
      </svg>
      <p class="histogram-foot">
        <span>{clock(start * step)}</span>
        <span>{`${spoken(step)} each, at most ${most}`}</span>
        <span>{clock((start + bars.length) * step)}</span>
      </p>
    </div>
  );
}

function barsOf(moments: readonly LogMoment[]) {
  const times = moments.flatMap(({ seconds }) => (seconds === null ? [] : [seconds * 1000]));
  const [first, last] = [times.reduce((a, b) => Math.min(a, b), Infinity), times.reduce((a, b) => Math.max(a, b), -Infinity)];
  if (!(first < last)) return undefined;
  const step = roundStep(last - first, MOST_BARS);
  const start = Math.floor(first / step);
  const bars: Bar[] = [];
  for (let i = start; i <= Math.floor(last / step); i++) bars.push({ at: i * step, rows: [], counts: new Map() });
  const barOf = (row: number) => {
    const seconds = moments[row]?.seconds ?? undefined;
    return seconds === undefined ? -1 : Math.floor((seconds * 1000) / step) - start;
  };
  for (const [row, { severity }] of moments.entries()) {
    const bar = bars[barOf(row)];
    bar?.rows.push(row);
    bar?.counts.set(severity, (bar.counts.get(severity) ?? 0) + 1);
  }
  return { bars, step, start, barOf, most: bars.reduce((size, { rows }) => Math.max(size, rows.length), 1) };
}

interface ShapeOptions extends Pick<LogHistogramProps, 'onPick'> {
  readonly i: number;
  readonly most: number;
}

function shapeOf({ at, rows, counts }: Bar, { i, most, onPick }: ShapeOptions) {
  if (rows.length === 0) return null;
  const present = SEVERITIES.filter((severity) => counts.has(severity));
  const each = present.map((severity) => `${counts.get(severity)} ${severity === 'none' ? 'other' : severity}`);
  let top = HEIGHT;
  // What is worst stands on the floor, where it is seen best.
  const pieces = present.map((severity) => {
    const height = Math.max(1.5, ((counts.get(severity) ?? 0) / most) * (HEIGHT - 4));
    top -= height;
    return <rect class={`sev-${severity}`} x={i * BAR + GAP / 2} y={top} width={BAR - GAP} height={height} />;
  });
  return (
    <g class="bar" onClick={() => onPick(rows[0] ?? 0)}>
      <title>{`${clock(at)}: ${each.join(', ')}`}</title>
      <rect class="hit" x={i * BAR} y={0} width={BAR} height={HEIGHT} />
      {pieces}
    </g>
  );
}

const clock = (ms: number): string =>
  new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/(:00)?\.000Z$|Z$/, '');

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

function spoken(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${ms / size} ${unit}`;
}
