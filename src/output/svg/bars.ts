// Draws numbers by label as horizontal bars: a line for each label, with its columns of numbers side by side.

import type { Drawing } from '../chart/drawing.ts';
import { extentOf, type Series } from '../chart/series.ts';
import { COLOURS, type Picture, type PictureOptions } from './frame.ts';
import { escaped, fitted, px, textWidth } from './text.ts';
import { fullValue, measureOf, shortValue } from './units.ts';

const MOST_BARS = 50;
const [LINE, BAR, HEAD, TEXT] = [24, 15, 30, 12];
/** The least width of a column of bars; columns that do not fit stand below. */
const [LEAST_COLUMN, GAP] = [150, 24];

interface Column {
  readonly series: Series<string>;
  readonly index: number;
  /** The range of all numbers with the same measure, so that their bars can be compared. */
  readonly low: number;
  readonly high: number;
}

export function barPicture({ series: all }: Extract<Drawing, { readonly kind: 'labels' }>, options: PictureOptions): Picture {
  const { width, hidden } = options;
  const columns = all.flatMap((series, index) => (hidden?.has(series.name) === true ? [] : [{ series, index, ...rangeOf(series, all) }]));
  const most = Math.max(0, ...all.map(({ points }) => points.length));
  const shown = Math.min(MOST_BARS, most);
  const labelRoom = Math.min(
    width * 0.35,
    Math.max(20, ...all.flatMap(({ points }) => points.slice(0, shown).map(({ at }) => textWidth(at, TEXT)))),
  );
  const perBlock = Math.max(1, Math.min(columns.length, Math.floor((width - labelRoom) / (LEAST_COLUMN + GAP))));
  const columnWidth = (width - labelRoom) / perBlock - GAP;
  const numbersOf = ({ series: { name, column = name, points } }: Column) =>
    points.slice(0, shown).map(({ value }) => (Number.isNaN(value) ? 'NULL' : shortValue(value, column)));
  // All columns leave the same room, so that bars side by side can be compared.
  const numberRoom = Math.max(0, ...columns.flatMap((column) => numbersOf(column).map((number) => textWidth(number, TEXT)))) + 6;
  const blockHeight = HEAD + shown * LINE + 8;
  const blocks: string[] = [];
  for (let i = 0; i < columns.length; i += perBlock) {
    const top = (i / perBlock) * blockHeight;
    const within = columns.slice(i, i + perBlock);
    const first = within[0]?.series.points.slice(0, shown) ?? [];
    const labels = first.map(
      ({ at }, line) =>
        `<text class="ink" text-anchor="end" x="${px(labelRoom)}" y="${px(top + HEAD + line * LINE + LINE / 2 + 4)}">${escaped(fitted(at, labelRoom, TEXT))}</text>`,
    );
    blocks.push(
      ...labels,
      ...within.map((column, at) =>
        columnOf(column, {
          left: labelRoom + 12 + at * (columnWidth + GAP),
          top,
          columnWidth,
          numbers: numbersOf(column),
          numberRoom,
          options,
        }),
      ),
    );
  }
  const end = Math.ceil(columns.length / perBlock) * blockHeight;
  const left = most - shown;
  if (left > 0) blocks.push(`<text class="soft" x="0" y="${px(end + 14)}">… and ${left} more rows</text>`);
  const names = columns.map(({ series: { name } }) => name).join(', ');
  return {
    width,
    height: end + (left > 0 ? 24 : 0),
    markup: blocks.join('\n'),
    summary: `Bars of ${shown} ${shown === 1 ? 'row' : 'rows'}: ${names}`,
  };
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly columnWidth: number;
  readonly numbers: readonly string[];
  readonly numberRoom: number;
  readonly options: PictureOptions;
}

function columnOf({ series, index, low, high }: Column, { left, top, columnWidth, numbers, numberRoom, options }: Place): string {
  const { name, column = name } = series;
  const points = series.points.slice(0, numbers.length);
  const room = Math.max(10, columnWidth - numberRoom);
  const size = Math.max(high, -low);
  // Scaled before they are added: the sum of huge numbers is no number.
  const span = size === 0 ? 1 : high / size - low / size;
  const xOf = (value: number) => (size === 0 ? 0 : ((value / size - low / size) / span) * room);
  const zero = xOf(0);
  const bars = points.map(({ at, value }, line) => {
    const y = top + HEAD + line * LINE;
    const here = Number.isFinite(value) ? xOf(value) : zero;
    const from = Math.min(zero, here);
    const bar = Number.isFinite(value)
      ? `<rect class="f${index % COLOURS}" x="${px(left + from)}" y="${px(y + (LINE - BAR) / 2)}" width="${px(Math.max(value === 0 ? 0 : 1, Math.abs(here - zero)))}" height="${BAR}"/>`
      : '';
    const title = options.hints ? `<title>${escaped(`${at}\n${name}: ${fullValue(value, column)}`)}</title>` : '';
    const number = `<text class="soft" x="${px(left + Math.max(zero, here) + 6)}" y="${px(y + LINE / 2 + 4)}">${escaped(numbers[line] ?? '')}</text>`;
    return `<g>${title}${bar}${number}</g>`;
  });
  const wall = `<line class="axis" x1="${px(left + zero)}" x2="${px(left + zero)}" y1="${px(top + HEAD)}" y2="${px(top + HEAD + numbers.length * LINE)}"/>`;
  const head = `<text class="name" x="${px(left)}" y="${px(top + 18)}">${escaped(fitted(name, columnWidth, 13))}</text>`;
  return [head, ...bars, wall].join('');
}

function rangeOf({ name, column = name }: Series<string>, all: readonly Series<string>[]): Pick<Column, 'low' | 'high'> {
  const measure = measureOf(column);
  const alike = all.filter((other) => measureOf(other.column ?? other.name) === measure);
  const [low, high] = extentOf(alike, [0, 0]);
  return { low, high };
}
