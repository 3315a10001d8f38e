// Processor time of single functions beside the nearest ones of ClickHouse, over the same columns, on one thread.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesFrom, translate } from '../dist/translate.js';
import { startClickHouse } from './clickhouse-server.mjs';
import { AGGREGATES, COLUMNS, EXPRESSIONS } from './function-cases.mjs';
import { measureInTurns } from './query-measures.mjs';
import { root } from './workspace.mjs';

/** Values are computed, and thrown away. What the engine compiles after some runs would be compared with what it has not compiled. */
const SETTINGS = { max_threads: 1, compile_expressions: 0, compile_aggregate_expressions: 0 };
const MOST = 3;
/** Those that must cost more, with the reason. */
const LISTED = {
  'CAST(f AS STRING)':
    'BigQuery writes 15 digits, or 17 where these are another number; ClickHouse writes as few as it can, and its printf alone costs 2.8 times',
};
const MEAN = 1.1;

/** True if all stay within their budgets; those that do not are listed. */
export async function functions({ rows, runs, only }) {
  const scratch = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  const path = join(scratch, 'data');
  mkdirSync(path);
  const server = await startClickHouse({ path, folder: scratch });
  try {
    const columns = Object.entries(COLUMNS);
    const create = `CREATE TABLE cells (${columns.map(([name, [type]]) => `${name} ${type}`).join(', ')}) ENGINE = MergeTree ORDER BY tuple()`;
    await server.query(create);
    await server.query(
      `INSERT INTO cells SELECT ${columns.map(([name, [, value]]) => `${value} AS ${name}`).join(', ')} FROM numbers(${rows})`,
    );
    await server.query('OPTIMIZE TABLE cells FINAL');
    return await measureAll(server, { sources: sourcesFrom(create), runs, only });
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measureAll(server, { sources, runs, only }) {
  const cases = [...EXPRESSIONS.map((pair) => [...pair, '']), ...AGGREGATES.map((pair) => [...pair, ' GROUP BY k'])].filter(
    ([name]) => only === undefined || only.some((word) => name.includes(word)),
  );
  const measured = [];
  for (const [bigquery, clickhouse, group] of cases) {
    const { sql, settings } = translate(`SELECT ${bigquery} AS x FROM cells${group}`, { sources });
    const { quern, hand } = await measureInTurns(
      server,
      {
        quern: { sql: overAll(sql), settings: { ...settings, ...SETTINGS } },
        hand: { sql: overAll(`SELECT ${clickhouse} AS x FROM cells${group}`), settings: SETTINGS },
      },
      runs,
    );
    const times = quern.cpuMs / hand.cpuMs;
    measured.push({ bigquery, times });
    console.log(
      `${times.toFixed(2).padStart(6)}  ${quern.cpuMs.toFixed(1).padStart(8)} ms ${hand.cpuMs.toFixed(1).padStart(8)} ms  ${bigquery}`,
    );
  }
  const mean = Math.exp(measured.reduce((sum, { times }) => sum + Math.log(times), 0) / measured.length);
  const above = measured.filter(({ bigquery, times }) => times > MOST && LISTED[bigquery] === undefined).map(({ bigquery }) => bigquery);
  console.log(
    `${measured.length} functions: ${mean.toFixed(2)} times ClickHouse's own (geometric mean; asked ${MEAN}); above ${MOST}: ${above.join(', ') || 'none'}`,
  );
  for (const [bigquery, reason] of Object.entries(LISTED)) console.log(`may cost more: ${bigquery}, since ${reason}`);
  return mean <= MEAN && above.length === 0;
}

const overAll = (sql) => `SELECT count() FROM (${sql}) WHERE NOT ignore(x)`;
