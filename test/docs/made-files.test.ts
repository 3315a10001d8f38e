// The pages and schemas that are made: equal to what the program's tables say now.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/main.ts';
import { EXIT_CODE_MEANINGS } from '../../src/docs/command-pages.ts';
import { madeFiles } from '../../src/docs/index.ts';

const root = join(import.meta.dirname, '../..');

test('every page and schema is as `npm run docs` would write it', async () => {
  for (const [name, text] of await madeFiles()) expect({ name, text: readFileSync(join(root, name), 'utf8') }).toEqual({ name, text });
});

test('no page is left of a command that is gone', async () => {
  const made = [...(await madeFiles()).keys()];
  const there = ['docs/commands', 'schemas'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  expect(there.filter((name) => !made.includes(name))).toEqual([]);
});

test('every command has examples, and every exit code a meaning', async () => {
  const pages = [...(await madeFiles())].filter(([name]) => name.startsWith('docs/commands/') && !name.endsWith('README.md'));
  expect(pages.filter(([, text]) => !text.includes('Examples\n\n```sh\n')).map(([name]) => name)).toEqual([]);
  expect(Object.keys(EXIT_CODE_MEANINGS).map(Number)).toEqual([...new Set([0, ...Object.values(exitCodes)])].sort((a, b) => a - b));
});
