// The table: it fits the terminal, and no data can drive the terminal.
import { expect, test } from 'vitest';
import { table } from '../../src/output/table/table.ts';
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

test('a table of many rows is one box, whose columns are as wide as their widest value', () => {
  const rows = Array.from({ length: 2500 }, (_, i) => [i === 2400 ? 'a wide value' : `v${i}`, i]);
  const lines = text(table(result({ s: 'STRING', n: 'INT64' }, rows), plain))
    .trimEnd()
    .split('\n');
  expect(lines.slice(0, 4)).toEqual([
    '┌──────────────┬──────┐',
    '│ s            │    n │',
    '├──────────────┼──────┤',
    '│ v0           │    0 │',
  ]);
  expect(lines.slice(3, -1).map((line) => Number(line.split('│')[2]))).toEqual(rows.map(([, n]) => n));
  expect(lines.slice(-2)).toEqual(['│ v2499        │ 2499 │', '└──────────────┴──────┘']);
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

test('headings wrap at underscores and spaces before any text is cut', () => {
  const columns = { timestamp: 'DATE', min_execution_time: 'INT64', 'total requests': 'INT64', event_message: 'STRING' } as const;
  expect(text(table(result(columns, [['2026-01-02', 12, 3, 'GET /']]), { width: 56, colour: false }))).toMatchInlineSnapshot(`
    "┌────────────┬────────────┬──────────┬─────────┐
    │ timestamp  │       min_ │    total │ event_  │
    │            │ execution_ │ requests │ message │
    │            │       time │          │         │
    ├────────────┼────────────┼──────────┼─────────┤
    │ 2026-01-02 │         12 │        3 │ GET /   │
    └────────────┴────────────┴──────────┴─────────┘
    "
  `);
});

test('a heading without a place to wrap is broken inside a word rather than lost', () => {
  const drawn = text(table(result({ averageExecutionTime: 'INT64', n: 'INT64' }, [[12, 3]]), { width: 18, colour: false }));
  expect(drawn).toMatchInlineSnapshot(`
    "┌────────────┬───┐
    │ averageExe │ n │
    │ cutionTime │   │
    ├────────────┼───┤
    │         12 │ 3 │
    └────────────┴───┘
    "
  `);
});

test('texts share what numbers leave, and no box is ever wider than the terminal', () => {
  const columns = { id: 'STRING', timestamp: 'TIMESTAMP', event_message: 'STRING', n: 'INT64' } as const;
  const rows = [
    ['6332b0cf-1554-44d7-aa90-c0ffee000000', '2026-01-02T03:04:05.678901Z', 'GET | 200 | 203.0.113.214 | /rest/v1/日本語', null],
  ];
  const drawn = text(table(result(columns, rows), { width: 70, colour: false }));
  expect(drawn).toMatchInlineSnapshot(`
    "┌───────────────┬─────────────────────────────┬───────────────┬──────┐
    │ id            │ timestamp                   │ event_message │    n │
    ├───────────────┼─────────────────────────────┼───────────────┼──────┤
    │ 6332b0cf-155… │ 2026-01-02T03:04:05.678901Z │ GET | 200 | … │ NULL │
    └───────────────┴─────────────────────────────┴───────────────┴──────┘
    "
  `);
  for (let width = 57; width < 140; width++) {
    const shown = text(table(result(columns, rows), { width, colour: false }));
    const widest = Math.max(...shown.split('\n').map(widthOf));
    expect([width, widest <= width, shown.includes('2026-01-02T03:04:05.678901Z')]).toEqual([width, true, true]);
  }
});

test('where no box fits, each row is a block, and a note says so', () => {
  const notes: string[] = [];
  const columns = { timestamp: 'TIMESTAMP', n: 'INT64', event_message: 'STRING', metadata: 'STRING', id: 'STRING' } as const;
  const rows = [
    ['2026-01-02T03:04:05.678901Z', 9007199254740993n, `GET 日本語 ${'x'.repeat(40)}`, null, '1'],
    [null, 2, '', 'NULL', '2'],
  ];
  const drawn = text(table(result(columns, rows), { width: 40, colour: false, onNote: (note) => notes.push(note) }));
  expect(drawn).toMatchInlineSnapshot(`
    "── row 1 ───────────────────────────────
    timestamp      2026-01-02T03:04:05.678901Z
    n              9007199254740993
    event_message  GET 日本語 xxxxxxxxxxxxx…
    metadata       NULL
    id             1
    ── row 2 ───────────────────────────────
    timestamp      NULL
    n              2
    event_message
    metadata       "NULL"
    id             2
    "
  `);
  expect(notes).toEqual(['5 columns do not fit side by side, so each row is shown as a block; --format json shows values in full']);
});

test('blocks may be limited, and the note says to how many', () => {
  const notes: string[] = [];
  const columns = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`column_${i}`, 'STRING' as const]));
  const rows = Array.from({ length: 5 }, (_, i) => Array(4).fill(`text ${i}`));
  const drawn = text(table(result(columns, rows), { width: 20, colour: false, mostBlocks: 1, onNote: (note) => notes.push(note) }));
  expect(drawn).toBe('── row 1 ───────────\ncolumn_0  text 0\ncolumn_1  text 0\ncolumn_2  text 0\ncolumn_3  text 0\n');
  expect(notes).toEqual([
    '4 columns do not fit side by side, so each row is shown as a block, the first 1 of 5; --format json shows values in full',
  ]);
});

