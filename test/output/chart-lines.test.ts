// Lines over time, the choice of columns, and what is said of what is not drawn.
import { describe, expect, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { chart } from '../../src/output/chart/chart.ts';
import type { Layout } from '../../src/output/format.ts';
import { table } from '../../src/output/table/table.ts';
import { result, text } from './sample-result.ts';

const layout: Layout = { width: 40, colour: false };
const minute = (i: number) => new Date(Date.UTC(2026, 0, 2) + i * 60_000).toISOString();
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('lines', () => {
  test('join neighbours; missing buckets and NULLs are gaps', () => {
    const rows = [0, 1, 2, 3, 6, 7, 8, 9].map((i) => [minute(i), i === 7 ? null : 10 + i]);
    const short = { ...layout, height: 9, chart: { kind: 'line' } } as const;
    expect(text(chart(result({ t: 'TIMESTAMP', p99_ms: 'INT64' }, rows), short))).toMatchInlineSnapshot(`
      "p99_ms
        20ms ┤                            ⣀⣀⠤⠤
      17.5ms ┤                     ⠄
        15ms ┤          ⣀
      12.5ms ┤⣀⣀⠤⠤⠤⠔⠒⠒⠉⠉
        10ms └┬──────┬──────┬──────┬──────┬───
              01-02       00:04  00:06  00:08
        2026-01-02 00:00 to 00:09 UTC, 1m each
      "
    `);
  });

  test('have a mark each without colours, and ASCII where nothing else is shown', () => {
    const rows = range(3).flatMap((i) => [
      [minute(i), 'GET', i * 5],
      [minute(i), 'POST', 10 - i * 5],
    ]);
    const split = result({ t: 'TIMESTAMP', method: 'STRING', n: 'INT64' }, rows);
    expect(text(chart(split, { ...layout, height: 9, ascii: true }))).toMatchInlineSnapshot(`
      "* n GET   x n POST
       10 |xxxx                 ****
      7.5 |    xxxxxx     ******
        5 |      ****xxxxxxxxx
      2.5 |******             xxxxxx
        0 ++-----------+-----------+
           01-02     00:01     00:02
        2026-01-02 00:00 to 00:02 UTC, 1m each
      "
    `);
  });

  test('have colours where there are some', () => {
    const rows = range(4).flatMap((i) => [
      [minute(i), 'a', i],
      [minute(i), 'b', 3 - i],
    ]);
    const split = result({ t: 'TIMESTAMP', s: 'STRING', n: 'INT64' }, rows);
    const drawn = text(chart(split, { ...layout, colour: true, height: 8 })).replaceAll('\u001b', '~');
    expect(drawn).toMatchInlineSnapshot(`
      "~[36m━━~[39m n a   ~[33m━━~[39m n b
      ~[2m3 ┤~[22m~[33m⠉⠉⠒⠒⠒⠤⠤⠤⣀⣀⣀~[39m               ~[36m⣀⣀⣀⠤⠤⠤⠒⠒⠒⠉⠉~[39m
      ~[2m2 ┤~[22m           ~[33m⠉⠉⠉⣒⣒⣒⠤⠤⠤⣒⣒⣒~[39m~[36m⠉⠉⠉~[39m
      ~[2m1 ┤~[22m~[36m⣀⣀⠤⠤⠤⠤⠒⠒⠒⠒⠉⠉⠉⠉~[39m         ~[33m⠉⠉⠉⠉⠒⠒⠒⠒⠤⠤⠤⠤⣀⣀~[39m
      ~[2m0 └┬───────────┬───────────┬───────────┬~[22m
      ~[2m   01-02     00:01       00:02     00:03~[22m
        ~[2m2026-01-02 00:00 to 00:03 UTC, 1m each~[22m
      "
    `);
  });

  test('are the eight with the largest numbers, when there are more', () => {
    const rows = range(10).flatMap((s) => [
      [minute(0), `s${s}`, s],
      [minute(1), `s${s}`, s],
    ]);
    const split = result({ t: 'TIMESTAMP', s: 'STRING', n: 'INT64' }, rows);
    const lines = text(chart(split, { ...layout, height: 8 })).split('\n');
    expect([...lines.slice(0, 2), ...lines.slice(-2)]).toMatchInlineSnapshot(`
      [
        "● n s2   × n s3   ○ n s4   + n s5",
        "■ n s6   ◇ n s7   ▲ n s8   □ n s9",
        "… and 2 more series, whose numbers are …",
        "",
      ]
    `);
  });
});

describe('the time axis', () => {
  const axisOf = (times: readonly string[], kind: 'TIMESTAMP' | 'DATE' | 'DATETIME', width: number) =>
    text(
      chart(
        result(
          { t: kind, n: 'INT64' },
          times.map((t) => [t, 1]),
        ),
        { width, colour: false, height: 7, chart: { kind: 'line' } },
      ),
    )
      .split('\n')
      .slice(-4, -1)
      .join('\n');

  test('has months, which are even although their days differ', () => {
    const months = range(14).map((i) => `${2025 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}-01`);
    expect(axisOf(months, 'DATE', 60)).toMatchInlineSnapshot(`
      "  0 └┬───────────┬────────────┬───────────┬────────────┬────
           2025-01  2025-04      2025-07     2025-10      2026-01
           2025-01-01 to 2026-02-01"
    `);
  });

  test('has years over centuries', () => {
    expect(axisOf(['1700-01-01', '1800-01-01', '1999-12-31', '2100-01-01'], 'DATE', 60)).toMatchInlineSnapshot(`
      "  0 └┬───────────┬───────────┬───────────┬───────────┬
           1700      1800        1900        2000       2100
           1700-01-01 to 2100-01-01"
    `);
  });

  test('has fractions of seconds, and no zone where there is none', () => {
    expect(
      axisOf(
        range(5).map((i) => `2026-01-02T03:04:05.${i}00000`),
        'DATETIME',
        80,
      ),
    ).toMatchInlineSnapshot(`
      "  0 └┬───────────┬───────────┬───────────┬───────────┬
           04:05.000           04:05.200   04:05.300
           2026-01-02 03:04:05.000 to 03:04:05.400, 100ms each"
    `);
  });

  test('has one time', () => {
    expect(axisOf(['2026-01-02'], 'DATE', 40)).toMatchInlineSnapshot(`
      "0.5 ┤
        0 └─
           2026-01-02"
    `);
  });
});

describe('the choice of columns', () => {
  const rows = [
    [minute(0), 'a', 1, 10, '2026-01-01'],
    [minute(1), 'b', 2, 20, '2026-01-02'],
  ];
  const columns = { t: 'TIMESTAMP', s: 'STRING', n: 'INT64', m: 'INT64', day: 'DATE' } as const;
  const drawn = (chosen: Layout['chart']) => text(chart(result(columns, rows), { ...layout, height: 8, chart: chosen }));
  const refusal = (chosen: Layout['chart']) => {
    try {
      return drawn(chosen);
    } catch (error) {
      return error instanceof QuernError ? [error.message, error.details.hint] : error;
    }
  };

  test("is the user's where it is given", () => {
    expect(drawn({ x: 's', y: ['m'] })).toBe(`m\na │${'█'.repeat(17)} 10\nb │${'█'.repeat(34)} 20\n`);
    expect(
      drawn({ x: 'day', y: ['n'], kind: 'bar' })
        .split('\n')
        .at(-2),
    ).toBe('     2026-01-01 to 2026-01-02, 1d each');
    expect(drawn({ series: 's', y: ['n'] }).split('\n')[0]).toBe('● n a   × n b');
  });

  test('names the column that is not there, and the one that has no numbers', () => {
    expect(refusal({ x: 'T1' })).toEqual(['--chart-x: there is no column "T1"', 'did you mean t? The columns are t, s, n, m, day']);
    expect(refusal({ y: ['s'] })).toEqual([
      '--chart-y: s is of type STRING, not a number',
      'choose an INT64, FLOAT64, NUMERIC or BIGNUMERIC column',
    ]);
  });

  test('lines need times', () => {
    expect(refusal({ kind: 'line', x: 's' })).toEqual([
      '--chart line: s has no times',
      'a line chart needs a TIMESTAMP, DATETIME or DATE column; use --chart bar',
    ]);
  });
});

test('rows without a time and numbers without an end are told', () => {
  const notes: string[] = [];
  const rows = [
    [null, 1],
    [minute(0), Number.POSITIVE_INFINITY],
    [minute(1), null],
  ];
  text(chart(result({ t: 'TIMESTAMP', n: 'FLOAT64' }, rows), { ...layout, onNote: (note) => void notes.push(note) }));
  expect(notes).toEqual(['1 row has no time and is not in the chart', '1 number is not finite and not in the chart']);
});

test('bars below zero go to the left', () => {
  const rows = [
    ['loss', -5],
    ['nothing', 0],
    ['gain', 10],
  ];
  expect(text(chart(result({ s: 'STRING', n: 'INT64' }, rows), layout))).toMatchInlineSnapshot(`
    "n
       loss █████████│ -5
    nothing          │ 0
       gain          │███████████████████ 10
    "
  `);
});

test('a terminal that is too narrow is told so', () => {
  expect(text(chart(result({ s: 'STRING', n: 'INT64' }, [['a', 1]]), { ...layout, width: 12 }))).toBe('a chart nee…\n');
});

describe('small charts in a table', () => {
  const arrays = {
    columns: [
      { name: 'path', type: { kind: 'STRING' } },
      { name: 'hourly', type: { kind: 'ARRAY', element: { kind: 'INT64' } } },
    ],
    rows: [
      ['/', [1, 5, null, 9]],
      ['/about', []],
      ['/new', null],
    ],
    truncated: false,
  } as const;

  test('are drawn for arrays of numbers', () => {
    expect(text(table(arrays, { ...layout, sparklines: true }))).toMatchInlineSnapshot(`
      "┌────────┬────────┐
      │ path   │ hourly │
      ├────────┼────────┤
      │ /      │ ▁▅ █   │
      │ /about │        │
      │ /new   │ NULL   │
      └────────┴────────┘
      "
    `);
  });

  test('need such an array', () => {
    expect(() => text(table(result({ n: 'INT64' }, [[1]]), { ...layout, sparklines: true }))).toThrow(
      'this result has no array of numbers to draw as a small chart',
    );
  });
});
