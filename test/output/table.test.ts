// The table: it fits the terminal, and no data can drive the terminal.
import { expect, test } from 'vitest';
import { table } from '../../src/output/table.ts';
import { visible } from '../../src/output/visible.ts';
import { shorten, widthOf } from '../../src/output/width.ts';
import { awkward, result, text } from './sample-result.ts';

const plain = { width: undefined, colour: false };

test('numbers are right-aligned, NULL differs from the text NULL and from nothing, controls are escaped', () => {
  expect(text(table(awkward, plain))).toMatchInlineSnapshot(`
    "┌─────────────────────────────┬──────────────────┬─────────────────────────┬───────────┬─────────────────────────────────────────────────┐
    │ timestamp                   │                n │ f0_                     │       n_1 │ s                                               │
    ├─────────────────────────────┼──────────────────┼─────────────────────────┼───────────┼─────────────────────────────────────────────────┤
    │ 2026-01-02T03:04:05.678901Z │ 9007199254740993 │ a,"b"\\n\\tc\\             │       0.1 │ {"a":1,"_field_2":["x","y"]}                    │
    │ NULL                        │             NULL │ NULL                    │      NULL │ NULL                                            │
    │ 2026-01-02T00:00:00Z        │               -1 │                         │       NaN │ {"a":null,"_field_2":[]}                        │
    │ 2026-01-02T00:00:00Z        │                0 │ "NULL"                  │ -Infinity │ {"a":9223372036854775807,"_field_2":["日本語"]} │
    │ 2026-01-02T00:00:00Z        │                0 │ \\x1b[31mred\\u202e | *x* │        -0 │ {"a":0,"_field_2":["\\""]}                       │
    └─────────────────────────────┴──────────────────┴─────────────────────────┴───────────┴─────────────────────────────────────────────────┘
    "
  `);
});

test('wide characters and emoji keep the box straight', () => {
  const rows = [
    ['日本語', 1],
    ['👩‍👩‍👧 é', 2],
    ['🫠', 3],
    ['plain', 4],
  ];
  const lines = text(table(result({ s: 'STRING', n: 'INT64' }, rows), plain))
    .trimEnd()
    .split('\n');
  expect([...new Set(lines.map(widthOf))]).toEqual([14]);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "┌────────┬───┐
    │ s      │ n │
    ├────────┼───┤
    │ 日本語 │ 1 │
    │ 👩‍👩‍👧 é   │ 2 │
    │ 🫠     │ 3 │
    │ plain  │ 4 │
    └────────┴───┘"
  `);
});

test('on a terminal the widest text gives way first, and times and numbers stay whole', () => {
  const rows = [['2026-01-02T03:04:05Z', 123456789, 'x'.repeat(200), 'short']];
  const drawn = text(table(result({ t: 'TIMESTAMP', n: 'INT64', message: 'STRING', s: 'STRING' }, rows), { width: 70, colour: false }));
  expect(Math.max(...drawn.split('\n').map(widthOf))).toBe(70);
  expect(drawn).toMatchInlineSnapshot(`
    "┌──────────────────────┬───────────┬─────────────────────────┬───────┐
    │ t                    │         n │ message                 │ s     │
    ├──────────────────────┼───────────┼─────────────────────────┼───────┤
    │ 2026-01-02T03:04:05Z │ 123456789 │ xxxxxxxxxxxxxxxxxxxxxx… │ short │
    └──────────────────────┴───────────┴─────────────────────────┴───────┘
    "
  `);
});

test('too many columns for the terminal are drawn as narrow as they can be', () => {
  const columns = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`column_${i}`, 'STRING' as const]));
  const drawn = text(table(result(columns, [Array(8).fill('some text')]), { width: 40, colour: false }));
  expect(drawn.split('\n')[1]).toBe('│ colum… │ colum… │ colum… │ colum… │ colum… │ colum… │ colum… │ colum… │');
});

test('colours mark the head and NULL only', () => {
  const drawn = text(table(result({ a: 'STRING' }, [[null], ['x']]), { width: 80, colour: true }));
  expect(drawn.split('\n').slice(1, 5)).toEqual(['│ \u001b[1ma\u001b[22m    │', '├──────┤', '│ \u001b[2mNULL\u001b[22m │', '│ x    │']);
});

test('a result without rows is a head', () => {
  expect(text(table(result({ a: 'STRING' }, []), plain))).toBe('┌───┐\n│ a │\n└───┘\n');
});

test.each([
  ['a\u0000\u001b]0;title\u0007\u009b2J', 'a\\0\\x1b]0;title\\x07\\x9b2J'],
  ['abc\u202etxt.exe', 'abc\\u202etxt.exe'],
  ['\ud800', '\\ud800'],
  ['tab\there', 'tab\\there'],
])('%j is shown as %s', (raw, shown) => {
  expect(visible(raw)).toBe(shown);
});

test.each([
  ['abcdef', 4, 'abc…'],
  ['abcd', 4, 'abcd'],
  ['日本語', 4, '日…'],
  ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 4, '👩‍👩‍👧…'],
])('%s cut to %i columns is %s', (whole, width, cut) => {
  expect(shorten(whole, width)).toBe(cut);
});
