// GAP_FILL, on the engine. https://cloud.google.com/bigquery/docs/reference/standard-sql/time-series-functions#gap_fill
import { describe, expect, test } from 'vitest';
import { queryRunner, refusal } from '../../support/query-rows.ts';

const { rows, table, engineFailure } = queryRunner();

const sensors = (type: string, list: string): string =>
  `CREATE TEMP TABLE sensors AS SELECT * FROM UNNEST(ARRAY<STRUCT<room STRING, stamp ${type}, heat INT64, state STRING>>[${list}]);`;

const HEAT = sensors(
  'DATETIME',
  '("a", "2026-03-01 10:00:30", 10, "off"), ("a", "2026-03-01 10:02:00", 19, "on"), ("a", "2026-03-01 10:04:30", NULL, "on"), ("a", "2026-03-01 10:06:01", 30, NULL)',
);
const filled = (columns: string, more = ''): string =>
  `${HEAT} SELECT * REPLACE(FORMAT_DATETIME("%R", stamp) AS stamp) FROM GAP_FILL(TABLE sensors, ts_column => 'stamp', bucket_width => INTERVAL 1 MINUTE, value_columns => [${columns}]${more}) AS g ORDER BY g.stamp`;

describe('what a gap gets', () => {
  test.each([
    ['what was observed at that very time', "('heat', 'null')", '', [null, 19, null, null, null, null]],
    ['the last observation', "('heat', 'locf')", '', [10, 19, 19, 19, 19, 19]],
    ['the last observation, though it is NULL', "('heat', 'locf')", ', ignore_null_values => FALSE', [10, 19, 19, 19, null, null]],
    // 10 + 9 * 30 / 90 = 13, 19 + 11 * 60 / 241 = 21.7, 24.5, 27.2, 29.95
    ['a number between its neighbours, rounded', "('heat', 'linear')", '', [13, 19, 22, 24, 27, 30]],
    ['no number beside a NULL', "('heat', 'linear')", ', ignore_null_values => FALSE', [13, 19, null, null, null, null]],
    ['text of the last observation', "('state', 'locf')", '', ['off', 'on', 'on', 'on', 'on', 'on']],
  ] as const)('%s', async (_, columns, more, values) => {
    const times = ['10:01', '10:02', '10:03', '10:04', '10:05', '10:06'];
    expect(await rows(filled(columns, more))).toEqual(times.map((time, i) => [time, values[i]]));
  });

  test('columns stand in the order in which they are asked for, after the time and the partitions', async () => {
    const asked = "partitioning_columns => ['room'], value_columns => [('state', 'locf'), ('HEAT', 'null')]";
    const [names] = await table(
      `${HEAT} SELECT * FROM GAP_FILL(TABLE sensors, ts_column => 'STAMP', bucket_width => INTERVAL 1 MINUTE, ${asked})`,
    );
    expect(names).toEqual(['stamp', 'room', 'state', 'heat']);
  });

  test('without value_columns, all others are NULL where nothing was observed', async () => {
    const [names, ...found] = await table(
      `${HEAT} SELECT * FROM GAP_FILL((SELECT * EXCEPT (state) FROM sensors), 'stamp', INTERVAL 2 MINUTE) ORDER BY stamp`,
    );
    expect([names, found.map((row) => row.slice(1))]).toEqual([
      ['stamp', 'room', 'heat'],
      [
        ['a', 19],
        [null, null],
        [null, null],
      ],
    ]);
  });
});

test('each partition has its own first and last bucket, NULL being one', async () => {
  const two = sensors(
    'TIMESTAMP',
    '("a", "2026-03-01 10:00:00+00", 1, ""), ("a", "2026-03-01 12:00:00+00", 3, ""), (NULL, "2026-03-01 11:30:00+00", 5, ""), (NULL, "2026-03-01 13:15:00+00", 7, "")',
  );
  const asked = "partitioning_columns => ['room'], value_columns => [('heat', 'linear')]";
  expect(
    await rows(
      `${two} SELECT FORMAT_TIMESTAMP("%H", stamp), room, heat FROM GAP_FILL(TABLE sensors, ts_column => 'stamp', bucket_width => INTERVAL 1 HOUR, ${asked}) ORDER BY room, stamp`,
    ),
  ).toEqual([
    ['12', null, 6],
    ['13', null, 7],
    ['10', 'a', 1],
    ['11', 'a', 2],
    ['12', 'a', 3],
  ]);
});

