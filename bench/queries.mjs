// quern's SQL for each shipped query, interval and layout of metadata, beside hand-written SQL and what a translator without rewrites
// would print: time, rows and bytes read, peak memory, and whether all three give the same rows.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openQuern } from '../dist/index.js';
import { startClickHouse } from './clickhouse-server.mjs';
import { dataFolder, prepareData } from './data.mjs';
import { BENCH_INSTANT } from './generated-logs.mjs';
import { CASES, handwrittenSql, mechanicalSql, parametersOf } from './query-cases.mjs';
import { canonical, measureInTurns, measureSlow } from './query-measures.mjs';
import { header, missedBudgets, resultLine } from './query-table.mjs';
import { importSource, leaveSettings, root } from './workspace.mjs';

const say = (text) => console.error(text);

/** True when all results are the same; budgets that are missed are printed, not failed for, since they depend on the machine. */
export async function queries(options) {
  const scratch = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  leaveSettings(scratch);
  try {
    return options.growth === undefined ? await oneSize(options, scratch) : await growth(options, scratch);
  } finally {
    process.chdir(root);
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function oneSize({ rows, layouts, wanted, runs, mechanical, data }, scratch) {
  const folder = data ?? dataFolder(rows);
  const cases = CASES.filter(({ query }) => wanted.includes(query));
  console.log(`${rows} edge requests, ${rows / 2} function calls; medians of up to ${runs} runs in turns; ${folder}`);
  console.log(header());
  const met = { ms: 0, cpuMs: 0 };
  let different = 0;
  await measureAll({ folder, rows, layouts, cases, runs, mechanical, scratch }, (measured) => {
    console.log(resultLine(measured));
    for (const problem of measured.same) console.log(`  ${problem}`);
    for (const clock of Object.keys(met)) met[clock] += missedBudgets(measured.layout, measured, clock).length === 0 ? 1 : 0;
    different += measured.same.length > 0 ? 1 : 0;
  });
  const count = cases.length * layouts.length;
  console.log(
    `Of ${count}, ${count - different} give the same rows, ${met.ms} are within the budget, ${met.cpuMs} by the processors' time.`,
  );
  return different === 0;
}

/** A line for each case: how its time grows with the number of rows. */
async function growth({ growth: sizes, layouts, wanted, runs }, scratch) {
  const cases = CASES.filter(({ query }) => wanted.includes(query));
  const cells = new Map();
  let same = true;
  for (const rows of sizes) {
    await measureAll({ folder: dataFolder(rows), rows, layouts, cases, runs, mechanical: false, scratch }, (measured) => {
      const name = `${measured.layout.padEnd(12)} ${measured.shipped.query.padEnd(26)} ${measured.shipped.label.padEnd(10)}`;
      const cell = `${measured.quern.ms.toFixed(1)} (${measured.hand.ms.toFixed(1)})`;
      cells.set(name, [...(cells.get(name) ?? []), cell]);
      same &&= measured.same.length === 0;
      say(`${name} ${rows}: ${cell}`);
    });
  }
  console.log(`milliseconds of quern's SQL (of hand-written SQL); medians of ${runs} runs in turns`);
  console.log(`${' '.repeat(50)} ${sizes.map((rows) => `${rows / 1e6}M`.padStart(16)).join(' ')}`);
  for (const [name, row] of cells) console.log(`${name} ${row.map((cell) => cell.padStart(16)).join(' ')}`);
  return same;
}

async function measureAll({ folder, rows, layouts, cases, runs, mechanical, scratch }, onMeasured) {
  const { store, project } = await prepareData({ folder, rows, layouts, scratch, say });
  const { decodeRows } = (await importSource('execution/decode.ts', scratch)).module;
  const answers = [];
  for (const layout of layouts) {
    for (const answer of await askQuern({ store, folder: project(layout), cases, scratch })) answers.push({ layout, ...answer });
  }
  const server = await startClickHouse({ path: join(store, 'data'), folder: scratch });
  try {
    for (const { layout, shipped, prepared, answer } of answers) {
      const parameters = parametersOf(shipped);
      const { quern, hand } = await measureInTurns(
        server,
        { quern: { ...prepared, parameters }, hand: { sql: handwrittenSql(shipped, layout), parameters } },
        runs,
      );
      const slow = mechanical ? await measureSlow(server, { sql: mechanicalSql(shipped, layout), parameters }) : undefined;
      const expected = canonical(answer.rows);
      const differs = (run) => run !== undefined && canonical(decodeRows(answer.columns, { rows: run.rows })) !== expected;
      const same = Object.entries({ "quern's SQL on the server": quern, 'the hand-written SQL': hand, 'the mechanical SQL': slow })
        .filter(([, run]) => differs(run))
        .map(([name, run]) => difference(name, canonical(decodeRows(answer.columns, { rows: run.rows })), expected));
      onMeasured({ layout, shipped, rows: answer.rows.length, quern, hand, mechanical: slow, same });
    }
  } finally {
    await server.stop();
  }
}

/** quern's own answers in a project's folder, as a user gets them, and the SQL they come from. */
async function askQuern({ store, folder, cases, scratch }) {
  process.chdir(folder);
  const client = openQuern({ store, cacheDir: join(scratch, 'cache'), timeout: '10m' });
  try {
    const answers = [];
    for (const shipped of cases) {
      const { sql, settings } = await client.explain(shipped.query, shipped.arguments);
      const asOf = `${BENCH_INSTANT.replace(' ', 'T')}Z`;
      const answer = await client.run(shipped.query, shipped.arguments, { cache: 'none', asOf });
      answers.push({ shipped, prepared: { sql, settings }, answer });
    }
    return answers;
  } finally {
    await client.close();
  }
}

/** Where two texts part, with what stands there. */
function difference(name, text, expected) {
  let at = 0;
  while (at < text.length && text[at] === expected[at]) at++;
  const around = (of) => of.slice(Math.max(0, at - 60), at + 60);
  return `${name} gives ${around(text)} where quern gives ${around(expected)}`;
}
