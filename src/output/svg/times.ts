// Draws numbers over time: panels above each other, one for each kind of number, over one time axis.

import { type Drawing, largest } from '../chart/drawing.ts';
import { logScaleFor, rangeAboveZero, rangeOfLines, type Scale, scaleFor } from '../chart/scale.ts';
import type { Series } from '../chart/series.ts';
import { rangeText, type TimeAxis, timeAxis, timeTicks } from '../chart/time.ts';
import { COLOURS, type Drawn, type Picture, type PictureOptions, type TimeField } from './frame.ts';
import { legendOf } from './legend.ts';
import { columnMarks, lineMarks } from './marks.ts';
import { escaped, px, textWidth } from './text.ts';
import { fullValue, measureOf, unitFor } from './units.ts';

const MOST_PANELS = 12;
const [TEXT, CHARACTER, AXIS, BETWEEN, LEAST_PLOT, BARE] = [12, 7.3, 46, 18, 48, 8];
/** More hints would only make the file large. */
const MOST_HINTS = 1000;

interface Panel {
  readonly series: readonly Drawn[];
  readonly scale: Scale;
  /** The axis shows numbers divided by this. */
  readonly factor: number;
}

export function timePicture(drawing: Extract<Drawing, { readonly kind: 'times' }>, options: PictureOptions): Picture {
  const { width, kind, hidden, window, legend, hints } = options;
  const isBars = kind === 'bar';
  const groups = isBars ? drawing.series.slice(0, MOST_PANELS).map((one) => [one]) : byMeasure(drawing.series);
  const kept = groups.slice(0, MOST_PANELS).map((group) => largest(group, COLOURS));
  const chosen: readonly (readonly Drawn[])[] = numbered(kept);
  const shown = chosen.map((group) => group.filter(({ name }) => hidden?.has(name) !== true)).filter((group) => group.length > 0);
  const times = window === undefined ? drawing.times : drawing.times.filter((time) => time >= window.from && time <= window.to);
  const heads = shown.map((group) => (legend ? legendOf(group, width, captionOf(group)) : { markup: [], height: BARE }));
  const heightOfPlots = plotHeight(
    shown.length,
    options.height,
    heads.reduce((sum, { height }) => sum + height, 0),
  );
  const panels = shown.map((series) => panelOf(within(series, times), heightOfPlots, { isBars, log: options.log === true }));
  const left = Math.ceil(Math.max(24, ...panels.flatMap(({ scale }) => scale.labels.map((label) => textWidth(label, TEXT))))) + 10;
  const [right, room] = [width - 12, width - 12 - left];
  const axis = timeAxis(times, Math.max(2, Math.floor(room)));
  const xOf = placing(axis, left, right, isBars);

  const parts: string[] = [];
  const top = heads[0]?.height ?? 0;
  let y = 0;
  for (const [i, panel] of panels.entries()) {
    for (const line of heads[i]?.markup ?? []) parts.push(`<g transform="translate(0 ${px(y)})">${line}</g>`);
    y += heads[i]?.height ?? 0;
    const field = { left, right, top: y, bottom: y + heightOfPlots };
    parts.push(gridOf(panel.scale, field));
    const place = (value: number) => field.bottom - (panel.scale.heightOf(value / panel.factor) / panel.scale.rows) * heightOfPlots;
    const zero = field.bottom - (Math.max(0, Math.min(panel.scale.rows, panel.scale.zero)) / panel.scale.rows) * heightOfPlots;
    const marks = { axis, xOf, yOf: place, zero, slotWidth: room / Math.max(1, axis.slots) };
    for (const one of panel.series) {
      parts.push(
        isBars ? columnMarks(one, marks) : lineMarks(one, { ...marks, filled: panel.series.length === 1 && panel.scale.zero === 0 }),
      );
    }
    y = field.bottom + (i < panels.length - 1 ? BETWEEN : 0);
  }
  if (panels.length > 0) parts.push(floorOf(axis, { left, right, bottom: y, xOf, zone: drawing.zone }));
  if (hints && times.length <= MOST_HINTS)
    parts.push(...hintsOf(times, shown.flat(), { left, right, top, bottom: y, xOf, zone: drawing.zone }));
  const drawn = chosen.flat().length;
  const more = drawing.series.length - drawn;
  if (more > 0)
    parts.push(`<text class="soft" x="${left}" y="${px(y + AXIS + 8)}">… and ${more} more series, whose numbers are smaller</text>`);
  const field: TimeField = { left, right, top, bottom: y, from: axis.first, to: axis.last, xOf };
  return {
    width,
    height: y + AXIS + (more > 0 ? 14 : 0),
    markup: parts.join('\n'),
    summary: `${isBars ? 'Columns' : 'Lines'} over time${options.log === true ? ' on a logarithmic scale' : ''}, ${rangeText(axis, drawing.zone, 100)}: ${shown
      .flat()
      .map(({ name }) => name)
      .join(', ')}`,
    field,
    series: chosen.flat(),
  };
}

/** Groups series whose numbers can be compared, which share a panel. */
function byMeasure(all: readonly Series<number>[]): readonly (readonly Series<number>[])[] {
  const groups = new Map<string, Series<number>[]>();
  for (const series of all) {
    const measure = measureOf(series.column ?? series.name);
    const group = groups.get(measure);
    if (group === undefined) groups.set(measure, [series]);
    else group.push(series);
  }
  return [...groups.values()];
}

