// Functions of BigQuery's that are not translated: the refusal says why, and what to write instead; never a function that sounds alike.
import { expect, test } from 'vitest';
import { translate } from '../../../src/sql/index.ts';
import { failure } from '../../support/told.ts';

const ROWS: readonly (readonly [string, string, string | undefined])[] = [
  [
    'ST_GEOHASH(a)',
    'ST_GEOHASH is not translated: ClickHouse has other geometry types',
    'in a saved query with `dialect: clickhouse`, write geohashEncode(lon, lat, length)',
  ],
  ['ST_BUFFER(a, 3)', 'ST_BUFFER is not translated: ClickHouse has other geometry types', undefined],
  ['ML.DISTANCE(a, b)', 'ML.DISTANCE is not translated: models exist only in BigQuery', undefined],
  ['AI.GENERATE(a)', 'AI.GENERATE is not translated: models exist only in BigQuery', undefined],
  ['SESSION_USER()', 'SESSION_USER is not translated: there is no BigQuery session', undefined],
  ['COLLATE(a, b)', 'COLLATE is not translated: the two engines have different collations', 'to ignore case, compare LOWER(text)'],
  ['KEYS.NEW_KEYSET(a)', 'KEYS.NEW_KEYSET is not translated: its keys are held by Google’s key management service', undefined],
];

test.each(ROWS)('%s', (call, message, hint) => {
  const error = failure(() => translate(`SELECT ${call}`));
  expect([error['message'], error['hint']]).toEqual([message, hint]);
});

test('a function in JavaScript is refused with what to write', () => {
  const error = failure(() => translate("CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 LANGUAGE js AS 'return x'; SELECT f(1)"));
  expect([error['message'], error['hint']]).toEqual([
    'functions in JavaScript or another language are not translated',
    'write the body as a SQL expression: CREATE TEMP FUNCTION name(x INT64) AS (x + 1)',
  ]);
});

const TABLE_FUNCTIONS: readonly (readonly [string, string])[] = [
  ['ML.PREDICT(MODEL m, TABLE t)', 'models exist only in BigQuery'],
  ["SESSION(TABLE t, 'ts', INTERVAL 1 HOUR)", 'a session begins where TIMESTAMP_DIFF to LAG(timestamp) OVER (…) is large'],
  ["TUMBLE(TABLE t, 'ts', '5 MINUTE')", 'windows of continuous queries exist only in BigQuery'],
  ['VECTOR_SEARCH(TABLE t, 1)', 'order by COSINE_DISTANCE(a, b)'],
  ['other(1)', 'FROM takes tables, subqueries and UNNEST(array)'],
];

test.each(TABLE_FUNCTIONS)('FROM %s', (call, hint) => {
  const error = failure(() => translate(`SELECT * FROM ${call}`));
  expect(error['message']).toMatch(/ in FROM is a table function$/);
  expect(error['hint']).toContain(hint);
});
