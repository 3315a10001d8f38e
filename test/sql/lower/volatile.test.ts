// RAND and GENERATE_UUID give another value for each row and each call, wherever ClickHouse would compute them once.
import { testRealTables } from '../../support/real-tables.ts';

const COUNT = 1000;

testRealTables(
  {
    many: {
      columns: 'k Int64, a Array(Int64)',
      rows: Array.from({ length: COUNT }, (_, k) => `(${k}, [1, 2, 3, 4, 5, 6, 7, 8])`).join(', '),
    },
    few: { columns: 'id Int64', rows: '(1), (2), (3), (4), (5), (6), (7), (8)' },
  },
  {
    'a value for each row': [
      ['SELECT COUNT(DISTINCT RAND()) FROM many', [[COUNT]]],
      ['SELECT COUNT(DISTINCT r) FROM (SELECT RAND() AS r FROM UNNEST(GENERATE_ARRAY(1, 500)))', [[500]]],
      ['SELECT COUNT(DISTINCT r) FROM (SELECT RAND() AS r FROM many, UNNEST(a))', [[8 * COUNT]]],
      ['SELECT COUNT(DISTINCT u) FROM (SELECT GENERATE_UUID() AS u FROM many CROSS JOIN UNNEST(a))', [[8 * COUNT]]],
      ['SELECT COUNT(DISTINCT r) FROM (SELECT RAND() AS r FROM many CROSS JOIN few)', [[8 * COUNT]]],
      ['SELECT COUNT(DISTINCT r) FROM (SELECT RAND() AS r FROM few CROSS JOIN (SELECT k FROM many WHERE k >= 0))', [[8 * COUNT]]],
      ['SELECT COUNT(DISTINCT r) FROM (SELECT RAND() AS r FROM few a CROSS JOIN few b CROSS JOIN few)', [[512]]],
      ['SELECT COUNT(*) > 5 FROM (SELECT CAST(FLOOR(RAND() * 10) AS INT64) AS r, COUNT(*) FROM many GROUP BY r)', [[true]]],
      ['SELECT ARRAY_LENGTH(ARRAY(SELECT DISTINCT r FROM UNNEST(ARRAY_TRANSFORM([1, 2, 3], e -> RAND())) AS r))', [[3]]],
    ],
    'a sample of rows that were joined or unnested': [
      ['SELECT COUNT(*) BETWEEN 350 AND 650 FROM UNNEST(GENERATE_ARRAY(1, 1000)) WHERE RAND() < 0.5', [[true]]],
      ['SELECT COUNT(DISTINCT k) > 900 FROM (SELECT k, x FROM many, UNNEST(a) AS x WHERE RAND() < 0.5)', [[true]]],
      ['SELECT COUNT(DISTINCT k) > 900, COUNT(DISTINCT id) FROM (SELECT k, id FROM many CROSS JOIN few WHERE RAND() < 0.5)', [[true, 8]]],
      ['SELECT COUNT(*) BETWEEN 3700 AND 4300 FROM many CROSS JOIN few WHERE RAND() < 0.5', [[true]]],
      ['SELECT COUNT(*) BETWEEN 3700 AND 4300, COUNT(DISTINCT k) > 900 FROM few LEFT JOIN many ON TRUE WHERE RAND() < 0.5', [[true, true]]],
      ['SELECT COUNT(*) BETWEEN 15 AND 50 FROM (SELECT id FROM few GROUP BY id) CROSS JOIN few WHERE RAND() < 0.5', [[true]]],
      ['SELECT COUNT(DISTINCT k) FROM (SELECT k FROM many ORDER BY RAND() LIMIT 5)', [[5]]],
    ],
    'a value for each call, and one for each that is written once': [
      ['SELECT COUNTIF(a = b) FROM (SELECT RAND() AS a, RAND() AS b FROM many)', [[0]]],
      ['SELECT COUNTIF(a != b) FROM (SELECT r AS a, r AS b FROM (SELECT RAND() AS r FROM many))', [[0]]],
      ['SELECT COUNTIF(r >= 0.5) FROM (SELECT RAND() AS r FROM many) WHERE r < 0.5', [[0]]],
      ['SELECT GENERATE_UUID() = GENERATE_UUID()', [[false]]],
    ],
  },
);
