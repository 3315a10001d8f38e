// The query that GAP_FILL stands for, over `input`, which has the columns ts, p0, p1, … (partitions) and v0, v1, … (values).

export interface FilledColumn {
  readonly method: 'null' | 'locf' | 'linear';
  readonly type: string;
  /** True of a type without an order. */
  readonly nested: boolean;
}

export interface Series {
  readonly kind: 'DATE' | 'DATETIME' | 'TIMESTAMP';
  readonly width: string;
  /** True if the variable `origin` says where buckets begin. */
  readonly origin: boolean;
  readonly partitions: number;
  readonly columns: readonly FilledColumn[];
  readonly ignoreNulls: boolean;
}

/**
 * Writes the query. Each observation makes the buckets that begin from its time until the next one: it is the last observation of all of them. Rows of one
 * time are one observation first; where they differ, none of them is the right one.
 */
export function seriesText(series: Series): string {
  const { kind, width, origin, columns, ignoreNulls } = series;
  const partitions = Array.from({ length: series.partitions }, (_, i) => `p${i}`);
  const listed = partitions.map((p) => `${p}, `).join('');
  const bucket = (time: string): string => `${kind}_BUCKET(${time}, ${width}${origin ? ', origin' : ''})`;
  const observed = columns.map((column, i) => `${observedValue(`v${i}`, column, ignoreNulls)} AS v${i}`);
  const around = columns.flatMap((column, i) => windowsOf(i, column, ignoreNulls));
  const steps = ['*', 'LEAD(ts) OVER t AS until', ...around];
  const filled = columns.map((column, i) => `${filledValue(i, column, kind, ignoreNulls)} AS v${i}`);
  const { series: times, time } = timesOf(kind, width, bucket('ts'), bucket('IFNULL(until, ts)'));
  const by = partitions.length === 0 ? '' : `PARTITION BY ${partitions.join(', ')} `;
  return `
WITH observed AS (SELECT ${[...partitions, 'ts', ...observed].join(', ')} FROM input WHERE ts IS NOT NULL GROUP BY ${listed}ts),
steps AS (SELECT ${steps.join(', ')} FROM observed
  WINDOW t AS (${by}ORDER BY ts), past AS (t ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), future AS (t ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)),
wanted AS (SELECT steps.*, ${time} AS t FROM steps, UNNEST(${times}) AS b)
SELECT ${['t', ...partitions, ...filled].join(', ')} FROM wanted WHERE t >= ts AND (until IS NULL OR t < until)`;
}

/** Writes the one value of all rows of a time. */
function observedValue(v: string, { method, nested }: FilledColumn, ignoreNulls: boolean): string {
  const same = nested ? `COUNT(DISTINCT TO_JSON_STRING(${v})) <= 1` : `MIN(${v}) IS NOT DISTINCT FROM MAX(${v})`;
  const complete = ignoreNulls && method !== 'null' ? '' : ` AND COUNT(${v}) IN (0, COUNT(*))`;
  return `IF(${same}${complete}, ${nested ? 'ANY_VALUE' : 'MIN'}(${v}), ERROR("${DIFFERENT}"))`;
}

const DIFFERENT = 'GAP_FILL found different values for the same time: aggregate them first, with GROUP BY';

/** Writes the values of the observations around the one that makes a bucket. */
function windowsOf(i: number, { method }: FilledColumn, ignoreNulls: boolean): readonly string[] {
  const v = `v${i}`;
  if (method === 'locf') return ignoreNulls ? [`LAST_VALUE(${v} IGNORE NULLS) OVER past AS last${i}`] : [];
  if (method !== 'linear') return [];
  if (!ignoreNulls) return [`LEAD(${v}) OVER t AS next${i}`];
  const at = `IF(${v} IS NULL, NULL, ts)`;
  return [
    `LAST_VALUE(${v} IGNORE NULLS) OVER past AS last${i}`,
    `LAST_VALUE(${at} IGNORE NULLS) OVER past AS since${i}`,
    `FIRST_VALUE(${v} IGNORE NULLS) OVER future AS next${i}`,
    `FIRST_VALUE(${at} IGNORE NULLS) OVER future AS until${i}`,
  ];
}

function filledValue(i: number, { method, type }: FilledColumn, kind: Series['kind'], ignoreNulls: boolean): string {
  if (method === 'null') return `IF(t = ts, v${i}, NULL)`;
  const [last, since, next, until] = ignoreNulls
    ? [`last${i}`, `since${i}`, `next${i}`, `until${i}`]
    : [`v${i}`, 'ts', `next${i}`, 'until'];
  if (method === 'locf') return last;
  const between = (end: string): string => `${kind}_DIFF(${end}, ${since}, ${kind === 'DATE' ? 'DAY' : 'MICROSECOND'})`;
  // Values between whole numbers are computed as FLOAT64 and rounded.
  const number = type === 'INT64' ? 'FLOAT64' : type;
  const risen = `(CAST(${next} AS ${number}) - ${last}) * CAST(${between('t')} AS ${number}) / CAST(${between(until)} AS ${number})`;
  return `IF(t = ${since}, ${last}, CAST(${last} + ${risen} AS ${type}))`;
}

/** Writes the buckets from `first` to `last`, and the time of one of them, called `b`. */
function timesOf(kind: Series['kind'], width: string, first: string, last: string): { readonly series: string; readonly time: string } {
  if (kind === 'DATE') return { series: `GENERATE_DATE_ARRAY(${first}, ${last}, ${width})`, time: 'b' };
  if (kind === 'TIMESTAMP') return { series: `GENERATE_TIMESTAMP_ARRAY(${first}, ${last}, ${width})`, time: 'b' };
  if (width.endsWith('MONTH')) return { series: `GENERATE_DATE_ARRAY(DATE(${first}), DATE(${last}), ${width})`, time: 'DATETIME(b)' };
  return { series: `GENERATE_TIMESTAMP_ARRAY(TIMESTAMP(${first}), TIMESTAMP(${last}), ${width})`, time: 'DATETIME(b)' };
}
