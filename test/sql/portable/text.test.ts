// What texts to paste look like: about as long as by hand, with values for parameters, and with notes of what is other than in BigQuery.
import { expect, test } from 'vitest';
import { translate } from '../../../src/translate.ts';
import { failure } from '../../support/told.ts';
import { refusedIn } from './grammar.ts';

const pasted = (text: string, options: Omit<Parameters<typeof translate>[1], 'for'> = {}) =>
  translate(text, { for: 'supabase', ...options });
const inLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')');

const REQUESTS =
  'from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response';

test.each([
  [
    `select id, timestamp, request.method, response.status_code ${REQUESTS} where response.status_code between 500 and 599 order by timestamp desc limit 50`,
    "SELECT id, timestamp, nullIf(log_attributes['request.method'], '') AS method, toInt64OrNull(log_attributes['response.status_code']) AS status_code FROM logs WHERE source = 'edge_logs' AND toInt64OrNull(log_attributes['response.status_code']) BETWEEN 500 AND 599 ORDER BY timestamp DESC LIMIT 50",
  ],
  [
    `select timestamp_trunc(timestamp, hour) as timestamp, count(*) as requests ${REQUESTS} where request.method = 'GET' group by 1 order by 1`,
    "SELECT toStartOfHour(logs.timestamp) AS timestamp, count() AS requests FROM logs WHERE source = 'edge_logs' AND log_attributes['request.method'] = 'GET' GROUP BY toStartOfHour(logs.timestamp) ORDER BY toStartOfHour(logs.timestamp)",
  ],
  [
    `select request.path, count(*) as hits, countif(response.status_code >= 400) as failed ${REQUESTS} group by request.path order by hits desc limit 5`,
    "SELECT nullIf(log_attributes['request.path'], '') AS path, count() AS hits, countIf(toInt64OrNull(log_attributes['response.status_code']) >= 400) AS failed FROM logs WHERE source = 'edge_logs' GROUP BY path ORDER BY hits DESC LIMIT 5",
  ],
  [
    "select json_value(event_message, '$.user.id') as user, count(*) as n from auth_logs where json_value(event_message, '$.action') in ('login', 'logout') group by 1",
    "SELECT if(JSONType(event_message, 'user', 'id') IN ('Object', 'Array'), NULL, JSONExtract(event_message, 'user', 'id', 'Nullable(String)')) AS user, count() AS n FROM logs WHERE source = 'auth_logs' AND JSON_VALUE(event_message, '$.action') IN ('login', 'logout') GROUP BY user",
  ],
  ['select count(*) as n from `realtime.logs.prod`', "SELECT count() AS n FROM logs WHERE source = 'realtime_logs'"],
])('%s', (text, expected) => {
  expect(inLine(pasted(text).sql)).toBe(expected);
});

test('what an event has not may be empty instead of NULL', () => {
  const text = `select request.method, avg(response.origin_time) as ms, countif(request.search is null) as bare ${REQUESTS} where request.method != 'GET' group by 1`;
  const { sql, differences } = pasted(text, { absent: 'empty' });
  expect(inLine(sql)).toBe(
    "SELECT log_attributes['request.method'] AS method, avg(toFloat64OrZero(log_attributes['response.origin_time'])) AS ms, countIf(log_attributes['request.search'] = '') AS bare FROM logs WHERE source = 'edge_logs' AND log_attributes['request.method'] != 'GET' GROUP BY method",
  );
  expect(differences).toEqual(["what an event has not is '' or 0, and counts and compares as such; BigQuery has NULL there"]);
});

test('values of parameters stand in the text', () => {
  const text = `select @limit_to as most, id from edge_logs where timestamp > @since and event_message in unnest(@words) and event_message like @like`;
  const { sql, parameters } = pasted(text, {
    parameters: { since: { kind: 'TIMESTAMP' } },
    values: { since: '2026-01-02T03:00:00Z', words: ["it's", 'a\\b'], limit_to: 5, LIKE: '%x%' },
  });
  expect(parameters).toEqual([]);
  expect(inLine(sql)).toBe(
    "SELECT 5 AS most, id FROM logs WHERE source = 'edge_logs' AND timestamp > toDateTime64('2026-01-02 03:00:00', 6, 'UTC') AND event_message IN ('it''s', replaceAll('a~b', '~', char(92))) AND event_message LIKE '%x%'",
  );
});

test.each([
  ['select id from edge_logs where timestamp > @since', {}, '@since has no value, which the text to paste needs'],
  ['select @n', { values: { n: 'x' }, parameters: { n: { kind: 'INT64' } } }, 'n: x is not INT64'],
  [
    'select if(id = "x", struct(1 as a, id as b), null) as s from edge_logs',
    {},
    'a STRUCT or an INTERVAL that is NULL relies on a setting',
  ],
  ['select identifier, count(*) from edge_logs group by rollup (identifier)', {}, 'ROLLUP, CUBE and GROUPING SETS rely on a setting'],
] as const)('%s is refused', (text, options, message) => {
  const parameters = 'parameters' in options ? options.parameters : { since: { kind: 'TIMESTAMP' } as const };
  expect(failure(() => pasted(text, { ...options, parameters }))['message']).toContain(message);
});

test.each([
  [`select sum(response.status_code) as s ${REQUESTS}`, ['SUM: the result is out of range: BigQuery fails there, and this text does not']],
  ['select cast(request.search as int64) as n '.concat(REQUESTS), 2],
  ['select metadata from edge_logs', ['metadata is the map of all attributes: keys with dots instead of records in records']],
  ['select id from edge_logs', []],
  ['select timestamp_trunc(timestamp, day) as d, date_trunc(date(timestamp), month) as m from edge_logs', []],
  ['select date_trunc(date_sub(date(timestamp), interval 60 year), month) as m from edge_logs', 1],
])('%s: %j', (text, expected) => {
  const { differences = [] } = pasted(text);
  if (typeof expected === 'number') expect(differences.length).toBe(expected);
  else expect(differences).toEqual(expected);
});

test('long queries stay below what the editor takes', () => {
  const shares = ['200', '300', '400', '500'].map(
    (from, i) => `round(100 * countif(response.status_code >= ${from}) / count(*), 2) as share_${i}`,
  );
  const { sql } = pasted(`select request.path, ${shares.join(', ')} ${REQUESTS} group by 1 order by 1`);
  expect(refusedIn(sql)).toEqual([]);
});
