// A comment that names a file names one that there is.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textsOf } from './support/source-imports.ts';

const root = join(import.meta.dirname, '..');
const CODE = new Map(['bin', 'src', 'test', 'scripts', 'bench'].flatMap((folder) => [...textsOf(folder)]));
const PAGES = ['.', 'docs'].flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)));

/** What `//` and the stars of a comment are followed by. */
const COMMENT = /^\s*(?:\/\/|\/?\*).*|\s\/\/ .*/gm;
/** Not within an address, a pattern, a package or another place that a variable names. */
const FILE = /(?<![\w@:/.<>*{}$-])(?:\.{1,2}\/)*((?:[\w-]+\/)*[\w-][\w.-]*\.(?:m?tsx?|mjs|md))\b/g;

test('the files that comments name exist', () => {
  const paths = [...CODE.keys(), ...PAGES].map((path) => `/${path}`);
  const named = [...CODE].flatMap(([from, text]) =>
    [...text.matchAll(COMMENT)].flatMap(([comment]) => [...comment.matchAll(FILE)].map(([, file = '']) => ({ from, file }))),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(({ file }) => !paths.some((path) => path.endsWith(`/${file}`)))).toEqual([]);
});