test('a block cuts no number or time, however narrow the terminal is', () => {
  const columns = { timestamp: 'TIMESTAMP', a_rather_long_name_of_a_column: 'INT64' } as const;
  const drawn = text(table(result(columns, [['2026-01-02T03:04:05.678901Z', 2n ** 63n - 1n]]), { width: 20, colour: false }));
  expect(drawn).toMatchInlineSnapshot(`
    "── row 1 ───────────
    timestamp             2026-01-02T03:04:05.678901Z
    a_rather_long_name_…  9223372036854775807
    "
  `);
});

test('a result without rows that fits no box is its names', () => {
  const columns = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`column_${i}`, 'STRING' as const]));
  expect(text(table(result(columns, []), { width: 20, colour: false }))).toBe(
    '── no rows ─────────\ncolumn_0\ncolumn_1\ncolumn_2\ncolumn_3\n',
  );
});

test.each([
  [222.33031578947367, '222.330316'],
  [0.1 + 0.2, '0.3'],
  [1.2345678e-10, '1.23457e-10'],
  [123456789012.5, '123456789012.5'],
  [-1234567.12345678, '-1234567.123457'],
  [1.2345678901234567e30, '1.234568e+30'],
  [Number.NaN, 'NaN'],
  [-0, '-0'],
  [5, '5'],
])('the float %d reads %s in a table', (value, shown) => {
  expect(text(table(result({ x: 'FLOAT64' }, [[value]]), plain)).split('\n')[3]).toBe(`│ ${shown} │`);
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

test('texts go on in the next line where that is asked for, in a box and in blocks', () => {
  const columns = { name: 'STRING', n: 'INT64', words: 'STRING' } as const;
  const rows = [
    ['a', 1, 'some words that are too long'],
    ['b', 22, null],
    ['c', 3, 'averyverylongwordthatfitsnoline'],
  ];
  expect(text(table(result(columns, rows), { width: 34, colour: false, wrap: true }))).toMatchInlineSnapshot(`
    "┌──────┬────┬────────────────────┐
    │ name │  n │ words              │
    ├──────┼────┼────────────────────┤
    │ a    │  1 │ some words that    │
    │      │    │ are too long       │
    │ b    │ 22 │ NULL               │
    │ c    │  3 │ averyverylongwordt │
    │      │    │ hatfitsnoline      │
    └──────┴────┴────────────────────┘
    "
  `);
  const wide = { first_of_all_names: 'STRING', second_of_all_names: 'STRING', third: 'INT64', fourth: 'INT64', fifth: 'INT64' } as const;
  expect(
    text(table(result(wide, [['some words that are too long', 'b', 1, 2, 3]]), { width: 40, colour: false, wrap: true })),
  ).toMatchInlineSnapshot(`
    "── row 1 ───────────────────────────────
    first_of_all_names   some words that are
                         too long
    second_of_all_names  b
    third                1
    fourth               2
    fifth                3
    "
  `);
});
