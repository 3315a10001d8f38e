-- # edge
select id, identifier, timestamp, event_message, request.method, request.path, request.search, response.status_code
  from edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response
  
  order by timestamp desc
  limit 100
-- # edge, filtered
-- rows: [["edge-1","demo","2026-03-10T11:43:00Z","GET | 422 | /auth/v1/token","GET","/auth/v1/token","?limit=1",422],["edge-5","demo","2026-03-10T11:15:00Z","GET | 500 | /graphql/v1","GET","/graphql/v1","?limit=5",500],["edge-6","demo","2026-03-10T11:08:00Z","GET | 500 | /rest/v1/todos","POST","/rest/v1/todos","?limit=6",500],["edge-7","demo","2026-03-10T11:01:00Z","GET | 404 | /auth/v1/token","GET","/auth/v1/token","?limit=7",404]]
select id, identifier, timestamp, event_message, request.method, request.path, request.search, response.status_code
  from edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response
  where (identifier = 'demo') and (response.status_code between 500 and 599 or response.status_code between 400 and 499) and (request.path like '/rest/%' or request.path like '/graphql/%' or request.path like '/auth/%') and (regexp_contains(event_message, 'GET'))
  order by timestamp desc
  limit 100
-- # edge of a local stack
-- rows: [["edge-0","2026-03-10T11:50:00Z","GET | 200 | /rest/v1/todos","POST","/rest/v1/todos","?limit=0",200],["edge-3","2026-03-10T11:29:00Z","GET | 204 | /realtime/v1/websocket","POST","/realtime/v1/websocket","?limit=3",204],["edge-6","2026-03-10T11:08:00Z","GET | 500 | /rest/v1/todos","POST","/rest/v1/todos","?limit=6",500],["edge-9","2026-03-10T10:47:00Z","GET | 201 | /realtime/v1/websocket","POST","/realtime/v1/websocket","?limit=9",201]]
select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where (request.method = 'POST')
order by timestamp desc
limit 100;
-- # postgres
-- rows: [["demo-rr-1","2026-03-10T11:50:00Z","pg-0","connection received: host=127.0.0.1","LOG",null,null],["demo-rr-1","2026-03-10T11:22:00Z","pg-4","AUDIT: SESSION,1,1,WRITE,INSERT,,,insert into t","LOG",null,null],["demo-rr-1","2026-03-10T10:54:00Z","pg-8","cron job 3 COMMAND completed: 1 row","LOG",null,null]]
select identifier, postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint from postgres_logs
  cross join unnest(metadata) as m
  cross join unnest(m.parsed) as parsed
  where (identifier = 'demo-rr-1') and (parsed.error_severity not in ('ERROR', 'FATAL', 'PANIC'))
  order by timestamp desc
  limit 100
-- # postgres, its replicas
-- rows: [["demo",9],["demo-rr-1",3]]
select identifier, count(*) as n from postgres_logs group by identifier order by identifier
-- # functions
-- rows: [["fl-2","2026-03-10T11:36:00Z","Error: boom","UncaughtException","fn-0","ex-1","error"],["fl-3","2026-03-10T11:29:00Z","shutdown","Shutdown","fn-1","ex-1","warn"],["fl-6","2026-03-10T11:08:00Z","Error: boom","UncaughtException","fn-0","ex-3","error"],["fl-7","2026-03-10T11:01:00Z","shutdown","Shutdown","fn-1","ex-3","warn"],["fl-10","2026-03-10T10:40:00Z","Error: boom","UncaughtException","fn-0","ex-5","error"],["fl-11","2026-03-10T10:33:00Z","shutdown","Shutdown","fn-1","ex-5","warn"]]
select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level from function_logs
  cross join unnest(metadata) as metadata
  where (metadata.level = 'error' or metadata.level = 'warn')
  order by timestamp desc
  limit 100
-- # functions of one deployment
-- rows: [["fl-1","2026-03-10T11:43:00Z","hello","Log","fn-1","ex-0","log"],["fl-3","2026-03-10T11:29:00Z","shutdown","Shutdown","fn-1","ex-1","warn"],["fl-5","2026-03-10T11:15:00Z","hello","Log","fn-1","ex-2","log"],["fl-7","2026-03-10T11:01:00Z","shutdown","Shutdown","fn-1","ex-3","warn"],["fl-9","2026-03-10T10:47:00Z","hello","Log","fn-1","ex-4","log"],["fl-11","2026-03-10T10:33:00Z","shutdown","Shutdown","fn-1","ex-5","warn"]]
select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level from function_logs
  cross join unnest(metadata) as metadata
  where (function_id = 'fn-1')
  order by timestamp desc
  limit 100
