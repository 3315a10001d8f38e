// Charts in the terminal.
import { expect, test } from 'vitest';
import { chart } from '../../src/output/chart/chart.ts';
import { shortNumber } from '../../src/output/chart/series.ts';
import { result, text } from './sample-result.ts';

const layout = { width: 40, colour: false };
const hour = (h: number) => `2026-01-02T${String(h).padStart(2, '0')}:00:00Z`;

test('each number over time is a panel; buckets that are missing are gaps', () => {
  const rows = [0, 1, 2, 4, 5].map((h) => [hour(h), h * 10, 5 - h]);
  expect(text(chart(result({ timestamp: 'TIMESTAMP', requests: 'INT64', errors: 'INT64' }, rows), layout))).toMatchInlineSnapshot(`
    "    requests
    50 ┤                              █████
    40 ┤                        █████ █████
    30 ┤                        █████ █████
    20 ┤            █████       █████ █████
    10 ┤_____ █████ █████       █████ █████
     0 └
        errors
     5 ┤█████
     4 ┤█████ █████
     3 ┤█████ █████ █████
     2 ┤█████ █████ █████
     1 ┤█████ █████ █████       █████ _____
     0 └──┬─────┬─────┬─────┬─────┬─────┬───
        01-02 01:00 02:00 03:00 04:00 05:00
      2026-01-02 00:00 to 05:00 UTC, 1h each
    "
  `);
});

test('more than four series are one line each', () => {
  const rows = Array.from({ length: 12 }, (_, h) => [hour(h), h, h * h, 12 - h, 3, null]);
  const columns = { timestamp: 'TIMESTAMP', a: 'INT64', b: 'INT64', c: 'FLOAT64', constant: 'INT64', empty: 'INT64' } as const;
  expect(text(chart(result(columns, rows), layout))).toMatchInlineSnapshot(`
    "a         11 ┤__▁▁▁▁▂▂▃▃▄▄▄▄▅▅▆▆▇▇▇▇██
    b        121 ┤__▁▁▁▁▁▁▁▁▂▂▂▂▃▃▄▄▅▅▇▇██
    c         12 ┤██▇▇▇▇▆▆▅▅▅▅▄▄▃▃▃▃▂▂▁▁▁▁
    constant   3 ┤████████████████████████
    empty      0 ┤
                 └┬───────────┬───────────
                  01-02     06:00
      2026-01-02 00:00 to 11:00 UTC, 1h each
    "
  `);
});

test('a line of its own says its highest value, also where all are below zero', () => {
  const rows = [0, 1, 2].map((h) => [hour(h), -h - 1, 0, h, 1, null]);
  const columns = { timestamp: 'TIMESTAMP', below: 'INT64', zero: 'INT64', c: 'INT64', d: 'INT64', e: 'INT64' } as const;
  const [below, zero, c] = text(chart(result(columns, rows), layout)).split('\n');
  expect([below, zero, c].map((line) => line?.split('┤')[0])).toEqual(['below -1 ', 'zero   0 ', 'c      2 ']);
});

test('more buckets than columns: the highest of those that share a column is shown', () => {
  const rows = Array.from({ length: 100 }, (_, i) => [new Date(Date.UTC(2026, 0, 1) + i * 60_000).toISOString(), i === 50 ? 9 : 1]);
  expect(text(chart(result({ t: 'TIMESTAMP', n: 'INT64' }, rows), layout))).toMatchInlineSnapshot(`
    "    n
    10 ┤                ▄
     8 ┤                █
     6 ┤                █
     4 ┤                █
     2 ┤▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄█▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄▄
     0 └┬─────────┬─────────┬─────────┬───
        01-01   00:30     01:00     01:30
      2026-01-01 00:00 to 01:39 UTC, 1m each
       each column: the highest of 3 buckets
    "
  `);
});

test('a label that repeats with the times splits the numbers into series', () => {
  const rows = [0, 1, 2].flatMap((h) => [
    [hour(h), 'GET', h],
    [hour(h), 'POST', 2 - h],
  ]);
  expect(text(chart(result({ t: 'TIMESTAMP', method: 'STRING', n: 'INT64' }, rows), layout))).toMatchInlineSnapshot(`
    "● n GET   × n POST
      2 ┤××                     ●●
        ┤  ××                 ●●
    1.6 ┤    ×××           ●●●
        ┤       ××       ●●
    1.2 ┤         ××   ●●
        ┤           ×××
    0.8 ┤        ●●●   ×××
        ┤     ●●●         ×××
    0.4 ┤  ●●●               ×××
        ┤●●                     ××
      0 └┬───────────┬───────────┬
         01-02     01:00     02:00
      2026-01-02 00:00 to 02:00 UTC, 1h each
    "
  `);
});

test('without times, numbers are bars by label', () => {
  const rows = [
    ['/index.html', 120],
    ['/über/日本', 60],
    [null, 1],
    ['/\u001b[2J', null],
  ];
  expect(text(chart(result({ path: 'STRING', hits: 'INT64' }, rows), layout))).toMatchInlineSnapshot(`
    "hits
    /index.html │██████████████████████ 120
     /über/日本 │███████████ 60
           NULL │▏ 1
       /\\x1b[2J │ NULL
    "
  `);
});

test('numbers below zero stretch the scale downwards', () => {
  const rows = [-5, 0, 5].map((n, h) => [hour(h), n]);
  expect(text(chart(result({ t: 'TIMESTAMP', n: 'INT64' }, rows), layout))).toMatchInlineSnapshot(`
    "    n
       ┤            ▄▄▄▄▄
     4 ┤            █████
       ┤      _____ █████
     0 ┤█████
       ┤█████
    -4 ┤▀▀▀▀▀
       └──┬─────┬─────┬───
        01-02 01:00 02:00
      2026-01-02 00:00 to 02:00 UTC, 1h each
    "
  `);
});

test('no rows and no numbers are said', () => {
  expect(text(chart(result({ t: 'TIMESTAMP', n: 'INT64' }, []), layout))).toBe('(no rows to draw)\n');
  expect(() => text(chart(result({ t: 'TIMESTAMP', s: 'STRING' }, []), layout))).toThrow('this result has no column of numbers to draw');
});

test.each([
  [0, '0'],
  [950, '950'],
  [9999, '9999'],
  [12_345, '12.3k'],
  [1_234_567, '1.235M'],
  [0.1234, '0.123'],
  [0.00012, '1.2e-4'],
  [-42_000, '-42k'],
])('%d is written %s on an axis', (value, shown) => {
  expect(shortNumber(value)).toBe(shown);
});
