// The time axis of a chart: the places of times, which of them are neighbours, and which are named.
import { formatDuration } from '../../base/quantity.ts';

const mostSlots = 100_000;
/** The share by which months may differ in length. */
const monthly = 0.12;
/** The most buckets per time: sparser times are taken for events of their own. */
const sparsest = 10;

export type TimeAxis = ReturnType<typeof timeAxis>;

/** `times` are finite, sorted, distinct, and at least one. */
export function timeAxis(times: readonly number[], resolution: number) {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const steps = times.slice(1).map((time, i) => time - (times[i] ?? time));
  const least = steps.reduce((found, step) => Math.min(found, step), Number.POSITIVE_INFINITY);
  const counts = steps.map((step) => Math.round(step / least));
  const slots = counts.reduce((sum, count) => sum + count, 1);
  const even =
    slots <= Math.min(mostSlots, times.length * sparsest) &&
    steps.every((step, i) => Math.abs(step / least / (counts[i] ?? 1) - 1) <= monthly);
  const exact = even && steps.length > 0 && steps.every((step) => step % least === 0);
  const places = [0];
  for (const [i, step] of steps.entries())
    places.push((places[i] ?? 0) + (even ? (counts[i] ?? 1) : (step / (last - first)) * (resolution - 1)));
  const placeOf = (time: number): number => {
    let [low, high] = [0, times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((times[middle] ?? 0) <= time) low = middle;
      else high = middle;
    }
    const [from, to] = [times[low] ?? first, times[high] ?? last];
    const [start, end] = [places[low] ?? 0, places[high] ?? 0];
    return to === from ? start : start + ((time - from) / (to - from)) * (end - start);
  };
  const slotOf = (time: number) => Math.round(placeOf(time));
  return {
    first,
    last,
    /** Places from the first time to the last: buckets, missing ones included, or the wanted resolution where the times are uneven. */
    slots: even ? slots : resolution,
    even,
    /** Milliseconds from bucket to bucket, where they are always the same. */
    stepMs: exact ? least : undefined,
    slotOf,
    /** Returns a fraction for times between the places. */
    placeOf,
    /** True if no bucket is missing between two times. */
    joined: (one: number, other: number) => !even || slotOf(other) - slotOf(one) <= 1,
  };
}

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
const month = 28 * day;
const stepsOfTime = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  ...[1, 2, 5, 10].map((n) => n * day),
];
const stepsOfMonths = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 6000, 12_000];

/** Returns the least round step that divides a span into at most so many parts; at the least a millisecond. */
export function roundStep(spanMs: number, most: number): number {
  const fits = (step: number) => spanMs / step <= most - 1;
  return stepsOfTime.find(fits) ?? Math.ceil(spanMs / (most - 1) / (10 * day)) * 10 * day;
}

interface Tick {
  readonly at: number;
  readonly text: string;
}

/** Returns the round times of the axis that have room for their names on `width` cells. */
export function timeTicks({ first, last, stepMs = 1 }: TimeAxis, width: number): readonly Tick[] {
  const span = last - first;
  const fits = (step: number, length: number) => step >= stepMs && (span === 0 || (width * step) / span >= length + 2);
  const step = stepsOfTime.find((each) => fits(each, textAt(first, each).length));
  if (step !== undefined && span / step >= 1) {
    const start = Math.ceil(first / step) * step;
    return Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, i) => tick(start + i * step, step));
  }
  if (step !== undefined) return [];
  const months = stepsOfMonths.find((each) => fits(each * month, each < 12 ? 7 : 4)) ?? 12_000;
  const from = new Date(first);
  const begin = Math.ceil((from.getUTCFullYear() * 12 + from.getUTCMonth()) / months) * months;
  const starts = Array.from({ length: Math.ceil(span / (months * month)) + 1 }, (_, i) => monthStart(begin + i * months));
  return starts
    .filter((at) => at >= first && at <= last)
    .map((at) => ({ at, text: new Date(at).toISOString().slice(0, months < 12 ? 7 : 4) }));
}

function monthStart(months: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(Math.floor(months / 12), months % 12, 1);
}

const tick = (at: number, step: number): Tick => ({ at, text: at % day === 0 ? textAt(at, day) : textAt(at, step) });

function textAt(time: number, step: number): string {
  const iso = new Date(time).toISOString().slice(-24); // years beyond 9999 are longer
  if (step >= day) return iso.slice(5, 10);
  if (step >= minute) return iso.slice(11, 16);
  return step >= second ? iso.slice(11, 19) : iso.slice(14, 23);
}

/** Prints `2026-01-02 00:00 to 05:00 UTC, 1h each`; without the last part where it would be longer than `width`. */
export function rangeText({ first, last, stepMs }: TimeAxis, zone: string, width: number): string {
  const isWhole = (unit: number) => first % unit === 0 && last % unit === 0;
  const digits = DIGITS.find(([unit]) => isWhole(unit))?.[1] ?? 12;
  const parts = (time: number) => {
    const [date = '', clock = ''] = new Date(time).toISOString().split('T');
    return { date, clock: clock.slice(0, digits) };
  };
  const [from, to] = [parts(first), parts(last)];
  const sameYear = from.date.slice(0, 4) === to.date.slice(0, 4) && digits > 0;
  const end = from.date === to.date ? to.clock : `${sameYear ? to.date.slice(5) : to.date} ${to.clock}`.trim();
  const range = `${`${from.date} ${from.clock}`.trim()}${first === last ? '' : ` to ${end}`}${digits === 0 ? '' : zone}`;
  const each = stepMs === undefined ? '' : `, ${formatDuration(stepMs / 1000)} each`;
  return range.length + each.length > width ? range : `${range}${each}`;
}

/** The part of the clock that is shown for times that are whole days, minutes or seconds. */
const DIGITS = [
  [day, 0],
  [minute, 5],
  [second, 8],
] as const;
