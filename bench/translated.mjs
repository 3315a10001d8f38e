// quern's SQL against hand-written SQL, in one process and in turns, on an embedded store that bench/generate-logs.mjs filled.
// node bench/translated.mjs STORE [RUNS]: prints time, memory and rows read of each query and interval, and the ratios.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openQuern } from '../dist/index.js';
import { BENCH_INSTANT, BENCH_PROJECT } from './generate-logs.mjs';

const { Session } = createRequire(import.meta.url)('chdb');
const [store, runs = '9'] = process.argv.slice(2);
if (store === undefined) {
  console.error('usage: node bench/translated.mjs STORE [RUNS]');
  process.exit(2);
}

const stats = (interval, bucket, step, window) => ({
  query: 'functions.invocation-stats',
  label: interval,
  arguments: { interval },
  bucket,
  step,
  window,
});
const counts = (interval, bucket, window) => ({
  query: 'usage.api-counts',
  label: interval,
  arguments: { interval },
  bucket,
  step: '',
  window,
});
const CASES = [
  stats('5min', 'toStartOfSecond', 'SECOND', '5 MINUTE'),
  stats('15min', 'toStartOfMinute', 'MINUTE', '15 MINUTE'),
  stats('1hr', 'toStartOfMinute', 'MINUTE', '1 HOUR'),
  stats('1day', 'toStartOfHour', 'HOUR', '1 DAY'),
  stats('7day', 'toStartOfDay', 'DAY', '7 DAY'),
  counts('minutely', 'toStartOfMinute', '60 MINUTE'),
  counts('hourly', 'toStartOfHour', '1 HOUR'),
  counts('daily', 'toStartOfDay', '7 DAY'),
  ...[
    ['FREE', '1 DAY'],
    ['PRO', '7 DAY'],
    ['ENTERPRISE', '90 DAY'],
  ].map(([tier, window]) => ({ query: 'logs.all', label: tier, arguments: { project_tier: tier }, bucket: '', step: '', window })),
];

const quern = openQuern({ store });
const explained = [];
for (const c of CASES) explained.push(await quern.explain(c.query, { project: BENCH_PROJECT, ...c.arguments }));
await quern.close();

const session = new Session(`${store}/data`);
const literal = (v) => (v === null ? "'\\\\N'" : `'${String(v).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`);
async function run(sql, parameters, settings) {
  for (const [name, value] of Object.entries(parameters)) await session.queryAsync(`SET param_${name} = ${literal(value)}`);
  const set = Object.entries({ ...settings, use_query_condition_cache: 0 }).map(
    ([k, v]) => `${k} = ${typeof v === 'number' ? v : literal(v)}`,
  );
  const started = process.hrtime.bigint();
  const result = await session.queryAsync(`SELECT * FROM (${sql}) SETTINGS ${set.join(', ')}`, { format: 'JSONCompactEachRow' });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  return { ms, rows: Buffer.from(result.bytes()).toString() };
}
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

console.log('query                        interval     quern ms    hand ms   ratio');
for (const [i, c] of CASES.entries()) {
  const template = readFileSync(new URL(`handwritten/${c.query}.sql`, import.meta.url), 'utf8');
  const hand = template.replaceAll('%bucket%', c.bucket).replaceAll('%step%', c.step).replaceAll('%window%', c.window);
  const { sql, settings } = explained[i];
  const parameters = {
    quern_now: BENCH_INSTANT,
    project: BENCH_PROJECT,
    interval: null,
    function_id: null,
    project_tier: null,
    iso_timestamp_start: null,
    iso_timestamp_end: null,
    ...c.arguments,
  };
  const times = { quern: [], hand: [] };
  let answers;
  for (let n = 0; n < Number(runs) + 2; n++) {
    const a = await run(sql, parameters, settings);
    const b = await run(hand, parameters, {});
    if (n >= 2) {
      times.quern.push(a.ms);
      times.hand.push(b.ms);
    }
    answers = [a.rows, b.rows];
  }
  const [q, h] = [median(times.quern), median(times.hand)];
  const count = (text) => text.trim().split('\n').length;
  console.log(
    `${c.query.padEnd(28)} ${c.label.padEnd(10)} ${q.toFixed(1).padStart(10)} ${h.toFixed(1).padStart(10)} ${(q / h).toFixed(2).padStart(7)}   rows ${count(answers[0])}/${count(answers[1])}`,
  );
}
process.exit(0);
