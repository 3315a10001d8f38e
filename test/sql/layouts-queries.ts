// Queries of the kinds that log explorers send. Rows come in an order that the query says, unless it says none: then they are compared as sets.

export const EXPLORER_QUERIES: readonly string[] = [
  // chained unnests
  'select t.id, request.path, request.method from edge_logs as t cross join unnest(metadata) as m cross join unnest(m.request) as request',
  'select t.id, r.status_code from edge_logs t, unnest(t.metadata) as m, unnest(m.response) as r where r.status_code >= 400',
  'select id, request.url, headers.user_agent, headers.content_length from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(request.headers) as headers',
  "select id, cf.country from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(request.cf) as cf where cf.country in ('DE', 'JP')",
  'select t.id, identifier, t.timestamp, request.method from edge_logs as t cross join unnest(metadata) as m cross join unnest(m.request) as request order by t.id',
  // left joins
  'select id, request.path, response.status_code from edge_logs cross join unnest(metadata) as m left join unnest(m.request) as request on true left join unnest(m.response) as response on true',
  'select id, m.region, cf.country from edge_logs left join unnest(metadata) as m on true left join unnest(m.request) as r on true left join unnest(r.cf) as cf on true',
  'select count(*) as n from edge_logs left join unnest(metadata) as f1 on true',
  // the position of a record that is not there
  'select id, r.path, o from edge_logs, unnest(metadata) m left join unnest(m.request) r with offset o where o is null',
  'select o, count(*) as n from edge_logs, unnest(metadata) m left join unnest(m.request) r with offset o group by o order by o',
  'select count(*) as n, count(request.path) as paths from edge_logs, unnest(metadata) as m, unnest(m.request) as request',
  // aliases equal to columns, unqualified fields
  "select id, method, path from edge_logs cross join unnest(metadata) as metadata cross join unnest(metadata.request) as request where path like '%rest/v1%'",
  'select path, count(*) as n from edge_logs, unnest(metadata) as m, unnest(m.request) as r group by path order by n desc, path',
  // time buckets with conditional counts
  'select timestamp_trunc(t.timestamp, day) as timestamp, count(*) as total, countif(r.status_code >= 500) as bad from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as r group by timestamp order by timestamp',
  "select timestamp_trunc(timestamp, hour) as bucket, countif(regexp_contains(path, '/auth')) as auth, count(distinct if(method = 'GET', host, null)) as hosts from edge_logs t cross join unnest(metadata) as m cross join unnest(m.request) as request group by 1 order by 1",
  'select cast(timestamp as datetime) as timestamp, event_message, id from edge_logs order by timestamp desc limit 20',
  // regular expressions, lists, comparisons
  "select id from edge_logs, unnest(metadata) m, unnest(m.request) r where regexp_contains(r.url, r'alpha\\..*[?]n=1') and r.method in ('GET', 'POST')",
  "select id, regexp_extract(r.path, '^/([a-z]+)') as area from edge_logs, unnest(metadata) m, unnest(m.request) r where starts_with(r.path, '/r')",
  'select id from edge_logs, unnest(metadata) m, unnest(m.request) r where r.method is null',
  "select id from edge_logs, unnest(metadata) m, unnest(m.request) r where r.search is not null and r.path = '/rest/naïve/日本'",
  "select t.id from edge_logs t where t.timestamp > '2026-03-09T00:00:00Z' and t.timestamp <= timestamp('2026-03-10 12:00:00+00')",
  // casts of attributes
  'select id, safe_cast(m.weight as int64) + 1 as w from edge_logs, unnest(metadata) as m where safe_cast(m.weight as int64) > 3',
  'select sum(cast(h.content_length as int64)) as bytes from edge_logs, unnest(metadata) m, unnest(m.request) r, unnest(r.headers) h',
  'select safe_divide(countif(r.status_code >= 400), count(*)) as ratio, avg(r.origin_time) as mean, max(r.origin_time) as most from edge_logs, unnest(metadata) m, unnest(m.response) r',
  // percentiles
  'select approx_quantiles(r.origin_time, 100)[offset(95)] as p95, approx_quantiles(r.origin_time, 4) as quartiles from edge_logs, unnest(metadata) m, unnest(m.response) r',
  'select project, approx_quantiles(m.execution_time_ms, 100)[safe_offset(99)] as p99 from function_edge_logs, unnest(metadata) m group by project order by project',
  // undeclared fields
  'select id, m.region, h.x_custom from edge_logs, unnest(metadata) m left join unnest(m.request) r on true left join unnest(r.headers) h on true where m.region is not null',
  'select m.region, count(*) as n from edge_logs, unnest(metadata) m group by 1 order by n desc, 1',
  "select id, u.name from edge_logs, unnest(metadata) m, unnest(m.context) c, unnest(c.user) u where u.name = 'Zoë'",
  // fields as the columns of USING
  "with names as (select 'GET' as method, 'read' as name union all select 'PUT', 'write') select t.id, method, name from edge_logs t, unnest(metadata) m, unnest(m.request) r join names using (method) where r.method = method",
  "with names as (select 'GET' as method, 'read' as name union all select 'NONE', 'none') select method, name, count(t.id) as n from edge_logs t cross join unnest(metadata) m cross join unnest(m.request) r full join names using (method) group by 1, 2",
  "select region, t.id, n from edge_logs t, unnest(metadata) m left join (select 'eu' as region, 1 as n) x using (region)",
  // CTEs, joins, unions
  "with p as (select 'alpha' as project, timestamp('2026-03-08 00:00:00+00') as since) select t.id from edge_logs t, p where t.project = p.project and t.timestamp >= p.since",
  'with requests as (select t.id, t.timestamp, r.path, r.method from edge_logs t, unnest(metadata) m, unnest(m.request) r) select a.path, count(*) as n from requests a join (select path, max(timestamp) as last from requests group by path) b on a.path = b.path and a.timestamp = b.last group by 1 order by 1',
  "select id, 'edge' as kind from edge_logs, unnest(metadata) m, unnest(m.response) r where r.status_code = 404 union all select id, 'function' from function_edge_logs, unnest(metadata) m, unnest(m.response) r where r.status_code = 404 order by id",
  "select f.function_id, count(*) as calls, countif(r.status_code >= 500) as errors from function_edge_logs t, unnest(t.metadata) f left join unnest(f.response) r on true where f.project_ref = 'alpha' group by 1 order by 1",
  'select a.id from edge_logs a where exists (select 1 from unnest(a.metadata) m, unnest(m.response) r where r.status_code = 503) order by a.id',
  "select id, (select max(r.status_code) from unnest(metadata) m, unnest(m.response) r) as worst from edge_logs where project = 'beta'",
  'select id, array(select r.path from unnest(metadata) m, unnest(m.request) r) as paths from edge_logs',
  // whole records
  'select id, metadata from edge_logs where project = "o\'b" order by id',
  'select id, timestamp, event_message, metadata from edge_logs where project = @project order by timestamp desc limit 50',
  'select t.id, r from edge_logs t, unnest(metadata) m, unnest(m.response) r order by t.id',
  'select id, offset, r.path from edge_logs, unnest(metadata) m, unnest(m.request) r with offset order by id, offset',
  'select m.project_ref, timestamp_trunc(timestamp, day) as d, min(execution_time_ms) as least, max(execution_time_ms) as most from function_edge_logs, unnest(metadata) m group by 1, 2 having count(*) > 1 order by 1, 2',
  'select id, row_number() over (partition by r.host order by t.timestamp desc, id) as n from edge_logs t, unnest(metadata) m, unnest(m.request) r qualify n <= 2',
  "select json_value(event_message, '$.x') as x, upper(r.method) as method, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.request) r group by 1, 2 order by n, 2",
];

