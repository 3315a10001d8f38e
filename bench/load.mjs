// Loading NDJSON beside the engine's own insert of the same file into a table of the same shape.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurns, processMs } from './measure.mjs';
import { root } from './workspace.mjs';

const ROUNDS = 5;
const COPIES = 6;
/** 0.8 of the engine's speed. */
const BUDGET = 1 / 0.8;

export function load({ quernArgs, env, folder, store, files }) {
  const file = join(folder, 'large.ndjson');
  writeFileSync(file, readFileSync(files.edge_logs, 'utf8').repeat(COPIES));
  const create = createStatement(join(store, 'data'), env);
  const bare = join(folder, 'insert.mjs');
  writeFileSync(bare, insertProcess(join(folder, 'bare'), create, file));
  const fresh = join(folder, 'fresh');
  const medians = inTurns(
    {
      ours: () => {
        rmSync(fresh, { recursive: true, force: true });
        return processMs([quernArgs()[0], '--store', fresh, 'load', 'edge_logs', file], { env, cwd: folder });
      },
      bare: () => {
        rmSync(join(folder, 'bare'), { recursive: true, force: true });
        return processMs([bare], { env, cwd: root });
      },
    },
    ROUNDS,
  );
  return [
    { what: `load ${COPIES * 50}k events of NDJSON`, ours: medians.ours, reference: medians.bare, than: 'own insert', budget: BUDGET },
  ];
}

function createStatement(data, env) {
  const script = `import { Session } from 'chdb';
    const result = await new Session(${JSON.stringify(data)}).queryAsync('SHOW CREATE TABLE quern.edge_logs', { format: 'TSVRaw' });
    process.stdout.write(result.bytes());
    process.exit(0);`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, cwd: root, encoding: 'utf8' }).stdout;
}

const insertProcess = (data, create, file) => `import { Session } from 'chdb';
const session = new Session(${JSON.stringify(data)});
await session.queryAsync('CREATE DATABASE quern');
await session.queryAsync(${JSON.stringify(create)});
await session.queryAsync(${JSON.stringify(
  `INSERT INTO quern.edge_logs (id, timestamp, project, event_message, metadata) SELECT id, timestamp, project, event_message, metadata FROM file('${file}', 'JSONEachRow', 'id String, timestamp DateTime64(6, \\'UTC\\'), project String, event_message String, metadata JSON') SETTINGS date_time_input_format = 'best_effort', max_partitions_per_insert_block = 0`,
)});
process.exit(0);
`;