-- # auth
select id, auth_logs.timestamp, event_message, metadata.level, metadata.status, metadata.path, metadata.msg as msg, metadata.error from auth_logs
  cross join unnest(metadata) as metadata
  where (REGEXP_CONTAINS(metadata.path, "/signup|/invite|/verify") or REGEXP_CONTAINS(metadata.path, "/token|/authorize|/callback|/otp|/magiclink")) and (cast(metadata.status as int64) between 400 and 499 or cast(metadata.status as int64) between 500 and 599)
  order by timestamp desc
  limit 100
-- # auth, severity from level and status
-- rows: [[10]]
select count(*) as n
from auth_logs cross join unnest(metadata) as metadata
where (IFNULL(metadata.level, '') IN ('error', 'fatal') OR IFNULL(SAFE_CAST(metadata.status AS INT64), 0) >= 500)
  or not (IFNULL(metadata.level, '') = 'warning' OR IFNULL(SAFE_CAST(metadata.status AS INT64), 0) BETWEEN 400 AND 499)
-- # function requests
select id, function_edge_logs.timestamp, event_message, response.status_code, request.method, request.pathname, m.function_id, m.execution_id, m.execution_time_ms, m.deployment_id, m.version from function_edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.response) as response
  cross join unnest(m.request) as request
  where (response.status_code between 200 and 299)
  order by timestamp desc
  limit 100
-- # function requests of a local stack
select id, function_edge_logs.timestamp, event_message
from function_edge_logs
order by timestamp desc
limit 100
-- # pooler
-- rows: [["sv-0","2026-03-10T11:50:00Z","ClientHandler: started 0"],["sv-1","2026-03-10T11:43:00Z","ClientHandler: started 1"],["sv-2","2026-03-10T11:36:00Z","ClientHandler: started 2"],["sv-3","2026-03-10T11:29:00Z","ClientHandler: started 3"],["sv-4","2026-03-10T11:22:00Z","ClientHandler: started 4"]]
select id, supavisor_logs.timestamp, event_message from supavisor_logs cross join unnest(metadata) as m  order by timestamp desc limit 100
-- # dedicated pooler
-- rows: [[3]]
select count(*) as n from pgbouncer_logs
-- # shared pooler
-- rows: [[5]]
select count(*) as n from supavisor_logs
-- # upgrades
-- rows: [["up-0","2026-03-10T11:50:00Z","Performing Consistency Checks 0"],["up-1","2026-03-10T11:43:00Z","Performing Consistency Checks 1"],["up-2","2026-03-10T11:36:00Z","Performing Consistency Checks 2"]]
select id, pg_upgrade_logs.timestamp, event_message from pg_upgrade_logs   order by timestamp desc limit 100
-- # realtime
-- rows: [["rt-1","2026-03-10T11:43:00Z","ChannelRateLimitReached: too many"],["rt-4","2026-03-10T11:22:00Z","ChannelRateLimitReached: too many"]]
select id, realtime_logs.timestamp, event_message from realtime_logs
  where (regexp_contains(event_message, 'RateLimit'))
  order by timestamp desc
  limit 100
-- # storage
-- rows: [["st-0","2026-03-10T11:50:00Z","GET | 500 | /object/a"],["st-1","2026-03-10T11:43:00Z","GET | 200 | /object/a"],["st-2","2026-03-10T11:36:00Z","GET | 500 | /object/a"],["st-3","2026-03-10T11:29:00Z","GET | 200 | /object/a"],["st-4","2026-03-10T11:22:00Z","GET | 500 | /object/a"],["st-5","2026-03-10T11:15:00Z","GET | 200 | /object/a"]]
select id, storage_logs.timestamp, event_message from storage_logs
  
  order by timestamp desc
  limit 100
-- # REST, one database
-- rows: [["pr-0","2026-03-10T11:50:00Z","Listening on port 0"],["pr-1","2026-03-10T11:43:00Z","Listening on port 1"],["pr-2","2026-03-10T11:36:00Z","Listening on port 2"],["pr-3","2026-03-10T11:29:00Z","Listening on port 3"],["pr-4","2026-03-10T11:22:00Z","Listening on port 4"]]
select id, postgrest_logs.timestamp, event_message from postgrest_logs
  where (identifier = 'demo')
  order by timestamp desc
  limit 100
-- # replication of one pipeline
-- rows: [["etl-0"],["etl-2"]]
select id from etl_replication_logs
  where (pipeline_id = '1')
  order by timestamp desc
-- # replication, the default
-- rows: [["etl-0","2026-03-10T11:50:00Z","copied table 0"],["etl-1","2026-03-10T11:43:00Z","copied table 1"],["etl-2","2026-03-10T11:36:00Z","copied table 2"],["etl-3","2026-03-10T11:29:00Z","copied table 3"]]
select id, etl_replication_logs.timestamp, event_message from etl_replication_logs
  order by timestamp desc
  limit 100
