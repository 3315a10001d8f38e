-- # commits per user
select parsed.user_name, count(*) as commits
from postgres_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.parsed) as parsed on true
where regexp_contains(event_message, 'COMMIT')
group by parsed.user_name
-- # addresses of clients
select cast(timestamp as datetime) as timestamp, hdr.x_real_ip
from edge_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.request) as req on true
  left join unnest(req.headers) as hdr on true
where hdr.x_real_ip is not null
-- # requests by country
-- rows: [["DE",4],["SG",4],["US",4]]
select cf.country, count(*) as count
from edge_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.request) as req on true
  left join unnest(req.cf) as cf on true
group by cf.country
order by count desc, 1
-- # slow answers
select cast(timestamp as datetime) as timestamp, event_message, res.origin_time
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
where res.origin_time > 1000
order by timestamp desc
limit 100
-- # server errors
select cast(timestamp as datetime) as timestamp, event_message, res.status_code
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
where res.status_code >= 500
order by timestamp desc
limit 100
-- # most asked paths
select req.path as path, req.search as params, count(timestamp) as c
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as req
group by path, params
order by c desc
limit 100
-- # only REST
select cast(timestamp as datetime) as timestamp, event_message
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as req
where path like '%rest/v1%'
order by timestamp desc
limit 100
-- # Postgres errors
select cast(t.timestamp as datetime) as timestamp, p.error_severity, event_message
from postgres_logs as t
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as p
where p.error_severity in ('ERROR', 'FATAL', 'PANIC')
order by timestamp desc
limit 100
-- # errors per user
select count(t.timestamp) as count, p.user_name, p.error_severity
from postgres_logs as t
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as p
where p.error_severity in ('ERROR', 'FATAL', 'PANIC')
group by p.user_name, p.error_severity
order by count desc
limit 100
-- # auth events by level
select t.timestamp, event_message
from auth_logs as t
where regexp_contains(event_message,"level.{3}(info|warning||error|fatal)")
  -- and regexp_contains(event_message,"path.{3}(/token|/signup)")
limit 100
-- # audit trail of auth
select cast(timestamp as datetime) as timestamp,
  event_message, metadata 
from auth_audit_logs 
limit 10
-- # objects asked of storage
select req.method as verb, req.path as file, count(*) as n
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) AS req
  cross join unnest(req.headers) AS hdr
where path like '%storage/v1/object/%'
group by req.path, req.method
order by n desc
limit 100
-- # storage egress, an alias equal to its column
select request.method as verb, request.path as file, (resHeaders.cf_cache_status = 'HIT') as cached, count(*) as n
from
  edge_logs
  cross join unnest(metadata) as metadata
  cross join unnest(metadata.request) as request
  cross join unnest(metadata.response) as response
  cross join unnest(response.headers) as resHeaders
where (path like '%storage/v1/object/%' or path like '%storage/v1/render/%')
  and request.method = 'GET'
group by 1, 2, 3
order by n desc
limit 100;
-- # storage cache misses
select r.path as path, r.search as search, count(id) as count
from edge_logs f
  cross join unnest(f.metadata) as m
  cross join unnest(m.request) as r
  cross join unnest(m.response) as res
  cross join unnest(res.headers) as h
where starts_with(r.path, '/storage/v1/object') and r.method = 'GET'
  and h.cf_cache_status in ('MISS', 'NONE/UNKNOWN', 'EXPIRED', 'BYPASS', 'DYNAMIC')
group by path, search
order by count desc
limit 100;
-- # everything of one event
select id, timestamp, event_message, metadata from edge_logs where id = 'edge-3' limit 1
-- # an event of a source without metadata in its query
select id, timestamp, event_message from multigres_logs where id = 'mg-1' limit 1
-- # JSON in a message
select id, json_value(event_message, '$.msg') as msg from multigres_logs order by timestamp desc
-- # slow statements by the text
select cast(regexp_extract(event_message, r'duration: ([0-9.]+) ms') as float64) as ms, event_message, cast(t.timestamp as datetime) as moment
from postgres_logs t
where regexp_contains(event_message, 'duration')
order by ms desc
-- # who is connecting
select p.connection_from as ip, count(p.connection_from) as connections
from postgres_logs as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.parsed) as p
where p.connection_from is not null
group by ip
order by connections desc
limit 5
-- # restarts of a function
select event_message, boot_time, reason, cpu_time_used, timestamp
from function_logs cross join unnest(metadata) as metadata
where event_type = 'Shutdown'
order by timestamp desc
-- # memory of workers
select m.execution_id, max(mem.heap) as heap, avg(cast(mem.total as int64)) as total
from function_logs
  cross join unnest(metadata) as m
  cross join unnest(m.memory_used) as mem
group by m.execution_id
order by m.execution_id
-- # storage errors with their raw text
select r.id, md.level, res.statusCode, json_value(md.rawError, '$.code') as code
from storage_logs r
  cross join unnest(metadata) md
  cross join unnest(md.res) res
where md.rawError is not null
order by r.id
-- # storage headers
select sum(cast(h.content_length as int64)) as bytes
from storage_logs cross join unnest(metadata) as m cross join unnest(m.res) as res cross join unnest(res.headers) as h
-- # realtime, connected clients
select timestamp_trunc(timestamp, minute) as minute, max(cast(ms.connected as int64)) as most
from realtime_logs cross join unnest(metadata) as m cross join unnest(m.measurements) as ms
group by minute
order by minute
-- # pooler, by project
select id, supavisor_logs.timestamp, event_message
from supavisor_logs cross join unnest(metadata) as m
where (m.project like 'demo%') and m.level = 'error'
order by timestamp desc
limit 100
-- # user agents
select h.user_agent, count(*) as n, count(distinct h.x_real_ip) as addresses
from edge_logs, unnest(metadata) as m, unnest(m.request) as r, unnest(r.headers) as h
group by h.user_agent
having n > 1
order by n desc
-- # auth by address and path
select metadata.path, metadata.remote_addr, count(*) as tries, countif(metadata.status >= 400) as failed
from auth_logs cross join unnest(metadata) as metadata
group by 1, 2
order by tries desc
-- # traits of an auth event
select ev.action, tr.provider, count(*) as n
from auth_logs
  cross join unnest(metadata) as m
  cross join unnest(m.auth_event) as ev
  cross join unnest(ev.traits) as tr
group by ev.action, tr.provider
order by n desc, 1
-- # bots
select bm.score, bm.verifiedBot, r.path
from edge_logs
  cross join unnest(metadata) m
  cross join unnest(m.request) r
  cross join unnest(r.cf) cf
  cross join unnest(cf.botManagement) bm
where cast(bm.score as int64) < 95
-- # last hour with a look back
select count(*) as n from edge_logs where timestamp > timestamp_sub(current_timestamp(), interval 1 hour)
-- # a double quoted text and a comparison with text of a time
select event_message from edge_logs t where t.timestamp > "2026-03-10T11:00:00.000Z" and t.timestamp <= '2026-03-10T11:30:00Z'
-- # Postgres log of cron, the cast of Postgres
select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.query
from postgres_logs
cross join unnest(metadata) as m
cross join unnest(m.parsed) as parsed
where ( parsed.application_name = 'pg_cron' or event_message::text LIKE '%cron job%' )
order by timestamp desc
limit 100
