// Loading files into tables of the user's own beside the engine's own insert of the same file into a table of the same columns and key: whole
// processes, each with a new store, in turns: processor time, since a load is rarely alone on a machine, and time by the clock.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

const ROUNDS = 3;
/** 0.8 of the engine's speed. */
const BUDGET = 1 / 0.8;
const FORMATS = { csv: 'CSVWithNames', ndjson: 'JSONEachRow', parquet: 'Parquet' };
const ROWS =
  "toInt64(number) AS id, toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalMillisecond(number * 800) AS created, " +
  "'customer-' || toString(cityHash64(number) % 10000) AS customer, " +
  "['paid', 'open', 'cancelled', 'returned', 'shipped'][1 + number % 5] AS status, " +
  'round((cityHash64(number, 1) % 100000) / 100, 2) AS total, toInt64(1 + cityHash64(number, 2) % 9) AS items, hex(sipHash128(number)) AS reference';
const NAMES = 'id, created, customer, status, total, items, reference';
const USAGE = /USAGE (\d+) ([\d.]+)/;
const HOOK = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process._rawDebug('USAGE '+(user+system)+' '+performance.now())})`;

export function loadTables({ quernArgs, env, folder }, rows) {
  const run = (args) => {
    const { status, stderr } = spawnSync(process.execPath, ['--import', HOOK, ...args], { env, cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${args.join(' ').slice(0, 200)} failed: ${stderr}`);
    const [, cpu, clock] = USAGE.exec(stderr);
    return { cpu: Number(cpu) / 1000, clock: Number(clock) };
  };
  const engine = (name, data, statements) => {
    const script = join(folder, name);
    const asked = statements.map(
      (sql) => `process.stdout.write((await session.queryAsync(${JSON.stringify(sql)}, { format: 'TSVRaw' })).bytes());`,
    );
    writeFileSync(
      script,
      `import { createRequire } from 'node:module';\nconst { Session } = createRequire(${JSON.stringify(join(root, 'package.json'))})('chdb');\n` +
        `const session = new Session(${JSON.stringify(data)});\n${asked.join('\n')}\nprocess.exit(0);\n`,
    );
    return script;
  };
  const [ours, bare] = [join(folder, 'tables'), join(folder, 'inserted')];
  return Object.entries(FORMATS).flatMap(([ending, format]) => {
    const file = join(folder, `orders.${ending}`);
    run([
      engine('make.mjs', join(folder, 'making'), [
        `SELECT ${ROWS} FROM numbers(${rows}) INTO OUTFILE '${file}' TRUNCATE FORMAT ${format} SETTINGS date_time_output_format = 'iso'`,
      ]),
    ]);
    const times = { ours: [], bare: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const made of [ours, bare]) rmSync(made, { recursive: true, force: true });
      times.ours.push(run([quernArgs()[0], '--store', ours, 'load', 'orders', file]));
      times.bare.push(run([insertScript(engine, bare, ours, file)]));
    }
    rmSync(file);
    const least = (of, measure) => Math.min(...of.map((each) => each[measure]));
    return Object.entries({ cpu: 'processor time', clock: 'by the clock' }).map(([measure, name]) => ({
      what: `load ${rows / 1e6}M rows of ${ending}, ${name}`,
      ours: least(times.ours, measure),
      reference: least(times.bare, measure),
      than: 'own insert',
      budget: BUDGET,
    }));
  });
}

/** Into the very table that quern has made. */
function insertScript(engine, data, store, file) {
  const asked = engine('show.mjs', join(store, 'data'), ["SELECT create_table_query FROM system.tables WHERE name = 'orders'"]);
  const create = spawnSync(process.execPath, [asked], { encoding: 'utf8' }).stdout.trim();
  const [, database] = /^CREATE TABLE (\w+)\./.exec(create);
  return engine('insert.mjs', data, [
    `CREATE DATABASE ${database}`,
    create,
    `INSERT INTO ${database}.orders (${NAMES}, _quern_load) SELECT ${NAMES}, 1 FROM file('${file}') SETTINGS date_time_input_format = 'best_effort'`,
  ]);
}
