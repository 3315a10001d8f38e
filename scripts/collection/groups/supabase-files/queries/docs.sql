-- # statements of an extension for audits
select cast(t.timestamp as datetime) as timestamp, event_message, parsed.user_name from postgres_logs as t cross join unnest(metadata) as metadata cross join unnest(parsed) as parsed where event_message like 'AUDIT%' order by timestamp desc limit 100
-- # errors that are no noise
select cast(postgres_logs.timestamp as datetime) as timestamp, error_severity, user_name, query, detail, sql_state_code, event_message from postgres_logs cross join unnest(metadata) as metadata cross join unnest(metadata.parsed) as parsed where regexp_contains(parsed.error_severity, 'ERROR|FATAL|PANIC') and parsed.sql_state_code not in ('00000') order by timestamp desc limit 100
-- # roles of the dashboard
select event_message, parsed.user_name from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed where regexp_contains(parsed.user_name, '(supabase|postgres|auth)') and not regexp_contains(event_message, '(?i)checkpoint')
-- # connections by minute
select timestamp_trunc(timestamp, minute) as minute, countif(event_message like 'connection received%') as received, countif(event_message like '%checkpoint%') as checkpoints from postgres_logs group by minute order by minute desc
-- # API errors with their callers
select cast(timestamp as datetime) as timestamp, status_code, method, path, search, h.x_client_info, h.user_agent from edge_logs cross join unnest(metadata) as metadata cross join unnest(metadata.response) as response cross join unnest(metadata.request) as request cross join unnest(request.headers) as h where status_code >= 400 and regexp_contains(path, '^/rest/v1/') order by timestamp desc
-- # who reads most
select h.x_real_ip as ip, h.cf_ipcountry as country, sum(cast(rh.content_length as int64)) as bytes, count(*) as n from edge_logs cross join unnest(metadata) m cross join unnest(m.request) r cross join unnest(r.headers) h cross join unnest(m.response) p cross join unnest(p.headers) rh group by ip, country order by bytes desc
-- # functions that fail
select id, fel.timestamp, m.function_id, r.status_code, req.url from function_edge_logs as fel cross join unnest(metadata) as m cross join unnest(m.response) as r cross join unnest(m.request) as req where r.status_code between 400 and 599
-- # why workers stop
select m.reason, avg(m.cpu_time_used) as cpu, count(*) as n from function_logs cross join unnest(metadata) as m where m.event_type in ('Shutdown', 'UncaughtException') group by m.reason
-- # users of today
select json_value(event_message, '$.auth_event.actor_id') as user_id, json_value(event_message, '$.auth_event.action') as action, count(*) as n from auth_logs where json_value(event_message, '$.auth_event.action') in ('login', 'user_signedup') group by user_id, action having count(*) >= 1 order by n desc, user_id, action
-- # slowest logins
select cast(json_value(event_message, '$.duration') as int64) / 1e6 as ms, json_value(event_message, '$.path') as path from auth_logs order by ms desc limit 3
-- # tables by their requests
select regexp_extract(r.path, r'/rest/v1/([^/?]+)') as name, r.method, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.request) r where starts_with(r.path, '/rest/v1') group by 1, 2 order by n desc
-- # joined by the request
select e.id, f.id as function_event from edge_logs e cross join unnest(e.metadata) em cross join unnest(em.request) er join function_edge_logs f on timestamp_trunc(e.timestamp, hour) = timestamp_trunc(f.timestamp, hour) where er.path like '/functions/%' order by 1, 2
-- # several services at once
select 'edge' as source, count(*) as n from edge_logs union all select 'postgres', count(*) from postgres_logs union all select 'auth', count(*) from auth_logs union all select 'storage', count(*) from storage_logs union all select 'pooler', count(*) from supavisor_logs order by source
-- # distinct values of a field
select array_agg(distinct r.method order by r.method) as methods from edge_logs, unnest(metadata) m, unnest(m.request) r
-- # the share of each status
select r.status_code, count(*) as n, round(100 * count(*) / sum(count(*)) over (), 2) as percent from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as r group by r.status_code order by n desc, 1
-- # pools of the last day
select timestamp_trunc(t.timestamp, hour) as hour, countif(m.level = 'error') as errors, count(*) as n from supavisor_logs t cross join unnest(metadata) as m where t.timestamp > timestamp_sub(current_timestamp(), interval 24 hour) group by hour order by hour
