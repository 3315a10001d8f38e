// What ERROR and IS DISTINCT FROM become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    ERROR: [
      ["IF(TRUE, 'a', ERROR('bad'))", null, 'a'],
      ["IF(FALSE, ERROR('bad'), 1.5)", null, 1.5],
      ["IF(TRUE, [1], ERROR('bad'))", null, [1]],
      ["SAFE.ERROR('bad')", "CAST(NULL, 'Nullable(Int64)')", null],
    ],
    'IS DISTINCT FROM': [
      ['CAST("nan" AS FLOAT64) IS DISTINCT FROM CAST("nan" AS FLOAT64)', null, 0],
      ['CAST("nan" AS FLOAT64) IS NOT DISTINCT FROM CAST("inf" AS FLOAT64)', null, 0],
      ['CAST("nan" AS FLOAT64) IS DISTINCT FROM NULL', null, 1],
      ['1.5 IS NOT DISTINCT FROM CAST(NULL AS FLOAT64)', "NOT isDistinctFrom(1.5, CAST(NULL, 'Nullable(Float64)'))", 0],
      ['NULL IS NOT DISTINCT FROM NULL', null, 1],
    ],
  },
  [
    ["ERROR('it is bad')", 'the query failed: it is bad'],
    ["IF(TRUE, ERROR('bad'), 'a')", 'the query failed: bad'],
    ['SAFE.ERROR(GENERATE_UUID())', 'SAFE.ERROR takes a constant message'],
  ],
);