const API_KEY =
  'cross join unnest(metadata) as m cross join unnest(m.request) as r left join unnest(r.sb) as sb left join unnest(sb.jwt) as jwt left join unnest(coalesce(jwt.apikey, [])) as k left join unnest(coalesce(k.payload, [])) as p';
const REQUEST = `select id, null as source_id, el.timestamp as timestamp, cast(res.status_code as string) as status, case when res.status_code between 200 and 299 then 'success' when res.status_code >= 500 then 'error' else null end as level, req.path as pathname, null as event_message, null as logs from edge_logs as el cross join unnest(metadata) as meta cross join unnest(meta.request) as req cross join unnest(meta.response) as res`;

/** Queries in the shapes of Supabase Studio's pages. */
export const STUDIO_QUERIES: readonly string[] = [
  // names inside of a parenthesised join are those inside
  'select f.id as source_id, e.id, res.status_code, req.path from function_edge_logs as f cross join unnest(metadata) as fm left join (edge_logs as e cross join unnest (metadata) as em cross join unnest (em.response) as res cross join unnest (em.request) as req) on fm.project_ref = e.project and f.id = concat("f", substr(e.id, 2)) where fm.project_ref is not null',
  "select f.id, m.region from function_edge_logs as f left join (edge_logs as e cross join unnest(metadata) m) on e.id = replace(f.id, 'f', 'e') order by f.id",
  // unions of several services
  `with logs as (${REQUEST} where req.path not like '%/rest/%' union all ${REQUEST} where req.path like '%/rest/%') select * from logs where level in ('success', 'error') and (lower(pathname) like lower('%AUTH%') or status not in ('200'))`,
  `with logs as (${REQUEST}), level_count as (select 'level' as dimension, level as value, count(*) as count from logs where level is not null group by level limit 20) select 'total' as dimension, 'all' as value, count(*) as count from logs union all select dimension, value, count from level_count`,
  `with logs as (${REQUEST}) select timestamp_trunc(timestamp, day) as time_bucket, countif(level = 'success') as ok, countif(level = 'error') as bad, count(*) as total from logs group by time_bucket order by time_bucket asc`,
  // keys, five records down
  `select el.id, p.role, sb.auth_user, coalesce(sb.auth_user, null) as same from edge_logs as el ${API_KEY}`,
  `select el.id, case when p.issuer = 'supabase' and p.role in ('anon') then p.role when p is not null then 'other' else null end as role from edge_logs as el ${API_KEY}`,
  `select p.role, count(*) as n from edge_logs as el ${API_KEY} group by 1 order by n desc, 1`,
  `select count(*) as n, countif(p is null) as without from edge_logs as el ${API_KEY}`,
  'select el.id, sb is not null as known from edge_logs as el cross join unnest(metadata) as m cross join unnest(m.request) as r left join unnest(r.sb) as sb',
  // a header that holds a number
  'select timestamp_trunc(t.timestamp, day) as day, coalesce(safe_divide(sum(cast(coalesce(h.content_length, "0") as int64)), 1000000), 0) as mb from edge_logs t cross join unnest(metadata) as m cross join unnest(m.request) as request left join unnest(request.headers) as h group by day order by day',
];

export const SHIPPED: readonly (readonly [name: string, args: Readonly<Record<string, string | null>>])[] = [
  ...['5min', '15min', '1hr', '1day', '7day'].flatMap((interval) =>
    ['', 'f1', null].map((function_id) => ['functions.invocation-stats', { project: 'alpha', function_id, interval }] as const),
  ),
  ...['minutely', 'hourly', 'daily'].map((interval) => ['usage.api-counts', { project: 'alpha\\.', interval }] as const),
  ...['FREE', 'PRO', 'ENTERPRISE'].map(
    (tier) => ['logs.all', { project: 'alpha', project_tier: tier, iso_timestamp_start: '', iso_timestamp_end: null }] as const,
  ),
  [
    'logs.all',
    { project: "o'b", project_tier: 'PRO', iso_timestamp_start: '2026-03-08T00:00:00Z', iso_timestamp_end: '2026-03-10T00:00:00Z' },
  ],
];

/** Each interval and each tier once. */
export const FEW_ARGUMENTS = SHIPPED.filter(([, { function_id }]) => function_id === undefined || function_id === 'f1');
