// Tables that are written by hand, beside what the program says.
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { exitCodes } from '../../src/cli/main.ts';
import { querySchema } from '../../src/queries/header/fields.ts';
import { pageText } from './pages.ts';

const codesOf = (text: string): readonly string[] => [...text.matchAll(/`([a-z_-]+)`/g)].map(([, code = '']) => code);

test('every code of an error has a section of its own, and no other code has', () => {
  const titles = [...pageText('docs/troubleshooting.md').matchAll(/^## ([a-z-]+)$/gm)].map(([, title = '']) => title);
  expect([...titles].sort()).toEqual(Object.keys(exitCodes).sort());
});

test('the codes of errors stand beside their exit codes', () => {
  const rows = [...pageText('docs/troubleshooting.md').matchAll(/^\| (\d+) \| (.*) \|$/gm)];
  const written = rows.flatMap(([, exitCode, codes = '']) => codesOf(codes).map((code) => [code, Number(exitCode)] as const));
  expect(Object.fromEntries(written)).toEqual(exitCodes);
});

test('every field of a header is in the table of docs/saved-queries.md, and no other field', () => {
  const [table = ''] = /\| field \| meaning \|[\s\S]*?\n\n/.exec(pageText('docs/saved-queries.md')) ?? [];
  const fields = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) => codesOf(cell));
  expect([...fields].sort()).toEqual(Object.keys(Object(querySchema()['properties'])).sort());
});

test.each(['examples/quern.service', 'examples/Containerfile'])('the flags in %s are flags of its commands', (file) => {
  const lines = pageText(file).match(/((?<!`)quern (serve|keys)|"serve").*/g) ?? [];
  const flags = lines.flatMap((line) => line.match(/(?<=[ "])--[a-z-]+/g) ?? []);
  const known = `${pageText('docs/commands/serve.md')}${pageText('docs/commands/keys.md')}`;
  expect(flags.length).toBeGreaterThan(2);
  expect(flags.filter((flag) => !known.includes(`\`${flag} `))).toEqual([]);
});

test('the index of the pages has every command', () => {
  const named = [...pageText('docs/README.md').matchAll(/^\| (`quern .*?`) \|/gm)]
    .flatMap(([, cell = '']) => [...cell.matchAll(/quern ([a-z]+)/g)])
    .map(([, name]) => name);
  const shown = commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name);
  expect([...new Set(named)].sort()).toEqual(shown.sort());
});

test('the README fits on a few screens', () => {
  expect(pageText('README.md').split('\n').length - 1).toBeLessThanOrEqual(120);
});
