// ORDER BY … COLLATE 'und:ci', on the engine: the rows are those of Google's reference implementation.
import { expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows } = queryRunner();

const texts = "['foo', 'Bar', 'apple', NULL, '_z', 'Éa', 'ea', 'a-b', 'ab', 'A1', 'a10', 'a2', 'Ω', '~', '日本', '1']";

test.each([
  [
    `SELECT x FROM UNNEST(${texts}) AS x ORDER BY x COLLATE 'und:ci'`,
    [null, '_z', '~', '1', 'a-b', 'A1', 'a10', 'a2', 'ab', 'apple', 'Bar', 'ea', 'Éa', 'foo', 'Ω', '日本'],
  ],
  ["SELECT x AS y FROM UNNEST(['b', 'A', 'c']) AS x ORDER BY 1 COLLATE 'und:ci' DESC LIMIT 2", ['c', 'b']],
  ["SELECT x FROM UNNEST([STRUCT(1 AS n, 'b' AS x), (1, 'A'), (0, 'z')]) ORDER BY n, x COLLATE 'und:ci'", ['z', 'A', 'b']],
  ["SELECT 'a' AS x UNION ALL SELECT 'B' ORDER BY x COLLATE 'und:ci'", ['a', 'B']],
  ["SELECT DISTINCT x FROM UNNEST(['b', 'A', 'b']) AS x ORDER BY x COLLATE 'und:ci'", ['A', 'b']],
  ["SELECT UPPER(x) AS u FROM UNNEST(['b', 'a']) AS x GROUP BY u ORDER BY LOWER(u) COLLATE 'und:ci'", ['A', 'B']],
  ["SELECT x FROM (SELECT x FROM UNNEST(['b', 'A', 'C']) AS x ORDER BY x COLLATE 'und:ci' LIMIT 2) ORDER BY x DESC", ['b', 'A']],
  ["WITH w AS (SELECT x FROM UNNEST(['b', 'A']) AS x) SELECT w.x FROM w ORDER BY w.x COLLATE 'und:ci' NULLS LAST", ['A', 'b']],
])('%s', async (sql, expected) => {
  expect(await rows(sql)).toEqual(expected.map((value) => [value]));
});

test.each([
  // Texts that differ in their case alone are equal there: what follows would decide.
  ["SELECT 'a' AS x, 1 AS n ORDER BY x COLLATE 'und:ci', n", 'unsupported: COLLATE is translated for the last key of ORDER BY only'],
  ["SELECT 'a' AS x, 1 AS n ORDER BY 1 COLLATE 'und:ci', n", 'unsupported: COLLATE is translated for the last key of ORDER BY only'],
  ["SELECT 'a' AS x ORDER BY x COLLATE 'de:ci'", "unsupported: the only collation that is translated is 'und:ci'"],
  ["SELECT 1 AS x ORDER BY x COLLATE 'und:ci'", 'type: COLLATE is for STRING, and this is INT64'],
  [
    "SELECT STRING_AGG(x ORDER BY x COLLATE 'und:ci') FROM UNNEST(['a']) AS x",
    'unsupported: COLLATE is translated in ORDER BY of a query only',
  ],
  [
    "SELECT RANK() OVER (ORDER BY x COLLATE 'und:ci') FROM UNNEST(['a']) AS x",
    'unsupported: COLLATE is translated in ORDER BY of a query only',
  ],
  ["SELECT ARRAY(SELECT x FROM UNNEST(['b', 'A']) AS x ORDER BY x COLLATE 'und:ci')", 'unsupported: COLLATE is not translated here'],
])('%s is refused', (sql, message) => {
  expect(refusal(sql)).toBe(message);
});
