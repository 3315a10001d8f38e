// A call of an engine is put together in one place: there its limits, bindings and settings cannot be forgotten.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = new URL('../../src/', import.meta.url).pathname;

/** Calls of an Engine's methods that run a query. What it wraps, an engine itself must call. */
const ENGINE_CALL = /\bengine(?:\(\))?\.(?:execute|stream|writeFile)\b/;
const WRAPPERS = ['cli/progress-line.ts', 'connection/hide-secrets.ts', 'connection/shards.ts', 'server/observe/traced-engine.ts'];

test('one file asks an engine to run queries', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('engine/') && !WRAPPERS.includes(file))
    .filter((file) => ENGINE_CALL.test(readFileSync(join(src, file), 'utf8')));
  expect(files).toEqual(['execution/execute.ts']);
});
