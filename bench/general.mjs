// quern's SQL for queries of other people's shapes, beside hand-written SQL for the same rows: processor time, memory, and whether the rows are the same.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sourcesFrom, translate } from '../dist/translate.js';
import { startClickHouse } from './clickhouse-server.mjs';
import { CASES } from './general-cases.mjs';
import { generalTables } from './general-tables.mjs';
import { measureInTurns } from './query-measures.mjs';
import { root } from './workspace.mjs';

/** Values that JSON numbers would cut are texts. */
const EXACT = { output_format_json_quote_decimals: 1, output_format_json_quote_64bit_integers: 1 };
const WIDTHS = { manner: 7, name: 30 };

/** True if all results are the same. */
export async function general({ rows, runs, only }) {
  const scratch = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  const path = join(scratch, 'data');
  mkdirSync(path);
  const server = await startClickHouse({ path, folder: scratch });
  try {
    const tables = generalTables(rows);
    for (const { create, fill } of tables) {
      await server.query(create);
      await server.query(fill);
      await server.query(`OPTIMIZE TABLE ${/^CREATE TABLE (\w+)/.exec(create)[1]} FINAL`);
    }
    const sources = sourcesFrom(tables.map(({ create }) => create).join(';\n'));
    const cases = CASES.filter(({ name }) => only === undefined || only.some((word) => name.includes(word)));
    return await measureAll(server, { cases, sources, runs });
  } finally {
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function measureAll(server, { cases, sources, runs }) {
  console.log(`${''.padEnd(WIDTHS.manner + WIDTHS.name + 1)}    CPU ms     hand  ratio   MB memory     hand  ratio   read  rows`);
  const measured = [];
  for (const { manner, name, bigquery, clickhouse } of cases) {
    const { sql, settings } = translate(bigquery, { sources });
    const { quern, hand } = await measureInTurns(
      server,
      { quern: { sql, settings: { ...settings, ...EXACT } }, hand: { sql: clickhouse, settings: EXACT } },
      runs,
    );
    const [ours, theirs] = [quern, hand].map((run) => JSON.stringify(run.rows.map((row) => row.map(shown))));
    const same = ours === theirs;
    const one = { manner, cpu: quern.cpuMs / hand.cpuMs, memory: quern.memory / hand.memory, read: quern.rowsRead / hand.rowsRead, same };
    measured.push(one);
    console.log(
      `${manner.padEnd(WIDTHS.manner)} ${name.padEnd(WIDTHS.name)} ${quern.cpuMs.toFixed(1).padStart(8)} ${hand.cpuMs.toFixed(1).padStart(8)} ${times(one.cpu)} ` +
        `${mega(quern.memory).padStart(11)} ${mega(hand.memory)} ${times(one.memory)} ${times(one.read)}  ${same ? 'same' : 'DIFFERENT'}`,
    );
    if (!same) console.log(`  quern: ${ours.slice(0, 300)}\n  hand:  ${theirs.slice(0, 300)}`);
  }
  for (const manner of [...new Set(measured.map((one) => one.manner)), undefined]) {
    const those = measured.filter((one) => manner === undefined || one.manner === manner);
    console.log(
      `${manner ?? 'all'}: ${times(mean(those, 'cpu'))} times the processor time, ${times(mean(those, 'memory'))} times the memory (geometric means)`,
    );
  }
  return measured.every(({ same }) => same);
}

const mean = (all, of) => Math.exp(all.reduce((sum, one) => sum + Math.log(one[of]), 0) / all.length);
const times = (value) => value.toFixed(2).padStart(6);
const mega = (value) => (value / 1e6).toFixed(1).padStart(8);

/** Numbers and times without the zeros that a wider type adds, and floats without the digits that depend on the order of a sum. */
function shown(value) {
  if (typeof value === 'number') return String(Number(value.toPrecision(12)));
  return typeof value === 'string' ? value.replace(/(:\d\d)\.0+$/, '$1') : value;
}
