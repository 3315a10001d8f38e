// Forms that take less time than what they stand for: counts for sums of ones, semi joins for EXISTS, times and decimals as they are stored.
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    t: {
      columns: "k UInt8, w Nullable(Int16), v UInt8, seen DateTime('UTC'), p Nullable(Decimal(15, 2)), d Decimal(9, 3)",
      rows: "(1, 5, 1, '2025-07-01 10:20:30', 1.25, 0.125), (1, NULL, 2, '2025-07-01 10:20:59', NULL, 0.5), (2, NULL, 3, '2106-02-07 06:28:15', NULL, 3.333), (3, -7, 4, '1970-01-01 00:00:00', -9999999999999.99, -0.001)",
    },
    u: { columns: 'k Nullable(UInt8), w Int64', rows: '(1, 1), (1, 2), (NULL, 3), (3, 4)' },
  },
  {
    sums: [
      [
        'SELECT k, SUM(CASE WHEN w > 0 THEN 1 ELSE 0 END), SUM(IF(w IS NULL, 1, 0)) FROM t GROUP BY k ORDER BY k',
        [
          [1, 1, 1],
          [2, 0, 1],
          [3, 0, 0],
        ],
      ],
      ['SELECT SUM(IF(w > 0, 1, 0)) FROM t', [[1]]],
      ['SELECT SUM(IF(w > 0, 1, 0)), COUNT(*) FROM t WHERE k > 9', [[null, 0]]],
      [
        'SELECT k, SUM(IF(w > 0, 1, 0)) OVER (PARTITION BY k ORDER BY w) AS s FROM t ORDER BY k, s',
        [
          [1, 0],
          [1, 1],
          [2, 0],
          [3, 0],
        ],
      ],
      ['SELECT SUM(DISTINCT IF(w > 0, 1, 0)) FROM t', [[1]]],
      ['SELECT SUM(w + 10), SUM(w - 3), SUM(v + 100) FROM t', [[18, -8, 410]]],
      [
        'SELECT k, SUM(w + 10) AS s FROM t GROUP BY k ORDER BY k',
        [
          [1, 15],
          [2, null],
          [3, 3],
        ],
      ],
      ['SELECT SUM(w + 10) FROM t WHERE k > 9', [[null]]],
      ['SELECT SUM(DISTINCT v + 1), SUM(DISTINCT k + 1) FROM t', [[14, 9]]],
    ],
    decimals: [
      [
        'SELECT SUM(p), SUM(p * d), AVG(p), MIN(p), MAX(p), COUNT(p) FROM t',
        [['-9999999999998.74', '10000000000.15624', '-4999999999999.37', '-9999999999999.99', '1.25', 2]],
      ],
      [
        'SELECT k, SUM(p * (1 - d) * 2), SUM(p) FROM t GROUP BY k ORDER BY k',
        [
          [1, '2.1875', '1.25'],
          [2, null, null],
          [3, '-20019999999999.97998', '-9999999999999.99'],
        ],
      ],
      [
        'SELECT p, COUNT(*) FROM t WHERE p * d > 0 GROUP BY p ORDER BY p',
        [
          ['-9999999999999.99', 1],
          ['1.25', 1],
        ],
      ],
      [
        'SELECT p / d, SAFE_DIVIDE(p, d - 0.125) FROM t WHERE p IS NOT NULL ORDER BY p',
        [
          ['9999999999999990', '79365079365079.285714286'],
          ['10', null],
        ],
      ],
    ],
    times: [
      [
        'SELECT CAST(TIMESTAMP_TRUNC(seen, MINUTE) AS STRING), COUNT(*) AS n FROM t GROUP BY TIMESTAMP_TRUNC(seen, MINUTE) ORDER BY 1',
        [
          ['1970-01-01 00:00:00+00', 1],
          ['2025-07-01 10:20:00+00', 2],
          ['2106-02-07 06:28:00+00', 1],
        ],
      ],
      [
        "SELECT CAST(TIMESTAMP_TRUNC(seen, DAY) AS STRING) FROM t WHERE TIMESTAMP_TRUNC(seen, HOUR) < TIMESTAMP '2025-07-01 11:00:00+00' AND k = 1",
        [['2025-07-01 00:00:00+00'], ['2025-07-01 00:00:00+00']],
      ],
      [
        'SELECT CAST(TIMESTAMP_ADD(TIMESTAMP_TRUNC(seen, HOUR), INTERVAL 1 DAY) AS STRING) FROM t WHERE k = 2',
        [['2106-02-08 06:00:00+00']],
      ],
    ],
    EXISTS: [
      [
        'SELECT k, w FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k) ORDER BY k, w',
        [
          [1, null],
          [1, 5],
          [3, -7],
        ],
      ],
      [
        'SELECT k, w FROM t WHERE v > 1 AND EXISTS (SELECT 1 FROM u WHERE u.k = t.k) ORDER BY k',
        [
          [1, null],
          [3, -7],
        ],
      ],
      [
        'SELECT COUNT(*) FROM t WHERE v > 1 AND EXISTS (SELECT 1 FROM u WHERE u.k = t.k) AND EXISTS (SELECT 1 FROM u WHERE u.w = t.v)',
        [[2]],
      ],
      ['SELECT COUNT(*) FROM t JOIN t AS o USING (k) WHERE t.v > 1 AND EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND u.w > 1)', [[3]]],
      ['SELECT u.w FROM u WHERE u.w > 0 AND EXISTS (SELECT 1 FROM t WHERE t.k = u.k AND t.v = u.w) ORDER BY 1', [[1], [2], [4]]],
      ['SELECT k FROM u WHERE w > 0 AND (k IN (SELECT t.k FROM t WHERE t.v <= u.w) OR w = 3) ORDER BY k', [[null], [1], [1], [3]]],
    ],
  },
);
