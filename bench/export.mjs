// Exporting five million log rows beside the engine's own INTO OUTFILE of the same SELECT, each a whole process: time, and peak memory.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openQuern } from '../dist/index.js';
import { inTurns, median } from './measure.mjs';
import { root } from './workspace.mjs';

const ROUNDS = 3;
const ROWS = 5e6;
/** 0.85 of the engine's speed. */
const BUDGET = 1 / 0.85;
const BUDGET_MB = 150;
const FORMATS = { ndjson: 'JSONEachRow', csv: 'CSVWithNames', parquet: 'Parquet' };

const QUERY = `/*---
id: 3b0f5c2e-6d0a-4b63-9a55-5f0e7d1c2a44
max_rows: ${ROWS * 2}
---*/
select t.id, t.timestamp, t.project, t.event_message, request.method, request.path, response.status_code, response.origin_time
from edge_logs as t
cross join unnest(t.metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
`;

export async function exportRows({ quernArgs, env, folder, store }) {
  const large = join(folder, 'export-store');
  cpSync(store, large, { recursive: true });
  const file = join(folder, 'export.sql');
  writeFileSync(file, QUERY);
  const quern = openQuern({ store: large, cacheDir: join(folder, 'cache') });
  const { sql, settings } = await quern.explain(file);
  await quern.close();
  const data = join(large, 'data');
  bareProcess(multiply(data), env);
  const out = (name) => join(folder, `export-${name}`);
  const memory = {};
  const runs = Object.entries(FORMATS).flatMap(([format, name]) => [
    [
      `quern ${format}`,
      () => {
        rmSync(out(format), { force: true });
        const args = [quernArgs()[0], '--store', large, '--timeout', '10m', 'run', file, '--format', format, '-o', out(format), '--stats'];
        const { ms, stderr } = timed(args, { env, cwd: folder });
        keep(memory, `quern ${format}`, Number(/(\d+) MB at most/.exec(stderr)[1]));
        return ms;
      },
    ],
    [
      `engine ${format}`,
      () => {
        rmSync(out('bare'), { force: true });
        const { ms, stderr } = bareProcess(outfile({ data, sql, settings, file: out('bare'), format: name }), env);
        keep(memory, `engine ${format}`, Number(stderr) / 1e6);
        return ms;
      },
    ],
  ]);
  const medians = inTurns(Object.fromEntries(runs), ROUNDS);
  const million = `${ROWS / 1e6}M rows`;
  return Object.keys(FORMATS).flatMap((format) => [
    {
      what: `export ${million} as ${format}, ${Math.round(statSync(out(format)).size / 1e6)} MB`,
      ours: medians[`quern ${format}`],
      reference: medians[`engine ${format}`],
      than: 'INTO OUTFILE',
      budget: BUDGET,
    },
    {
      what: `memory above that of INTO OUTFILE, ${format}`,
      ours: median(memory[`quern ${format}`]) - median(memory[`engine ${format}`]),
      unit: 'MB',
      budgetMs: BUDGET_MB,
    },
  ]);
}

function keep(memory, name, megabytes) {
  memory[name] = [...(memory[name] ?? []), megabytes];
}

function timed(args, options) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', ...options });
  if (status !== 0) throw new Error(`node ${args.join(' ').slice(0, 200)} failed: ${stderr}`);
  return { ms: performance.now() - start, stderr };
}

const bareProcess = (script, env) => timed(['--input-type=module', '-e', script], { env, cwd: root });

/** Fills the table up to the rows wanted with copies of its own, each at another time. */
const multiply = (data) => `import { Session } from 'chdb';
const session = new Session(${JSON.stringify(data)});
const [count] = JSON.parse((await session.queryAsync('SELECT count() FROM quern.edge_logs', { format: 'JSONCompactEachRow' })).text());
const copies = Math.ceil(${ROWS} / Number(count));
await session.queryAsync(\`INSERT INTO quern.edge_logs SELECT * EXCEPT (copy) REPLACE (timestamp + toIntervalMillisecond(copy) AS timestamp) FROM quern.edge_logs
  CROSS JOIN (SELECT number + 1 AS copy FROM numbers(\${copies - 1})) AS copies LIMIT \${${ROWS} - Number(count)} SETTINGS max_partitions_per_insert_block = 0\`);
await session.queryAsync('OPTIMIZE TABLE quern.edge_logs FINAL');
process.exit(0);
`;

const outfile = ({ data, sql, settings, file, format }) => `import { Session } from 'chdb';
const session = new Session(${JSON.stringify(data)});
const settings = ${JSON.stringify(settings)};
const set = Object.entries(settings).map(([name, value]) => name + ' = ' + (typeof value === 'number' ? value : "'" + value + "'"));
await session.queryAsync('SET ' + set.join(', '));
await session.queryAsync(${JSON.stringify(`${sql}\nINTO OUTFILE '${file}' FORMAT ${format}`)});
process.stderr.write(String(process.resourceUsage().maxRSS * 1024));
process.exit(0);
`;
