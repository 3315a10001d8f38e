// The measures of bench/ import sources by path, which no compiler looks at.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

test('every source that a measure imports is there', () => {
  const imported = readdirSync(new URL('bench', root))
    .filter((file) => file.endsWith('.mjs'))
    .flatMap((file) =>
      [...readFileSync(new URL(`bench/${file}`, root), 'utf8').matchAll(/importSource\('([^']+)'/g)].map(([, path]) => path),
    );
  expect(imported).not.toEqual([]);
  expect(imported.filter((path) => !existsSync(new URL(`src/${path}`, root)))).toEqual([]);
});
