// Arrays of a table whose elements are never NULL are searched and added up as they are stored, with the same results as any array.
import { expect, test } from 'vitest';
import { sourcesFrom, translate } from '../../../src/translate.ts';
import { testRealTables } from '../../support/real-tables.ts';

const LAST = '9223372036854775807';

testRealTables(
  {
    lists: {
      columns: 'id Int64, xs Array(Int64), ns Array(Nullable(Int64)), needle Nullable(Int64), fs Array(Float64)',
      rows: `(1, [1, 2, 3], [1, NULL], 3, [nan, 1]), (2, [], [], NULL, []), (3, [7], [7], NULL, [2]), (4, [${LAST}, 5], [5], 5, [5])`,
    },
  },
  {
    'IN UNNEST': [
      [
        'SELECT id, 3 IN UNNEST(xs), id IN UNNEST(xs) FROM lists ORDER BY id',
        [
          [1, true, true],
          [2, false, false],
          [3, false, false],
          [4, false, false],
        ],
      ],
      [
        'SELECT id, needle IN UNNEST(xs) FROM lists ORDER BY id',
        [
          [1, true],
          [2, false],
          [3, null],
          [4, true],
        ],
      ],
      [
        'SELECT id, 7 IN UNNEST(ns) FROM lists ORDER BY id',
        [
          [1, null],
          [2, false],
          [3, true],
          [4, false],
        ],
      ],
      [
        'SELECT id, needle IN (SELECT x FROM UNNEST(xs) AS x) FROM lists ORDER BY id',
        [
          [1, true],
          [2, false],
          [3, null],
          [4, true],
        ],
      ],
      ['SELECT id FROM lists WHERE needle NOT IN UNNEST(xs)', [[2]]],
      ["SELECT COUNTIF(CAST('nan' AS FLOAT64) IN UNNEST(fs)) FROM lists", [[0]]],
    ],
    'sums of elements': [
      [
        'SELECT id, (SELECT SUM(x) FROM UNNEST(xs) AS x) FROM lists WHERE id < 4 ORDER BY id',
        [
          [1, 6],
          [2, null],
          [3, 7],
        ],
      ],
      [
        'SELECT id, (SELECT SUM(x - 1) FROM UNNEST(xs) AS x) FROM lists WHERE id < 4 ORDER BY id',
        [
          [1, 3],
          [2, null],
          [3, 6],
        ],
      ],
      ['SELECT (SELECT SAFE_SUBTRACT(SUM(x), 0) FROM UNNEST(xs) AS x WHERE x < 10) FROM lists WHERE id = 4', [[5]]],
      [
        'SELECT id, (SELECT SUM(x) FROM UNNEST(ns) AS x) FROM lists ORDER BY id',
        [
          [1, 1],
          [2, null],
          [3, 7],
          [4, 5],
        ],
      ],
    ],
  },
);

test('nothing is asked about NULL where there is none', () => {
  const sources = sourcesFrom('CREATE TABLE lists (xs Array(Int64)) ENGINE = MergeTree ORDER BY tuple()');
  expect(translate('SELECT 3 IN UNNEST(xs) AS found FROM lists', { sources }).sql).toBe('SELECT has(xs, toInt64(3)) AS found\nFROM lists');
});