function numbered(groups: readonly (readonly Series<number>[])[]): readonly (readonly Drawn[])[] {
  let next = 0;
  return groups.map((group) =>
    group.map((series) => ({ ...series, label: captionOf(group) === undefined ? series.name : (series.group ?? ''), index: next++ })),
  );
}

/** Returns the column that labels split into series, where it is the same for all, so that not every name repeats it. */
function captionOf(group: readonly Series<number>[]): string | undefined {
  const columns = new Set(group.map(({ column }) => column));
  return columns.size === 1 ? group[0]?.column : undefined;
}

function within(all: readonly Drawn[], times: readonly number[]): readonly Drawn[] {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  return all.map((series) => ({
    ...series,
    points: series.points.filter(({ at }) => at >= first && at <= last).sort((a, b) => a.at - b.at),
  }));
}

/** The panels share the rest of the height. */
function plotHeight(panels: number, height: number | undefined, heads: number): number {
  if (height === undefined) return [280, 280, 180][panels] ?? 120;
  return Math.max(LEAST_PLOT, Math.floor((height - AXIS - heads - (panels - 1) * BETWEEN) / Math.max(1, panels)));
}

function panelOf(series: readonly Drawn[], height: number, { isBars, log }: { readonly isBars: boolean; readonly log: boolean }): Panel {
  if (log) {
    const { low, high, floor } = rangeAboveZero(series);
    const { factor, suffix } = unitFor(series[0]?.column ?? series[0]?.name ?? '', high);
    return { series, factor, scale: logScaleFor({ low: low / factor, high: high / factor, floor }, suffix) };
  }
  const lines = rangeOfLines(series);
  const [low, high] = isBars ? [Math.min(0, lines.low), Math.max(0, lines.high)] : [lines.low, lines.high];
  const finite = Number.isFinite(low) && Number.isFinite(high);
  const { factor, suffix } = unitFor(series[0]?.column ?? series[0]?.name ?? '', finite ? Math.max(high, -low) : 0);
  const rows = Math.max(2, Math.min(5, Math.floor(height / 34)));
  return { series, factor, scale: scaleFor(finite ? low / factor : 0, finite ? high / factor : 0, rows, suffix) };
}

/** Columns stand in the middle of their bucket's room; a line goes from edge to edge, and a single time stands in the middle. */
function placing(axis: TimeAxis, left: number, right: number, isBars: boolean): (time: number) => number {
  const room = right - left;
  if (isBars) return (time) => left + ((axis.placeOf(time) + 0.5) / axis.slots) * room;
  const span = axis.last - axis.first;
  return (time) => (span === 0 ? left + room / 2 : left + ((time - axis.first) / span) * room);
}

function gridOf({ rows, labels, zero }: Scale, { left, right, top, bottom }: Pick<TimeField, 'left' | 'right' | 'top' | 'bottom'>): string {
  return labels
    .map((label, row) => {
      const y = px(bottom - (row / rows) * (bottom - top));
      const text = label !== '' && row === zero ? '0' : label;
      const name =
        text === '' ? '' : `<text class="soft" text-anchor="end" x="${left - 8}" y="${px(Number(y) + 4)}">${escaped(text)}</text>`;
      return `<line class="${row === zero ? 'axis' : 'grid'}" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/>${name}`;
    })
    .join('');
}

interface Floor extends Pick<TimeField, 'left' | 'right' | 'bottom' | 'xOf'> {
  readonly zone: string;
}

/** Draws round times below the panels, and the first and last one in words. */
function floorOf(axis: TimeAxis, { left, right, bottom, xOf, zone }: Floor): string {
  const ticks = timeTicks(axis, Math.floor((right - left) / CHARACTER)).map(({ at, text }) => {
    const x = xOf(at);
    const half = textWidth(text, TEXT) / 2;
    const name = Math.max(half, Math.min(right + 12 - half, x));
    return `<line class="axis" x1="${px(x)}" x2="${px(x)}" y1="${px(bottom)}" y2="${px(bottom + 5)}"/><text class="soft" text-anchor="middle" x="${px(name)}" y="${px(bottom + 19)}">${escaped(text)}</text>`;
  });
  const range = rangeText(axis, zone, Math.floor((right - left) / CHARACTER));
  return `${ticks.join('')}<text class="soft" x="${left}" y="${px(bottom + 38)}">${escaped(range)}</text>`;
}

/** Draws a strip for each time, whose title shows all numbers of that time. */
function hintsOf(
  times: readonly number[],
  all: readonly Drawn[],
  { top, bottom, left, right, xOf, zone }: Floor & Pick<TimeField, 'top'>,
): readonly string[] {
  const values = all.map(({ points }) => new Map(points.map(({ at, value }) => [at, value])));
  const edge = (i: number) => (xOf(times[i] ?? 0) + xOf(times[i + 1] ?? 0)) / 2;
  return times.map((time, i) => {
    const from = i === 0 ? left : edge(i - 1);
    const to = i === times.length - 1 ? right : edge(i);
    const numbers = all.map(({ name, label, column = name }, at) => `${label}: ${fullValue(values[at]?.get(time) ?? Number.NaN, column)}`);
    const moment = new Date(time)
      .toISOString()
      .replace('T', ' ')
      .replace(/(?::00)?\.000Z$|Z$/, '');
    return `<rect class="hit" x="${px(from)}" y="${px(top)}" width="${px(Math.max(0.5, to - from))}" height="${px(bottom - top)}"><title>${escaped([`${moment}${zone}`, ...numbers].join('\n'))}</title></rect>`;
  });
}
