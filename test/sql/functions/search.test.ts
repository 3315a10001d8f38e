// SEARCH: the examples of BigQuery's documentation, and what its rules for delimiters say of texts with encoded signs.
// https://cloud.google.com/bigquery/docs/reference/standard-sql/search_functions#search
import { testExpressions } from '../../support/expression-rows.ts';

const YES = 1;
/** SEARCH of each text in a column, so that nothing is folded. */
const each = (query: string, texts: string, more = ''): string =>
  `CAST((SELECT STRING_AGG(IFNULL(CAST(SEARCH(x, ${query}${more}) AS STRING), 'NULL'), '|') FROM UNNEST([${texts}]) x) AS STRING)`;
const EMAIL = "'Please use foobar@example.com as your email.'";

testExpressions(
  {
    words: [
      [each("'foobar example'", "'foobar-example', 'foobarexample', 'Example FOOBAR', '', NULL"), null, 'true|false|true|false|NULL'],
      [each("'foobar\\\\&example'", "'foobar-example'"), null, 'true'],
      [each("R'foobar\\=', json_scope => 'JSON_VALUES'", "'foobar='"), null, 'true'],
      [each("CONCAT('foo', 'bar')", "'foobar-example'"), null, 'true'],
      [each("'example.com'", EMAIL), null, 'true'],
      [each("'exam'", EMAIL), null, 'false'],
      [each("'ÄRGER'", "'so ein ÄRGER!', 'so ein ärger!'"), null, 'true|false'],
    ],
    'exact texts between backticks': [
      [each("'`foobar&example`'", "'foobar-example', 'foobar&example', 'a foobar&example b'"), null, 'false|true|true'],
      [each("'`Foobar`'", "'foobar-example', 'Foobar'"), null, 'false|true'],
      [each("'`foobar-example`'", "'`foobar-example`', 'foobar-example'"), null, 'false|true'],
      [each("'`foobar.`'", "'foobar.example', 'foobar..example'"), null, 'false|true'],
      [each("'`foobar\\\\=`'", "'foobar='"), null, 'false'],
      [each("'`127.0.0.1`'", "'127.0.0.1', 'to 127.0.0.1:80', '1127.0.0.1', '127.0.0.10'"), null, 'true|true|false|false'],
    ],
    phrases: [
      [each('\'"foo bar"\'', "'foo bar baz', 'Foo-Bar', 'foo else bar', 'bar foo', 'foo  bar'"), null, 'true|true|false|false|true'],
      [each('\'"foo&bar"\'', "'foo-bar baz'"), null, 'true'],
      [each('\'"`foo bar`"\'', "'foo bar baz'"), null, 'false'],
      [each('\'bar "foo&baz"\'', "'foo-bar-baz'"), null, 'false'],
      [each('R\'"as email"\'', EMAIL), null, 'false'],
    ],
    'AND, OR and parentheses': [
      [each("'foo AND (bar OR baz)'", "'foo', 'foo bar', 'baz foo', 'bar baz'"), null, 'false|true|true|false'],
      [each("'foo OR bar baz'", "'foo', 'bar', 'bar baz'"), null, 'true|false|true'],
    ],
    'signs that are encoded are delimiters, whole': [
      [each("'b'", "'a%20b', 'a%2520b', 'a%3Bb', 'a%3db', 'a%25b', 'a%b'"), null, 'true|true|true|true|false|true'],
      [each("'200'", "'a 200 b', 'a%200 b', 'a%20200', 'a%2200'"), null, 'true|false|true|false'],
      [each('\'"a 20b"\'', "'a%20b', 'a%%20b', 'a%2020b', 'a 20b'"), null, 'false|false|true|true'],
      [each("'a'", "'a#b', 'a\\tb', 'a\\nb', 'a[b', 'a\\\\\\\\b', 'a]b', 'a_b'"), null, 'false|true|true|true|true|true|true'],
    ],
    'other analyzers': [
      [each("'foobar'", "'foobar', 'Foobar', 'foobar x'", ", analyzer => 'NO_OP_ANALYZER'"), null, 'true|false|false'],
      [each('R\'foobar "EXAMPLE.com as" email\'', EMAIL, ", analyzer => 'PATTERN_ANALYZER'"), null, 'true'],
      [each('\'"cd fg"\'', "'a cd e fg', 'cd ef fg'", ", analyzer => 'PATTERN_ANALYZER'"), null, 'true|false'],
    ],
    'values of several texts': [
      ["SEARCH(['foobar', 'example'], 'foobar example')", null, false],
      ["SEARCH(['foobar', NULL], 'example')", null, null],
      ["SEARCH(('a b', 'c', 1), 'b a')", null, true],
      ["SEARCH((CAST(NULL AS STRING), 'c'), 'b')", null, null],
      ["SEARCH([STRUCT('a b' AS q, 1 AS n)], 'b')", null, true],
      ["SEARCH(1, 'x')", null, false],
      ["(SELECT SEARCH(t, 'soup') FROM (SELECT 'Tomato' AS lunch, 'Beef soup' AS dinner, 1 AS n) AS t)", null, true],
    ],
    'JSON: strings, keys or both': [
      [
        each("'timeout error'", `JSON '{"a":{"b":["Timeout error",1]},"timeout":null}', JSON '{"timeout":"error"}', CAST(NULL AS JSON)`),
        null,
        'true|false|NULL',
      ],
      [each("'w'", `JSON '{"k w":1}', JSON '{"k":"w"}'`, ", json_scope => 'JSON_KEYS'"), null, 'true|false'],
      [each("'w'", `JSON '{"k w":1}', JSON '{"k":"w"}'`, ", json_scope => 'JSON_KEYS_AND_VALUES'"), null, 'true|true'],
    ],
    'plain values': [["SEARCH('foobar', 'foobar')", null, YES]],
  },
  [
    ["SEARCH('a', NULL)", 'the search query is NULL'],
    ["SEARCH('a', '')", 'the search query has no words'],
    ["SEARCH('a', '.')", "'.' has no words to look for"],
    ["SEARCH('a', 'http://x')", ': is reserved in search queries'],
    ["SEARCH('a', 'b and c')", 'and is a reserved word in search queries'],
    ["SEARCH('a', '\"b')", 'this is not a search query'],
    ["SEARCH('a', 'b OR')", 'this is not a search query'],
    ["SEARCH('a', '(b')", 'this is not a search query'],
    [each('x', "'a'"), 'SEARCH takes a constant query'],
    ["SEARCH('a', 'b', analyzer_options => '{}')", 'options of text analyzers are not translated'],
    ["SEARCH('a', 'b', analyzer => 'log')", "analyzer must be one of 'LOG_ANALYZER', 'NO_OP_ANALYZER', 'PATTERN_ANALYZER'"],
    ["SEARCH('a', '`b`', analyzer => 'PATTERN_ANALYZER')", 'text in backticks is translated for LOG_ANALYZER only'],
  ],
);
