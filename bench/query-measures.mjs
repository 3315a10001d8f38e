// Runs SQL on a server and takes what it says of the run; and whether two results hold the same rows.
import { randomUUID } from 'node:crypto';
import { median } from './measure.mjs';

const WARM_RUNS = 2;
/** A case that takes longer than this has had runs enough, when they are at least three. */
const ENOUGH_MS = 15_000;
const FEWEST_RUNS = 3;
/** Above this, once is enough: what is compared is tens of times apart. */
const SLOW_MS = 500;

/** The condition cache would let all runs but the first skip what those of real life read. */
const SETTINGS = {
  default_format: 'JSONCompactEachRow',
  use_query_condition_cache: 0,
  // In steps of 64 KB instead of 4 MB for each thread: two runs of a query then have the same peak.
  max_untracked_memory: 65536,
  session_timezone: 'UTC',
  output_format_json_quote_64bit_integers: 0,
};

/** One run of `statement`: { sql, settings, parameters }. */
export async function runOnce(server, { sql, settings = {}, parameters = {} }) {
  const bound = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`param_${name}`, value]));
  const id = randomUUID();
  const { ms, text, summary } = await server.query(sql, { ...SETTINGS, ...settings, ...bound, query_id: id });
  return {
    id,
    ms,
    rowsRead: Number(summary.read_rows),
    bytesRead: Number(summary.read_bytes),
    memory: Number(summary.memory_usage),
    rows: text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  };
}

/** Medians of at most `runs` runs of each of `statements` (by name) in turns, so that what else the machine does hits all. */
export async function measureInTurns(server, statements, runs) {
  const taken = Object.fromEntries(Object.keys(statements).map((name) => [name, []]));
  const started = performance.now();
  for (let round = -WARM_RUNS; round < runs; round++) {
    if (round >= FEWEST_RUNS && performance.now() - started > ENOUGH_MS) break;
    const turn = Object.entries(statements);
    if (round % 2 === 0) turn.reverse();
    for (const [name, statement] of turn) {
      const run = await runOnce(server, statement);
      if (round >= 0) taken[name].push(run);
    }
  }
  const result = {};
  for (const [name, all] of Object.entries(taken)) result[name] = await medians(server, all);
  return result;
}

/** The same for one statement that may be slow. */
export async function measureSlow(server, statement) {
  const all = [await runOnce(server, statement)];
  if (all[0].ms < SLOW_MS) all.push(await runOnce(server, statement), await runOnce(server, statement));
  return medians(server, all);
}

async function medians(server, all) {
  const result = { cpuMs: await processorMs(server, all), rows: all.at(-1).rows };
  for (const of of ['ms', 'rowsRead', 'bytesRead', 'memory']) result[of] = median(all.map((run) => run[of]));
  return result;
}

/** On a machine that does other things too, the processors' time says more than the clock. */
async function processorMs(server, runs) {
  await server.query('SYSTEM FLUSH LOGS');
  const ids = runs.map(({ id }) => `'${id}'`).join(', ');
  const { text } = await server.query(
    `SELECT quantileExact(0.5)(ProfileEvents['UserTimeMicroseconds'] + ProfileEvents['SystemTimeMicroseconds'])
     FROM system.query_log WHERE type = 'QueryFinish' AND query_id IN (${ids})`,
  );
  return Number(text) / 1000;
}

/** Decoded rows as one text: fields of a record in the order of their names, since layouts keep them in different orders. */
export function canonical(rows) {
  return JSON.stringify(rows, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
