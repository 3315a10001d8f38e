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
      ['COUNT(n)', 'toInt64(count(q.n))', 3],
      ['COUNT(DISTINCT n)', 'toInt64(count(DISTINCT q.n))', 2],
      ['COUNT(DISTINCT f)', 'toInt64(count(DISTINCT if(isNaN(q.f), nan, q.f + 0.0)))', 4],
      ['COUNTIF(n > 0)', 'toInt64(countIf(q.n > 0))', 2],
      ['COUNTIF(DISTINCT n > 0)', 'toInt64(ifNull(max(q.n > 0), false))', 1],
      ['COUNTIF(id > 9)', 'toInt64(countIf(q.id > 9))', 0],
    ],
    'SUM and AVG': [
      ['SUM(n)', 'sum(q.n)', 5],
      ['SUM(DISTINCT n)', 'sum(DISTINCT q.n)', 2],
      ['SUM(IF(id > 9, n, NULL))', "sum(if(q.id > 9, q.n, CAST(NULL, 'Nullable(Int64)')))", null],
      [
        'SUM(d)',
        "if(throwIf(abs(sum(toDecimal256(q.d, 9))) > toDecimal256('99999999999999999999999999999.999999999', 9), 'SUM: the result is out of range') = 0, toDecimal128(sum(toDecimal256(q.d, 9)), 9), NULL)",
        '4.000000001',
      ],
      ['AVG(n)', 'avg(toFloat64(q.n))', 1.6666666666666667],
      [
        'AVG(d)',
        'toDecimal128(round(divideDecimal(sum(toDecimal256(q.d, 9)), toDecimal256(greatest(count(q.d), 1), 0), 10), 9), 9)',
        '1.333333334',
      ],
      [
        'AVG(IF(id > 9, d, NULL))',
        "toDecimal128(round(divideDecimal(sum(toDecimal256(if(q.id > 9, q.d, CAST(NULL, 'Nullable(Decimal(38, 9))')), 9)), toDecimal256(greatest(count(if(q.id > 9, q.d, CAST(NULL, 'Nullable(Decimal(38, 9))'))), 1), 0), 10), 9), 9)",
        null,
      ],
      ['SUM(f)', 'sum(q.f)', 'nan'],
    ],
    'MIN and MAX': [
      ['MAX(n)', 'max(q.n)', 3],
      ['MIN(n)', 'min(q.n)', -1],
      ['MAX(s)', 'max(q.s)', 'y'],
      ['MIN(s)', 'min(q.s)', 'Z'],
      ['MAX(b)', 'max(q.b)', true],
      ['MAX(f)', 'if(max(isNaN(q.f)), nan, max(q.f))', 'nan'],
      ['MIN(f)', 'if(max(isNaN(q.f)), nan, min(q.f))', 'nan'],
      ['MAX(CAST(n AS FLOAT64))', 'max(toFloat64(q.n))', 3],
      [
        'MIN(IF(id > 9, f, NULL))',
        "if(max(isNaN(if(q.id > 9, q.f, CAST(NULL, 'Nullable(Float64)')))), nan, min(if(q.id > 9, q.f, CAST(NULL, 'Nullable(Float64)'))))",
        null,
      ],
      ['MAX(d)', 'max(q.d)', '2.000000001'],
    ],
    'ANY_VALUE, logic and bits': [
      ['ANY_VALUE(n HAVING MAX id)', 'tupleElement(argMax(tuple(q.n), q.id), 1)', -1],
      ['ANY_VALUE(s HAVING MIN id)', 'tupleElement(argMin(tuple(q.s), q.id), 1)', 'x'],
      ['LOGICAL_AND(b)', 'min(q.b)', false],
      ['LOGICAL_OR(b)', 'max(q.b)', true],
      ['LOGICAL_AND(IF(id > 9, b, NULL))', "min(if(q.id > 9, q.b, CAST(NULL, 'Nullable(Bool)')))", null],
      ['BIT_AND(id)', 'groupBitAnd(q.id)', 0],
      ['BIT_OR(id)', 'groupBitOr(q.id)', 7],
      ['BIT_XOR(n)', 'groupBitXor(q.n)', -1],
    ],
  },
  failures: [
    ['MAX([1])', 'values of type ARRAY<INT64> have no order'],
    ['COUNT([1])', 'COUNT of arrays is not supported: ClickHouse has no NULL array'],
    ["SUM(IF(id < 3, NUMERIC '99999999999999999999999999999', d))", 'the query failed: SUM: the result is out of range'],
    ['GROUPING(id)', 'GROUPING takes an expression of GROUP BY'],
  ],
});
