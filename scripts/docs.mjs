// Writes the pages and schemas that are made from the program's own tables.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importTypeScript } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { madeFiles } = await importTypeScript('src/docs/index.ts');
for (const [name, text] of await madeFiles()) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
