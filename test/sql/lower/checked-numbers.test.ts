// Numbers of columns that leave their type fail the query, and none that stays in it does.
import { testRealTables } from '../../support/real-tables.ts';

testRealTables(
  {
    numbers: {
      columns: 'id Int64, i Int64, f Float64, n Decimal(38, 9), d Date32, m Nullable(Int64)',
      rows: [
        "(1, 9223372036854775807, 9223372036854774784, '99999999999999999999999999999.999999999', addDays(toDate32('2000-01-01'), 2921939), NULL)",
        "(2, -9223372036854775808, -9223372036854775808, '-99999999999999999999999999999.999999999', subtractDays(toDate32('2000-01-01'), 730119), 2)",
        "(3, 3037000500, 0.5, '12345678901.000000001', '2024-02-29', NULL)",
        "(4, 1, inf, '0.000000001', addDays(toDate32('2000-01-01'), 2921908), 1)",
        "(5, -4, nan, '-2.5', subtractDays(toDate32('2000-01-01'), 730088), 1)",
      ].join(', '),
    },
  },
  {
    'in range': [
      [
        'SELECT STRING_AGG(CAST(v AS STRING) ORDER BY id) FROM (SELECT id, i * 1 AS v FROM numbers WHERE id < 3)',
        [['9223372036854775807,-9223372036854775808']],
      ],
      ['SELECT STRING_AGG(CAST(v AS STRING) ORDER BY id) FROM (SELECT id, i + m AS v FROM numbers)', [['-9223372036854775806,2,-3']]],
      ['SELECT CAST(i * (i - 1000000) AS STRING) FROM numbers WHERE id = 3', [['9220335036500250000']]],
      ['SELECT i * i FROM numbers WHERE id > 3', [[1], [16]]],
      [
        'SELECT STRING_AGG(CAST(CAST(f AS INT64) AS STRING) ORDER BY id) FROM numbers WHERE id < 4',
        [['9223372036854774784,-9223372036854775808,1']],
      ],
      [
        'SELECT n * 3, 2 * n, n / 3, n + n, n * 0.5 FROM numbers WHERE id = 3',
        [['37037036703.000000003', '24691357802.000000002', '4115226300.333333334', '24691357802.000000002', '6172839450.500000001']],
      ],
      [
        'SELECT n * 1, n / 1 FROM numbers WHERE id < 3',
        [
          ['99999999999999999999999999999.999999999', '99999999999999999999999999999.999999999'],
          ['-99999999999999999999999999999.999999999', '-99999999999999999999999999999.999999999'],
        ],
      ],
      ['SELECT n / 5, n / 2, AVG(n) OVER () FROM numbers WHERE id = 4', [['0', '0.000000001', '0.000000001']]],
      ['SELECT AVG(n) FROM numbers WHERE id > 3', [['-1.25']]],
      ['SELECT DATE_ADD(d, INTERVAL 1 MONTH), DATE_SUB(d, INTERVAL 1 YEAR) FROM numbers WHERE id = 3', [['2024-03-29', '2023-02-28']]],
      ['SELECT DATE_ADD(d, INTERVAL 1 MONTH) FROM numbers WHERE id = 4', [['9999-12-30']]],
      ['SELECT DATE_SUB(d, INTERVAL 1 MONTH), DATE_SUB(d, INTERVAL 31 DAY) FROM numbers WHERE id = 5', [['0001-01-01', '0001-01-01']]],
      ['SELECT SAFE.DATE_ADD(d, INTERVAL 1 DAY) FROM numbers WHERE id = 1', [[null]]],
      ['SELECT IF(id = 1, 0, i + 1) FROM numbers WHERE id IN (1, 4)', [[0], [2]]],
    ],
  },
  [
    ['SELECT i + id FROM numbers', 'the query failed: the result of + is out of the range of INT64'],
    ['SELECT i * m FROM numbers WHERE id = 2', 'the query failed: the result of * is out of the range of INT64'],
    ['SELECT i * i FROM numbers WHERE id = 3', 'the query failed: the result of * is out of the range of INT64'],
    ['SELECT ABS(i) FROM numbers', 'the query failed: ABS: the result is out of range'],
    ['SELECT f * 1e300 FROM numbers WHERE id = 1', 'the query failed: the result of * is out of the range of FLOAT64'],
    ['SELECT CAST(f + 1024 AS INT64) FROM numbers WHERE id = 1', 'the query failed: a value is out of the range of INT64'],
    ['SELECT CAST(f AS INT64) FROM numbers WHERE id = 4', 'the query failed: a value is out of the range of INT64'],
    ['SELECT CAST(f AS INT64) FROM numbers WHERE id = 5', 'the query failed: a value is out of the range of INT64'],
    ['SELECT n + n FROM numbers WHERE id = 1', 'the query failed: a number is out of'],
    ['SELECT n * 2 FROM numbers WHERE id = 1', 'the query failed: the result of * is out of the range of NUMERIC'],
    ['SELECT SQRT(f) FROM numbers WHERE id = 2', 'the query failed: SQRT: the argument is out of range'],
    ['SELECT LN(f - 0.5) FROM numbers WHERE id = 3', 'the query failed: LN: the argument is out of range'],
    ['SELECT id / (id - 3) FROM numbers', 'the query failed: division by zero'],
    ['SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM numbers', 'the query failed: the interval leads outside the range of dates'],
    ['SELECT DATE_ADD(d, INTERVAL 2 MONTH) FROM numbers WHERE id = 4', 'the query failed: the interval leads outside the range of dates'],
    ['SELECT DATE_SUB(d, INTERVAL 2 MONTH) FROM numbers WHERE id = 5', 'the query failed: the interval leads outside the range of dates'],
  ],
);
