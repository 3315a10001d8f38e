// Chooses the columns of a chart: for its x axis, for its numbers, and for the names of its series.

import { columnNames } from '../../base/column-names.ts';
import { QuernError } from '../../base/errors.ts';
import type { QueryResult, ResultColumn, Row } from '../../base/result.ts';
import { positionOf } from '../columns.ts';
import type { ChartOptions } from '../format.ts';
import { isNested, isNumber } from '../value.ts';

/** Positions of columns. */
export interface ChartChoice {
  /** The column of times or labels; the rows' own order when undefined. */
  readonly x: number | undefined;
  readonly overTime: boolean;
  readonly y: readonly number[];
  /** Columns whose values together name a series. */
  readonly series: readonly number[];
}

const timeTypes: ReadonlySet<ResultColumn['type']['kind']> = new Set(['TIMESTAMP', 'DATETIME', 'DATE']);

/** Follows the options, and else takes the first column of times or else of labels, all numbers, and the labels that repeating times need. */
export function chooseChart({ columns, rows }: QueryResult, { kind, ...options }: ChartOptions): ChartChoice {
  const names = columnNames(columns);
  const named = (flag: string, name: string) => positionOf(name, names, flag);
  const typeAt = (at: number) => columns[at]?.type ?? { kind: 'STRING' as const };
  const isTime = (at: number) => timeTypes.has(typeAt(at).kind);
  const wanted = {
    x: options.x === undefined ? undefined : named('--chart-x', options.x),
    series: options.series === undefined ? undefined : named('--chart-series', options.series),
  };
  const all = columns.map((_, at) => at).filter((at) => at !== wanted.series);
  const numbers = all.filter((at) => isNumber(typeAt(at)) && at !== wanted.x);
  const y = options.y?.map((name) => numberNamed(named('--chart-y', name), names, columns)) ?? numbers;
  if (y.length === 0) {
    throw new QuernError('usage', 'this result has no column of numbers to draw', {
      hint: columns.length === 0 ? 'it has no columns' : 'use --format table, or count the rows: count(*) with GROUP BY',
    });
  }
  const labels = all.filter((at) => !isTime(at) && !isNumber(typeAt(at)) && !isNested(typeAt(at)) && !y.includes(at) && at !== wanted.x);
  const x = wanted.x ?? all.find((at) => isTime(at) && !y.includes(at)) ?? labels[0];
  const overTime = x !== undefined && isTime(x);
  if (kind === 'line' && !overTime) {
    throw new QuernError('usage', `--chart line: ${x === undefined ? 'this result has no column of times' : `${names[x]} has no times`}`, {
      hint: 'a line chart needs a TIMESTAMP, DATETIME or DATE column; use --chart bar',
    });
  }
  if (wanted.series !== undefined) return { x, overTime, y, series: [wanted.series] };
  const others = labels.filter((at) => at !== x);
  return { x, overTime, y, series: x !== undefined && overTime ? splitting(rows, x, others) : [] };
}

/** Returns as few labels as make the times of each series distinct; all where none do. */
function splitting(rows: readonly Row[], x: number, labels: readonly number[]): readonly number[] {
  for (let count = 0; count < labels.length; count++) {
    const key = [x, ...labels.slice(0, count)];
    if (new Set(rows.map((row) => JSON.stringify(key.map((at) => String(row[at]))))).size === rows.length) return labels.slice(0, count);
  }
  return labels;
}

function numberNamed(at: number, names: readonly string[], columns: readonly ResultColumn[]): number {
  const type = columns[at]?.type ?? { kind: 'STRING' as const };
  if (isNumber(type)) return at;
  throw new QuernError('usage', `--chart-y: ${names[at]} is of type ${type.kind}, not a number`, {
    hint: 'choose an INT64, FLOAT64, NUMERIC or BIGNUMERIC column',
  });
}
