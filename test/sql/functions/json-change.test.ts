// JSON functions that change documents or list what is in them: rows of BigQuery's reference implementation where it has the function, else of its
// documentation. https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions
import { testExpressions } from '../../support/expression-rows.ts';

const json = (call: string): string => `TO_JSON_STRING(${call})`;
/** Over a column, so that nothing is folded. */
const over = (call: string, documents: string): string =>
  `CAST((SELECT STRING_AGG(IFNULL(TO_JSON_STRING(${call}), 'NULL'), '|') FROM UNNEST([${documents}]) x) AS STRING)`;

testExpressions(
  {
    JSON_SET: [
      [
        over(
          "JSON_SET(x, '$.a.b', 2)",
          `JSON '{"a":1}', JSON '{"a":null}', JSON '{"a":{"b":1,"c":2}}', JSON 'null', JSON '[1]', CAST(NULL AS JSON)`,
        ),
        null,
        '{"a":1}|{"a":{"b":2}}|{"a":{"b":2,"c":2}}|{"a":{"b":2}}|[1]|null',
      ],
      [over("JSON_SET(x, '$[1]', 'x')", "JSON '[1]', JSON '[1, 2, 3]', JSON '[]', JSON '{}'"), null, '[1,"x"]|[1,"x",3]|[null,"x"]|{}'],
      [json("JSON_SET(JSON 'null', '$.a[1].b', 5)"), null, '{"a":[null,{"b":5}]}'],
      [
        json(`JSON_SET(JSON '{"a": 10}', '$.b.c[2]', 'foo', '$[1]', 20, '$.b.c[0]', STRUCT(1 AS a, 'foo' AS b))`),
        null,
        '{"a":10,"b":{"c":[{"a":1,"b":"foo"},null,"foo"]}}',
      ],
      [json(`JSON_SET(JSON '{"a": 10}', '$.a', 'foo', '$.b', 20, create_if_missing => FALSE)`), null, '{"a":"foo"}'],
      [json(`JSON_SET(JSON '{"a":1}', '$', [1, 2])`), null, '[1,2]'],
      [json(`JSON_SET(JSON '{"a":1}', '$.a', NULL)`), null, '{"a":null}'],
      [json(`JSON_SET(JSON '{"a":1}', '$.b', CAST(NULL AS ARRAY<INT64>))`), null, '{"a":1,"b":null}'],
      [`JSON_SET(JSON '{"a":1}', NULL, 4)`, null, null],
    ],
    JSON_ARRAY_APPEND: [
      [
        over("JSON_ARRAY_APPEND(x, '$.a', 2)", `JSON '{"a":[1]}', JSON '{"a":1}', JSON '{"a":null}', JSON '{"b":[]}'`),
        null,
        '{"a":[1,2]}|{"a":1}|{"a":[2]}|{"b":[]}',
      ],
      [json("JSON_ARRAY_APPEND(JSON '[[1]]', '$[0]', 2, '$[0]', 3)"), null, '[[1,2,3]]'],
      [json("JSON_ARRAY_APPEND(JSON '[1]', '$', [2, 3], '$', NULL)"), null, '[1,2,3,null]'],
      [json("JSON_ARRAY_APPEND(JSON '[1]', '$', [2, 3], append_each_element => FALSE)"), null, '[1,[2,3]]'],
      ["JSON_ARRAY_APPEND(JSON '[1]', NULL, 1)", null, null],
    ],
    JSON_ARRAY_INSERT: [
      [
        over("JSON_ARRAY_INSERT(x, '$[1]', 1)", `JSON '["a","b"]', JSON '[]', JSON 'null', JSON '{"a":1}'`),
        null,
        '["a",1,"b"]|[null,1]|[null,1]|{"a":1}',
      ],
      [json(`JSON_ARRAY_INSERT(JSON '{"a": [10, null]}', '$.a[1]', 'foo', '$.a[0]', 20)`), null, '{"a":[20,10,"foo",null]}'],
      [json("JSON_ARRAY_INSERT(JSON '[\"a\"]', '$[0]', [1, 2], '$[1]', 'x')"), null, '[1,"x",2,"a"]'],
      [json("JSON_ARRAY_INSERT(JSON '[\"a\"]', '$[0]', [1, 2], insert_each_element => FALSE)"), null, '[[1,2],"a"]'],
      [json("JSON_ARRAY_INSERT(JSON '[\"a\"]', '$', 1)"), null, '["a"]'],
    ],
    JSON_STRIP_NULLS: [
      [
        over(
          'JSON_STRIP_NULLS(x)',
          `JSON '{"a":null,"b":[null,{"c":null,"d":1}]}', JSON '[null]', JSON 'null', JSON '{"null":"x:null","n":null}', PARSE_JSON(r'{"a":"b\\\\\\",null,"}')`,
        ),
        null,
        '{"b":[{"d":1}]}|[]|null|{"null":"x:null"}|{"a":"b\\\\\\",null,"}',
      ],
      [
        over('JSON_STRIP_NULLS(x, include_arrays => FALSE)', `JSON '{"a":null,"b":[null,{"c":null,"d":1}]}', JSON '[null]'`),
        null,
        '{"b":[null,{"d":1}]}|[null]',
      ],
      [
        over(
          'JSON_STRIP_NULLS(x, remove_empty => TRUE)',
          `JSON '{"a":{"b":{"c":null}},"d":[[null]]}', JSON '[{"a":null},[],1]', JSON '{}'`,
        ),
        null,
        'null|[1]|null',
      ],
      [
        over(
          'JSON_STRIP_NULLS(x, include_arrays => FALSE, remove_empty => TRUE)',
          `JSON '{"a":{"b":{"c":null}},"d":[[null]],"e":[]}', JSON '[[{"a":[null]}],{"x":[[],{"q":null}]}]'`,
        ),
        null,
        '{"d":[[null]],"e":[]}|[[{"a":[null]}],{"x":[[],{}]}]',
      ],
      [
        over("JSON_STRIP_NULLS(x, '$.a', remove_empty => TRUE)", `JSON '{"a":{"b":null},"c":null}', JSON '{"c":null}'`),
        null,
        '{"a":null,"c":null}|{"c":null}',
      ],
      ['JSON_STRIP_NULLS(JSON \'{"a":1}\', include_arrays => NULL)', null, null],
    ],
    'JSON_OBJECT of two arrays': [
      [
        "CAST((SELECT STRING_AGG(TO_JSON_STRING(JSON_OBJECT([x, 'b'], [x, x])), '|') FROM UNNEST(['b', 'a\"', 'z']) x) AS STRING)",
        null,
        '{"b":"b"}|{"a\\"":"a\\"","b":"a\\""}|{"z":"z","b":"z"}',
      ],
      [
        json("JSON_OBJECT(['a', 'b'], [STRUCT([10] AS d, NULL AS e), STRUCT([] AS d, 2 AS e)])"),
        null,
        '{"a":{"d":[10],"e":null},"b":{"d":[],"e":2}}',
      ],
      [json('JSON_OBJECT(CAST([] AS ARRAY<STRING>), CAST([] AS ARRAY<INT64>))'), null, '{}'],
    ],
    JSON_KEYS: [
      [
        over('JSON_KEYS(x)', `JSON '{"a":{"b":1,"c d":[{"e":1}]},"z.y":null,"b":"x:"}', JSON '1', JSON '[{"a":1}]'`),
        null,
        '["\\"z.y\\"","a","a.b","a.c d","b"]|[]|[]',
      ],
      [over("JSON_KEYS(x, mode => 'lax')", `JSON '{"a":[{"b":[[{"c":1}]]}]}', JSON '[{"a":2,"d":{}}]'`), null, '["a","a.b"]|["a","d"]'],
      [over("JSON_KEYS(x, 1, mode => 'Recursive lax')", `JSON '[[{"a":{"b":1}}]]', CAST(NULL AS JSON)`), null, '["a"]|null'],
      [over('JSON_KEYS(x, 2)', `JSON '{"a":{"b":{"c":1}}}'`), null, '["a","a.b"]'],
    ],
    'arrays of JSON values': [
      [over('INT64_ARRAY(x)', "JSON '[1, 2]', JSON '[]', CAST(NULL AS JSON)"), null, '[1,2]|[]|null'],
      [over('FLOAT64_ARRAY(x)', "JSON '[1, 2.5]'"), null, '[1,2.5]'],
      [over('STRING_ARRAY(x)', `JSON '["a", "b"]'`), null, '["a","b"]'],
      [over('BOOL_ARRAY(x)', "JSON '[true, false]'"), null, '[true,false]'],
      [over('LAX_INT64_ARRAY(x)', `JSON '[1, "2", true, null, {}, 1.5]', JSON '1', JSON 'null'`), null, '[1,2,1,null,null,2]|null|null'],
      [over('LAX_FLOAT64_ARRAY(x)', `JSON '["1.5", "x", 2]'`), null, '[1.5,null,2]'],
      [over('LAX_STRING_ARRAY(x)', `JSON '[1, "a", true, null, []]'`), null, '["1","a","true",null,null]'],
      [over('LAX_BOOL_ARRAY(x)', `JSON '["true", 0, "no"]'`), null, '[true,false,null]'],
    ],
  },
  [
    ["JSON_OBJECT(['a'], [1, 2])", 'the query failed: JSON_OBJECT: the keys and values differ in number'],
    ["JSON_OBJECT(['a', NULL], [1, 2])", 'the query failed: JSON_OBJECT: a key is NULL'],
    ['JSON_OBJECT([1], [1])', 'JSON_OBJECT takes two arrays: keys, which are STRINGs, and values'],
    [`JSON_SET(JSON '{}', '$.a', 1, '$.b')`, 'JSON_SET takes pairs after the document: path, value, …'],
    ["JSON_SET(JSON '[]', '$[20000]', 1)", 'JSON_SET takes array positions up to 10000'],
    ["JSON_ARRAY_APPEND(JSON '[]', append_each_element => FALSE, '$', 1)", 'positional arguments come before named ones'],
    ["JSON_KEYS(JSON '{}', mode => 'x')", "the mode must be 'strict', 'lax' or 'lax recursive'"],
    ["JSON_KEYS(JSON '{}', 0)", 'the depth of JSON_KEYS must be a constant above 0'],
    [over('INT64_ARRAY(x)', "JSON '1'"), 'the query failed: the JSON value is not an array'],
    [over('INT64_ARRAY(x)', "JSON '[null]'"), 'the query failed: INT64: the JSON value is not an integer in range'],
  ],
);
