// No function without a row that runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { functionNames } from '../../../src/sql/functions/index.ts';

const folder = new URL('..', import.meta.url).pathname;

test('every function that quern knows is called somewhere in the tests of the translator', () => {
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|sql)$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').toUpperCase());
  const called = new Set(texts.flatMap((text) => [...text.matchAll(/\b[A-Z][A-Z0-9_.]*(?=\s*\()/g)].map(([name]) => name)));
  expect(functionNames().filter((name) => !called.has(name))).toEqual([]);
});
