// A small result with every kind of trouble a format must survive.
import type { QueryResult, Row } from '../../src/base/result.ts';

export const awkward: QueryResult = {
  columns: [
    { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
    { name: 'n', type: { kind: 'INT64' } },
    { name: '', type: { kind: 'STRING' } },
    { name: 'n', type: { kind: 'FLOAT64' } },
    {
      name: 's',
      type: {
        kind: 'STRUCT',
        fields: [
          { name: 'a', type: { kind: 'INT64' } },
          { name: null, type: { kind: 'ARRAY', element: { kind: 'STRING' } } },
        ],
      },
    },
  ],
  rows: [
    ['2026-01-02T03:04:05.678901Z', 9007199254740993n, 'a,"b"\n\tc\\', 0.1, [1, ['x', 'y']]],
    [null, null, null, null, null],
    ['2026-01-02T00:00:00Z', -1, '', Number.NaN, [null, []]],
    ['2026-01-02T00:00:00Z', 0, 'NULL', Number.NEGATIVE_INFINITY, [2n ** 63n - 1n, ['日本語']]],
    ['2026-01-02T00:00:00Z', 0, '\u001b[31mred\u202e | *x*', -0, [0, ['"']]],
  ],
  truncated: false,
};

export const result = (
  columns: Readonly<Record<string, QueryResult['columns'][number]['type']['kind']>>,
  rows: readonly Row[],
): QueryResult => ({
  columns: Object.entries(columns).map(([name, kind]) => ({ name, type: { kind } as QueryResult['columns'][number]['type'] })), // scalar kinds only
  rows,
  truncated: false,
});

export const text = (chunks: Iterable<string>): string => [...chunks].join('');
