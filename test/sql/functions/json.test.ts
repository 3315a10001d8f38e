// What JSON functions become and give.
import { testExpressions } from '../../support/expression-rows.ts';

testExpressions(
  {
    'reading text': [
      [
        'JSON_VALUE(\'{"a": {"b": "x"}}\', \'$.a.b\')',
        "if(match(JSONExtract('{\"a\": {\"b\": \"x\"}}', 'a', 'b', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a\": {\"b\": \"x\"}}', 'a', 'b'), '\"'), JSONExtract('{\"a\": {\"b\": \"x\"}}', 'a', 'b', 'Nullable(String)'), NULL), JSONExtract('{\"a\": {\"b\": \"x\"}}', 'a', 'b', 'Nullable(String)'))",
        'x',
      ],
      [
        "JSON_VALUE('{\"a\": 1.5}', '$.a')",
        "if(match(JSONExtract('{\"a\": 1.5}', 'a', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a\": 1.5}', 'a'), '\"'), JSONExtract('{\"a\": 1.5}', 'a', 'Nullable(String)'), NULL), JSONExtract('{\"a\": 1.5}', 'a', 'Nullable(String)'))",
        '1.5',
      ],
      [
        'JSON_VALUE(\'{"a": {"b": 1}}\', \'$.a\')',
        "if(match(JSONExtract('{\"a\": {\"b\": 1}}', 'a', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a\": {\"b\": 1}}', 'a'), '\"'), JSONExtract('{\"a\": {\"b\": 1}}', 'a', 'Nullable(String)'), NULL), JSONExtract('{\"a\": {\"b\": 1}}', 'a', 'Nullable(String)'))",
        null,
      ],
      [
        "JSON_VALUE('{\"a\": null}', '$.a')",
        "if(match(JSONExtract('{\"a\": null}', 'a', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a\": null}', 'a'), '\"'), JSONExtract('{\"a\": null}', 'a', 'Nullable(String)'), NULL), JSONExtract('{\"a\": null}', 'a', 'Nullable(String)'))",
        null,
      ],
      [
        "JSON_VALUE('{\"a\": [10, 20]}', '$.a[1]')",
        "if(startsWith(JSONExtractArrayRaw('{\"a\": [10, 20]}', 'a')[2], '\"'), JSONExtract(JSONExtractArrayRaw('{\"a\": [10, 20]}', 'a')[2], 'Nullable(String)'), if(match(JSONExtractArrayRaw('{\"a\": [10, 20]}', 'a')[2], '^[-0-9tf]'), JSONExtractArrayRaw('{\"a\": [10, 20]}', 'a')[2], NULL))",
        '20',
      ],
      [
        "JSON_VALUE('{\"a\": 1}', '$[0]')",
        "if(startsWith(JSONExtractArrayRaw('{\"a\": 1}')[1], '\"'), JSONExtract(JSONExtractArrayRaw('{\"a\": 1}')[1], 'Nullable(String)'), if(match(JSONExtractArrayRaw('{\"a\": 1}')[1], '^[-0-9tf]'), JSONExtractArrayRaw('{\"a\": 1}')[1], NULL))",
        null,
      ],
      [
        'JSON_VALUE(\'{"a b": "x"}\', \'$."a b"\')',
        "if(match(JSONExtract('{\"a b\": \"x\"}', 'a b', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a b\": \"x\"}', 'a b'), '\"'), JSONExtract('{\"a b\": \"x\"}', 'a b', 'Nullable(String)'), NULL), JSONExtract('{\"a b\": \"x\"}', 'a b', 'Nullable(String)'))",
        'x',
      ],
      [
        'JSON_EXTRACT_SCALAR(\'{"a.b": "x"}\', "$[\'a.b\']")',
        "if(match(JSONExtract('{\"a.b\": \"x\"}', 'a.b', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a.b\": \"x\"}', 'a.b'), '\"'), JSONExtract('{\"a.b\": \"x\"}', 'a.b', 'Nullable(String)'), NULL), JSONExtract('{\"a.b\": \"x\"}', 'a.b', 'Nullable(String)'))",
        'x',
      ],
      [
        'JSON_QUERY(\'{"a": {"b": [1, 2]}}\', \'$.a\')',
        "if(JSONExtractRaw('{\"a\": {\"b\": [1, 2]}}', 'a') IN ('', 'null'), NULL, JSONExtractRaw('{\"a\": {\"b\": [1, 2]}}', 'a'))",
        '{"b":[1,2]}',
      ],
      [
        "JSON_QUERY('{\"a\": null}', '$.a')",
        "if(JSONExtractRaw('{\"a\": null}', 'a') IN ('', 'null'), NULL, JSONExtractRaw('{\"a\": null}', 'a'))",
        null,
      ],
      [
        'JSON_EXTRACT(\'{"a": "x"}\', \'$.a\')',
        "if(JSONExtractRaw('{\"a\": \"x\"}', 'a') IN ('', 'null'), NULL, JSONExtractRaw('{\"a\": \"x\"}', 'a'))",
        '"x"',
      ],
      [
        "JSON_VALUE('not json', '$.a')",
        "if(match(JSONExtract('not json', 'a', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('not json', 'a'), '\"'), JSONExtract('not json', 'a', 'Nullable(String)'), NULL), JSONExtract('not json', 'a', 'Nullable(String)'))",
        null,
      ],
    ],
    arrays: [
      [
        'JSON_VALUE_ARRAY(\'{"a": ["x", 1, null]}\', \'$.a\')',
        "if(arrayExists(item_2 -> match(item_2, '^[{[]'), JSONExtractArrayRaw('{\"a\": [\"x\", 1, null]}', 'a')), [], arrayMap(item -> if(match(item, '^[{[]'), NULL, JSONExtract(item, 'Nullable(String)')), JSONExtractArrayRaw('{\"a\": [\"x\", 1, null]}', 'a')))",
        ['x', '1', null],
      ],
      [
        'JSON_VALUE_ARRAY(\'["x", {}]\')',
        "if(arrayExists(item_2 -> match(item_2, '^[{[]'), JSONExtractArrayRaw('[\"x\", {}]')), [], arrayMap(item -> if(match(item, '^[{[]'), NULL, JSONExtract(item, 'Nullable(String)')), JSONExtractArrayRaw('[\"x\", {}]')))",
        [],
      ],
      ['JSON_QUERY_ARRAY(\'[{"a": 1}, 2]\')', 'JSONExtractArrayRaw(\'[{"a": 1}, 2]\')', ['{"a":1}', '2']],
      ["JSON_EXTRACT_ARRAY('{\"a\": 1}', '$.a')", "JSONExtractArrayRaw('{\"a\": 1}', 'a')", []],
      ["JSON_QUERY_ARRAY(NULLIF('[1]', ''))", null, ['1']],
      ["JSON_QUERY_ARRAY(NULLIF('[1]', '[1]'))", null, []],
      [
        'JSON_EXTRACT_STRING_ARRAY(\'["x"]\')',
        "if(arrayExists(item_2 -> match(item_2, '^[{[]'), JSONExtractArrayRaw('[\"x\"]')), [], arrayMap(item -> if(match(item, '^[{[]'), NULL, JSONExtract(item, 'Nullable(String)')), JSONExtractArrayRaw('[\"x\"]')))",
        ['x'],
      ],
    ],
    'JSON values': [
      [
        'JSON \'{"a": [1, {"b": "x"}]}\'.a[1].b',
        "nullIf(JSONExtractRaw(JSONExtractArrayRaw('{\"a\":[1,{\"b\":\"x\"}]}', 'a')[2], 'b'), '')",
        '"x"',
      ],
      ["JSON '{\"a\": 1}'['a']", "nullIf(JSONExtractRaw('{\"a\":1}', 'a'), '')", '1'],
      ['JSON \'{"a": 1}\'.x', "nullIf(JSONExtractRaw('{\"a\":1}', 'x'), '')", null],
      ['PARSE_JSON(\'{"a": [1, 2]}\')', '\'{"a":[1,2]}\'', '{"a":[1,2]}'],
      ["SAFE.PARSE_JSON('{')", "if(isValidJSON('{') = 0, NULL, JSONExtractRaw('{'))", null],
      [
        "JSON_TYPE(JSON '[1]')",
        "if('[1]' IS NULL, NULL, multiIf(JSONType('[1]') = 'Object', 'object', JSONType('[1]') = 'Array', 'array', JSONType('[1]') = 'String', 'string', JSONType('[1]') = 'Bool', 'boolean', JSONType('[1]') = 'Null', 'null', 'number'))",
        'array',
      ],
      [
        "JSON_TYPE(JSON '1.5')",
        "if('1.5' IS NULL, NULL, multiIf(JSONType('1.5') = 'Object', 'object', JSONType('1.5') = 'Array', 'array', JSONType('1.5') = 'String', 'string', JSONType('1.5') = 'Bool', 'boolean', JSONType('1.5') = 'Null', 'null', 'number'))",
        'number',
      ],
      [
        'JSON_VALUE(JSON \'{"a": "x"}\', \'$.a\')',
        "if(match(JSONExtract('{\"a\":\"x\"}', 'a', 'Nullable(String)'), '^[{[]'), if(startsWith(JSONExtractRaw('{\"a\":\"x\"}', 'a'), '\"'), JSONExtract('{\"a\":\"x\"}', 'a', 'Nullable(String)'), NULL), JSONExtract('{\"a\":\"x\"}', 'a', 'Nullable(String)'))",
        'x',
      ],
      ["JSON_QUERY(JSON '{\"a\": null}', '$.a')", "nullIf(JSONExtractRaw('{\"a\":null}', 'a'), '')", 'null'],
    ],
    'conversion to SQL': [
      [
        "BOOL(JSON 'true')",
        "if(throwIf(ifNull(NOT 'true' IN ('true', 'false'), false), 'BOOL: the JSON value is not a boolean') = 0, 'true' = 'true', NULL)",
        1,
      ],
      [
        "INT64(JSON '10.0')",
        "if(toUInt8(if(NOT match('10.0', '^-?[0-9]') OR if(match('10.0', '^-?[0-9]+$'), accurateCastOrNull('10.0', 'Int64'), accurateCastOrNull(toFloat64OrNull('10.0'), 'Int64')) IS NULL, 'INT64: the JSON value is not an integer in range', '0')) = 0, if(match('10.0', '^-?[0-9]+$'), accurateCastOrNull('10.0', 'Int64'), accurateCastOrNull(toFloat64OrNull('10.0'), 'Int64')), NULL)",
        10,
      ],
      [
        "FLOAT64(JSON '1.5')",
        "if(toUInt8(if(NOT match('1.5', '^-?[0-9]'), 'FLOAT64: the JSON value is not a number that FLOAT64 holds', '0')) = 0, toFloat64OrNull('1.5'), NULL)",
        1.5,
      ],
      [
        'STRING(JSON \'"x"\')',
        "if(toUInt8(if(NOT startsWith('\"x\"', '\"'), 'STRING: the JSON value is not a string', '0')) = 0, JSONExtractString('\"x\"'), NULL)",
        'x',
      ],
      [
        'LAX_INT64(JSON \'"10.6"\')',
        "if('\"10.6\"' IS NULL, NULL, multiIf('\"10.6\"' IN ('true', 'false'), toInt64('\"10.6\"' = 'true'), match('\"10.6\"', '^-?[0-9]'), if(match('\"10.6\"', '^[+-]?[0-9]+$'), accurateCastOrNull('\"10.6\"', 'Int64'), accurateCastOrNull(sign(toFloat64OrNull('\"10.6\"')) * ceil(floor(abs(toFloat64OrNull('\"10.6\"')) * 2) / 2), 'Int64')), startsWith('\"10.6\"', '\"'), if(match(JSONExtractString('\"10.6\"'), '^[+-]?[0-9]+$'), accurateCastOrNull(JSONExtractString('\"10.6\"'), 'Int64'), accurateCastOrNull(sign(toFloat64OrNull(JSONExtractString('\"10.6\"'))) * ceil(floor(abs(toFloat64OrNull(JSONExtractString('\"10.6\"'))) * 2) / 2), 'Int64')), NULL))",
        11,
      ],
      [
        "LAX_INT64(JSON 'true')",
        "if('true' IS NULL, NULL, multiIf('true' IN ('true', 'false'), toInt64('true' = 'true'), match('true', '^-?[0-9]'), if(match('true', '^[+-]?[0-9]+$'), accurateCastOrNull('true', 'Int64'), accurateCastOrNull(sign(toFloat64OrNull('true')) * ceil(floor(abs(toFloat64OrNull('true')) * 2) / 2), 'Int64')), startsWith('true', '\"'), if(match(JSONExtractString('true'), '^[+-]?[0-9]+$'), accurateCastOrNull(JSONExtractString('true'), 'Int64'), accurateCastOrNull(sign(toFloat64OrNull(JSONExtractString('true'))) * ceil(floor(abs(toFloat64OrNull(JSONExtractString('true'))) * 2) / 2), 'Int64')), NULL))",
        1,
      ],
      [
        'LAX_BOOL(JSON \'"TRUE"\')',
        "if('\"TRUE\"' IS NULL, NULL, multiIf('\"TRUE\"' IN ('true', 'false'), '\"TRUE\"' = 'true', match('\"TRUE\"', '^-?[0-9]'), toFloat64OrNull('\"TRUE\"') != 0, startsWith('\"TRUE\"', '\"'), multiIf(lower(JSONExtractString('\"TRUE\"')) = 'true', true, lower(JSONExtractString('\"TRUE\"')) = 'false', false, NULL), NULL))",
        1,
      ],
      ['LAX_FLOAT64(JSON \'"1.5"\')', null, 1.5],
      [
        "LAX_STRING(JSON '1.5')",
        "if('1.5' IS NULL, NULL, multiIf('1.5' IN ('true', 'false') OR match('1.5', '^-?[0-9]'), '1.5', startsWith('1.5', '\"'), JSONExtractString('1.5'), NULL))",
        '1.5',
      ],
      [
        "LAX_STRING(JSON '[1]')",
        "if('[1]' IS NULL, NULL, multiIf('[1]' IN ('true', 'false') OR match('[1]', '^-?[0-9]'), '[1]', startsWith('[1]', '\"'), JSONExtractString('[1]'), NULL))",
        null,
      ],
      [
        'SAFE.INT64(JSON \'"x"\')',
        "if(NOT match('\"x\"', '^-?[0-9]') OR if(match('\"x\"', '^-?[0-9]+$'), accurateCastOrNull('\"x\"', 'Int64'), accurateCastOrNull(toFloat64OrNull('\"x\"'), 'Int64')) IS NULL, NULL, if(match('\"x\"', '^-?[0-9]+$'), accurateCastOrNull('\"x\"', 'Int64'), accurateCastOrNull(toFloat64OrNull('\"x\"'), 'Int64')))",
        null,
      ],
    ],
    'making JSON': [
      ["TO_JSON_STRING(STRUCT(1 AS a, 'x\"y' AS b))", null, '{"a":1,"b":"x\\"y"}'],
      [
        'TO_JSON_STRING([1, 2], TRUE)',
        "if(empty([toInt64(1), toInt64(2)]), '[]', concat('[\\n ', arrayStringConcat(arrayMap(item -> if(item IS NULL, 'null', if(abs(item) <= 9007199254740992, CAST(item, 'Nullable(String)'), concat('\"', CAST(item, 'Nullable(String)'), '\"'))), [toInt64(1), toInt64(2)]), ',\\n '), '\\n]'))",
        '[\n  1,\n  2\n]',
      ],
      [
        'TO_JSON_STRING(9007199254740993)',
        "if(abs(toInt64(9007199254740993)) <= 9007199254740992, CAST(9007199254740993, 'Nullable(String)'), concat('\"', CAST(9007199254740993, 'Nullable(String)'), '\"'))",
        '"9007199254740993"',
      ],
      ['TO_JSON_STRING(IEEE_DIVIDE(0, 0))', null, '"NaN"'],
      [
        "TO_JSON_STRING(DATE '2026-01-02')",
        "if(toDate32('2026-01-02') IS NULL, 'null', concat('\"', toString(toDate32('2026-01-02')), '\"'))",
        '"2026-01-02"',
      ],
      [
        "TO_JSON_STRING(TIMESTAMP '2026-01-02 03:04:05+00')",
        "if(toDateTime64('2026-01-02 03:04:05.000000', 6, 'UTC') IS NULL, 'null', concat('\"', replaceOne(replaceOne(concat(replaceRegexpOne(toString(toDateTime64('2026-01-02 03:04:05.000000', 6, 'UTC')), '(\\\\.000)?000$', ''), '+00'), ' ', 'T'), '+00', 'Z'), '\"'))",
        '"2026-01-02T03:04:05Z"',
      ],
      [
        'JSON_REMOVE(JSON \'[{"a": [10]}, null, {"b": 20, "c": "foo"}]\', "$[1]", "$[0].b", "$[0].a[0]", "$[4].b", "$[1].d", "$[1].c")',
        null,
        '[{"a":[]},{"b":20}]',
      ],
      ['JSON_REMOVE(JSON \'{"a":1,"b":{"c":[1,2,3],"d":null}}\', "$.b.c[1]", NULL)', null, '{"a":1,"b":{"c":[1,3],"d":null}}'],
      ['JSON_REMOVE(JSON \'{"a":1}\', "$.x.y", "$[0]", "$.a.b")', null, '{"a":1}'],
      ["JSON_REMOVE(CAST(NULL AS JSON), '$.a')", null, null],
      ["TO_JSON_STRING('a/b')", "toJSONString('a/b')", '"a/b"'],
      ["TO_JSON_STRING('\\x1b[1m\\x0b\\\\u001B\\x1f')", null, '"\\u001b[1m\\u000b\\\\u001B\\u001f"'],
      [
        'TO_JSON_STRING(NULL)',
        "if(CAST(NULL, 'Nullable(Int64)') IS NULL, 'null', if(abs(CAST(NULL, 'Nullable(Int64)')) <= 9007199254740992, CAST(CAST(NULL, 'Nullable(Int64)'), 'Nullable(String)'), concat('\"', CAST(CAST(NULL, 'Nullable(Int64)'), 'Nullable(String)'), '\"')))",
        'null',
      ],
      ['TO_JSON(TRUE)', "if(true, 'true', 'false')", 'true'],
      [
        "JSON_OBJECT('a', 1, 'b', [TRUE])",
        "concat('{', toJSONString('a'), ':', CAST(1, 'Nullable(String)'), ',', toJSONString('b'), ':', if(empty([true]), '[]', concat('[', arrayStringConcat(arrayMap(item -> if(item IS NULL, 'null', if(item, 'true', 'false')), [true]), ','), ']')), '}')",
        '{"a":1,"b":[true]}',
      ],
      [
        "JSON_ARRAY(1, 'x', NULL)",
        "concat('[', CAST(1, 'Nullable(String)'), ',', toJSONString('x'), ',', if(CAST(NULL, 'Nullable(Int64)') IS NULL, 'null', CAST(CAST(NULL, 'Nullable(Int64)'), 'Nullable(String)')), ']')",
        '[1,"x",null]',
      ],
    ],
  },
  [
    ["JSON_VALUE('{}', 'a')", "'a' is not a JSONPath"],
    ["JSON_VALUE('{}', LOWER('$.a'))", 'JSON_VALUE takes a constant path'],
    ["PARSE_JSON('{')", 'the query failed: PARSE_JSON: this is not JSON'],
    ["PARSE_JSON('1', wide_number_mode => 'all')", "wide_number_mode must be 'exact' or 'round'"],
    [
      "(SELECT ANY_VALUE(PARSE_JSON('1', wide_number_mode => x)) FROM UNNEST(['all']) AS x)",
      "the query failed: PARSE_JSON: wide_number_mode must be 'exact' or 'round'",
    ],
    ["INT64(JSON '1.5')", 'the query failed: INT64: the JSON value is not an integer in range'],
    ["BOOL(JSON '1')", 'the query failed: BOOL: the JSON value is not a boolean'],
    ["STRING(JSON '1')", 'the query failed: STRING: the JSON value is not a string'],
    ["JSON_OBJECT('a')", 'JSON_OBJECT takes pairs: key, value, …'],
  ],
);
