// Texts to paste give the rows that the same queries give with quern's settings: with ClickHouse's own settings, whichever way it reads the names of aliases, over
// tables of the types that are shown and stored, where every key is there and where one of seven is missing.
import { createHash } from 'node:crypto';
import { format, init } from '@guanmingchiu/sqlparser-ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedEngine, openEmbedded } from '../../../src/engine/embedded/embedded.ts';
import { SUPABASE } from '../../../src/sources/presets/supabase.ts';
import { translate } from '../../../src/translate.ts';
import { type TempFolder, tempFolder } from '../../support/temp-store.ts';
import { refusedIn } from './grammar.ts';

const VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  edge_logs: {
    identifier: ['main', 'branch'],
    'request.method': ['GET', 'POST', 'PUT'],
    'request.path': ['/rest/v1/todos', '/auth/v1/token', '/storage/v1/object/a.png'],
    'request.search': ['?a=1', '?b=2'],
    'request.headers.content_length': ['12', '300'],
    'response.status_code': ['200', '204', '404', '422', '500'],
    'response.origin_time': ['7.5', '12', '120'],
  },
  auth_logs: { level: ['info', 'warning', 'error'], status: ['200', '400', '500'], path: ['/token', '/user'] },
  function_logs: { level: ['log', 'error', 'debug'], event_type: ['Boot', 'Log'], execution_id: ['e1', 'e2', 'e3'], version: ['1', '2'] },
  etl_replication_logs: { pipeline_id: ['7', '8'] },
};

/** One of several, the same in every run. */
function chosen<T>(of: readonly T[], ...from: readonly unknown[]): T {
  const [one] = createHash('sha256').update(from.join('/')).digest();
  return of[(one ?? 0) % of.length] as T; // of several
}

const isMissing = (...from: readonly unknown[]): boolean => chosen([true, false, false, false, false, false, false], 'missing', ...from);

function message(source: string, i: number, gaps: boolean): string {
  if (source !== 'auth_logs') return chosen(['timeout', 'a cron job', 'it.s 50% done'], source, i);
  const event = {
    auth_event: { action: chosen(['login', 'logout', 'signup'], 'action', i), actor_id: chosen(['a', 'b', 'c'], 'actor', i) },
    provider: chosen(['email', 'github', null], 'provider', i),
    duration: chosen([1_250_000, 1_125_000, '777', 90], 'duration', i),
    nested: chosen([{ a: 1 }, [1], true, 1.5], 'nested', i),
  };
  return JSON.stringify(gaps && isMissing(i) ? { ...event, provider: undefined, duration: undefined } : event);
}

function rowsOf(gaps: boolean): string {
  const rows = Object.entries(VALUES).flatMap(([source, keys]) =>
    Array.from({ length: 120 }, (_, i) => {
      const attributes = Object.entries(keys).filter(([key]) => !gaps || !isMissing(source, key, i));
      return JSON.stringify({
        id: `00000000-0000-4000-8000-${createHash('sha256').update(`${source}${i}`).digest('hex').slice(0, 12)}`,
        timestamp: new Date(Date.UTC(2026, 0, 1) + i * 4_567_890).toISOString().replace('T', ' ').replace('Z', '789'),
        event_message: message(source, i, gaps),
        source,
        log_attributes: Object.fromEntries(attributes.map(([key, values]) => [key, chosen(values, source, key, i)])),
      });
    }),
  );
  return rows.join('\n');
}

const SHOWN = SUPABASE.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
const STORED = SHOWN.replace('id String', 'id UUID')
  .replace('DateTime64(6', 'DateTime64(9')
  .replace('source String', 'source LowCardinality(String)')
  .replace('Map(String,', 'Map(LowCardinality(String),');

let folder: TempFolder;
let engine: EmbeddedEngine;

beforeAll(async () => {
  await init();
  folder = tempFolder();
  engine = await openEmbedded({ path: folder.path });
  for (const [database, columns, gaps] of [
    ['full', SHOWN, false],
    ['gaps', SHOWN, true],
    ['stored', STORED, true],
  ] as const) {
    await engine.command(`CREATE DATABASE ${database}`);
    await engine.command(`CREATE TABLE ${database}.logs (${columns}) ENGINE = MergeTree ORDER BY (source, timestamp)`);
    await engine.command(`INSERT INTO ${database}.logs FORMAT JSONEachRow ${rowsOf(gaps)}`);
  }
});

