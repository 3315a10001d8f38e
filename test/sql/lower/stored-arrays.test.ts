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
    sparse: {
      columns: 'id Int64, params Array(Nullable(Tuple(name Nullable(String), value Nullable(Tuple(n Nullable(Int64))))))',
      rows: "(1, [('a', tuple(7)), ('b', NULL), NULL]), (2, [])",
    },
    events: {
      columns:
        'id Int64, params Array(Tuple(name Nullable(String), value Tuple(text Nullable(String), n Nullable(Int64)), tags Array(String)))',
      rows: `(1, [('a', (NULL, 7), ['x', 'y']), (NULL, ('t', NULL), [])]), (2, []), (3, [('b', ('u', 1), ['z']), ('c', (NULL, 2), [])])`,
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
    'fields of structs that may be NULL': [
      [
        "SELECT id, (SELECT value.n FROM UNNEST(params) WHERE name = 'a'), (SELECT COUNT(*) FROM UNNEST(params) WHERE name IS NULL) FROM sparse ORDER BY id",
        [
          [1, 7, 1],
          [2, null, 0],
        ],
      ],
      [
        'SELECT p.name, p.value.n FROM sparse, UNNEST(params) AS p WITH OFFSET o ORDER BY o',
        [
          ['a', 7],
          ['b', null],
          [null, null],
        ],
      ],
      ['SELECT COUNT(p), COUNTIF(p IS NULL), COUNT(p.value), COUNT(p.name) FROM sparse, UNNEST(params) AS p', [[2, 1, 1, 2]]],
      ['SELECT (SELECT COUNT(*) FROM UNNEST(params) p WHERE p.value IS NULL) FROM sparse WHERE id = 1', [[2]]],
    ],
    'fields of structs': [
      [
        "SELECT id, (SELECT value.n FROM UNNEST(params) WHERE name = 'a'), (SELECT value.text FROM UNNEST(params) WHERE name IS NULL) FROM events ORDER BY id",
        [
          [1, 7, 't'],
          [2, null, null],
          [3, null, null],
        ],
      ],
      [
        "SELECT id, (SELECT COUNT(*) FROM UNNEST(params) WHERE value.n > 0 AND name != 'c'), EXISTS(SELECT * FROM UNNEST(params) WHERE name = 'c') FROM events ORDER BY id",
        [
          [1, 1, false],
          [2, 0, false],
          [3, 1, true],
        ],
      ],
      [
        "SELECT id, (SELECT SUM(value.n) FROM UNNEST(params)), (SELECT MAX(value.n + 1) FROM UNNEST(params) WHERE name > 'a'), 2 IN (SELECT value.n FROM UNNEST(params)) FROM events ORDER BY id",
        [
          [1, 7, null, null],
          [2, null, null, false],
          [3, 3, 3, true],
        ],
      ],
      [
        "SELECT id, ARRAY(SELECT AS STRUCT name, p.value FROM UNNEST(params) p WHERE value.n IS NOT NULL), ARRAY(SELECT p FROM UNNEST(params) p WHERE name = 'c') FROM events WHERE id = 3",
        [
          [
            3,
            [
              ['b', ['u', 1]],
              ['c', [null, 2]],
            ],
            [['c', [null, 2], []]],
          ],
        ],
      ],
      [
        "SELECT id, ARRAY(SELECT t FROM UNNEST(params) p, UNNEST(p.tags) t WHERE p.name = 'a' ORDER BY t DESC), (SELECT p.tags FROM UNNEST(params) p WHERE name = 'b') FROM events ORDER BY id",
        [
          [1, ['y', 'x'], []],
          [2, [], []],
          [3, [], ['z']],
        ],
      ],
      [
        'SELECT id, p.name, p.value.n, o FROM events, UNNEST(params) p WITH OFFSET o WHERE p.value.n IS NOT NULL ORDER BY id, o',
        [
          [1, 'a', 7, 0],
          [3, 'b', 1, 0],
          [3, 'c', 2, 1],
        ],
      ],
      [
        "SELECT id, COUNT(p), MAX(p.name) FROM events LEFT JOIN UNNEST(params) p WHERE p.value.text IS NULL OR p.value.text != 'u' GROUP BY id ORDER BY id",
        [
          [1, 2, 'a'],
          [2, 0, null],
          [3, 1, 'c'],
        ],
      ],
      [
        'SELECT a.name, b.value.n FROM events, UNNEST(params) a, UNNEST(params) b WHERE id = 3 ORDER BY 1, 2',
        [
          ['b', 1],
          ['b', 2],
          ['c', 1],
          ['c', 2],
        ],
      ],
      [
        'SELECT p.name, t FROM events, UNNEST(params) p, UNNEST(p.tags) t WHERE p.value.n = 7 ORDER BY t',
        [
          ['a', 'x'],
          ['a', 'y'],
        ],
      ],
      ['SELECT p FROM events, UNNEST(params) p WHERE p.name IS NULL', [[[null, ['t', null], []]]]],
      ['SELECT id, ARRAY(SELECT value.n FROM UNNEST(params) WITH OFFSET o WHERE o > 0) FROM events WHERE id = 3', [[3, [2]]]],
      ["SELECT id FROM events WHERE (SELECT value FROM UNNEST(params) WHERE name = 'b') IS NOT NULL", [[3]]],
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

test('of structs, the fields that a condition and a value need are read alone', () => {
  const sources = sourcesFrom(
    'CREATE TABLE events (params Array(Tuple(name Nullable(String), value Tuple(text String, n Nullable(Int64))))) ENGINE = MergeTree ORDER BY tuple()',
  );
  const sql =
    "SELECT (SELECT value.n FROM UNNEST(params) WHERE name = 'a') AS n, EXISTS(SELECT * FROM UNNEST(params) WHERE name = 'b') AS found FROM events";
  expect(translate(sql, { sources }).sql).toBe(`WITH
  arrayFilter((n_2, name) -> name = 'a', params.value.n, params.name) AS array_filter
SELECT
  arrayElementOrNull(array_filter, 1 + throwIf(length(array_filter) > 1, 'a scalar subquery returned more than one row')) AS n,
  arrayExists(name_2 -> name_2 = 'b', params.name) AS found
FROM events`);
});

test('ARRAY JOIN walks the fields that the query reads', () => {
  const sources = sourcesFrom(
    'CREATE TABLE events (params Array(Tuple(name Nullable(String), value Tuple(text String, n Nullable(Int64))))) ENGINE = MergeTree ORDER BY tuple()',
  );
  const sql = "SELECT SUM(p.value.n) AS total FROM events, UNNEST(params) AS p WHERE p.name = 'a'";
  expect(translate(sql, { sources }).sql).toContain('ARRAY JOIN params.value.n AS n, params.name AS name');
});
