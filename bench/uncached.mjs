// The first run of a small query, and SQL over a file, beside a bare process that opens the same store, or none, and runs the same SQL.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurns, processMs } from './measure.mjs';
import { importSource, root } from './workspace.mjs';

const ROUNDS = 9;
const BUDGET = 1.25;
const FILE_BUDGET = 1.15;

const QUERIES = [
  ['usage.api-counts', { project: 'demo', interval: 'hourly' }],
  ['functions.invocation-stats', { project: 'demo', interval: '1hr', function_id: '' }],
];

export async function uncached(workspace, rows) {
  return [...(await ofStore(workspace)), ...overFile(workspace, rows)];
}

async function ofStore({ quern, quernArgs, env, folder, store, instant }) {
  const { SETTINGS } = (await importSource('sql/target/settings.ts', folder)).module;
  return QUERIES.map(([name, args]) => {
    const flags = Object.entries(args).flatMap(([key, value]) => [`--${key}`, value]);
    const explained = spawnSync(process.execPath, quernArgs('explain', name), { env, cwd: folder, encoding: 'utf8' });
    const bare = join(folder, `${name}.mjs`);
    writeFileSync(
      bare,
      bareProcess(explained.stdout, SETTINGS, { ...args, quern_now: instant.replace('T', ' ').replace('Z', '') }, join(store, 'data')),
    );
    const medians = inTurns(
      { ours: () => quern('run', name, ...flags, '--no-cache', '--as-of', instant), bare: () => processMs([bare], { env, cwd: root }) },
      ROUNDS,
    );
    return { what: `run ${name}, uncached`, ours: medians.ours, reference: medians.bare, than: 'bare chdb', budget: BUDGET };
  });
}

/** A text that ran before, and one that did not. */
function overFile({ quern, env, folder }, rows) {
  const [file, make, bare] = ['orders.parquet', 'make.mjs', 'bare.mjs'].map((name) => join(folder, name));
  const run = (script) => processMs([script], { env, cwd: root });
  const made = `SELECT number AS id, ['NG', 'TR', 'MA'][number % 3 + 1] AS country, number % 100000 / 100 AS total FROM numbers(${rows})`;
  writeFileSync(make, bareProcess(`INSERT INTO FUNCTION file('${file}', Parquet) ${made}`, {}, {}));
  run(make);
  const over = (from, more = 0) =>
    `select country, count(*) + ${more} as n, sum(total) as total from ${from} group by country order by country`;
  writeFileSync(bare, bareProcess(over(`file('${file}')`), {}, {}));
  const asked = over(`\`${file}\``);
  quern('query', asked);
  let calls = 0;
  const medians = inTurns(
    { again: () => quern('query', asked), first: () => quern('query', over(`\`${file}\``, ++calls)), bare: () => run(bare) },
    ROUNDS,
  );
  return [
    ['again', medians.again],
    ['a new text', medians.first],
  ].map(([what, ours]) => ({
    what: `query over a Parquet file of ${rows} rows, ${what}`,
    ours,
    reference: medians.bare,
    than: 'bare chdb',
    budget: FILE_BUDGET,
  }));
}

const bareProcess = (sql, settings, parameters, data) => `import { Session } from 'chdb';
const session = new Session(${data === undefined ? '' : JSON.stringify(data)});
const set = (name, value) => session.queryAsync(\`SET \${name} = '\${value}'\`);
for (const [name, value] of Object.entries(${JSON.stringify(parameters)})) await set(\`param_\${name}\`, value);
for (const [name, value] of Object.entries(${JSON.stringify(settings)})) await set(name, value);
const result = await session.queryAsync(${JSON.stringify(sql)}, { format: 'JSONCompactEachRow' });
process.stdout.write(result.bytes());
process.exit(0);
`;
