// Bundles the test files of the translator with what stands in for vitest, the translator's door and the engine, as `net:test-files`: a record of their
// names to functions that load them.
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const recorder = fileURLToPath(new URL('.', import.meta.url));
const STAND_INS = {
  'src/sql/index.ts': 'sql.ts',
  'src/engine/embedded/embedded.ts': 'embedded.ts',
};

/** @param {readonly string[]} files  paths in the repository */
export const testFiles = (files) => ({
  name: 'test-files',
  setup(build) {
    build.onResolve({ filter: /^net:test-files$/ }, () => ({ path: 'all', namespace: 'net' }));
    build.onLoad({ filter: /^all$/, namespace: 'net' }, () => ({
      contents: `export const testFiles = {\n${files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(join(root, file))}),`).join('\n')}\n};`,
      resolveDir: root,
    }));
    const ofTests = (path) => /^test\/(?:sql|support)\//.test(relative(root, path));
    build.onResolve({ filter: /^vitest$/ }, () => ({ path: join(recorder, 'vitest.ts') }));
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, importer }) => {
      if (!ofTests(importer)) return undefined;
      const standIn = STAND_INS[relative(root, join(dirname(importer), path))];
      return standIn === undefined ? undefined : { path: join(recorder, standIn) };
    });
    // What a file reads beside itself is found although it is part of a bundle.
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!relative(root, path).startsWith('test/')) return undefined;
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
});
