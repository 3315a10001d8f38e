// What a file exports is what others take from it: the rest is its own.
import { expect, test } from 'vitest';
import { importsBy, importsOf, textsOf } from './support/source-imports.ts';

const DECLARED = /^export (?:async )?(?:const|let|function|class|interface|type|enum) (\w+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;

/** The public API. */
const PUBLIC = ['src/index.ts', 'src/translate.ts'];

const exportsOf = (text: string): readonly string[] => [
  ...[...text.matchAll(DECLARED)].map(([, name]) => name ?? ''),
  ...[...text.matchAll(LISTED)].flatMap(([, names = '']) =>
    names.split(',').map(
      (name) =>
        name
          .trim()
          .split(/ as |type /)
          .at(-1) ?? '',
    ),
  ),
];

test('everything that a file of src/ exports is used by another file', () => {
  const texts = new Map(['src', 'test', 'bench', 'scripts', 'bin'].flatMap((folder) => [...textsOf(folder)]));
  const importers = importsBy('to', importsOf(texts));
  /** Files that may use what `file` exports, also through one that passes all of it on. */
  const usersOf = (file: string): readonly string[] =>
    (importers.get(file) ?? []).flatMap(({ from }) => [
      from,
      ...(/^export (?:type )?\*/m.test(texts.get(from) ?? '') ? usersOf(from) : []),
    ]);
  const unused = [...texts]
    .filter(([file]) => file.startsWith('src/') && !PUBLIC.includes(file))
    .flatMap(([file, text]) => {
      const users = usersOf(file).map((user) => texts.get(user) ?? '');
      const isUsed = (name: string): boolean => users.some((user) => new RegExp(`\\b${name}\\b`).test(user));
      return exportsOf(text).flatMap((name) => (name === '' || isUsed(name) ? [] : [`${file}: ${name}`]));
    });
  expect(unused).toEqual([]);
});
