// From rows to lines over time.
import { isNumber } from './exact-json.ts';
import { type Rows, secondsOf } from './rows.ts';
import { plainText } from './shown-text.ts';

interface Series {
  readonly label: string;
  /** One for each time; null where there is no row. */
  readonly values: readonly (number | null)[];
}

export interface TimeSeries {
  readonly timeName: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** How many more there would be. */
  readonly leftOut: number;
}

type NoChart = { readonly reason: string };

/** More lines than colours cannot be told apart. */
const MOST_SERIES = 8;

export function timeSeries({ columns, rows }: Rows): TimeSeries | NoChart {
  const time = columns.findIndex(({ kind }) => kind === 'time');
  const numbers = columns.flatMap(({ kind }, i) => (kind === 'number' ? [i] : []));
  if (rows.length === 0) return { reason: 'There are no rows to draw.' };
  if (time === -1) return { reason: 'A chart needs a column of times; these rows have none.' };
  if (numbers.length === 0) return { reason: 'A chart needs a column of numbers beside the times; these rows have none.' };

  const split = splitColumn({ columns, rows }, time);
  if (split === 'none') return { reason: 'Several rows have the same time, and no column of text tells them apart.' };
  const byTime = new Map<number, Map<string, number>>();
  const totals = new Map<string, number>();
  for (const row of rows) {
    const at = secondsOf(row[time] ?? null);
    if (at === null) continue;
    const values = byTime.get(at) ?? new Map<string, number>();
    byTime.set(at, values);
    for (const i of numbers) {
      const cell = row[i] ?? null;
      const label = labelOf(columns[i]?.name ?? '', split === undefined ? undefined : plainText(row[split] ?? null), numbers.length);
      if (!totals.has(label)) totals.set(label, 0);
      if (cell === null || !isNumber(cell)) continue;
      const value = Number(cell.number);
      values.set(label, value);
      totals.set(label, (totals.get(label) ?? 0) + Math.abs(value));
    }
  }
  const times = [...byTime.keys()].sort((a, b) => a - b);
  if (times.length < 2) return { reason: 'A chart needs rows of at least two different times.' };
  const chosen = new Set(
    [...totals]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_SERIES)
      .map(([label]) => label),
  );
  const labels = [...totals.keys()].filter((label) => chosen.has(label));
  return {
    timeName: columns[time]?.name ?? '',
    times,
    series: labels.map((label) => ({ label, values: times.map((at) => byTime.get(at)?.get(label) ?? null) })),
    leftOut: totals.size - labels.length,
  };
}

/** The column of text whose values tell rows of the same time apart, with as few of them as possible; undefined where none is needed. */
function splitColumn({ columns, rows }: Pick<Rows, 'columns' | 'rows'>, time: number): number | undefined | 'none' {
  const distinct = (textOf: (row: Rows['rows'][number]) => string) => new Set(rows.map(textOf)).size;
  const timeText = (row: Rows['rows'][number]) => plainText(row[time] ?? null);
  if (distinct(timeText) === rows.length) return undefined;
  const apart = columns
    .flatMap(({ kind }, i) => (kind === 'text' ? [i] : []))
    .filter((i) => distinct((row) => `${timeText(row)}\n${plainText(row[i] ?? null)}`) === rows.length)
    .map((i) => ({ i, parts: distinct((row) => plainText(row[i] ?? null)) }))
    .sort((a, b) => a.parts - b.parts);
  return apart[0]?.i ?? 'none';
}

function labelOf(column: string, part: string | undefined, numbers: number): string {
  if (part === undefined) return column;
  const name = part === '' ? '(none)' : part;
  return numbers === 1 ? name : `${name} · ${column}`;
}
