-- # statements of an extension for audits
-- rows: [["2026-03-10T11:22:00","AUDIT: SESSION,1,1,WRITE,INSERT,,,insert into t","authenticator"],["2026-03-10T10:40:00","AUDIT: SESSION,1,1,WRITE,INSERT,,,insert into t","authenticator"]]
select cast(t.timestamp as datetime) as timestamp, event_message, parsed.user_name from postgres_logs as t cross join unnest(metadata) as metadata cross join unnest(parsed) as parsed where event_message like 'AUDIT%' order by timestamp desc limit 100
-- # errors that are no noise
-- rows: [["2026-03-10T11:29:00","ERROR","postgres","select 1",null,"42P01","relation \"x\" does not exist"],["2026-03-10T10:47:00","ERROR","postgres","select 1",null,"42P01","relation \"x\" does not exist"]]
select cast(postgres_logs.timestamp as datetime) as timestamp, error_severity, user_name, query, detail, sql_state_code, event_message from postgres_logs cross join unnest(metadata) as metadata cross join unnest(metadata.parsed) as parsed where regexp_contains(parsed.error_severity, 'ERROR|FATAL|PANIC') and parsed.sql_state_code not in ('00000') order by timestamp desc limit 100
-- # roles of the dashboard
select event_message, parsed.user_name from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed where regexp_contains(parsed.user_name, '(supabase|postgres|auth)') and not regexp_contains(event_message, '(?i)checkpoint')
-- # connections by minute
-- rows: [["2026-03-10T11:50:00Z",1,0],["2026-03-10T11:43:00Z",0,0],["2026-03-10T11:36:00Z",0,0],["2026-03-10T11:29:00Z",0,0],["2026-03-10T11:22:00Z",0,0],["2026-03-10T11:15:00Z",0,1],["2026-03-10T11:08:00Z",1,0],["2026-03-10T11:01:00Z",0,0],["2026-03-10T10:54:00Z",0,0],["2026-03-10T10:47:00Z",0,0],["2026-03-10T10:40:00Z",0,0],["2026-03-10T10:33:00Z",0,1]]
select timestamp_trunc(timestamp, minute) as minute, countif(event_message like 'connection received%') as received, countif(event_message like '%checkpoint%') as checkpoints from postgres_logs group by minute order by minute desc
-- # API errors with their callers
-- rows: [["2026-03-10T11:08:00",500,"POST","/rest/v1/todos","?limit=6","supabase-js/2.46","Mozilla/5.0"]]
select cast(timestamp as datetime) as timestamp, status_code, method, path, search, h.x_client_info, h.user_agent from edge_logs cross join unnest(metadata) as metadata cross join unnest(metadata.response) as response cross join unnest(metadata.request) as request cross join unnest(request.headers) as h where status_code >= 400 and regexp_contains(path, '^/rest/v1/') order by timestamp desc
-- # who reads most
-- rows: [["10.0.0.2","SG",4026,4],["10.0.0.1","SG",4022,4],["10.0.0.0","SG",4018,4]]
select h.x_real_ip as ip, h.cf_ipcountry as country, sum(cast(rh.content_length as int64)) as bytes, count(*) as n from edge_logs cross join unnest(metadata) m cross join unnest(m.request) r cross join unnest(r.headers) h cross join unnest(m.response) p cross join unnest(p.headers) rh group by ip, country order by bytes desc
-- # functions that fail
select id, fel.timestamp, m.function_id, r.status_code, req.url from function_edge_logs as fel cross join unnest(metadata) as m cross join unnest(m.response) as r cross join unnest(m.request) as req where r.status_code between 400 and 599
-- # why workers stop
-- rows: [[null,16,3],["EarlyDrop",17,3]]
select m.reason, avg(m.cpu_time_used) as cpu, count(*) as n from function_logs cross join unnest(metadata) as m where m.event_type in ('Shutdown', 'UncaughtException') group by m.reason
-- # users of today
-- rows: [["u0","login",1],["u0","user_signedup",1],["u1","login",1],["u1","user_signedup",1],["u2","login",1],["u2","user_signedup",1],["u3","login",1],["u3","user_signedup",1]]
select json_value(event_message, '$.auth_event.actor_id') as user_id, json_value(event_message, '$.auth_event.action') as action, count(*) as n from auth_logs where json_value(event_message, '$.auth_event.action') in ('login', 'user_signedup') group by user_id, action having count(*) >= 1 order by n desc, user_id, action
-- # slowest logins
-- rows: [[60,"/otp"],[55,"/user"],[50,"/signup"]]
select cast(json_value(event_message, '$.duration') as int64) / 1e6 as ms, json_value(event_message, '$.path') as path from auth_logs order by ms desc limit 3
-- # tables by their requests
-- rows: [["todos","POST",2]]
select regexp_extract(r.path, r'/rest/v1/([^/?]+)') as name, r.method, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.request) r where starts_with(r.path, '/rest/v1') group by 1, 2 order by n desc
-- # joined by the request
-- rows: [["edge-10","fe-10"],["edge-10","fe-11"],["edge-10","fe-8"],["edge-10","fe-9"],["edge-4","fe-0"],["edge-4","fe-1"],["edge-4","fe-2"],["edge-4","fe-3"],["edge-4","fe-4"],["edge-4","fe-5"],["edge-4","fe-6"],["edge-4","fe-7"]]
select e.id, f.id as function_event from edge_logs e cross join unnest(e.metadata) em cross join unnest(em.request) er join function_edge_logs f on timestamp_trunc(e.timestamp, hour) = timestamp_trunc(f.timestamp, hour) where er.path like '/functions/%' order by 1, 2
-- # several services at once
-- rows: [["auth",12],["edge",12],["pooler",5],["postgres",12],["storage",6]]
select 'edge' as source, count(*) as n from edge_logs union all select 'postgres', count(*) from postgres_logs union all select 'auth', count(*) from auth_logs union all select 'storage', count(*) from storage_logs union all select 'pooler', count(*) from supavisor_logs order by source
-- # distinct values of a field
-- rows: [[["GET","POST"]]]
select array_agg(distinct r.method order by r.method) as methods from edge_logs, unnest(metadata) m, unnest(m.request) r
-- # the share of each status
-- rows: [[200,2,16.67],[201,2,16.67],[204,2,16.67],[404,2,16.67],[422,2,16.67],[500,2,16.67]]
select r.status_code, count(*) as n, round(100 * count(*) / sum(count(*)) over (), 2) as percent from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as r group by r.status_code order by n desc, 1
-- # pools of the last day
-- rows: [["2026-03-10T11:00:00Z",3,5]]
select timestamp_trunc(t.timestamp, hour) as hour, countif(m.level = 'error') as errors, count(*) as n from supavisor_logs t cross join unnest(metadata) as m where t.timestamp > timestamp_sub(current_timestamp(), interval 24 hour) group by hour order by hour
-- # requests by the role of their key, by position
-- rows: [[null,8],["anon",2],["service_role",2]]
SELECT request.sb[SAFE_OFFSET(0)].jwt[SAFE_OFFSET(0)].apikey[SAFE_OFFSET(0)].payload[SAFE_OFFSET(0)].role AS role, COUNT(*) AS n
FROM edge_logs CROSS JOIN UNNEST(metadata) AS m CROSS JOIN UNNEST(m.request) AS request
GROUP BY role ORDER BY n DESC, role
