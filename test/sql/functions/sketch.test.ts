// Sketches: what BigQuery's documentation shows of them, and that no others are read. https://cloud.google.com/bigquery/docs/reference/standard-sql/kll_functions
import { testExpressions } from '../../support/expression-rows.ts';

const kll = (read: string, values: string, init = 'KLL_QUANTILES.INIT_INT64(x, 1000)'): string =>
  `TO_JSON_STRING((SELECT ${read} FROM (SELECT ${init} AS s FROM UNNEST(${values}) x)))`;
const weighted = '[STRUCT(1 AS v, 1 AS w), (2, 3), (3, 1), (4, 1), (5, 1), (9, NULL), (NULL, 9)]';
const twoOf = (read: string): string =>
  `(SELECT ${read} FROM (SELECT KLL_QUANTILES.INIT_INT64(x) AS s FROM UNNEST([1, 2, 3, 4, 5]) x UNION ALL SELECT KLL_QUANTILES.INIT_INT64(x, 10) FROM UNNEST([6, 7, 8, 9, 10]) x UNION ALL SELECT NULL))`;
const hll = (read: string): string =>
  `(SELECT ${read} FROM (SELECT HLL_COUNT.INIT(x) AS s FROM UNNEST(['a', 'b', NULL]) x UNION ALL SELECT HLL_COUNT.INIT(x, 20) FROM UNNEST(['b', 'c']) x UNION ALL SELECT NULL))`;

