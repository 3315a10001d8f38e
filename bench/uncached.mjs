// The first run of a small query beside a bare process that opens the same store and runs the same SQL.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurns, processMs } from './measure.mjs';
import { importSource, root } from './workspace.mjs';

const ROUNDS = 9;
const BUDGET = 1.25;

const QUERIES = [
  ['usage.api-counts', { project: 'demo', interval: 'hourly' }],
  ['functions.invocation-stats', { project: 'demo', interval: '1hr', function_id: '' }],
];

export async function uncached({ quern, quernArgs, env, folder, store, instant }) {
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

const bareProcess = (sql, settings, parameters, data) => `import { Session } from 'chdb';
const session = new Session(${JSON.stringify(data)});
const set = (name, value) => session.queryAsync(\`SET \${name} = '\${value}'\`);
for (const [name, value] of Object.entries(${JSON.stringify(parameters)})) await set(\`param_\${name}\`, value);
for (const [name, value] of Object.entries(${JSON.stringify(settings)})) await set(name, value);
const result = await session.queryAsync(${JSON.stringify(sql)}, { format: 'JSONCompactEachRow' });
process.stdout.write(result.bytes());
process.exit(0);
`;
