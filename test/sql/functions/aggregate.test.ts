// What aggregate functions become and give.
import { testTable } from '../../support/table-rows.ts';

const table = `
  SELECT 1 AS id, 'a' AS g, 3 AS n, 1.5 AS f, 'x' AS s, TRUE AS b, NUMERIC '1.5' AS d
  UNION ALL SELECT 2, 'a', NULL, CAST('nan' AS FLOAT64), NULL, NULL, NULL
  UNION ALL SELECT 3, 'b', 3, -2.0, 'y', FALSE, NUMERIC '2.000000001'
  UNION ALL SELECT 4, 'b', -1, 4.0, 'Z', TRUE, NUMERIC '0.5'`;

testTable({
  table,
  expressions: {
    'COUNT and COUNTIF': [
      ['COUNT(*)', 'toInt64(count())', 4],
      ['COUNT(n)', 'toInt64(count(n))', 3],
      ['COUNT(DISTINCT n)', 'toInt64(count(DISTINCT n))', 2],
      ['COUNT(DISTINCT f)', 'toInt64(count(DISTINCT if(isNaN(f), nan, f + 0.0)))', 4],
      ['COUNTIF(n > 0)', 'toInt64(countIf(n > 0))', 2],
      ['COUNTIF(DISTINCT n > 0)', 'toInt64(ifNull(maxOrNull(n > 0), false))', 1],
      ['COUNTIF(id > 9)', 'toInt64(countIf(id > 9))', 0],
    ],
    'SUM and AVG': [
      ['SUM(n)', 'sumOrNull(n)', 5],
      ['SUM(DISTINCT n)', 'sumOrNull(DISTINCT n)', 2],
      ['SAFE.SUM(n * 3000000000000000000)', "accurateCastOrNull(sumOrNull(toInt128(n * 3000000000000000000)), 'Int64')", null],
      ['SUM(IF(id > 9, n, NULL))', "sumOrNull(if(id > 9, n, CAST(NULL, 'Nullable(Int64)')))", null],
      ['SUM(d)', 'sumOrNull(d)', '4.000000001'],
      ['AVG(n)', 'avgOrNull(n)', 1.6666666666666667],
      ['AVG(d)', 'toDecimal128(round(toDecimal256(sumOrNull(d), 10) / greatest(count(d), 1), 9), 9)', '1.333333334'],
      ['AVG(MAKE_INTERVAL(0, id)) = MAKE_INTERVAL(0, 2, 15)', null, 1],
      [
        'AVG(IF(id > 9, d, NULL))',
        "toDecimal128(round(toDecimal256(sumOrNull(if(id > 9, d, CAST(NULL, 'Nullable(Decimal(38, 9))'))), 10) / greatest(count(if(id > 9, d, CAST(NULL, 'Nullable(Decimal(38, 9))'))), 1), 9), 9)",
        null,
      ],
      [
        'SUM(f)',
        "sumOrNull(f) - throwIf(ifNull(isInfinite(sumOrNull(f)) AND isFinite(maxOrNull(abs(f))), false), 'SUM: the result is out of range')",
        'nan',
      ],
    ],
    'MIN and MAX': [
      ['MAX(n)', 'maxOrNull(n)', 3],
      ['MIN(n)', 'minOrNull(n)', -1],
      ['MAX(s)', 'maxOrNull(s)', 'y'],
      ['MIN(s)', 'minOrNull(s)', 'Z'],
      ['MAX(b)', 'maxOrNull(b)', true],
      ['MAX(f)', 'if(maxOrNull(isNaN(f)), nan, maxOrNull(f))', 'nan'],
      ['MIN(f)', 'if(maxOrNull(isNaN(f)), nan, minOrNull(f))', 'nan'],
      ['MAX(CAST(n AS FLOAT64))', 'maxOrNull(toFloat64(n))', 3],
      [
        'MIN(IF(id > 9, f, NULL))',
        "if(maxOrNull(isNaN(if(id > 9, f, CAST(NULL, 'Nullable(Float64)')))), nan, minOrNull(if(id > 9, f, CAST(NULL, 'Nullable(Float64)'))))",
        null,
      ],
      ['MAX(d)', 'maxOrNull(d)', '2.000000001'],
    ],
    'ANY_VALUE, logic and bits': [
      ['ANY_VALUE(n HAVING MAX id)', 'tupleElement(argMaxOrNull(tuple(n), id), 1)', -1],
      ['ANY_VALUE(s HAVING MIN id)', 'tupleElement(argMinOrNull(tuple(s), id), 1)', 'x'],
      ['MAX_BY(n, id)', 'tupleElement(argMaxOrNull(tuple(n), id), 1)', -1],
      ['MIN_BY(s, id)', 'tupleElement(argMinOrNull(tuple(s), id), 1)', 'x'],
      ['LOGICAL_AND(b)', 'minOrNull(b)', false],
      ['LOGICAL_OR(b)', 'maxOrNull(b)', true],
      ['LOGICAL_AND(IF(id > 9, b, NULL))', "minOrNull(if(id > 9, b, CAST(NULL, 'Nullable(Bool)')))", null],
      ['BIT_AND(id)', 'groupBitAndOrNull(id)', 0],
      ['BIT_OR(id)', 'groupBitOrOrNull(id)', 7],
      ['BIT_XOR(n)', 'groupBitXorOrNull(n)', -1],
    ],
  },
  failures: [
    ['MAX([1])', 'values of type ARRAY<INT64> have no order'],
    ["SUM(IF(id < 3, NUMERIC '99999999999999999999999999999', d))", 'the query failed: SUM: the result is out of range'],
    ['SUM(DISTINCT id + 9223372036854775803)', 'the query failed: a value is out of the range of INT64'],
    ['GROUPING(id)', 'GROUPING takes an expression of GROUP BY'],
  ],
});
