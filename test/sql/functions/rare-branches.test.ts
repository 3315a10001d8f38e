// Texts and numbers that are hardly ever there cost the others nothing, also in values that a condition and its branches read.
import { testRealTables } from '../../support/real-tables.ts';

const TYPES = ['String', 'Nullable(String)', 'LowCardinality(String)', 'LowCardinality(Nullable(String))'];
const TEXTS = "(1, '12'), (2, ' 0x1F '), (3, '-7'), (4, '  5')";

testRealTables(
  Object.fromEntries(TYPES.map((type, i) => [`t${i}`, { columns: `o Int64, x ${type}`, rows: TEXTS }])),
  Object.fromEntries(
    TYPES.map((type, i) => [
      type,
      [
        [`SELECT CAST(x AS INT64) FROM t${i} ORDER BY o`, [[12], [31], [-7], [5]]],
        [`SELECT IF(v > 10, v, v * 2) FROM (SELECT o, CAST(x AS INT64) AS v FROM t${i}) ORDER BY o`, [[12], [31], [-14], [10]]],
        [
          `SELECT IF(v > 10, v, v * 2) FROM (SELECT o, SAFE_CAST(x AS NUMERIC) AS v FROM t${i}) ORDER BY o`,
          [['12'], [null], ['-14'], ['10']],
        ],
        [
          `SELECT TRIM(CONCAT(x, '\u00a0')), TRIM(x) FROM t${i} WHERE o > 2 ORDER BY o`,
          [
            ['-7', '-7'],
            ['5', '5'],
          ],
        ],
        [
          `SELECT JSON_VALUE(CONCAT('{"a":"{', x, '"}'), '$.a'), JSON_VALUE(CONCAT('{"a":{"b":"', x, '"}}'), '$.a') FROM t${i} WHERE o < 2`,
          [['{12', null]],
        ],
      ],
    ]),
  ),
);
