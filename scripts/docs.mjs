// Writes the pages of the commands and settings, and the schemas, from the program's own tables.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'node_modules/.quern-test/docs.mjs');
await build({
  entryPoints: [join(root, 'src/docs/index.ts')],
  outfile: bundle,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
});
const { madeFiles } = await import(pathToFileURL(bundle).href);
for (const [name, text] of await madeFiles()) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
