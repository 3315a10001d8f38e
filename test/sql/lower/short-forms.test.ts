// Forms that take less time than what they stand for: counts for sums of ones, semi joins for EXISTS, times and decimals as they are stored.
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    t: {
      columns: "k UInt8, w Nullable(Int16), v UInt8, seen DateTime('UTC'), p Nullable(Decimal(15, 2)), d Decimal(9, 3)",
      rows: "(1, 5, 1, '2025-07-01 10:20:30', 1.25, 0.125), (1, NULL, 2, '2025-07-01 10:20:59', NULL, 0.5), (2, NULL, 3, '2106-02-07 06:28:15', NULL, 3.333), (3, -7, 4, '1970-01-01 00:00:00', -9999999999999.99, -0.001)",
    },
    f: {
      columns: 'x Float64',
      rows: '(1.5), (-0.1), (0.0), (-0.0), (123456789012345), (1234567890123456), (1e15), (1e-4), (0.00001234), (1e20), (0.30000000000000004), (2.5e-7), (999999999999999.9), (-98765.4321), (1e14), (12345678901234.5)',
    },
    h: {
      columns: 'i Int64, x String',
      rows: "(1, 'https://a.b/c'), (2, 'http://localhost/'), (3, 'ftp://1.2.3.4#f'), (4, 'http://u:p@a.b:80/x'), (5, 'x://A.B-C?q'), (6, 'a.b/c'), (7, 'http://a..b../'), (8, '1.5'), (9, ' -2.0000000005 '), (10, '12345678901234567890.123456789'), (11, '1e3'), (12, '0.0000000004999999999999')",
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
    texts: [
      [
        'SELECT CAST(x AS STRING) FROM f',
        [
          ['1.5'],
          ['-0.1'],
          ['0'],
          ['0'],
          ['123456789012345'],
          ['1234567890123456'],
          ['1e+15'],
          ['0.0001'],
          ['1.234e-05'],
          ['1e+20'],
          ['0.30000000000000004'],
          ['2.5e-07'],
          ['999999999999999.88'],
          ['-98765.4321'],
          ['100000000000000'],
          ['12345678901234.5'],
        ],
      ],
      ['SELECT NET.HOST(x) FROM h WHERE i < 8 ORDER BY i', [['a.b'], ['localhost'], ['1.2.3.4'], ['a.b'], ['A.B-C'], ['a.b'], ['a..b.']]],
      [
        'SELECT CAST(x AS NUMERIC) FROM h WHERE i > 7 ORDER BY i',
        [['1.5'], ['-2.000000001'], ['12345678901234567890.123456789'], ['1000'], ['0']],
      ],
    ],
    arrays: [
      [
        'SELECT ARRAY_LENGTH(ARRAY_AGG(k LIMIT 2)), ARRAY_AGG(v ORDER BY v DESC LIMIT 2), ARRAY_AGG(w IGNORE NULLS ORDER BY w LIMIT 1) FROM t',
        [[2, [4, 3], [-7]]],
      ],
      [
        'SELECT k, ARRAY_LENGTH(ARRAY_AGG(v)) FROM t GROUP BY k ORDER BY k',
        [
          [1, 2],
          [2, 1],
          [3, 1],
        ],
      ],
    ],
    'grouping sets': [
      [
        'SELECT p, k, COUNT(*) FROM t GROUP BY ROLLUP(p, k) ORDER BY p, k',
        [
          [null, null, 2],
          [null, null, 4],
          [null, 1, 1],
          [null, 2, 1],
          ['-9999999999999.99', null, 1],
          ['-9999999999999.99', 3, 1],
          ['1.25', null, 1],
          ['1.25', 1, 1],
        ],
      ],
    ],
  },
);
