// Which results are time series: a time in the first column, numbers behind it, and at most one row of each series for a time.
import { isNumber } from './exact-json.ts';
import type { Rows } from './rows.ts';
import { plainText } from './shown-text.ts';

/** Rows of one moment draw no line. */
const LEAST_TIMES = 3;
/** More labels than a chart can tell apart are a table. */
const MOST_SERIES = 12;

export function isTimeSeries({ columns, rows }: Pick<Rows, 'columns' | 'rows'>): boolean {
  if (columns[0]?.kind !== 'time' || !columns.some(({ kind }) => kind === 'number')) return false;
  const labels = columns.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []));
  if (columns.some(({ kind }) => kind === 'other') || labels.length > 2) return false;
  const [places, times, series] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const row of rows) {
    const time = plainText(row[0] ?? null);
    const label = labels.map((at) => plainText(row[at] ?? null)).join('\n');
    times.add(time);
    series.add(label);
    places.add(`${time}\n${label}`);
    if (series.size > MOST_SERIES) return false;
  }
  const hasNumbers = rows.some((row) => row.some((cell) => cell !== null && isNumber(cell)));
  return hasNumbers && times.size >= LEAST_TIMES && places.size === rows.length;
}
