// What approximate aggregates become and give.
import { testTable } from '../../support/table-rows.ts';

const table = `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f, 'x' AS s, DATE '2026-01-01' AS day, [1, 2] AS list
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64), NULL, NULL, [3]
  UNION ALL SELECT 3, 'b', 3, -2.0, 'y', DATE '2026-01-02', [5]
  UNION ALL SELECT 4, 'b', -1, 4.0, 'Z', DATE '2026-01-03', [4]`;

testTable({
  table,
  expressions: {
    APPROX_QUANTILES: [
      ['APPROX_QUANTILES(id, 4)', 'quantilesExactOrNull(0, 0.2499999999, 0.4999999999, 0.7499999999, 0.9999999999)(id)', [1, 1, 2, 3, 4]],
      ['APPROX_QUANTILES(id, 4)[OFFSET(2)]', 'quantileExactOrNull(0.4999999999)(id)', 2],
      ['APPROX_QUANTILES(id, 100)[SAFE_ORDINAL(96)]', 'quantileExactOrNull(0.9499999999)(id)', 4],
      [
        'APPROX_QUANTILES(s, 2)',
        'if(empty(arraySort(groupArray(s))), [], arrayMap(k -> arraySort(groupArray(s))[greatest(intDiv(k * length(arraySort(groupArray(s))) + 1, 2), 1)], range(3)))',
        ['Z', 'x', 'y'],
      ],
      [
        'APPROX_QUANTILES(n, 3 RESPECT NULLS)',
        'if(empty(arrayConcat(arrayWithConstant(countIf(n IS NULL), NULL), arraySort(groupArray(n)))), [], arrayMap(k -> arrayConcat(arrayWithConstant(countIf(n IS NULL), NULL), arraySort(groupArray(n)))[greatest(intDiv(k * length(arrayConcat(arrayWithConstant(countIf(n IS NULL), NULL), arraySort(groupArray(n)))) + 2, 3), 1)], range(4)))',
        [null, -1, 3, 3],
      ],
      [
        'APPROX_QUANTILES(f, 2)',
        'if(empty(arrayRotateRight(arraySort(groupArray(f)), countIf(isNaN(f)))), [], arrayMap(k -> arrayRotateRight(arraySort(groupArray(f)), countIf(isNaN(f)))[greatest(intDiv(k * length(arrayRotateRight(arraySort(groupArray(f)), countIf(isNaN(f)))) + 1, 2), 1)], range(3)))',
        ['nan', -2, 4],
      ],
      ['APPROX_QUANTILES(f, 2)[OFFSET(0)]', 'if(avgOrNull(isNaN(f)) > 0, nan, quantileExactOrNull(0)(max2(f, -inf)))', 'nan'],
      ['APPROX_QUANTILES(f, 2)[OFFSET(1)]', 'if(avgOrNull(isNaN(f)) >= 0.5, nan, quantileExactOrNull(0.4999999999)(max2(f, -inf)))', -2],
      [
        'APPROX_QUANTILES(f, 4)[OFFSET(1)]',
        'if(avgOrNull(isNaN(f)) >= 0.25, nan, quantileExactOrNull(0.2499999999)(max2(f, -inf)))',
        'nan',
      ],
      ['APPROX_QUANTILES(f, 2)[OFFSET(2)]', 'if(avgOrNull(isNaN(f)) >= 1, nan, quantileExactOrNull(0.9999999999)(max2(f, -inf)))', 4],
      [
        'APPROX_QUANTILES(IF(id > 9, f, NULL), 2)[OFFSET(1)]',
        "if(avgOrNull(isNaN(if(id > 9, f, CAST(NULL, 'Nullable(Float64)')))) >= 0.5, nan, quantileExactOrNull(0.4999999999)(max2(if(id > 9, f, CAST(NULL, 'Nullable(Float64)')), -inf)))",
        null,
      ],
      [
        'APPROX_QUANTILES(IF(id > 9, id, NULL), 2)',
        "quantilesExactOrNull(0, 0.4999999999, 0.9999999999)(if(id > 9, id, CAST(NULL, 'Nullable(Int64)')))",
        [],
      ],
      [
        'APPROX_QUANTILES(IF(id > 9, id, NULL), 2)[OFFSET(1)]',
        "quantileExactOrNull(0.4999999999)(if(id > 9, id, CAST(NULL, 'Nullable(Int64)')))",
        null,
      ],
      [
        'APPROX_QUANTILES(day, 2)[OFFSET(1)]',
        'arrayElementOrNull(arraySort(groupArray(day)), greatest(intDiv(1 * length(arraySort(groupArray(day))) + 1, 2), 1))',
        '2026-01-02',
      ],
    ],
    APPROX_COUNT_DISTINCT: [
      ['APPROX_COUNT_DISTINCT(n)', 'toInt64(uniq(n))', 2],
      ['APPROX_COUNT_DISTINCT(IF(id > 9, n, NULL))', "toInt64(uniq(if(id > 9, n, CAST(NULL, 'Nullable(Int64)'))))", 0],
    ],
    'APPROX_TOP_COUNT and APPROX_TOP_SUM': [
      [
        'APPROX_TOP_COUNT(n, 1)',
        "CAST(arrayMap(item -> (tupleElement(tupleElement(item, 1), 1), tupleElement(item, 2)), arraySlice(arrayReverseSort(pair -> tupleElement(pair, 2), arrayZip(tupleElement(assumeNotNull(sumMapOrNull([tuple(n)], [toInt64(1)])), 1), tupleElement(assumeNotNull(sumMapOrNull([tuple(n)], [toInt64(1)])), 2))), 1, 1)), 'Array(Nullable(Tuple(Nullable(Int64), Nullable(Int64))))')",
        [[3, 2]],
      ],
      [
        'APPROX_TOP_SUM(g, id, 2)',
        "CAST(arrayMap(item -> (tupleElement(tupleElement(item, 1), 1), if(throwIf(ifNull(tupleElement(item, 2) > 9223372036854775807, false), 'APPROX_TOP_SUM: the sum of weights is out of range') = 0, toInt64(tupleElement(item, 2)), NULL)), arraySlice(arrayReverseSort(pair -> tupleElement(pair, 2), arrayZip(tupleElement(assumeNotNull(sumMapOrNull([tuple(g)], [toInt128(ifNull(if(throwIf(ifNull(id < 0, false), 'APPROX_TOP_SUM does not take negative weights') = 0, id, NULL), 0))], [toInt64(1)])), 1), tupleElement(assumeNotNull(sumMapOrNull([tuple(g)], [toInt128(ifNull(if(throwIf(ifNull(id < 0, false), 'APPROX_TOP_SUM does not take negative weights') = 0, id, NULL), 0))], [toInt64(1)])), 2))), 1, 2)), 'Array(Nullable(Tuple(Nullable(String), Nullable(Int64))))')",
        [
          ['b', 7],
          ['a', 3],
        ],
      ],
      ['ARRAY_LENGTH(APPROX_TOP_COUNT(id, 9))', null, 4],
    ],
  },
  failures: [
    ['APPROX_QUANTILES(id, 0)', 'the last argument of APPROX_QUANTILES must be a positive constant'],
    ['APPROX_TOP_COUNT(id, NULL)', 'the last argument of APPROX_TOP_COUNT must be a positive constant'],
    ["APPROX_TOP_SUM('x', 9223372036854775807, 1)", 'the query failed: APPROX_TOP_SUM: the sum of weights is out of range'],
    ['APPROX_TOP_SUM(id, -id, 1)', 'the query failed: APPROX_TOP_SUM does not take negative weights'],
  ],
});
