// Writes docs/dialect.md from the translator's tables, and then the other pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = join(root, 'node_modules/.quern-test/dialect.mjs');
await build({
  entryPoints: [join(root, 'src/sql/dialect/page.ts')],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  logLevel: 'error',
});
const { dialectPage } = await import(pathToFileURL(bundle).href);
mkdirSync(join(root, 'docs'), { recursive: true });
writeFileSync(join(root, 'docs/dialect.md'), dialectPage());
await import('./docs.mjs');
