// What aggregates over windows become and give, with all kinds of frames.
import { testTable } from '../../support/table-rows.ts';

const table = `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64)
  UNION ALL SELECT 3, 'b', 3, -2.0
  UNION ALL SELECT 4, 'b', -1, 4.0`;

testTable({
  table,
  rest: 'ORDER BY id',
  expressions: {
    'aggregates and frames': [
      ['SUM(n) OVER (PARTITION BY g)', 'sumOrNull(n) OVER (PARTITION BY g)', 3, 3, 2, 2],
      [
        'COUNT(*) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)',
        'toInt64(count() OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING))',
        2,
        3,
        3,
        2,
      ],
      ['SUM(id) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 1 FOLLOWING)', "CAST(NULL, 'Nullable(Int64)')", null, null, null, null],
      [
        'COUNT(*) OVER (ORDER BY id ROWS BETWEEN 3000000000 PRECEDING AND CURRENT ROW)',
        'toInt64(count() OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))',
        1,
        2,
        3,
        4,
      ],
      [
        'MAX(f) OVER (ORDER BY id)',
        'if(maxOrNull(isNaN(f)) OVER (ORDER BY id), nan, maxOrNull(f) OVER (ORDER BY id))',
        1.5,
        'nan',
        'nan',
        'nan',
      ],
      [
        'ARRAY_AGG(n) OVER (ORDER BY id)',
        'arrayMap(`row` -> tupleElement(`row`, 1), groupArray(tuple(n)) OVER (ORDER BY id))',
        [3],
        [3, null],
        [3, null, 3],
        [3, null, 3, -1],
      ],
      [
        'STRING_AGG(g) OVER (ORDER BY id)',
        "if(countIf(g IS NOT NULL) OVER (ORDER BY id) = 0, NULL, arrayStringConcat(groupArray(g) OVER (ORDER BY id), ','))",
        'a',
        'a,a',
        'a,a,b',
        'a,a,b,b',
      ],
      ['COUNT(*) OVER (PARTITION BY f)', 'toInt64(count() OVER (PARTITION BY if(isNaN(f), nan, f + 0.0)))', 1, 1, 1, 1],
    ],
    ranges: [
      [
        'SUM(id) OVER (ORDER BY n RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)',
        "sumOrNull(id) OVER (ORDER BY ifNull(CAST(n, 'Nullable(Int128)'), toInt128('-1000000000000000000000000000000')) RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)",
        4,
        2,
        4,
        4,
      ],
      [
        'SUM(id) OVER (ORDER BY n RANGE BETWEEN 4 PRECEDING AND 4 PRECEDING)',
        "if(n IS NULL, sumOrNull(id) OVER (ORDER BY n NULLS FIRST RANGE BETWEEN CURRENT ROW AND CURRENT ROW), sumOrNull(id) OVER (ORDER BY ifNull(CAST(n, 'Nullable(Int128)'), toInt128('-1000000000000000000000000000000')) RANGE BETWEEN 4 PRECEDING AND 4 PRECEDING))",
        4,
        2,
        4,
        null,
      ],
      [
        'COUNT(*) OVER (ORDER BY n RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)',
        "if(n IS NULL, toInt64(count() OVER (ORDER BY n NULLS FIRST RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)), toInt64(count() OVER (ORDER BY ifNull(CAST(n, 'Nullable(Int128)'), toInt128('-1000000000000000000000000000000')) RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)))",
        0,
        4,
        0,
        2,
      ],
      [
        'COUNT(*) OVER (ORDER BY id * 1000000000 RANGE BETWEEN 2000000000 PRECEDING AND CURRENT ROW)',
        "toInt64(count() OVER (ORDER BY ifNull(CAST(id * 1000000000, 'Nullable(Int128)'), toInt128('-1000000000000000000000000000000')) RANGE BETWEEN 2000000000 PRECEDING AND CURRENT ROW))",
        1,
        2,
        3,
        3,
      ],
      [
        'SUM(id) OVER (ORDER BY id * 3000000000 RANGE BETWEEN 3000000001 PRECEDING AND CURRENT ROW)',
        "arrayReduce('sumOrNull', arrayMap(`row` -> tupleElement(`row`, 3), arrayFilter(`row` -> (tupleElement(`row`, 1), tupleElement(`row`, 2)) >= (if(id * 3000000000 IS NULL, 0, 3), toInt128(ifNull(id * 3000000000, 0)) - if(if(id * 3000000000 IS NULL, 0, 3) = 3, toInt128('3000000001'), toInt128('0'))) AND (tupleElement(`row`, 1), tupleElement(`row`, 2)) <= (if(id * 3000000000 IS NULL, 0, 3), toInt128(ifNull(id * 3000000000, 0))), groupArray((if(id * 3000000000 IS NULL, 0, 3), toInt128(ifNull(id * 3000000000, 0)), id)) OVER (ORDER BY id * 3000000000 NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))))",
        1,
        3,
        5,
        7,
      ],
      [
        'SUM(id) OVER (ORDER BY f RANGE BETWEEN 2.5 PRECEDING AND CURRENT ROW)',
        "arrayReduce('sumOrNull', arrayMap(`row` -> tupleElement(`row`, 3), arrayFilter(`row` -> (tupleElement(`row`, 1), tupleElement(`row`, 2)) >= (multiIf(f IS NULL, 0, isNaN(f), 1, f = -inf, 2, f = inf, 4, 3), if(isFinite(f), assumeNotNull(f), 0.0) - if(multiIf(f IS NULL, 0, isNaN(f), 1, f = -inf, 2, f = inf, 4, 3) = 3, 2.5, 0.0)) AND (tupleElement(`row`, 1), tupleElement(`row`, 2)) <= (multiIf(f IS NULL, 0, isNaN(f), 1, f = -inf, 2, f = inf, 4, 3), if(isFinite(f), assumeNotNull(f), 0.0)), groupArray((multiIf(f IS NULL, 0, isNaN(f), 1, f = -inf, 2, f = inf, 4, 3), if(isFinite(f), assumeNotNull(f), 0.0), id)) OVER (ORDER BY f NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))))",
        1,
        2,
        3,
        5,
      ],
      [
        'SUM(id) OVER (ORDER BY CAST(n AS FLOAT64) DESC RANGE BETWEEN 4 PRECEDING AND CURRENT ROW)',
        "sumOrNull(id) OVER (ORDER BY ifNull(CAST(toFloat64(n), 'Nullable(Float64)'), -1.7976931348623157e308) DESC RANGE BETWEEN 4 PRECEDING AND CURRENT ROW)",
        4,
        2,
        4,
        8,
      ],
    ],
  },
  failures: [
    ['SUM(n) OVER (ORDER BY id ROWS BETWEEN n PRECEDING AND CURRENT ROW)', 'the offset of a window frame must be a constant number'],
    ['SUM(n) OVER (ORDER BY g RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)', 'RANGE with an offset over STRING is not supported'],
    ['SUM(n) OVER (ORDER BY id ROWS BETWEEN -1 PRECEDING AND CURRENT ROW)', 'the offset of a window frame can’t be negative'],
  ],
});
