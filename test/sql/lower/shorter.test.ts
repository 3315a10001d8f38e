// What need not be written, because a value is never NULL or a condition is all that counts: the rows, and the SQL without it.
import { expect, test } from 'vitest';
import { sourcesFrom, translate } from '../../../src/translate.ts';
import { testRealTables } from '../../support/real-tables.ts';

const COLUMNS = "id Int64, made DateTime64(6, 'UTC'), n Nullable(Int64), w String";

testRealTables(
  {
    t: {
      columns: COLUMNS,
      rows: "(1, '2026-01-01 10:20:00', 1, 'a'), (2, '2026-01-01 10:40:00', NULL, 'b'), (3, '2026-01-02 00:00:00', 3, '')",
    },
  },
  {
    'COUNT of a CASE with one condition': [
      ['SELECT COUNT(CASE WHEN n > 1 THEN 1 END), COUNT(CASE WHEN n IS NULL THEN 0 END), COUNT(IF(n = 1, "x", NULL)) FROM t', [[1, 1, 1]]],
      [
        'SELECT COUNT(CASE WHEN n > 1 THEN n ELSE 1 END), COUNT(DISTINCT CASE WHEN id > 1 THEN 1 END), COUNT(IF(n = 1, NULL, 1)) FROM t',
        [[3, 1, 2]],
      ],
    ],
    'keys that are never NULL, in order': [
      [
        'SELECT TIMESTAMP_TRUNC(made, DAY) AS d, COUNT(*) FROM t GROUP BY d ORDER BY d',
        [
          ['2026-01-01T00:00:00Z', 2],
          ['2026-01-02T00:00:00Z', 1],
        ],
      ],
      ['SELECT COALESCE(n, 0) AS m FROM t ORDER BY m', [[0], [1], [3]]],
      [
        'SELECT CASE WHEN id > 1 THEN 7 END AS c, CASE WHEN id > 1 THEN 7 ELSE 5 END AS d FROM t ORDER BY c, d',
        [
          [null, 5],
          [7, 7],
          [7, 7],
        ],
      ],
      ['SELECT n FROM t ORDER BY n', [[null], [1], [3]]],
      ['SELECT b.w FROM t AS a LEFT JOIN t AS b ON a.id = b.id + 1 ORDER BY b.w', [[null], ['a'], ['b']]],
      [
        'SELECT w, COUNT(*) FROM t WHERE id < 3 GROUP BY ROLLUP (w) ORDER BY w',
        [
          [null, 2],
          ['a', 1],
          ['b', 1],
        ],
      ],
    ],
    'SAFE_DIVIDE by a number': [
      [
        'SELECT SAFE_DIVIDE(n, 2), SAFE_DIVIDE(n, 0) FROM t ORDER BY id',
        [
          [0.5, null],
          [null, null],
          [1.5, null],
        ],
      ],
    ],
  },
);

const sources = sourcesFrom(`CREATE TABLE t (${COLUMNS})`);

test.each([
  ['SELECT COUNT(CASE WHEN n > 1 THEN 1 END) FROM t', 'countIf(n > 1)'],
  ['SELECT TIMESTAMP_TRUNC(made, DAY) AS d FROM t ORDER BY d', 'toStartOfDay(toStartOfSecond(made))'],
  ['SELECT SAFE_DIVIDE(n, 2) FROM t', ' n / 2 '],
])('%s', (text, written) => {
  const { sql } = translate(text, { sources });
  expect(sql).toContain(written);
  expect(sql).not.toContain('NULLS');
});
