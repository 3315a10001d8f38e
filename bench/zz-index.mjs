// Measures the speed of quern against its budgets, as ratios in one run: npm run bench [-- start-up uncached translation load export serve bigquery fairness hostile load-tables general functions cluster queries refresh]
import { parseArgs } from 'node:util';
import { bigQuery } from './zz-bigquery.mjs';
import { cluster } from './cluster.mjs';
import { exportRows } from './export.mjs';
import { fairness } from './fairness.mjs';
import { functions } from './functions.mjs';
import { general } from './general.mjs';
import { hostile } from './hostile.mjs';
import { LAYOUTS } from './layouts.mjs';
import { load } from './load.mjs';
import { loadTables } from './load-tables.mjs';
import { printBudgets } from './print-budgets.mjs';
import { queries } from './queries.mjs';
import { CASES } from './query-cases.mjs';
import { refresh } from './refresh.mjs';
import { serve } from './serve.mjs';
import { startUp } from './start-up.mjs';
import { translation } from './translation.mjs';
import { uncached } from './uncached.mjs';
import { openWorkspace } from './workspace.mjs';

/** Parts on a small store of their own; the others generate theirs. */
const SMALL_PARTS = {
  'start-up': startUp,
  uncached,
  translation,
  load,
  'load-tables': loadTables,
  export: exportRows,
  serve,
  bigquery: bigQuery,
  fairness,
  hostile,
};
const PARTS = [...Object.keys(SMALL_PARTS), 'general', 'functions', 'cluster', 'queries', 'refresh'];
const QUERIES = [...new Set(CASES.map(({ query }) => query))];

function wrong(message) {
  console.error(message);
  process.exit(2);
}

function oneOf(what, names, known) {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) wrong(`unknown ${what}: ${unknown.join(', ')}. Known are ${known.join(', ')}`);
  return names;
}

/** `10M`, `500k` or a number. */
function count(text) {
  const [, digits, unit] = /^(\d+)(k|M)?$/.exec(text) ?? wrong(`${text} is no number of rows: write 500k or 10M`);
  return Number(digits) * ({ k: 1e3, M: 1e6 }[unit] ?? 1);
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      allowNegative: true,
      options: {
        rows: { type: 'string', default: '10M' },
        layouts: { type: 'string', default: Object.keys(LAYOUTS).join(',') },
        queries: { type: 'string', default: QUERIES.join(',') },
        runs: { type: 'string', default: '11' },
        sets: { type: 'string', default: '0' },
        mechanical: { type: 'boolean', default: true },
        growth: { type: 'string' },
        data: { type: 'string' },
        'table-rows': { type: 'string', default: '1M' },
        shapes: { type: 'string' },
      },
    });
  } catch (error) {
    return wrong(error.message);
  }
}

const { values, positionals } = readOptions();
const wanted = oneOf('part', positionals.length === 0 ? PARTS : positionals, PARTS);
const queryOptions = {
  rows: count(values.rows),
  layouts: oneOf('layout', values.layouts.split(','), Object.keys(LAYOUTS)),
  wanted: oneOf('query', values.queries.split(','), QUERIES),
  runs: count(values.runs),
  sets: count(values.sets),
  mechanical: values.mechanical,
  growth: values.growth?.split(',').map(count),
  data: values.data,
};

const small = Object.entries(SMALL_PARTS).filter(([name]) => wanted.includes(name));
if (small.length > 0) {
  const workspace = await openWorkspace();
  try {
    const rows = [];
    for (const [, part] of small) rows.push(...(await part(workspace, count(values['table-rows']))));
    printBudgets(rows);
  } finally {
    workspace.close();
  }
}
const ofTables = { rows: count(values['table-rows']), runs: queryOptions.runs, only: values.shapes?.split(',') };
// The engine keeps threads that would keep the process.
const large = Object.entries({
  general: () => general(ofTables),
  functions: () => functions(ofTables),
  cluster: () => cluster({ ...queryOptions, ...ofTables }),
  queries,
  refresh,
}).filter(([name]) => wanted.includes(name));
let same = true;
for (const [, part] of large) same = (await part(queryOptions)) && same;
if (large.length > 0) process.exit(same ? 0 : 1);
