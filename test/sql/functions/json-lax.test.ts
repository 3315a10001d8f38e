// JSON_QUERY with lax paths and JSON_FLATTEN: rows of BigQuery's documentation and of its reference implementation's sources.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#JSONPath_mode
import { testExpressions } from '../../support/expression-rows.ts';

/** Over a column, so that nothing is folded. */
const over = (call: string, documents: readonly string[]): string => {
  const list = documents.map((text) => (text === 'NULL' ? 'CAST(NULL AS JSON)' : `JSON '${text}'`));
  return `(SELECT STRING_AGG(IFNULL(TO_JSON_STRING(${call}), 'NULL'), ' ' ORDER BY o) FROM UNNEST([${list.join(', ')}]) x WITH OFFSET o)`;
};
const query = (path: string, ...documents: readonly string[]): string => over(`JSON_QUERY(x, '${path}')`, documents);

const DOCUMENTS = [
  '{"a":{"b":1}}',
  '{"a":[{"b":1},{"b":[2,3]},{"c":4},5]}',
  '[{"a":{"b":1}},[{"a":{"b":2}}]]',
  '{"a":[[{"b":1}],{"b":2},[[{"b":3}]]]}',
];

testExpressions(
  {
    lax: [
      [query('lax $.a.b', ...DOCUMENTS), null, '[1] [1,[2,3]] [1] [2]'],
      [query('lax $.a', ...DOCUMENTS.slice(0, 2)), null, '[{"b":1}] [[{"b":1},{"b":[2,3]},{"c":4},5]]'],
      [
        query('lax $.a.b', 'null', '5', '{"a":null}', '{"a":[]}', '[]', '{"a":{"b":null}}', '{"a":{"b":""}}'),
        null,
        '[] [] [] [] [] [null] [""]',
      ],
      [query('lax $', '{"a":[1]}', '[1,2]', 'null'), null, '[{"a":[1]}] [[1,2]] [null]'],
      [query('lax $[0].a[0].b', '{"a":{"b":1}}', '[{"a":[{"b":2},{"b":3}]}]'), null, '[1] [2]'],
      [query('lax $.a[1].b', '{"a":{"b":1}}', '{"a":[{"b":2},{"b":3}]}', '{"a":[1]}'), null, '[] [3] []'],
      [query('lax $.a[0]', '{"a":[[1,2],3]}', '{"a":"x"}'), null, '[[1,2]] ["x"]'],
      [query('lax $."a b".c', '{"a b":[{"c":"[1]"}]}'), null, '["[1]"]'],
      [query(' LAX   $.a', '{"a":1}'), null, '[1]'],
      [`TO_JSON_STRING(JSON_QUERY(JSON '{"a":[{"b":1},{"b":2}]}', 'lax $.a.b'))`, null, '[1,2]'],
      [`IF(JSON_QUERY(CAST(NULL AS JSON), 'lax $.a') IS NULL, 'none', 'some')`, null, 'none'],
    ],
    'lax recursive': [
      [query('lax recursive $.a.b', ...DOCUMENTS), null, '[1] [1,[2,3]] [1,2] [1,2,3]'],
      [query('Recursive lax $.a.b', '{"a":[{"b":1},[{"b":2}],[[{"b":3}]]]}', '{"a":"[[[{"}'), null, '[1,2,3] []'],
      [query('lax recursive $.a[0].b', '{"a":[[{"b":1}],{"b":2}]}', '{"a":{"b":3}}'), null, '[1] [3]'],
      [query('lax recursive $[0][1]', '[[1,2],[3]]'), null, '[2]'],
      [query('lax recursive $.a', '{"a":[[1]]}'), null, '[[[1]]]'],
    ],
    JSON_FLATTEN: [
      [
        over("ARRAY_TO_STRING(ARRAY(SELECT TO_JSON_STRING(y) FROM UNNEST(JSON_FLATTEN(x)) y WITH OFFSET p ORDER BY p), ';')", [
          '1',
          '[1,2,null]',
          '[[[1]],2,[3]]',
          '{"a":[[1]]}',
          '[[[1,2],3],{"a":4},true,"]["]',
          '[[],[[]]]',
          'NULL',
        ]),
        null,
        '"1" "1;2;null" "1;2;3" "{\\"a\\":[[1]]}" "1;2;3;{\\"a\\":4};true;\\"][\\"" "" ""',
      ],
      ['JSON_FLATTEN(CAST(NULL AS JSON)) IS NULL', null, true],
      [`ARRAY_LENGTH(JSON_FLATTEN(JSON '[[1],[2,[3]]]'))`, null, 3],
      [
        `(SELECT COUNT(*) FROM UNNEST([JSON '[{"m":[{"m":"x"},["y"]]}]']) d WHERE EXISTS(SELECT 1 FROM UNNEST(JSON_FLATTEN(JSON_QUERY(d, 'lax recursive $.m'))) f WHERE SEARCH(f, 'y')))`,
        null,
        1,
      ],
    ],
  },
  [
    [`JSON_VALUE(JSON '{"a":1}', 'lax $.a')`, 'a lax JSONPath works only in JSON_QUERY of a JSON value'],
    [`JSON_QUERY('{"a":1}', 'lax $.a')`, 'a lax JSONPath works only in JSON_QUERY of a JSON value'],
    [`JSON_QUERY(JSON '{"a":1}', 'lax LAX $.a')`, "'lax LAX $.a' is not a JSONPath"],
    [`JSON_QUERY(JSON '{"a":1}', 'recursive $.a')`, "'recursive $.a' is not a JSONPath"],
    [`JSON_QUERY(JSON '{"a":1}', 'lax $..a')`, "'lax $..a' is not a JSONPath"],
  ],
);
