// When the sample's events happen: a week of days and nights up to a fixed instant.
import { SAMPLE_INSTANT } from './place.ts';
import type { Random } from './random.ts';

const MINUTE = 60_000;
const minutes = 7 * 24 * 60;
const end = Date.parse(SAMPLE_INSTANT);
const start = end - minutes * MINUTE;

/** Busy afternoons, quiet nights, slower weekends; 1 is an average minute. */
function intensity(time: number): number {
  const date = new Date(time);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  const daily = 1 + 0.75 * Math.sin(((hour - 9) / 24) * 2 * Math.PI);
  const weekend = date.getUTCDay() % 6 === 0 ? 0.55 : 1;
  return daily * weekend;
}

const cumulative: readonly number[] = (() => {
  const sums = [0];
  for (let i = 0; i < minutes; i++) sums.push((sums[i] ?? 0) + intensity(start + i * MINUTE));
  return sums;
})();

/** `count` moments in order, milliseconds since 1970, as dense as the traffic of their minute. */
export function moments(count: number, random: Random): readonly number[] {
  const gaps = Array.from({ length: count + 1 }, () => -Math.log(1 - random.unit()));
  const scale = (cumulative[minutes] ?? 0) / gaps.reduce((sum, gap) => sum + gap, 0);
  const times: number[] = [];
  let reached = 0;
  let minute = 0;
  for (let i = 0; i < count; i++) {
    reached += (gaps[i] ?? 0) * scale;
    while (minute < minutes - 1 && (cumulative[minute + 1] ?? 0) <= reached) minute++;
    const from = cumulative[minute] ?? 0;
    const share = Math.min(0.999, (reached - from) / ((cumulative[minute + 1] ?? 0) - from));
    times.push(Math.floor(start + (minute + share) * MINUTE));
  }
  return times;
}

/** Two incidents, so that there is something to find. Hours before the end. */
const within = (time: number, fromHours: number, toHours: number): boolean =>
  time >= end - fromHours * 60 * MINUTE && time < end - toHours * 60 * MINUTE;
export const storageIsDown = (time: number): boolean => within(time, 51, 48);
export const functionsAreSlow = (time: number): boolean => within(time, 9, 7);
