// Time series as panels of block characters over one shared time axis.
import type { ChalkInstance } from 'chalk';
import { type Series, shortNumber } from './series.ts';
import { shorten, widthOf } from './width.ts';

const blocks = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const mostSlots = 100_000;
const longestName = 24;

/** Draws up to four series as panels, more as one line each. Rows without a time are left out. */
export function* seriesLines(all: readonly Series<number>[], width: number, chalk: ChalkInstance): Iterable<string> {
  const times = [...new Set(all.flatMap((series) => series.points.map((point) => point.at)))].filter(Number.isFinite).sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) {
    yield '(no rows to draw)\n';
    return;
  }
  const height = all.length <= 2 ? 5 : all.length <= 4 ? 3 : 1;
  const scales = all.map((series) => scaleOf(series));
  const labels = scales.flatMap((scale) => [shortNumber(scale.top), shortNumber(scale.bottom)]);
  const names = all.map((series) => shorten(series.name, longestName));
  const numberWidth = Math.max(...labels.map((label) => label.length));
  const left = height === 1 ? Math.max(...names.map(widthOf)) + 1 + numberWidth : numberWidth;
  const axis = timeAxis(times, Math.max(10, width - left - 3));
  for (const [i, series] of all.entries()) {
    const scale = scales[i] ?? { top: 1, bottom: 0 };
    const heights = columnHeights(series, axis, scale, height);
    if (height > 1) yield `${' '.repeat(left + 2)}${chalk.bold(names[i] ?? '')}\n`;
    for (let row = height - 1; row >= 0; row--) {
      const bars = heights.map((eighths) => blocks[Math.max(0, Math.min(8, eighths - row * 8))] ?? ' ');
      const number = row === height - 1 ? shortNumber(scale.top) : row === 0 ? shortNumber(scale.bottom) : '';
      const name = height === 1 ? (names[i] ?? '') : '';
      const margin = `${name}${' '.repeat(Math.max(0, left - widthOf(name) - number.length))}`;
      yield `${height === 1 ? chalk.bold(margin) : margin}${chalk.dim(`${number} ┤`)}${chalk.cyan(widened(bars, axis).trimEnd())}\n`;
    }
  }
  yield chalk.dim(`${' '.repeat(left + 1)}└${'─'.repeat(axis.columns * axis.columnWidth)}\n`);
  yield chalk.dim(`${' '.repeat(left + 2)}${timeLabels(first, last, axis.columns * axis.columnWidth)}\n`);
  if (axis.slotsPerColumn > 1) yield chalk.dim(`${' '.repeat(left + 2)}each column shows the highest of ${axis.slotsPerColumn} buckets\n`);
}

interface Scale {
  readonly top: number;
  readonly bottom: number;
}

/** From 0, or from the lowest value when some are negative. */
function scaleOf(series: Series<number>): Scale {
  let top = Number.NEGATIVE_INFINITY;
  let bottom = 0;
  for (const { value } of series.points) {
    if (!Number.isFinite(value)) continue;
    top = Math.max(top, value);
    bottom = Math.min(bottom, value);
  }
  return { top: Number.isFinite(top) ? Math.max(top, bottom) : 0, bottom };
}

interface TimeAxis {
  readonly slotOf: (time: number) => number;
  readonly slotsPerColumn: number;
  readonly columns: number;
  /** Characters per column, one of them a gap when there are three or more. */
  readonly columnWidth: number;
}

/** Slots are the steps of the smallest distance between two times, so that missing buckets are gaps; uneven times are put side by side. */
function timeAxis(times: readonly number[], width: number): TimeAxis {
  const first = times[0] ?? 0;
  const steps = times.slice(1).map((time, i) => time - (times[i] ?? time));
  const step = steps.length === 0 ? 1 : Math.min(...steps);
  const span = (times.at(-1) ?? first) - first;
  const even = steps.every((each) => each % step === 0) && span / step < mostSlots;
  const place = new Map(times.map((time, i) => [time, even ? (time - first) / step : i]));
  const slots = (even ? span / step : times.length - 1) + 1;
  const slotsPerColumn = Math.ceil(slots / width);
  const columns = Math.ceil(slots / slotsPerColumn);
  return {
    slotOf: (time) => place.get(time) ?? -1,
    slotsPerColumn,
    columns,
    columnWidth: Math.max(1, Math.min(6, Math.floor(width / columns))),
  };
}

/** Height of each column in eighths of a character; a value above the bottom is never drawn as nothing. */
function columnHeights(series: Series<number>, axis: TimeAxis, scale: Scale, height: number): readonly number[] {
  const heights = new Array<number>(axis.columns).fill(0);
  const range = scale.top - scale.bottom;
  for (const { at, value } of series.points) {
    const slot = axis.slotOf(at);
    if (slot < 0 || !Number.isFinite(value)) continue;
    const column = Math.floor(slot / axis.slotsPerColumn);
    const share = range === 0 ? 0 : (value - scale.bottom) / range;
    heights[column] = Math.max(heights[column] ?? 0, share === 0 ? 0 : Math.max(1, Math.round(share * height * 8)));
  }
  return heights;
}

function widened(bars: readonly string[], axis: TimeAxis): string {
  if (axis.columnWidth < 3) return bars.map((bar) => bar.repeat(axis.columnWidth)).join('');
  return bars.map((bar) => `${bar.repeat(axis.columnWidth - 1)} `).join('');
}

/** The first and the last time at the ends of the axis, without the parts that say nothing. */
function timeLabels(first: number, last: number, width: number): string {
  const text = (time: number) => {
    const iso = new Date(time).toISOString();
    if (first % 86_400_000 === 0 && last % 86_400_000 === 0) return iso.slice(0, 10);
    return `${iso.slice(0, 10)} ${iso.slice(11, first % 60_000 === 0 && last % 60_000 === 0 ? 16 : 19)}`;
  };
  const [from, to] = [text(first), text(last)];
  return first === last ? from : `${from}${' '.repeat(Math.max(2, width - from.length - to.length))}${to}`;
}