testExpressions(
  {
    'KLL_QUANTILES gives the elements at the ranks': [
      [kll('KLL_QUANTILES.EXTRACT_INT64(s, 2)', 'GENERATE_ARRAY(1, 100)'), null, '[1,50,100]'],
      [kll('KLL_QUANTILES.EXTRACT_INT64(s, 6)', 'GENERATE_ARRAY(1, 100)'), null, '[1,17,34,50,67,84,100]'],
      [kll('KLL_QUANTILES.EXTRACT_POINT_INT64(s, .8)', '[5, 4, 3, 2, 1]'), null, '4'],
      [kll('KLL_QUANTILES.EXTRACT_POINT_INT64(s, 0)', '[5, 4, 3, 2, 1]'), null, '1'],
      [kll('KLL_QUANTILES.EXTRACT_POINT_UINT64(s, 0.7)', 'GENERATE_ARRAY(1, 10)', 'KLL_QUANTILES.INIT_UINT64(x)'), null, '7'],
      [kll('KLL_QUANTILES.EXTRACT_UINT64(s, 1)', '[3, 1]', 'KLL_QUANTILES.INIT_UINT64(x, 5)'), null, '[1,3]'],
      [kll('KLL_QUANTILES.EXTRACT_INT64(s, 2)', weighted, 'KLL_QUANTILES.INIT_INT64(x.v, 1000, weight => x.w)'), null, '[1,2,5]'],
      [kll('KLL_QUANTILES.EXTRACT_INT64(s, 2)', '[1, 2]', 'KLL_QUANTILES.INIT_INT64(x, NULL)'), null, 'null'],
      [kll('KLL_QUANTILES.EXTRACT_POINT_INT64(s, 0.5)', 'ARRAY<INT64>[]'), null, 'null'],
    ],
    'of FLOAT64, NaN comes first': [
      [
        kll(
          'KLL_QUANTILES.EXTRACT_FLOAT64(s, 2)',
          "[1.5, -2.5, CAST('nan' AS FLOAT64), CAST('-inf' AS FLOAT64), -0.0]",
          'KLL_QUANTILES.INIT_FLOAT64(x)',
        ),
        null,
        '["NaN",-2.5,1.5]',
      ],
      [
        kll('KLL_QUANTILES.EXTRACT_POINT_FLOAT64(s, 0.25)', '[1.5, -2.5, -1e300, 2e-300]', 'KLL_QUANTILES.INIT_FLOAT64(x)'),
        null,
        '-1e+300',
      ],
    ],
    'sketches are merged': [
      [`TO_JSON_STRING(${twoOf('KLL_QUANTILES.MERGE_INT64(s, 2)')})`, null, '[1,5,10]'],
      [twoOf('KLL_QUANTILES.MERGE_POINT_INT64(s, 0.9)'), null, 9],
      [twoOf('KLL_QUANTILES.EXTRACT_POINT_INT64(KLL_QUANTILES.MERGE_PARTIAL(s), 0.2)'), null, 2],
      [
        '(SELECT KLL_QUANTILES.MERGE_POINT_FLOAT64(s, 0.5) FROM (SELECT KLL_QUANTILES.INIT_FLOAT64(x) AS s FROM UNNEST([0.5]) x))',
        null,
        0.5,
      ],
      ['TO_JSON_STRING((SELECT KLL_QUANTILES.MERGE_FLOAT64(s, 1) FROM UNNEST([CAST(NULL AS BYTES)]) s))', null, 'null'],
      ['TO_JSON_STRING((SELECT KLL_QUANTILES.MERGE_UINT64(s, 1) FROM UNNEST([CAST(NULL AS BYTES)]) s))', null, 'null'],
      ['(SELECT KLL_QUANTILES.MERGE_POINT_UINT64(s, 1) FROM UNNEST([CAST(NULL AS BYTES)]) s)', null, null],
    ],
    'of many values the least and the greatest are kept, and the others within a ten-thousandth': [
      [kll('KLL_QUANTILES.EXTRACT_INT64(s, 4)', 'GENERATE_ARRAY(1, 300000)'), null, '[1,75000,150000,225000,300000]'],
      [
        'ABS((SELECT KLL_QUANTILES.MERGE_POINT_INT64(s, 0.999) FROM (SELECT KLL_QUANTILES.INIT_INT64(x) AS s FROM UNNEST(GENERATE_ARRAY(1, 300000)) x GROUP BY MOD(x, 7))) - 299700) <= 30',
        null,
        1,
      ],
    ],
    HLL_COUNT: [
      ['(SELECT HLL_COUNT.EXTRACT(HLL_COUNT.INIT(x)) FROM UNNEST([1, 2, 2, NULL]) x)', null, 2],
      [hll('HLL_COUNT.MERGE(s)'), null, 3],
      [hll('HLL_COUNT.EXTRACT(HLL_COUNT.MERGE_PARTIAL(s))'), null, 3],
      ['(SELECT HLL_COUNT.INIT(x) IS NULL FROM UNNEST(ARRAY<INT64>[NULL]) x)', null, 1],
      ['(SELECT HLL_COUNT.MERGE(x) FROM UNNEST(ARRAY<BYTES>[]) x)', null, 0],
      ['HLL_COUNT.EXTRACT(NULL)', null, 0],
    ],
  },
  [
    [
      "KLL_QUANTILES.EXTRACT_INT64(b'abc', 2)",
      'the query failed: these BYTES are not a KLL sketch of type INT64 made by quern; sketches from BigQuery can’t be read',
    ],
    [
      "HLL_COUNT.EXTRACT(b'abc')",
      'the query failed: these BYTES are not an HLL sketch made by quern; sketches from BigQuery can’t be read',
    ],
    [
      '(SELECT HLL_COUNT.MERGE(s) FROM (SELECT HLL_COUNT.INIT(x) AS s FROM UNNEST([1]) x UNION ALL SELECT HLL_COUNT.INIT(x) FROM UNNEST([b"1"]) x))',
      'the query failed: HLL sketches of values of different types cannot be merged',
    ],
    [
      '(SELECT KLL_QUANTILES.INIT_INT64(x, weight => 0) FROM UNNEST([1]) x)',
      'the query failed: a weight of KLL_QUANTILES must be from 1 to 2147483647',
    ],
    ['(SELECT KLL_QUANTILES.INIT_UINT64(x) FROM UNNEST([-1]) x)', 'the query failed: a value of KLL_QUANTILES.INIT_UINT64 is below 0'],
    ['(SELECT KLL_QUANTILES.INIT_INT64(x, 0) FROM UNNEST([1]) x)', 'the precision must be a constant from 1 to 100000'],
    ["KLL_QUANTILES.EXTRACT_INT64(b'', 0)", 'the number of quantiles must be a constant from 1 to 10000'],
    ['(SELECT HLL_COUNT.INIT(x, 3) FROM UNNEST([1]) x)', 'the precision must be a constant from 10 to 24'],
    [
      '(SELECT KLL_QUANTILES.INIT_INT64(x, 1000, 2) FROM UNNEST([1]) x)',
      'KLL_QUANTILES.INIT_INT64 does not take (INT64, INT64, nothing, INT64)',
    ],
    ['(SELECT KLL_QUANTILES.INIT_INT64(x, weight => 1, 1000) FROM UNNEST([1]) x)', 'positional arguments come before named ones'],
  ],
);
