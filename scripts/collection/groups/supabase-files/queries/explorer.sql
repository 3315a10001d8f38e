-- # commits per user
-- rows: [["authenticator",2]]
select parsed.user_name, count(*) as commits
from postgres_logs
  left join unnest(metadata) as meta on true
  left join unnest(meta.parsed) as parsed on true
where regexp_contains(event_message, 'COMMIT')
group by parsed.user_name
-- # addresses of clients
-- rows: [["2026-03-10T10:33:00","10.0.0.2"],["2026-03-10T10:40:00","10.0.0.1"],["2026-03-10T10:47:00","10.0.0.0"],["2026-03-10T10:54:00","10.0.0.2"],["2026-03-10T11:01:00","10.0.0.1"],["2026-03-10T11:08:00","10.0.0.0"],["2026-03-10T11:15:00","10.0.0.2"],["2026-03-10T11:22:00","10.0.0.1"],["2026-03-10T11:29:00","10.0.0.0"],["2026-03-10T11:36:00","10.0.0.2"],["2026-03-10T11:43:00","10.0.0.1"],["2026-03-10T11:50:00","10.0.0.0"]]
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
-- rows: [["2026-03-10T11:01:00","GET | 404 | /auth/v1/token",1060],["2026-03-10T10:54:00","GET | 404 | /storage/v1/object/public/a.png",1210],["2026-03-10T10:47:00","GET | 201 | /realtime/v1/websocket",1360],["2026-03-10T10:40:00","GET | 201 | /functions/v1/hello",1510],["2026-03-10T10:33:00","GET | 200 | /graphql/v1",1660]]
select cast(timestamp as datetime) as timestamp, event_message, res.origin_time
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
where res.origin_time > 1000
order by timestamp desc
limit 100
-- # server errors
-- rows: [["2026-03-10T11:15:00","GET | 500 | /graphql/v1",500],["2026-03-10T11:08:00","GET | 500 | /rest/v1/todos",500]]
select cast(timestamp as datetime) as timestamp, event_message, res.status_code
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.response) as res
where res.status_code >= 500
order by timestamp desc
limit 100
-- # most asked paths
-- rows: [["/functions/v1/hello","?limit=10",1],["/graphql/v1","?limit=5",1],["/graphql/v1","?limit=11",1],["/functions/v1/hello","?limit=4",1],["/realtime/v1/websocket","?limit=3",1],["/storage/v1/object/public/a.png","?limit=2",1],["/rest/v1/todos","?limit=6",1],["/auth/v1/token","?limit=1",1],["/auth/v1/token","?limit=7",1],["/rest/v1/todos","?limit=0",1],["/storage/v1/object/public/a.png","?limit=8",1],["/realtime/v1/websocket","?limit=9",1]]
select req.path as path, req.search as params, count(timestamp) as c
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as req
group by path, params
order by c desc
limit 100
-- # only REST
-- rows: [["2026-03-10T11:50:00","GET | 200 | /rest/v1/todos"],["2026-03-10T11:08:00","GET | 500 | /rest/v1/todos"]]
select cast(timestamp as datetime) as timestamp, event_message
from edge_logs
  cross join unnest(metadata) as meta
  cross join unnest(meta.request) as req
where path like '%rest/v1%'
order by timestamp desc
limit 100
-- # Postgres errors
-- rows: [["2026-03-10T11:29:00","ERROR","relation \"x\" does not exist"],["2026-03-10T11:15:00","FATAL","checkpoint complete"],["2026-03-10T10:47:00","ERROR","relation \"x\" does not exist"],["2026-03-10T10:33:00","FATAL","checkpoint complete"]]
select cast(t.timestamp as datetime) as timestamp, p.error_severity, event_message
from postgres_logs as t
  cross join unnest(metadata) as meta
  cross join unnest(meta.parsed) as p
where p.error_severity in ('ERROR', 'FATAL', 'PANIC')
order by timestamp desc
limit 100
-- # errors per user
-- rows: [[2,"supabase_admin","FATAL"],[2,"postgres","ERROR"]]
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
-- rows: [["2026-03-10T11:29:00","login by u3",[{"action":"login","actor_id":"u3","log_type":"account"}]],["2026-03-10T11:36:00","login by u2",[{"action":"login","actor_id":"u2","log_type":"account"}]],["2026-03-10T11:43:00","login by u1",[{"action":"login","actor_id":"u1","log_type":"account"}]],["2026-03-10T11:50:00","login by u0",[{"action":"login","actor_id":"u0","log_type":"account"}]]]
select cast(timestamp as datetime) as timestamp,
  event_message, metadata 