describe('buckets', () => {
  const times = async (type: string, list: readonly string[], width: string, more = '') =>
    (
      await rows(
        `SELECT CAST(stamp AS STRING) FROM GAP_FILL((SELECT stamp, 1 AS n FROM UNNEST([${list.map((t) => `${type} "${t}"`).join(', ')}]) AS stamp), ts_column => "stamp", bucket_width => INTERVAL ${width}${more}) ORDER BY stamp`,
      )
    ).flat();

  test.each([
    ['days', 'DATE', ['2026-02-27', '2026-03-02'], '1 DAY', '', ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
    // Weeks are counted from 1950-01-01, a Sunday.
    ['weeks', 'DATE', ['2026-03-01', '2026-03-16'], '1 WEEK', '', ['2026-03-01', '2026-03-08', '2026-03-15']],
    [
      'weeks from a Monday on',
      'DATE',
      ['2026-03-01', '2026-03-16'],
      '7 DAY',
      ", origin => DATE '2001-01-01'",
      ['2026-03-02', '2026-03-09', '2026-03-16'],
    ],
    ['months', 'DATE', ['2025-11-15', '2026-02-01'], '1 MONTH', '', ['2025-12-01', '2026-01-01', '2026-02-01']],
    [
      'quarters of DATETIME',
      'DATETIME',
      ['2025-12-31 23:00:00', '2026-07-01'],
      '1 QUARTER',
      '',
      ['2026-01-01 00:00:00', '2026-04-01 00:00:00', '2026-07-01 00:00:00'],
    ],
    [
      'an origin between the minutes',
      'DATETIME',
      ['2026-03-01 10:00:00', '2026-03-01 10:02:00'],
      '1 MINUTE',
      ", origin => DATETIME '2026-01-01 00:00:15'",
      ['2026-03-01 10:00:15', '2026-03-01 10:01:15'],
    ],
    [
      'before 1950',
      'DATETIME',
      ['1949-12-31 23:59:00', '1950-01-01 00:01:00'],
      '45 SECOND',
      '',
      ['1949-12-31 23:59:15', '1950-01-01 00:00:00', '1950-01-01 00:00:45'],
    ],
    [
      'a second and its parts',
      'TIMESTAMP',
      ['2026-03-01 10:00:00.2+00', '2026-03-01 10:00:00.9+00'],
      '250 MILLISECOND',
      '',
      ['2026-03-01 10:00:00.250+00', '2026-03-01 10:00:00.500+00', '2026-03-01 10:00:00.750+00'],
    ],
    ['none between two of one minute', 'DATETIME', ['2026-03-01 10:00:01', '2026-03-01 10:00:59'], '1 MINUTE', '', []],
    ['one alone', 'DATETIME', ['2026-03-01 10:00:00'], '1 MINUTE', '', ['2026-03-01 10:00:00']],
  ] as const)('%s', async (_, type, list, width, more, expected) => {
    expect(await times(type, list, width, more)).toEqual(expected);
  });

  test('rows without a time belong to none', async () => {
    expect(await rows(`SELECT * FROM GAP_FILL((SELECT CAST(NULL AS DATE) AS day, 1 AS n), 'day', INTERVAL 1 DAY)`)).toEqual([]);
  });
});

test('values of every type are carried on', async () => {
  const values = 'STRUCT(1 AS a, "x" AS b) AS pair, JSON \'{"a": 1}\' AS doc, 1.5 AS f, NUMERIC "2.5" AS n, TRUE AS b, b"ab" AS bytes';
  const names = ['pair', 'doc', 'f', 'n', 'b', 'bytes'];
  const data = `SELECT DATE "2026-03-01" AS day, ${values} UNION ALL SELECT DATE "2026-03-03", NULL, NULL, NULL, NULL, NULL, NULL`;
  const asked = `value_columns => [${names.map((name) => `('${name}', 'locf')`).join(', ')}]`;
  const found = await rows(`SELECT TO_JSON_STRING(g) FROM GAP_FILL((${data}), 'day', INTERVAL 1 DAY, ${asked}) AS g ORDER BY g.day`);
  const line = (day: string) => [`{"day":"${day}","pair":{"a":1,"b":"x"},"doc":{"a":1},"f":1.5,"n":"2.5","b":true,"bytes":"YWI="}`];
  expect(found).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'].map(line));
});

test('numbers of every type are interpolated', async () => {
  const data =
    'SELECT DATE "2026-03-01" AS d, 1.0 AS f, NUMERIC "1" AS n, BIGNUMERIC "-1" AS b UNION ALL SELECT DATE "2026-03-04", 2.5, NUMERIC "2", BIGNUMERIC "2"';
  const asked = "value_columns => [('f', 'linear'), ('n', 'linear'), ('b', 'linear')]";
  expect(
    await rows(`SELECT f, CAST(n AS STRING), CAST(b AS STRING) FROM GAP_FILL((${data}), 'd', INTERVAL 1 DAY, ${asked}) ORDER BY d LIMIT 3`),
  ).toEqual([
    [1, '1', '-1'],
    [1.5, '1.333333333', '0'],
    [2, '1.666666667', '1'],
  ]);
});

describe('rows of one time', () => {
  const pair = (a: string, b: string, method = 'locf', more = '') =>
    `SELECT v FROM GAP_FILL((SELECT DATE "2026-03-01" AS d, ${a} AS v UNION ALL SELECT DATE "2026-03-01", ${b}), 'd', INTERVAL 1 DAY, value_columns => [('v', '${method}')]${more})`;

  test('are one where they are the same, or one knows nothing', async () => {
    expect(await rows(pair('1', '1'))).toEqual([[1]]);
    expect(await rows(pair('1', 'NULL'))).toEqual([[1]]);
    expect(await rows(pair('STRUCT(1)', 'STRUCT(1)'))).toEqual([[[1]]]);
  });

  test.each([
    [pair('1', '2')],
    [pair('"x"', '"y"', 'null')],
    [pair('STRUCT(1)', 'STRUCT(2)')],
    [pair('1', 'NULL', 'locf', ', ignore_null_values => FALSE')],
    [pair('1', 'NULL', 'null')],
  ])('fail the query where they differ: %s', async (sql) => {
    expect(await engineFailure(sql)).toContain('GAP_FILL found different values for the same time');
  });
});

test.each([
  ["SELECT * FROM GAP_FILL((SELECT 1 AS a), 'a', INTERVAL 1 DAY)", 'type: a is INT64'],
  ["SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d), 'e', INTERVAL 1 DAY)", 'unknown-column: the table of GAP_FILL has no column e'],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d), 'd', INTERVAL 1 HOUR)",
    'type: bucket_width for DATE must be a positive interval in one unit that DATE_BUCKET takes',
  ],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d), 'd', INTERVAL -1 DAY)",
    'type: bucket_width for DATE must be a positive interval in one unit that DATE_BUCKET takes',
  ],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d, 'x' AS s), 'd', INTERVAL 1 DAY, value_columns => [('s', 'linear')])",
    'type: s is STRING, and only numbers are filled linearly',
  ],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d, 'x' AS s), 'd', INTERVAL 1 DAY, value_columns => [('s', 'next')])",
    'type: gaps are filled by null, locf, linear, not by next',
  ],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d, 'x' AS s), 'd', INTERVAL 1 DAY, partitioning_columns => ['s'], value_columns => [('s', 'null')])",
    'type: GAP_FILL is given s twice',
  ],
  ["SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d), 'd', INTERVAL 1 DAY, fill => 1)", 'type: GAP_FILL takes no second fill'],
  ["SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d), 'd')", 'type: GAP_FILL takes a table, ts_column and bucket_width'],
  ["SELECT * FROM GAP_FILL([1], 'd', INTERVAL 1 DAY)", 'type: the first argument of GAP_FILL must be a table'],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d), 'd', INTERVAL 1 MONTH, origin => DATE '2026-01-31')",
    'unsupported: GAP_FILL by months does not take an origin: its buckets begin on the first day of a month',
  ],
  [
    "SELECT (SELECT COUNT(*) FROM GAP_FILL((SELECT a AS d), 'd', INTERVAL 1 DAY)) FROM (SELECT DATE '2026-01-01' AS a)",
    'unsupported: the first argument of GAP_FILL reads columns of the outer query',
  ],
  ['SELECT GAP_FILL(1)', 'unsupported: GAP_FILL is not translated: it returns rows, not a value'],
  [
    "SELECT * FROM GAP_FILL((SELECT DATE '2026-01-01' AS d, [1] AS l), 'd', INTERVAL 1 DAY)",
    'unsupported: GAP_FILL of l, which is an array, is not translated',
  ],
])('%s', (sql, message) => {
  expect(refusal(sql)).toBe(message);
});
