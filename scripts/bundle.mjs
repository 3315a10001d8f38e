// Bundles a TypeScript file of the project into one file that plain Node runs, for scripts, benchmarks and the child processes of tests.
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** ClickHouse servers are processes that run this file: as a bundle, they would load all that the bundle has, and end. */
const SERVER_FILE = {
  name: 'server-file',
  /** @param {import('esbuild').PluginBuild} build */
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/clickhouse-process\.mjs$/ }, () => ({
      path: new URL('../test/support/clickhouse-process.mjs', import.meta.url).href,
      external: true,
    })),
};

/**
 * @param {string} entry  full path of the TypeScript file
 * @param {string} [folder]  where the bundle is put: inside node_modules, from where packages resolve
 * @param {import('esbuild').Plugin[]} [plugins]
 * @returns {Promise<string>} full path of the bundle
 */
export async function bundle(entry, folder = join(root, 'node_modules/.quern-test'), plugins = []) {
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${relative(root, entry).replaceAll('/', '-')}-${process.pid}.mjs`);
  const options = {
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [...plugins, SERVER_FILE],
  };
  await build({ entryPoints: [entry], outfile, ...options });
  return outfile;
}

/**
 * @param {string} file  a file of the project, such as src/docs/index.ts
 * @returns {Promise<any>} what it exports
 */
export const importTypeScript = async (file) => import(pathToFileURL(await bundle(join(root, file))).href);
