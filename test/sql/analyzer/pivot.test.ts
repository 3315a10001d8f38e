// PIVOT and UNPIVOT on the engine.
import { describe, expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { table } = queryRunner();

const SALES = `WITH sales AS (
  SELECT 'kale' AS product, 51 AS amount, 'Q1' AS quarter UNION ALL SELECT 'kale', 23, 'Q2' UNION ALL SELECT 'kale', 4, 'Q2'
  UNION ALL SELECT 'apple', 77, 'Q1' UNION ALL SELECT 'apple', NULL, 'Q2' UNION ALL SELECT 'apple', 2, NULL) `;

describe('PIVOT', () => {
  test.each([
    [
      "SELECT * FROM sales PIVOT(SUM(amount) FOR quarter IN ('Q1', 'Q2', 'Q3')) ORDER BY product",
      [
        ['product', 'Q1', 'Q2', 'Q3'],
        ['apple', 77, null, null],
        ['kale', 51, 27, null],
      ],
    ],
    [
      "SELECT * FROM sales PIVOT(SUM(amount) AS total, COUNT(*) AS n FOR quarter IN ('Q1' AS first, NULL)) ORDER BY product",
      [
        ['product', 'total_first', 'n_first', 'total_NULL', 'n_NULL'],
        ['apple', 77, 1, 2, 1],
        ['kale', 51, 1, null, 0],
      ],
    ],
    [
      "SELECT * FROM (SELECT amount, quarter FROM sales) PIVOT(COUNT(DISTINCT amount) FOR quarter IN ('Q1', 'Q2'))",
      [
        ['Q1', 'Q2'],
        [2, 2],
      ],
    ],
    [
      "SELECT * FROM sales PIVOT(MAX(amount) FOR (quarter = 'Q1') IN (TRUE, FALSE AS other)) WHERE product = 'kale'",
      [
        ['product', 'TRUE', 'other'],
        ['kale', 51, 23],
      ],
    ],
    [
      'SELECT * FROM (SELECT 1 AS x, 2 AS y) PIVOT(SUM(y) FOR x IN (1, -1, 2 AS two))',
      [
        ['_1', 'minus_1', 'two'],
        [2, null, null],
      ],
    ],
    [
      "SELECT * FROM (SELECT amount, product FROM sales) PIVOT(ARRAY_AGG(amount IGNORE NULLS ORDER BY amount) FOR product IN ('kale', 'pear'))",
      [
        ['kale', 'pear'],
        [[4, 23, 51], []],
      ],
    ],
    [
      "SELECT * FROM (SELECT CAST('nan' AS FLOAT64) AS x, 1 AS y UNION ALL SELECT 1.0, 2) PIVOT(SUM(y) FOR x IN (CAST('nan' AS FLOAT64) AS nothing, 1.0 AS one))",
      [
        ['nothing', 'one'],
        [1, 2],
      ],
    ],
    ["SELECT p.Q1 FROM sales PIVOT(SUM(amount) FOR quarter IN ('Q1')) AS p ORDER BY 1", [['Q1'], [51], [77]]],
    [
      "FROM sales |> PIVOT(SUM(amount) FOR quarter IN ('Q1')) |> WHERE Q1 > 60",
      [
        ['product', 'Q1'],
        ['apple', 77],
      ],
    ],
    [
      "SELECT * FROM (SELECT DATE '2026-01-02' AS d, 3 AS v) PIVOT(SUM(v) FOR d IN (DATE '2026-01-02', DATE '2026-01-03'))",
      [
        ['_2026_01_02', '_2026_01_03'],
        [3, null],
      ],
    ],
  ])('%s', async (sql, expected) => {
    expect(await table(SALES + sql)).toEqual(expected);
  });

  test.each([
    ['PIVOT(amount FOR quarter IN ("Q1"))', 'type: PIVOT takes aggregate functions'],
    ['PIVOT(ARRAY_AGG(amount) FOR quarter IN ("Q1"))', 'unsupported: ARRAY_AGG in PIVOT must ignore NULLs'],
    ['PIVOT(SUM(amount) FOR quarter IN (CONCAT("Q", "1")))', 'type: PIVOT can’t name the column of this value'],
    ['PIVOT(SUM(amount) FOR quarter IN (1))', 'type: operator = does not take (STRING, INT64)'],
  ])('%s is refused', (operator, expected) => {
    expect(refusal(`${SALES} SELECT * FROM sales ${operator}`)).toContain(expected);
  });
});

const WIDE =
  "WITH wide AS (SELECT 'kale' AS product, 51 AS q1, NULL AS q2, 'a' AS n1, 'b' AS n2 UNION ALL SELECT 'apple', 77, 0, 'c', NULL) ";

describe('UNPIVOT', () => {
  test.each([
    [
      'SELECT product, amount, quarter FROM wide UNPIVOT(amount FOR quarter IN (q1, q2)) ORDER BY product, quarter',
      [
        ['product', 'amount', 'quarter'],
        ['apple', 77, 'q1'],
        ['apple', 0, 'q2'],
        ['kale', 51, 'q1'],
      ],
    ],
    [
      'SELECT product, amount, quarter FROM wide UNPIVOT INCLUDE NULLS (amount FOR quarter IN (q1 AS 1, q2 AS 2)) ORDER BY product, quarter',
      [
        ['product', 'amount', 'quarter'],
        ['apple', 77, 1],
        ['apple', 0, 2],
        ['kale', 51, 1],
        ['kale', null, 2],
      ],
    ],
    [
      "SELECT * FROM wide UNPIVOT((amount, note) FOR quarter IN ((q1, n1) AS 'first', (q2, n2))) ORDER BY product, quarter",
      [
        ['product', 'amount', 'note', 'quarter'],
        ['apple', 77, 'c', 'first'],
        ['apple', 0, null, 'q2_n2'],
        ['kale', 51, 'a', 'first'],
        ['kale', null, 'b', 'q2_n2'],
      ],
    ],
    ['SELECT u.quarter FROM wide AS w UNPIVOT(amount FOR quarter IN (w.q1)) AS u ORDER BY amount', [['quarter'], ['q1'], ['q1']]],
    [
      'FROM wide |> UNPIVOT(amount FOR quarter IN (q1, q2)) |> AGGREGATE SUM(amount) GROUP AND ORDER BY quarter',
      [
        ['quarter', ''],
        ['q1', 128],
        ['q2', 0],
      ],
    ],
  ])('%s', async (sql, expected) => {
    expect(await table(WIDE + sql)).toEqual(expected);
  });

  test.each([
    ['UNPIVOT(v FOR k IN (q1, n1))', 'type: UNPIVOT: q1 is INT64 and n1 is STRING'],
    ['UNPIVOT((v, w) FOR k IN (q1))', 'type: UNPIVOT makes 2 columns, but this group has 1'],
    ['UNPIVOT(v FOR k IN (q9))', 'unknown-column: there is no column or table q9 here'],
  ])('%s is refused', (operator, expected) => {
    expect(refusal(`${WIDE} SELECT * FROM wide ${operator}`)).toContain(expected);
  });
});