from auth_audit_logs 
limit 10
-- # objects asked of storage
-- rows: [["GET","/storage/v1/object/public/a.png",2]]
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
-- rows: [["GET","/storage/v1/object/public/a.png",false,2]]
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
-- rows: [["/storage/v1/object/public/a.png","?limit=2",1],["/storage/v1/object/public/a.png","?limit=8",1]]
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
-- rows: [["mg-1","2026-03-10T11:43:00Z","{\"msg\":\"failover 1\",\"level\":\"INFO\"}"]]
select id, timestamp, event_message from multigres_logs where id = 'mg-1' limit 1
-- # JSON in a message
-- rows: [["mg-0","failover 0"],["mg-1","failover 1"],["mg-2","failover 2"]]
select id, json_value(event_message, '$.msg') as msg from multigres_logs order by timestamp desc
-- # slow statements by the text
-- rows: [[12.5,"duration: 12.5 ms  statement: COMMIT","2026-03-10T11:01:00"],[12.5,"duration: 12.5 ms  statement: COMMIT","2026-03-10T11:43:00"]]
select cast(regexp_extract(event_message, r'duration: ([0-9.]+) ms') as float64) as ms, event_message, cast(t.timestamp as datetime) as moment
from postgres_logs t
where regexp_contains(event_message, 'duration')
order by ms desc
-- # who is connecting
-- rows: [["10.1.1.1:99",12]]
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
-- rows: [["ex-0","500",500],["ex-1","1500",2500],["ex-2","2500",4500],["ex-3","3500",6500],["ex-4","4500",8500],["ex-5","5500",10500]]
select m.execution_id, max(mem.heap) as heap, avg(cast(mem.total as int64)) as total
from function_logs
  cross join unnest(metadata) as m
  cross join unnest(m.memory_used) as mem
group by m.execution_id
order by m.execution_id
-- # storage errors with their raw text
-- rows: [["st-0","error",500,"X"],["st-2","error",500,"X"],["st-4","error",500,"X"]]
select r.id, md.level, res.statusCode, json_value(md.rawError, '$.code') as code
from storage_logs r
  cross join unnest(metadata) md
  cross join unnest(md.res) res
where md.rawError is not null
order by r.id
-- # storage headers
-- rows: [[594]]
select sum(cast(h.content_length as int64)) as bytes
from storage_logs cross join unnest(metadata) as m cross join unnest(m.res) as res cross join unnest(res.headers) as h
-- # realtime, connected clients
-- rows: [["2026-03-10T11:22:00Z",12],["2026-03-10T11:29:00Z",9],["2026-03-10T11:36:00Z",6],["2026-03-10T11:43:00Z",3],["2026-03-10T11:50:00Z",0]]
select timestamp_trunc(timestamp, minute) as minute, max(cast(ms.connected as int64)) as most
from realtime_logs cross join unnest(metadata) as m cross join unnest(m.measurements) as ms
group by minute
order by minute
-- # pooler, by project
-- rows: [["sv-0","2026-03-10T11:50:00Z","ClientHandler: started 0"],["sv-2","2026-03-10T11:36:00Z","ClientHandler: started 2"],["sv-4","2026-03-10T11:22:00Z","ClientHandler: started 4"]]
select id, supavisor_logs.timestamp, event_message
from supavisor_logs cross join unnest(metadata) as m
where (m.project like 'demo%') and m.level = 'error'
order by timestamp desc
limit 100
-- # user agents
-- rows: [["node",6,3],["Mozilla/5.0",6,3]]
select h.user_agent, count(*) as n, count(distinct h.x_real_ip) as addresses
from edge_logs, unnest(metadata) as m, unnest(m.request) as r, unnest(r.headers) as h
group by h.user_agent
having n > 1
order by n desc
-- # auth by address and path
-- rows: [["/otp","10.0.0.1",3,2],["/signup","10.0.0.1",3,2],["/token","10.0.0.1",3,0],["/user","10.0.0.1",3,2]]
select metadata.path, metadata.remote_addr, count(*) as tries, countif(metadata.status >= 400) as failed
from auth_logs cross join unnest(metadata) as metadata
group by 1, 2
order by tries desc
-- # traits of an auth event
-- rows: [["login","email",4],["token_refreshed","email",4],["user_signedup","email",4]]
select ev.action, tr.provider, count(*) as n
from auth_logs
  cross join unnest(metadata) as m
  cross join unnest(m.auth_event) as ev
  cross join unnest(ev.traits) as tr
group by ev.action, tr.provider
order by n desc, 1
-- # bots
-- rows: [["94","false","/functions/v1/hello"],["93","false","/realtime/v1/websocket"],["92","false","/storage/v1/object/public/a.png"],["91","false","/auth/v1/token"],["90","false","/rest/v1/todos"]]
select bm.score, bm.verifiedBot, r.path
from edge_logs
  cross join unnest(metadata) m
  cross join unnest(m.request) r
  cross join unnest(r.cf) cf
  cross join unnest(cf.botManagement) bm
where cast(bm.score as int64) < 95
-- # last hour with a look back
-- rows: [[8]]
select count(*) as n from edge_logs where timestamp > timestamp_sub(current_timestamp(), interval 1 hour)
-- # a double quoted text and a comparison with text of a time
-- rows: [["GET | 404 | /auth/v1/token"],["GET | 500 | /rest/v1/todos"],["GET | 500 | /graphql/v1"],["GET | 204 | /functions/v1/hello"],["GET | 204 | /realtime/v1/websocket"]]
select event_message from edge_logs t where t.timestamp > "2026-03-10T11:00:00.000Z" and t.timestamp <= '2026-03-10T11:30:00Z'
-- # Postgres log of cron, the cast of Postgres
select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.query
from postgres_logs
cross join unnest(metadata) as m
cross join unnest(m.parsed) as parsed
where ( parsed.application_name = 'pg_cron' or event_message::text LIKE '%cron job%' )
order by timestamp desc
limit 100
