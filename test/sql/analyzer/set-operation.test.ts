// Set operations by position and by name, on the engine.
import { describe, expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { table } = queryRunner();

describe('by name', () => {
  test.each([
    [
      'SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 4 AS b, 3 AS a ORDER BY a',
      [
        ['a', 'b'],
        [1, 2],
        [3, 4],
      ],
    ],
    ['SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING SELECT 5 AS z, 4 AS b ORDER BY b', [['b'], [2], [4]]],
    [
      'SELECT 1 AS a, 2 AS b FULL UNION ALL BY NAME SELECT 3 AS c, 4 AS A ORDER BY a',
      [
        ['a', 'b', 'c'],
        [1, 2, null],
        [4, null, 3],
      ],
    ],
    [
      'SELECT 1 AS a, 2 AS b LEFT UNION ALL BY NAME SELECT 3 AS c, 4 AS a ORDER BY a',
      [
        ['a', 'b'],
        [1, 2],
        [4, null],
      ],
    ],
    ['SELECT 1 AS a, 2 AS b INNER UNION ALL BY NAME ON (B) SELECT 3 AS b, 4 AS a ORDER BY b', [['B'], [2], [3]]],
    [
      'SELECT 1 AS a, 2 AS b FULL UNION ALL CORRESPONDING BY (c, a) SELECT 3 AS c ORDER BY a',
      [
        ['c', 'a'],
        [3, null],
        [null, 1],
      ],
    ],
    [
      'SELECT NULL AS a, 1 AS b FULL UNION ALL BY NAME SELECT "s" AS a ORDER BY b',
      [
        ['a', 'b'],
        ['s', null],
        [null, 1],
      ],
    ],
    ['SELECT 1 AS a, 1 AS b EXCEPT DISTINCT BY NAME SELECT 1 AS b, 1 AS a', [['a', 'b']]],
    [
      'SELECT 1 AS a, 2 AS b INTERSECT DISTINCT BY NAME SELECT 2 AS b, 1 AS a',
      [
        ['a', 'b'],
        [1, 2],
      ],
    ],
    ['SELECT 1 AS a, 2 AS x, 3 AS x UNION ALL CORRESPONDING BY (a) SELECT 2 AS a ORDER BY a', [['a'], [1], [2]]],
    ['SELECT 1 AS a UNION ALL BY NAME SELECT 2.5 AS a UNION ALL BY NAME SELECT 3 AS a ORDER BY a', [['a'], [1], [2.5], [3]]],
  ])('%s', async (sql, expected) => {
    expect(await table(sql)).toEqual(expected);
  });

  test.each([
    ['SELECT 1 AS a UNION ALL BY NAME SELECT 1 AS b', 'type: UNION by name: column a is not in all of the queries'],
    ['SELECT 1 AS a UNION ALL CORRESPONDING SELECT 1 AS b', 'type: UNION by name: the queries have no column in common'],
    ['SELECT 1 AS a, 2 UNION ALL BY NAME SELECT 1 AS a', 'type: UNION by name needs a name for every column'],
    ['SELECT 1 AS a, 2 AS a UNION ALL BY NAME SELECT 1 AS a', 'type: UNION by name needs different names, this query has a twice'],
    ['SELECT 1 AS a INNER UNION ALL BY NAME ON (b) SELECT 1 AS a', 'unknown-column: UNION by name: not every query has a column b'],
    [
      'SELECT 1 AS a, 2 AS b UNION ALL STRICT CORRESPONDING BY (a) SELECT 1 AS a, 2 AS b',
      'type: UNION by name: column b is not in the list',
    ],
    ['SELECT "s" AS a UNION ALL BY NAME SELECT 1 AS a', 'type: column 1 (a) has no common type: STRING and INT64'],
  ])('%s is refused', (sql, expected) => {
    expect(refusal(sql)).toBe(expected);
  });
});

describe('by position', () => {
  test.each([
    [
      'SELECT 1 AS a, "x" UNION ALL SELECT 2, "y" ORDER BY a',
      [
        ['a', ''],
        [1, 'x'],
        [2, 'y'],
      ],
    ],
    [
      'SELECT * FROM (SELECT 1, 2 AS b)',
      [
        ['', 'b'],
        [1, 2],
      ],
    ],
    ['(SELECT 1 AS a UNION ALL SELECT 1) EXCEPT ALL SELECT 1', [['a'], [1]]],
    ['SELECT 1 AS a UNION DISTINCT SELECT NULL UNION DISTINCT SELECT NULL ORDER BY a', [['a'], [null], [1]]],
  ])('%s', async (sql, expected) => {
    expect(await table(sql)).toEqual(expected);
  });
});
