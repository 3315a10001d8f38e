-- # requests
-- rows: [["2026-03-10T10:00:00",4],["2026-03-10T11:00:00",8]]
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, count(t.id) as count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers  group by timestamp order by timestamp asc
-- # routes
-- rows: [["/storage/v1/object/public/a.png","GET","?limit=2",422,1],["/rest/v1/todos","POST","?limit=0",200,1],["/graphql/v1","GET","?limit=5",500,1],["/realtime/v1/websocket","POST","?limit=3",204,1],["/rest/v1/todos","POST","?limit=6",500,1],["/auth/v1/token","GET","?limit=1",422,1],["/storage/v1/object/public/a.png","GET","?limit=8",404,1],["/auth/v1/token","GET","?limit=7",404,1],["/realtime/v1/websocket","POST","?limit=9",201,1],["/functions/v1/hello","GET","?limit=4",204,1]]
select request.path as path, request.method as method, request.search as search, response.status_code as status_code, count(t.id) as count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers  group by request.path, request.method, request.search, response.status_code order by count desc limit 10
-- # errors
-- rows: [["2026-03-10T10:00:00",1],["2026-03-10T11:00:00",5]]
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, count(t.id) as count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers where response.status_code >= 400 group by timestamp order by timestamp asc
-- # speed
-- rows: [["2026-03-10T10:00:00",1435],["2026-03-10T11:00:00",535]]
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, avg(response.origin_time) as avg from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers  group by timestamp order by timestamp asc
-- # slow routes
-- rows: [["/graphql/v1","GET",200,1,1660],["/functions/v1/hello","GET",201,1,1510],["/realtime/v1/websocket","POST",201,1,1360],["/storage/v1/object/public/a.png","GET",404,1,1210],["/auth/v1/token","GET",404,1,1060],["/rest/v1/todos","POST",500,1,910],["/graphql/v1","GET",500,1,760],["/functions/v1/hello","GET",204,1,610],["/realtime/v1/websocket","POST",204,1,460],["/storage/v1/object/public/a.png","GET",422,1,310]]
select request.path as path, request.method as method, response.status_code as status_code, count(t.id) as count, avg(response.origin_time) as avg from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers  group by request.path, request.method, response.status_code order by avg desc limit 10
-- # traffic
-- rows: [["2026-03-10T10:00:00",0.002,0.004038],["2026-03-10T11:00:00",0.0016,0.008028]]
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, coalesce(safe_divide(sum(cast(coalesce(headers.content_length, "0") as int64)), 1000000), 0) as ingress_mb, coalesce(safe_divide(sum(cast(coalesce(resp_headers.content_length, "0") as int64)), 1000000), 0) as egress_mb, from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers cross join unnest(response.headers) as resp_headers  group by timestamp order by timestamp asc
-- # requests, filtered
-- rows: []
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, count(t.id) as count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers where REGEXP_CONTAINS(request.path, '/rest/v1') and request.method = "GET" and response.status_code >= 200 group by timestamp order by timestamp asc
-- # routes, filtered
-- rows: []
select request.path as path, request.method as method, request.search as search, response.status_code as status_code, count(t.id) as count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers where REGEXP_CONTAINS(request.path, '/rest/v1') and request.method = "GET" and response.status_code >= 200 group by request.path, request.method, request.search, response.status_code order by count desc limit 10
-- # errors, filtered
-- rows: []
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, count(t.id) as count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers where REGEXP_CONTAINS(request.path, '/rest/v1') and request.method = "GET" and response.status_code >= 200 and response.status_code >= 400 group by timestamp order by timestamp asc
-- # speed, filtered
-- rows: []
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, avg(response.origin_time) as avg from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers where REGEXP_CONTAINS(request.path, '/rest/v1') and request.method = "GET" and response.status_code >= 200 group by timestamp order by timestamp asc
-- # slow routes, filtered
-- rows: []
select request.path as path, request.method as method, response.status_code as status_code, count(t.id) as count, avg(response.origin_time) as avg from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers where REGEXP_CONTAINS(request.path, '/rest/v1') and request.method = "GET" and response.status_code >= 200 group by request.path, request.method, response.status_code order by avg desc limit 10
-- # traffic, filtered
-- rows: []
select cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp, coalesce(safe_divide(sum(cast(coalesce(headers.content_length, "0") as int64)), 1000000), 0) as ingress_mb, coalesce(safe_divide(sum(cast(coalesce(resp_headers.content_length, "0") as int64)), 1000000), 0) as egress_mb, from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request cross join unnest(request.headers) as headers cross join unnest(response.headers) as resp_headers where REGEXP_CONTAINS(request.path, '/rest/v1') and request.method = "GET" and response.status_code >= 200 group by timestamp order by timestamp asc
-- # cache hits
-- rows: [["2026-03-10T11:00:00Z",0,1],["2026-03-10T10:00:00Z",0,1]]
select timestamp_trunc(timestamp, hour) as timestamp, countif(h.cf_cache_status in ('HIT', 'STALE', 'REVALIDATED', 'UPDATING')) as hit_count, countif(h.cf_cache_status in ('MISS', 'EXPIRED', 'BYPASS', 'DYNAMIC')) as miss_count from edge_logs f cross join unnest(f.metadata) as m cross join unnest(m.request) as r cross join unnest(m.response) as res cross join unnest(res.headers) as h where starts_with(r.path, '/storage/v1/object') and r.method = 'GET' group by timestamp order by timestamp desc
-- # auth errors by minute
-- rows: [["2026-03-10T11:43:00Z",1,422],["2026-03-10T11:01:00Z",1,404]]
select timestamp_trunc(timestamp, minute) as timestamp, count(*) as count, response.status_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where path like '%auth/v1%' and response.status_code >= 400 and response.status_code <= 599 group by timestamp, status_code order by timestamp desc
-- # auth error codes by minute
-- rows: [["2026-03-10T11:43:00Z",1,"PGRST1"],["2026-03-10T11:01:00Z",1,"PGRST7"]]
select timestamp_trunc(timestamp, minute) as timestamp, count(*) as count, h.x_sb_error_code as error_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where path like '%auth/v1%' and response.status_code >= 400 group by timestamp, error_code order by timestamp desc
-- # invocations by minute
-- rows: [["2026-03-10T11:50:00Z","fn-0",1],["2026-03-10T11:43:00Z","fn-1",1],["2026-03-10T11:36:00Z","fn-0",1],["2026-03-10T11:29:00Z","fn-1",1],["2026-03-10T11:22:00Z","fn-0",1],["2026-03-10T11:15:00Z","fn-1",1],["2026-03-10T11:08:00Z","fn-0",1],["2026-03-10T11:01:00Z","fn-1",1],["2026-03-10T10:54:00Z","fn-0",1],["2026-03-10T10:47:00Z","fn-1",1],["2026-03-10T10:40:00Z","fn-0",1],["2026-03-10T10:33:00Z","fn-1",1]]
select timestamp_trunc(timestamp, minute) as timestamp, function_id, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h  group by timestamp, function_id order by timestamp desc;
-- # statuses by minute
-- rows: [["2026-03-10T11:50:00Z",200,1],["2026-03-10T11:43:00Z",404,1],["2026-03-10T11:36:00Z",500,1],["2026-03-10T11:29:00Z",200,1],["2026-03-10T11:22:00Z",404,1],["2026-03-10T11:15:00Z",500,1],["2026-03-10T11:08:00Z",200,1],["2026-03-10T11:01:00Z",404,1],["2026-03-10T10:54:00Z",500,1],["2026-03-10T10:47:00Z",200,1],["2026-03-10T10:40:00Z",404,1],["2026-03-10T10:33:00Z",500,1]]
select timestamp_trunc(timestamp, minute) as timestamp, response.status_code as status_code, count(response.status_code) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h  group by timestamp, status_code order by timestamp desc
-- # regions by minute
-- rows: [["2026-03-10T11:50:00Z","ap-southeast-1",1],["2026-03-10T11:43:00Z","eu-west-1",1],["2026-03-10T11:36:00Z","ap-southeast-1",1],["2026-03-10T11:29:00Z","eu-west-1",1],["2026-03-10T11:22:00Z","ap-southeast-1",1],["2026-03-10T11:15:00Z","eu-west-1",1],["2026-03-10T11:08:00Z","ap-southeast-1",1],["2026-03-10T11:01:00Z","eu-west-1",1],["2026-03-10T10:54:00Z","ap-southeast-1",1],["2026-03-10T10:47:00Z","eu-west-1",1],["2026-03-10T10:40:00Z","ap-southeast-1",1],["2026-03-10T10:33:00Z","eu-west-1",1]]
select timestamp_trunc(timestamp, minute) as timestamp, h.x_sb_edge_region as region, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where h.x_sb_edge_region is not null group by timestamp, region order by timestamp desc
-- # execution time by minute
-- rows: [["2026-03-10T11:50:00Z","fn-0",20],["2026-03-10T11:43:00Z","fn-1",23],["2026-03-10T11:36:00Z","fn-0",26],["2026-03-10T11:29:00Z","fn-1",29],["2026-03-10T11:22:00Z","fn-0",32],["2026-03-10T11:15:00Z","fn-1",35],["2026-03-10T11:08:00Z","fn-0",38],["2026-03-10T11:01:00Z","fn-1",41],["2026-03-10T10:54:00Z","fn-0",44],["2026-03-10T10:47:00Z","fn-1",47],["2026-03-10T10:40:00Z","fn-0",50],["2026-03-10T10:33:00Z","fn-1",53]]
select timestamp_trunc(timestamp, minute) as timestamp, function_id, avg(m.execution_time_ms) as avg_execution_time from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h  group by timestamp, function_id order by timestamp desc
-- # invocations by minute, filtered
-- rows: [["2026-03-10T11:43:00Z","fn-1",1],["2026-03-10T11:29:00Z","fn-1",1],["2026-03-10T11:15:00Z","fn-1",1],["2026-03-10T11:01:00Z","fn-1",1],["2026-03-10T10:47:00Z","fn-1",1],["2026-03-10T10:33:00Z","fn-1",1]]
select timestamp_trunc(timestamp, minute) as timestamp, function_id, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 group by timestamp, function_id order by timestamp desc;
-- # statuses by minute, filtered
-- rows: [["2026-03-10T11:43:00Z",404,1],["2026-03-10T11:29:00Z",200,1],["2026-03-10T11:15:00Z",500,1],["2026-03-10T11:01:00Z",404,1],["2026-03-10T10:47:00Z",200,1],["2026-03-10T10:33:00Z",500,1]]
select timestamp_trunc(timestamp, minute) as timestamp, response.status_code as status_code, count(response.status_code) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 group by timestamp, status_code order by timestamp desc
-- # regions by minute, filtered
-- rows: [["2026-03-10T11:43:00Z","eu-west-1",1],["2026-03-10T11:29:00Z","eu-west-1",1],["2026-03-10T11:15:00Z","eu-west-1",1],["2026-03-10T11:01:00Z","eu-west-1",1],["2026-03-10T10:47:00Z","eu-west-1",1],["2026-03-10T10:33:00Z","eu-west-1",1]]
select timestamp_trunc(timestamp, minute) as timestamp, h.x_sb_edge_region as region, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 and h.x_sb_edge_region is not null group by timestamp, region order by timestamp desc
-- # execution time by minute, filtered
-- rows: [["2026-03-10T11:43:00Z","fn-1",23],["2026-03-10T11:29:00Z","fn-1",29],["2026-03-10T11:15:00Z","fn-1",35],["2026-03-10T11:01:00Z","fn-1",41],["2026-03-10T10:47:00Z","fn-1",47],["2026-03-10T10:33:00Z","fn-1",53]]
select timestamp_trunc(timestamp, minute) as timestamp, function_id, avg(m.execution_time_ms) as avg_execution_time from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 group by timestamp, function_id order by timestamp desc
-- # auth errors by hour
-- rows: [["2026-03-10T11:00:00Z",1,422],["2026-03-10T11:00:00Z",1,404]]
select timestamp_trunc(timestamp, hour) as timestamp, count(*) as count, response.status_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where path like '%auth/v1%' and response.status_code >= 400 and response.status_code <= 599 group by timestamp, status_code order by timestamp desc
-- # auth error codes by hour
-- rows: [["2026-03-10T11:00:00Z",1,"PGRST1"],["2026-03-10T11:00:00Z",1,"PGRST7"]]
select timestamp_trunc(timestamp, hour) as timestamp, count(*) as count, h.x_sb_error_code as error_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where path like '%auth/v1%' and response.status_code >= 400 group by timestamp, error_code order by timestamp desc
-- # invocations by hour
-- rows: [["2026-03-10T11:00:00Z","fn-1",4],["2026-03-10T11:00:00Z","fn-0",4],["2026-03-10T10:00:00Z","fn-1",2],["2026-03-10T10:00:00Z","fn-0",2]]
select timestamp_trunc(timestamp, hour) as timestamp, function_id, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h  group by timestamp, function_id order by timestamp desc;
-- # statuses by hour
-- rows: [["2026-03-10T11:00:00Z",500,2],["2026-03-10T11:00:00Z",200,3],["2026-03-10T11:00:00Z",404,3],["2026-03-10T10:00:00Z",404,1],["2026-03-10T10:00:00Z",200,1],["2026-03-10T10:00:00Z",500,2]]
select timestamp_trunc(timestamp, hour) as timestamp, response.status_code as status_code, count(response.status_code) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h  group by timestamp, status_code order by timestamp desc
-- # regions by hour
-- rows: [["2026-03-10T11:00:00Z","eu-west-1",4],["2026-03-10T11:00:00Z","ap-southeast-1",4],["2026-03-10T10:00:00Z","ap-southeast-1",2],["2026-03-10T10:00:00Z","eu-west-1",2]]
select timestamp_trunc(timestamp, hour) as timestamp, h.x_sb_edge_region as region, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where h.x_sb_edge_region is not null group by timestamp, region order by timestamp desc
-- # execution time by hour
-- rows: [["2026-03-10T11:00:00Z","fn-1",32],["2026-03-10T11:00:00Z","fn-0",29],["2026-03-10T10:00:00Z","fn-1",50],["2026-03-10T10:00:00Z","fn-0",47]]
select timestamp_trunc(timestamp, hour) as timestamp, function_id, avg(m.execution_time_ms) as avg_execution_time from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h  group by timestamp, function_id order by timestamp desc
-- # invocations by hour, filtered
-- rows: [["2026-03-10T11:00:00Z","fn-1",4],["2026-03-10T10:00:00Z","fn-1",2]]
select timestamp_trunc(timestamp, hour) as timestamp, function_id, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 group by timestamp, function_id order by timestamp desc;
-- # statuses by hour, filtered
-- rows: [["2026-03-10T11:00:00Z",500,1],["2026-03-10T11:00:00Z",200,1],["2026-03-10T11:00:00Z",404,2],["2026-03-10T10:00:00Z",200,1],["2026-03-10T10:00:00Z",500,1]]
select timestamp_trunc(timestamp, hour) as timestamp, response.status_code as status_code, count(response.status_code) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 group by timestamp, status_code order by timestamp desc
-- # regions by hour, filtered
-- rows: [["2026-03-10T11:00:00Z","eu-west-1",4],["2026-03-10T10:00:00Z","eu-west-1",2]]
select timestamp_trunc(timestamp, hour) as timestamp, h.x_sb_edge_region as region, count(*) as count from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 and h.x_sb_edge_region is not null group by timestamp, region order by timestamp desc
-- # execution time by hour, filtered
-- rows: [["2026-03-10T11:00:00Z","fn-1",32],["2026-03-10T10:00:00Z","fn-1",50]]
select timestamp_trunc(timestamp, hour) as timestamp, function_id, avg(m.execution_time_ms) as avg_execution_time from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response cross join unnest(response.headers) as h where function_id in ('fn-0','fn-1') and response.status_code >= 200 and h.x_sb_edge_region in ('eu-west-1') and m.execution_time_ms > 1 group by timestamp, function_id order by timestamp desc
-- # auth usage
-- rows: [["2026-03-10T11:00:00Z","ActiveUsers",4,null,null],["2026-03-10T11:00:00Z","SignUps",3,null,null],["2026-03-10T11:00:00Z","SignIns",2,null,"password (email)"],["2026-03-10T11:00:00Z","SignIns",1,null,"password (google)"],["2026-03-10T10:00:00Z","ActiveUsers",4,null,null],["2026-03-10T10:00:00Z","SignUps",1,null,null],["2026-03-10T10:00:00Z","SignIns",0,null,"password (email)"],["2026-03-10T10:00:00Z","SignIns",1,null,"password (google)"]]
with params as (select coalesce(parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-09T00:00:00Z'), timestamp('2026-03-09T00:00:00Z')) as start_ts, coalesce(parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-11T00:00:00.000Z'), timestamp('2026-03-11T00:00:00.000Z')) as end_ts),
base as (
  select timestamp_trunc(timestamp, hour) as ts,
    coalesce(json_value(event_message, '$.auth_event.action'), json_value(event_message, '$.action')) as action,
    coalesce(json_value(event_message, '$.auth_event.actor_id'), json_value(event_message, '$.user_id')) as actor_id,
    coalesce(json_value(event_message, '$.provider'), 'unknown') as provider,
    json_value(event_message, '$.login_method') as login_method,
    case when json_value(event_message, '$.metering') is not null then lower(json_value(event_message, '$.metering')) when json_query(event_message, '$.metering') = 'true' then 'true' else '' end as metering
  from auth_logs, params
  where timestamp >= start_ts and timestamp < end_ts
),
usage as (
  select ts, count(distinct if(action in ('login', 'user_signedup', 'token_refreshed'), actor_id, null)) as active_users, countif(action = 'user_signedup') as signups
  from base group by ts
),
signin as (
  select ts, case when coalesce(provider, '') != '' then concat(login_method, ' (', provider, ')') else login_method end as kind, countif(action = 'login' and metering = 'true') as count
  from base group by ts, kind
)
select ts as timestamp, 'ActiveUsers' as metric, active_users as count, cast(null as string) as provider, cast(null as string) as kind from usage
union all
select ts, 'SignUps', signups, cast(null as string) as provider, cast(null as string) from usage
union all
select ts, 'SignIns', count, cast(null as string) as provider, kind from signin
order by timestamp desc
-- # auth usage, provider
with params as (select coalesce(parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-09T00:00:00Z'), timestamp('2026-03-09T00:00:00Z')) as start_ts, coalesce(parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-11T00:00:00.000Z'), timestamp('2026-03-11T00:00:00.000Z')) as end_ts),
base as (
  select timestamp_trunc(timestamp, hour) as ts,
    coalesce(json_value(event_message, '$.auth_event.action'), json_value(event_message, '$.action')) as action,
    coalesce(json_value(event_message, '$.auth_event.actor_id'), json_value(event_message, '$.user_id')) as actor_id,
    coalesce(json_value(event_message, '$.provider'), 'unknown') as provider,
    json_value(event_message, '$.login_method') as login_method,
    case when json_value(event_message, '$.metering') is not null then lower(json_value(event_message, '$.metering')) when json_query(event_message, '$.metering') = 'true' then 'true' else '' end as metering
  from auth_logs, params
  where timestamp >= start_ts and timestamp < end_ts
),
usage as (
  select ts, provider, count(distinct if(action in ('login', 'user_signedup', 'token_refreshed'), actor_id, null)) as active_users, countif(action = 'user_signedup') as signups
  from base group by ts, provider
),
signin as (
  select ts, provider, case when coalesce(provider, '') != '' then concat(login_method, ' (', provider, ')') else login_method end as kind, countif(action = 'login' and metering = 'true') as count
  from base group by ts, kind, provider
)
select ts as timestamp, 'ActiveUsers' as metric, active_users as count, provider, cast(null as string) as kind from usage
union all
select ts, 'SignUps', signups, provider, cast(null as string) from usage
union all
select ts, 'SignIns', count, provider, kind from signin
order by timestamp desc, provider
-- # auth latency
with params as (select coalesce(parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-09T00:00:00Z'), timestamp('2026-03-09T00:00:00Z')) as start_ts, coalesce(parse_timestamp('%Y-%m-%dT%H:%M:%E*S%Ez', '2026-03-11T00:00:00.000Z'), timestamp('2026-03-11T00:00:00.000Z')) as end_ts),
base as (
  select timestamp_trunc(timestamp, hour) as ts,
    case coalesce(json_value(event_message, '$.auth_event.action'), json_value(event_message, '$.action')) when 'login' then 'SignIn' when 'user_signedup' then 'SignUp' else null end as metric,
    coalesce(safe_cast(json_value(event_message, '$.duration_ms') as float64), safe_cast(json_value(event_message, '$.duration_us') as float64) / 1000.0, safe_cast(json_value(event_message, '$.duration') as float64) / 1000000.0) as ms
  from auth_logs, params where timestamp >= start_ts and timestamp < end_ts
),
filtered as (select ts, metric, ms from base where metric is not null),
basic as (select ts, metric, min(ms) as min, avg(ms) as avg, max(ms) as max from filtered group by ts, metric),
pct as (select ts, metric, approx_quantiles(ms, 100) as q from filtered group by ts, metric)
select b.ts as timestamp, b.metric, b.min as least, b.avg as mean, b.max as most, q[offset(50)] as p50, q[offset(95)] as p95, q[offset(99)] as p99
from basic b join pct using (ts, metric)
order by timestamp desc, metric
-- # service health
-- rows: [["2026-03-10T11:01:00Z",0,0,1],["2026-03-10T11:43:00Z",0,0,1]]
select timestamp_trunc(t.timestamp, minute) as timestamp, countif(response.status_code < 400) as ok_count, countif(response.status_code >= 500) as error_count, countif(response.status_code between 400 and 499) as warning_count from edge_logs t cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response where request.path like '/auth/%' group by timestamp order by timestamp