afterAll(async () => {
  await engine.close();
  folder.remove();
});

/** The rows of a text over the table in a database, times by their microseconds, in any order. */
async function rows(sql: string, database: string, settings: Readonly<Record<string, string | number>>): Promise<readonly string[]> {
  const from = sql.replaceAll(/(FROM|JOIN) logs\b/g, `$1 ${database}.logs`);
  const written = Object.entries(settings).map(([name, value]) => `${name} = ${typeof value === 'string' ? `'${value}'` : value}`);
  const found = await engine.rows(written.length === 0 ? from : `${from} SETTINGS ${written.join(', ')}`);
  return found.map((row) => JSON.stringify(row.map(plain))).sort();
}

function plain(value: unknown): unknown {
  const [, time, fraction = ''] = /^(\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?)(?:\.(\d+))?$/.exec(String(value)) ?? [];
  if (time !== undefined)
    return Date.parse(`${time.replace(' ', 'T')}${time.includes(' ') ? 'Z' : ''}`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
  return value === null || Number.isNaN(Number(value)) || value === '' ? value : Number(Number(value).toPrecision(12));
}

const E = 'from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r cross join unnest(m.response) as s';

test.each([
  'select id, identifier, timestamp, event_message, r.method, r.path, r.search, s.status_code '.concat(
    E,
    ' order by timestamp desc limit 20',
  ),
  `select cast(timestamp_trunc(e.timestamp, hour) as datetime) as timestamp, count(e.id) as count ${E.replace('edge_logs', 'edge_logs e')} where regexp_contains(r.path, '/auth') group by timestamp order by timestamp`,
  `select r.path as path, r.method as method, s.status_code, count(*) as count, avg(s.origin_time) as avg ${E} where s.status_code >= 400 group by r.path, r.method, s.status_code order by count desc`,
  `select timestamp_trunc(timestamp, day) as timestamp, count(case when not (s.status_code >= 500 or s.status_code >= 400 and s.status_code < 500) then 1 end) as ok, count(case when s.status_code >= 500 then 1 end) as failed ${E} where timestamp > '2026-01-02T00:00:00Z' group by timestamp order by timestamp`,
  `select coalesce(safe_divide(sum(cast(coalesce(h.content_length, '0') as int64)), 1000000), 0) as mb ${E} cross join unnest(r.headers) as h`,
  `select r.method, countif(s.status_code between 400 and 499) as bad, round(100 * countif(s.status_code >= 500) / count(*), 2) as share ${E} where not (r.method = 'PUT' or r.path like '/auth%') group by 1 having count(*) > 2 order by 1`,
  `select r.path, approx_quantiles(s.origin_time, 100)[offset(50)] as p50, approx_quantiles(s.origin_time, 100)[offset(95)] as p95 ${E} group by 1`,
  `select r.method != 'GET' as other, r.method not in ('GET', 'PUT') as more, r.method is null as none, r.search is not null as found, count(*) n ${E} where r.method != 'POST' or r.search is null or identifier not in ('main') group by 1, 2, 3, 4`,
  `select greatest(s.status_code, 300) as g, least(s.origin_time, 10.0) as l, ifnull(r.method, 'none') as m, if(r.method like 'P%', 'write', 'read') as k ${E} order by id`,
  `select regexp_extract(r.path, r'^/(\\w+)/v\\d') as area, regexp_replace(r.path, r'\\.', '-') as dashed, count(*) n ${E} where regexp_contains(r.path, r'v1/\\w+$') or event_message like '%50\\\\%%' group by 1, 2`,
  `select timestamp_trunc(timestamp, hour) as h, unix_micros(timestamp_trunc(timestamp, hour)) as us, date_trunc(date(timestamp), month) as month, format_timestamp('%H:%M', timestamp_trunc(timestamp, minute)) as m ${E}`,
  "select timestamp_trunc(timestamp, hour) as timestamp, count(distinct json_value(f.event_message, '$.auth_event.actor_id')) as count from auth_logs f where json_value(f.event_message, '$.auth_event.action') in ('login', 'signup') group by timestamp order by timestamp desc",
  "select json_value(event_message, '$.provider') as provider, json_value(event_message, '$.nested') as nested, json_query(event_message, '$.auth_event') as event, json_value(event_message, '$.provider') = 'email' as mail, count(*) n from auth_logs where json_value(event_message, '$.auth_event.action') != 'logout' group by 1, 2, 3",
  "select round(avg(cast(json_value(event_message, '$.duration') as int64)) / 1000000, 2) as avg, round(max(cast(json_value(event_message, '$.duration') as int64)) / 1000000, 2) as max from auth_logs where json_value(event_message, '$.auth_event.action') = 'login'",
  "select case when json_value(event_message, '$.provider') is not null and json_value(event_message, '$.provider') != '' then concat('by ', json_value(event_message, '$.provider')) else 'none' end as way, count(*) n from auth_logs group by way order by way",
  "select m.level, cast(m.status as int64) as status, m.path from auth_logs cross join unnest(metadata) as m where m.level = 'error' or m.level = 'warning' or cast(m.status as int64) between 400 and 499",
  'select m.level, row_number() over (partition by m.level order by timestamp) as n, id from function_logs, unnest(metadata) as m where true qualify n <= 2',
  'select m.version, cast(m.version as int64) + 1 as next, count(*) n from function_logs, unnest(metadata) as m group by m.version',
  "select upper(level) as timestamp, count(*) as source from function_logs, unnest(metadata) where not level = 'debug' and level not in ('log') group by 1 order by 2 desc, 1",
  'with logs as (select id, timestamp, m.execution_id as e from function_logs, unnest(metadata) as m) select a.e, count(*) n, max(b.timestamp) as last from logs a join logs b on a.e = b.e group by a.e',
  'select e.day, e.n, a.n as other from (select date(timestamp) as day, count(*) as n from edge_logs group by 1) e left join (select date(timestamp) as day, count(*) as n from auth_logs where timestamp > "2026-01-03" group by 1) a on e.day = a.day order by e.day',
  "select event_message, id from edge_logs union all select event_message, id from auth_logs where event_message like '%login%'",
  'select id from etl_replication_logs where pipeline_id = 7',
  `select event_message, o, word, upper(word) as up ${E} cross join unnest(split(event_message, ' ')) as word with offset o where o < 2 order by id, o`,
  `select way, word, count(*) n ${E} cross join unnest(['GET', 'PUT']) as way cross join unnest(split(event_message, ' ')) as word where r.method = way group by way, word order by way, word`,
  `select 7 as seven, 'x' as x, count(*) as n ${E} group by seven, x`,
  `select id, o, 1 as one ${E.replace('as r', 'as r with offset o')} order by o, one, id`,
  'select count(*) as n from etl_replication_logs where timestamp between "2026-01-02" and "2026-01-05 12:00:00" and id in (select id from etl_replication_logs where pipeline_id in unnest([7, 9]))',
  "select \"it's\" as a, r'back\\\\slash' as b, 'two\\nlines' as c, 5 / 2 as d, 7 in (1, 7) as e from edge_logs limit 1",
])('%s', async (text) => {
  const settings = translate(text, { for: 'supabase', portable: false });
  const pasted = translate(text, { for: 'supabase' });
  expect([refusedIn(pasted.sql), pasted.settings, pasted.parameters]).toEqual([[], {}, []]);
  for (const database of ['full', 'gaps', 'stored']) {
    const expected = await rows(settings.sql, database, settings.settings);
    expect(expected.length).toBeGreaterThan(0);
    // The log explorer reads the text with sqlparser-rs, and runs what that prints.
    const printed = format(pasted.sql, 'clickhouse');
    for (const sql of [pasted.sql, printed])
      for (const prefer_column_name_to_alias of [0, 1])
        expect(await rows(sql, database, { prefer_column_name_to_alias }), `${database} ${prefer_column_name_to_alias}`).toEqual(expected);
  }
});
