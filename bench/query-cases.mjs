// Every query that ships with every interval or tier it knows, and its hand-written and mechanical SQL for a layout.
import { existsSync, readFileSync } from 'node:fs';
import { BENCH_INSTANT, BENCH_PROJECT } from './generated-logs.mjs';
import { LAYOUTS } from './layouts.mjs';

/** `%bucket%`, `%step%` and `%window%` of hand-written SQL: somebody who writes for one interval writes that interval's. */
const stats = (interval, bucket, step, window) => ({
  query: 'functions.invocation-stats',
  label: interval,
  arguments: { project: BENCH_PROJECT, function_id: '', interval },
  words: { bucket, step, window },
});

const counts = (interval, bucket, window) => ({
  query: 'usage.api-counts',
  label: interval,
  arguments: { project: BENCH_PROJECT, interval },
  words: { bucket, window },
});

const newest = (tier, window) => ({
  query: 'logs.all',
  label: tier,
  arguments: { project: BENCH_PROJECT, project_tier: tier, iso_timestamp_start: '', iso_timestamp_end: '' },
  words: { window },
});

export const CASES = [
  stats('5min', 'toStartOfSecond', 'SECOND', '5 MINUTE'),
  stats('15min', 'toStartOfMinute', 'MINUTE', '15 MINUTE'),
  stats('1hr', 'toStartOfMinute', 'MINUTE', '1 HOUR'),
  stats('1day', 'toStartOfHour', 'HOUR', '1 DAY'),
  stats('7day', 'toStartOfDay', 'DAY', '7 DAY'),
  counts('minutely', 'toStartOfMinute', '60 MINUTE'),
  counts('hourly', 'toStartOfHour', '1 HOUR'),
  counts('daily', 'toStartOfDay', '7 DAY'),
  newest('FREE', '1 DAY'),
  newest('PRO', '7 DAY'),
  newest('ENTERPRISE', '90 DAY'),
];

/** What APPROX_QUANTILES(x, 100) is, element by element. */
const percentiles = Array.from({ length: 101 }, (_, k) => (k === 0 ? '0' : `${k / 100} - 1e-10`)).join(', ');

export const handwrittenSql = (shipped, layout) => readSql(shipped, 'handwritten', layout);
export const mechanicalSql = (shipped, layout) => readSql(shipped, 'mechanical', LAYOUTS[layout].mechanical ?? layout);

function readSql({ query, words }, folder, layout) {
  const file = new URL(`${folder}/${query}.${layout}.sql`, import.meta.url);
  if (!existsSync(file)) throw new Error(`there is no ${folder} SQL for ${query} on ${layout}`);
  return readFileSync(file, 'utf8').replace(/%(\w+)%/g, (_, word) => ({ ...words, percentiles })[word]);
}

/** Values of the query parameters, for any of the three. */
export const parametersOf = (shipped) => ({ ...shipped.arguments, quern_now: BENCH_INSTANT });