-- # multigres
-- rows: [["mg-0","2026-03-10T11:50:00Z","{\"msg\":\"failover 0\",\"level\":\"INFO\"}"],["mg-1","2026-03-10T11:43:00Z","{\"msg\":\"failover 1\",\"level\":\"INFO\"}"],["mg-2","2026-03-10T11:36:00Z","{\"msg\":\"failover 2\",\"level\":\"INFO\"}"]]
select id, multigres_logs.timestamp, event_message from multigres_logs
  order by timestamp desc
  limit 100
-- # runs of workflows, the default
-- rows: [["wr-7","2026-03-10T11:50:00Z","wf-0","clone: step 0"],["wr-7","2026-03-10T11:43:00Z","wf-1","migrate: step 1"],["wr-7","2026-03-10T11:36:00Z","wf-2","migrate: step 2"],["wr-8","2026-03-10T11:29:00Z","wf-3","clone: step 3"],["wr-8","2026-03-10T11:22:00Z","wf-4","seed: step 4"]]
select workflow_run, workflow_run_logs.timestamp, id, event_message from workflow_run_logs
  order by timestamp desc
  limit 100
-- # one run of a workflow
-- rows: [["wf-3"],["wf-4"]]
select id from workflow_run_logs
  where (workflow_run = 'wr-8')
  order by timestamp desc
  limit 100
-- # cron
-- rows: [["pg-2","2026-03-10T11:36:00Z","cron job 3 COMMAND completed: 1 row","LOG","select 1"],["pg-8","2026-03-10T10:54:00Z","cron job 3 COMMAND completed: 1 row","LOG","select 1"]]
select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.query
from postgres_logs
cross join unnest(metadata) as m
cross join unnest(m.parsed) as parsed
where ( parsed.application_name = 'pg_cron' or regexp_contains(event_message, 'cron job') ) AND (parsed.error_severity = 'LOG')
order by timestamp desc
limit 100
-- # one event
select id, timestamp, event_message, metadata from auth_logs where id = 'auth-2' limit 1
-- # how many
-- rows: [[4]]
SELECT count(*) as count FROM postgres_logs cross join unnest(metadata) as m
  cross join unnest(m.parsed) as parsed where (parsed.error_severity in ('ERROR', 'FATAL', 'PANIC'))
-- # chart of edge
-- rows: [["2026-03-10T10:33:00Z",1,0,0],["2026-03-10T10:40:00Z",1,0,0],["2026-03-10T10:47:00Z",1,0,0],["2026-03-10T10:54:00Z",0,0,1],["2026-03-10T11:01:00Z",0,0,1],["2026-03-10T11:08:00Z",0,1,0],["2026-03-10T11:15:00Z",0,1,0],["2026-03-10T11:22:00Z",1,0,0],["2026-03-10T11:29:00Z",1,0,0],["2026-03-10T11:36:00Z",0,0,1],["2026-03-10T11:43:00Z",0,0,1],["2026-03-10T11:50:00Z",1,0,0]]
SELECT
  timestamp_trunc(t.timestamp, minute) as timestamp,
  count(CASE WHEN NOT (response.status_code >= 500 OR response.status_code >= 400 AND response.status_code < 500) THEN 1 END) as ok_count,
  count(CASE WHEN response.status_code >= 500 THEN 1 END) as error_count,
  count(CASE WHEN response.status_code >= 400 AND response.status_code < 500 THEN 1 END) as warning_count,
FROM
  edge_logs t
  cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response
  where t.timestamp > '2026-03-10T06:00:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
-- # chart of auth
-- rows: [["2026-03-10T10:00:00Z",3,2],["2026-03-10T11:00:00Z",6,5]]
SELECT
  timestamp_trunc(t.timestamp, hour) as timestamp,
  count(CASE WHEN NOT (IFNULL(metadata.level, '') = 'error' OR IFNULL(metadata.level, '') = 'warning') THEN 1 END) as ok_count,
  count(CASE WHEN metadata.level = 'error' OR SAFE_CAST(metadata.status AS INT64) >= 400 THEN 1 END) as error_count,
FROM
  auth_logs t
  cross join unnest(metadata) as metadata
  where t.timestamp > '2026-03-10T06:00:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
-- # chart of a source without conditions
-- rows: [["2026-03-10T00:00:00Z",5,0]]
SELECT
  timestamp_trunc(t.timestamp, day) as timestamp,
  count(CASE WHEN NOT (false OR false) THEN 1 END) as ok_count,
  count(CASE WHEN false THEN 1 END) as error_count,
FROM
  realtime_logs t
  where t.timestamp > '2026-03-01T06:00:00.000Z'
GROUP BY
timestamp
ORDER BY
  timestamp ASC
