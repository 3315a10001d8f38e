// What PERCENTILE_CONT and PERCENTILE_DISC become and give.
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
    percentiles: [
      ['PERCENTILE_CONT(id, 0.5) OVER ()', 'quantileExactInclusiveOrNull(0.5)(id) OVER ()', 2.5, 2.5, 2.5, 2.5],
      [
        'PERCENTILE_CONT(f, 0) OVER (PARTITION BY g)',
        'arrayMap(ranked -> multiIf(empty(ranked), NULL, 0 * (length(ranked) - 1) - floor(0 * (length(ranked) - 1)) = 0, arrayElementOrNull(ranked, toInt64(floor(0 * (length(ranked) - 1))) + 1), arrayElementOrNull(ranked, toInt64(floor(0 * (length(ranked) - 1))) + 1) IS NULL, arrayElementOrNull(ranked, toInt64(floor(0 * (length(ranked) - 1))) + 2), arrayElementOrNull(ranked, toInt64(floor(0 * (length(ranked) - 1))) + 1) * (1 - (0 * (length(ranked) - 1) - floor(0 * (length(ranked) - 1)))) + arrayElementOrNull(ranked, toInt64(floor(0 * (length(ranked) - 1))) + 2) * (0 * (length(ranked) - 1) - floor(0 * (length(ranked) - 1)))), [arrayRotateRight(arraySort(groupArray(f) OVER (PARTITION BY g)), countIf(isNaN(f)) OVER (PARTITION BY g))])[1]',
        'nan',
        'nan',
        -2,
        -2,
      ],
      [
        'PERCENTILE_CONT(n, 0.25 RESPECT NULLS) OVER ()',
        'arrayMap(ranked -> multiIf(empty(ranked), NULL, 0.25 * (length(ranked) - 1) - floor(0.25 * (length(ranked) - 1)) = 0, arrayElementOrNull(ranked, toInt64(floor(0.25 * (length(ranked) - 1))) + 1), arrayElementOrNull(ranked, toInt64(floor(0.25 * (length(ranked) - 1))) + 1) IS NULL, arrayElementOrNull(ranked, toInt64(floor(0.25 * (length(ranked) - 1))) + 2), arrayElementOrNull(ranked, toInt64(floor(0.25 * (length(ranked) - 1))) + 1) * (1 - (0.25 * (length(ranked) - 1) - floor(0.25 * (length(ranked) - 1)))) + arrayElementOrNull(ranked, toInt64(floor(0.25 * (length(ranked) - 1))) + 2) * (0.25 * (length(ranked) - 1) - floor(0.25 * (length(ranked) - 1)))), [arrayConcat(arrayWithConstant(countIf(n IS NULL) OVER (), NULL), arraySort(groupArray(n) OVER ()))])[1]',
        -1,
        -1,
        -1,
        -1,
      ],
      // Each sum is checked for its range, in a text that doubles with each use of it.
      ['PERCENTILE_CONT(f + f, 0.5) OVER ()', null, -0.5, -0.5, -0.5, -0.5],
      // Only a NUMERIC percentile makes a NUMERIC: 0, 0.5 and 1 are taken for FLOAT64s.
      ["PERCENTILE_CONT(CAST(n AS NUMERIC), 1) OVER () / NUMERIC '3'", null, 1, 1, 1, 1],
      ['FORMAT("%T", PERCENTILE_CONT(CAST(n AS NUMERIC), 1) OVER ())', null, '3.0', '3.0', '3.0', '3.0'],
      ['FORMAT("%T", PERCENTILE_CONT(CAST(n AS BIGNUMERIC), 0) OVER ())', null, '-1.0', '-1.0', '-1.0', '-1.0'],
      ['FORMAT("%T", PERCENTILE_CONT(id, NUMERIC "0.5") OVER ())', null, '2.5', '2.5', '2.5', '2.5'],
      ['PERCENTILE_DISC(n, 0.5) OVER ()', 'quantileExactOrNull(0.4999999999)(n) OVER ()', 3, 3, 3, 3],
      [
        'PERCENTILE_DISC(g, 0.5) OVER ()',
        'arrayMap(ranked -> if(empty(ranked), NULL, arrayElementOrNull(ranked, greatest(toInt64(ceil(0.5 * length(ranked))), 1))), [arraySort(groupArray(g) OVER ())])[1]',
        'a',
        'a',
        'a',
        'a',
      ],
    ],
  },
  failures: [
    ['PERCENTILE_CONT(n, 1.5) OVER ()', 'the percentile must be a constant from 0 to 1'],
    ['PERCENTILE_CONT(n, 0.5) OVER (ORDER BY id)', 'PERCENTILE_CONT takes no ORDER BY in its window'],
    ['PERCENTILE_DISC(n, f) OVER ()', 'the percentile must be a constant from 0 to 1'],
  ],
});
