// What statistical aggregates become and give.
import { testTable } from '../../support/table-rows.ts';

const table = `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f, 'x' AS s, DATE '2026-01-01' AS day, [1, 2] AS list
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64), NULL, NULL, [3]
  UNION ALL SELECT 3, 'b', 3, -2.0, 'y', DATE '2026-01-02', [5]
  UNION ALL SELECT 4, 'b', -1, 4.0, 'Z', DATE '2026-01-03', [4]`;

testTable({
  table,
  expressions: {
    'of one value': [
      ['VAR_POP(id)', 'varPopStableOrNull(toFloat64(id))', 1.25],
      ['VAR_SAMP(id)', 'if(count(id) < 2, NULL, varSampStableOrNull(toFloat64(id)))', 1.6666666666666667],
      [
        'VARIANCE(IF(id = 1, id, NULL))',
        "if(count(if(id = 1, id, CAST(NULL, 'Nullable(Int64)'))) < 2, NULL, varSampStableOrNull(toFloat64(if(id = 1, id, CAST(NULL, 'Nullable(Int64)')))))",
        null,
      ],
      ['STDDEV_POP(id)', 'stddevPopStableOrNull(toFloat64(id))', 1.118033988749895],
      ['STDDEV(n)', 'if(count(n) < 2, NULL, stddevSampStableOrNull(toFloat64(n)))', 2.309401076758503],
      [
        'STDDEV_POP(IF(id = 2, NULL, f))',
        "if(countIf(NOT isFinite(if(ifNull(id = 2, false), CAST(NULL, 'Nullable(Float64)'), f))) > 0, nan, if(NOT isFinite(stddevPopStableOrNull(if(ifNull(id = 2, false), CAST(NULL, 'Nullable(Float64)'), f))), stddevPopStableOrNull(if(ifNull(id = 2, false), CAST(NULL, 'Nullable(Float64)'), f) * 2.778448436856347e-163) / 2.778448436856347e-163, stddevPopStableOrNull(if(ifNull(id = 2, false), CAST(NULL, 'Nullable(Float64)'), f))))",
        2.4608038433722332,
      ],
      ['STDDEV_SAMP(DISTINCT n)', 'if(count(DISTINCT n) < 2, NULL, stddevSampStableOrNull(DISTINCT toFloat64(n)))', 2.8284271247461903],
      ['VAR_POP(f)', 'if(countIf(NOT isFinite(f)) > 0, nan, if(NOT isFinite(varPopStableOrNull(f)), inf, varPopStableOrNull(f)))', 'nan'],
      ['VAR_POP(IF(id > 9, id, NULL))', "varPopStableOrNull(toFloat64(if(id > 9, id, CAST(NULL, 'Nullable(Int64)'))))", null],
    ],
    'of values whose differences are beyond FLOAT64': [
      ['STDDEV_POP(IF(id = 1, -1.7e308, 1.7e308)) / 1e300 BETWEEN 147224318 AND 147224319', null, 1],
      ['STDDEV(IF(id = 1, -1.0e308, 1.0e308))', null, 1e308],
      ["STDDEV(IF(id = 1, CAST('inf' AS FLOAT64), 1.0))", null, 'nan'],
      ["STDDEV_POP(IF(id = 1, CAST('inf' AS FLOAT64), NULL))", null, 'nan'],
      ['STDDEV(IF(id < 3, -1.7e308, 1.7e308))', null, 'inf'],
      ['VAR_POP(IF(id = 1, -1.7e308, 1.7e308))', null, 'inf'],
      ['VARIANCE(IF(id > 1, 1.7e308, -1.7e308))', null, 'inf'],
    ],
    'of pairs': [
      ['COVAR_POP(id, id)', 'covarPopStableOrNull(toFloat64(id), toFloat64(id))', 1.25],
      [
        'COVAR_SAMP(id, n)',
        'if(countIf(id IS NOT NULL AND n IS NOT NULL) < 2, NULL, covarSampStableOrNull(toFloat64(id), toFloat64(n)))',
        -2.6666666666666665,
      ],
      ['CORR(id, -id)', 'if(countIf(id IS NOT NULL AND -id IS NOT NULL) < 2, NULL, corrStableOrNull(toFloat64(id), toFloat64(-id)))', -1],
      [
        'IS_NAN(CORR(id, 1))',
        'isNaN(if(countIf(id IS NOT NULL AND toInt64(1) IS NOT NULL) < 2, NULL, corrStableOrNull(toFloat64(id), toFloat64(toInt64(1)))))',
        1,
      ],
      [
        'CORR(id, IF(id = 1, 1, NULL))',
        "if(countIf(id IS NOT NULL AND if(id = 1, toInt64(1), CAST(NULL, 'Nullable(Int64)')) IS NOT NULL) < 2, NULL, corrStableOrNull(toFloat64(id), toFloat64(if(id = 1, toInt64(1), CAST(NULL, 'Nullable(Int64)')))))",
        null,
      ],
    ],
  },
  failures: [['CORR(DISTINCT id, n)', 'CORR does not take DISTINCT']],
});
