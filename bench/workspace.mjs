// A folder with the demo's logs as NDJSON and as a store, and the command line to run on it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../scripts/bundle.mjs';
import { processMs } from './measure.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));
const quern = join(root, 'bin/quern.js');

const SETTING = /^(QUERN_|CLICKHOUSE_|XDG_)/;

/** Takes the settings of the person who measures out of this process. */
export function leaveSettings(home) {
  for (const name of Object.keys(process.env)) if (SETTING.test(name)) delete process.env[name];
  process.env.HOME = home;
}

/** Imports a TypeScript file of src/. */
export async function importSource(file, folder) {
  const outfile = await bundle(join(root, 'src', file), folder);
  return { module: await import(pathToFileURL(outfile).href), outfile };
}

export async function openWorkspace() {
  const folder = mkdtempSync(join(root, 'node_modules/.quern-bench-'));
  const store = join(folder, 'store');
  const { module: sample } = await importSource('cli/demo/sample.ts', folder);
  const files = {};
  for (const source of sample.sampleSources.slice(0, 2)) {
    files[source.source] = join(folder, `${source.source}.ndjson`);
    writeFileSync(files[source.source], [...sample.sampleLines(source)].join(''));
  }
  // The environment that Node starts in here, without the settings of the person who measures.
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !SETTING.test(name))),
    HOME: folder,
    TMPDIR: tmpdir(),
  };
  const args = (...rest) => [quern, '--store', store, '--cache-dir', join(folder, 'cache'), ...rest];
  const run = (...rest) => processMs(args(...rest), { env, cwd: folder });
  for (const [source, file] of Object.entries(files)) run('load', source, file);
  return {
    folder,
    store,
    files,
    env,
    instant: sample.SAMPLE_INSTANT,
    quern: run,
    quernArgs: args,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
