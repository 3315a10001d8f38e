-- # edge
select id, identifier, timestamp, event_message, request.method, request.path, request.search, response.status_code
  from edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response
  
  order by timestamp desc
  limit 100
-- # edge, filtered
select id, identifier, timestamp, event_message, request.method, request.path, request.search, response.status_code
  from edge_logs
  cross join unnest(metadata) as m
  cross join unnest(m.request) as request
  cross join unnest(m.response) as response
  where (identifier = 'demo') and (response.status_code between 500 and 599 or response.status_code between 400 and 499) and (request.path like '/rest/%' or request.path like '/graphql/%' or request.path like '/auth/%') and (regexp_contains(event_message, 'GET'))
  order by timestamp desc
  limit 100
-- # edge of a local stack
select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where (request.method = 'POST')
order by timestamp desc
limit 100;
-- # postgres
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
select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level from function_logs
  cross join unnest(metadata) as metadata
  where (metadata.level = 'error' or metadata.level = 'warn')
  order by timestamp desc
  limit 100
-- # functions of one deployment
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
select id, supavisor_logs.timestamp, event_message from supavisor_logs cross join unnest(metadata) as m  order by timestamp desc limit 100
-- # dedicated pooler
-- rows: [[3]]
select count(*) as n from pgbouncer_logs
-- # shared pooler
-- rows: [[5]]
select count(*) as n from supavisor_logs
-- # upgrades
select id, pg_upgrade_logs.timestamp, event_message from pg_upgrade_logs   order by timestamp desc limit 100
-- # realtime
select id, realtime_logs.timestamp, event_message from realtime_logs
  where (regexp_contains(event_message, 'RateLimit'))
  order by timestamp desc
  limit 100
-- # storage
select id, storage_logs.timestamp, event_message from storage_logs
  
  order by timestamp desc
  limit 100
-- # REST, one database
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
select id, etl_replication_logs.timestamp, event_message from etl_replication_logs
  order by timestamp desc
  limit 100
-- # multigres
select id, multigres_logs.timestamp, event_message from multigres_logs
  order by timestamp desc
  limit 100
-- # cron
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
SELECT count(*) as count FROM postgres_logs cross join unnest(metadata) as m
  cross join unnest(m.parsed) as parsed where (parsed.error_severity in ('ERROR', 'FATAL', 'PANIC'))
-- # chart of edge
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
