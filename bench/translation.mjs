// How long the built translator takes for each query that ships: once it is warm, and as the first thing a process does.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median } from './measure.mjs';
import { importSource, root } from './workspace.mjs';

const WARM_RUNS = 400;
const PROCESSES = 9;
const WARM_MS = 2;
const FIRST_MS = 15;

const QUERIES = {
  'functions.invocation-stats': ['project', 'function_id', 'interval'],
  'logs.all': ['project', 'project_tier', 'iso_timestamp_start', 'iso_timestamp_end'],
  'usage.api-counts': ['project', 'interval'],
};

export async function translation({ folder, env }) {
  const catalog = await importSource('sources/log/log-catalog.ts', folder);
  const script = join(folder, 'translate.mjs');
  writeFileSync(script, translateProcess(join(root, 'dist/sql.js'), catalog.outfile));
  return Object.entries(QUERIES).flatMap(([name, parameters]) => {
    const run = (times) => {
      const args = [script, join(root, 'queries', `${name}.sql`), parameters.join(','), String(times)];
      return JSON.parse(spawnSync(process.execPath, args, { env, encoding: 'utf8' }).stdout);
    };
    const first = median(Array.from({ length: PROCESSES }, () => run(1)[0]));
    return [
      { what: `translate ${name}, warm`, ours: median(run(WARM_RUNS).slice(WARM_RUNS / 4)), budgetMs: WARM_MS },
      { what: `translate ${name}, first`, ours: first, budgetMs: FIRST_MS },
    ];
  });
}

/** Prints the milliseconds of each of a number of translations. */
const translateProcess = (sql, catalog) => `import { readFileSync } from 'node:fs';
import { translate } from ${JSON.stringify(pathToFileURL(sql).href)};
import { embeddedSources } from ${JSON.stringify(pathToFileURL(catalog).href)};
const [file, names, times] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const parameters = Object.fromEntries(names.split(',').map((name) => [name, { kind: 'STRING' }]));
const sources = embeddedSources({ sources: {} });
const took = [];
for (let i = 0; i < Number(times); i++) {
  const start = performance.now();
  translate(text, { parameters, sources, instant: 'parameter' });
  took.push(performance.now() - start);
}
console.log(JSON.stringify(took));
`;
