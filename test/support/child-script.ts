// Bundles a TypeScript file of the tests so that a plain Node process can run it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Full name of the bundle; it lies inside node_modules, from where packages resolve. */
export function childScript(name: string): string {
  const folder = join(import.meta.dirname, '../../node_modules/.quern-test');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
