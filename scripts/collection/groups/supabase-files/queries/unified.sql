-- # the two by default
with unified_logs as (
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs from unified_logs
-- # only edge
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs
from unified_logs
order by timestamp desc
limit 50
-- # only postgrest
-- rows: [["edge-0",null,"2026-03-10T11:50:00Z","postgrest","200","success","/rest/v1/todos",null,"POST",null,null],["edge-6",null,"2026-03-10T11:08:00Z","postgrest","500","error","/rest/v1/todos",null,"POST",null,null]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs
from unified_logs
order by timestamp desc
limit 50
-- # only storage
-- rows: [["edge-2",null,"2026-03-10T11:36:00Z","storage","422","warning","/storage/v1/object/public/a.png",null,"GET",null,null],["edge-8",null,"2026-03-10T10:54:00Z","storage","404","warning","/storage/v1/object/public/a.png",null,"GET",null,null]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs
from unified_logs
order by timestamp desc
limit 50
-- # only postgres
with unified_logs as (
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs
from unified_logs
order by timestamp desc
limit 50
-- # only edge function
with unified_logs as (
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs
from unified_logs
order by timestamp desc
limit 50
-- # only auth
with unified_logs as (
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs
from unified_logs
order by timestamp desc
limit 50
-- # all of them
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs from unified_logs
order by timestamp desc, id desc limit 100
-- # filters on levels and methods
-- rows: [["edge-1",null,"2026-03-10T11:43:00Z","edge","422","warning","/auth/v1/token",null,"GET",null,null],["edge-1","auth-1","2026-03-10T11:43:00Z","auth","422","warning","/auth/v1/token",null,"GET",null,null],["edge-7",null,"2026-03-10T11:01:00Z","edge","404","warning","/auth/v1/token",null,"GET",null,null],["edge-7","auth-7","2026-03-10T11:01:00Z","auth","404","warning","/auth/v1/token",null,"GET",null,null]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs from unified_logs
where level in ('error','warning') and method in ('GET') and (pathname like '%/rest%' or pathname like '%/auth%')
order by timestamp desc
-- # a text anywhere
-- rows: [["pg-8",null,"2026-03-10T10:54:00Z","postgres","00000","success",null,"cron job 3 COMMAND completed: 1 row",null,null,null],["pg-2",null,"2026-03-10T11:36:00Z","postgres","00000","success",null,"cron job 3 COMMAND completed: 1 row",null,null,null]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs from unified_logs
where (lower(event_message) like lower('%CRON%'))
-- # none of the statuses
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs from unified_logs
where status not in ('200','201') and (lower(pathname) not like lower('%token%') and lower(pathname) not like lower('%hello%'))
-- # facet method
-- rows: [["method","GET",4],["method","POST",9]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
),
method_count as (
  select 'method' as dimension, method as value, count(*) as count
  from unified_logs
  where level in ('success') and method is not null
  group by method
  limit 20
)
select dimension, value, count from method_count
-- # facet status
-- rows: [["status","201",3],["status","200",7],["status","00000",6],["status","204",3]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
),
status_count as (
  select 'status' as dimension, status as value, count(*) as count
  from unified_logs
  where level in ('success') and status is not null
  group by status
  limit 20
)
select dimension, value, count from status_count
-- # facet pathname
-- rows: [["pathname","/graphql/v1",2],["pathname","/rest/v1/todos",1],["pathname","/realtime/v1/websocket",4],["pathname","/functions/v1/hello",6]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
),
pathname_count as (
  select 'pathname' as dimension, pathname as value, count(*) as count
  from unified_logs
  where level in ('success') and pathname is not null
  group by pathname
  limit 20
)
select dimension, value, count from pathname_count
-- # facet level
-- rows: [["level","success",19]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
),
level_count as (
  select 'level' as dimension, level as value, count(*) as count
  from unified_logs
  where level in ('success') and level is not null
  group by level
  limit 20
)
select dimension, value, count from level_count
-- # facet log_type
-- rows: [["log_type","edge",5],["log_type","auth",3],["log_type","postgres",6],["log_type","edge function",4],["log_type","postgrest",1]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
),
log_type_count as (
  select 'log_type' as dimension, log_type as value, count(*) as count
  from unified_logs
  where level in ('success') and log_type is not null
  group by log_type
  limit 20
)
select dimension, value, count from log_type_count
-- # all facets together
-- rows: [["level","error",6],["level","warning",4],["level","success",10],["method","GET",4],["method","POST",4],["status","201",1],["status","200",2],["status","204",1],["status","422",1],["status","42P01",2],["total","all",20]]
with unified_logs as (
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
),
method_count as (select 'method' as dimension, method as value, count(*) as count from unified_logs where method is not null group by method limit 20),
status_count as (select 'status' as dimension, status as value, count(*) as count from unified_logs where status is not null and status like '%2%' group by status limit 20)
select 'total' as dimension, 'all' as value, count(*) as count from unified_logs
union all
select 'level' as dimension, level as value, count(*) as count from unified_logs where level is not null group by level
union all
select dimension, value, count from method_count
union all
select dimension, value, count from status_count
-- # chart by minute
-- rows: [["2026-03-10T10:33:00Z",2,0,2,4],["2026-03-10T10:40:00Z",2,1,0,3],["2026-03-10T10:47:00Z",3,0,1,4],["2026-03-10T10:54:00Z",1,1,1,3],["2026-03-10T11:01:00Z",0,4,0,4],["2026-03-10T11:08:00Z",2,0,1,3],["2026-03-10T11:15:00Z",0,0,4,4],["2026-03-10T11:22:00Z",2,1,0,3],["2026-03-10T11:29:00Z",3,0,1,4],["2026-03-10T11:36:00Z",1,1,1,3],["2026-03-10T11:43:00Z",0,4,0,4],["2026-03-10T11:50:00Z",3,0,0,3]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select timestamp_trunc(timestamp, minute) as time_bucket,
  countif(level = 'success') as success, countif(level = 'warning') as warning, countif(level = 'error') as error, count(*) as total_per_bucket
from unified_logs
where timestamp >= '2026-03-10T00:00:00Z' and timestamp <= '2026-03-10T23:59:59Z'
group by time_bucket
order by time_bucket asc
-- # chart by hour
-- rows: [["2026-03-10T10:00:00Z",8,2,4,14],["2026-03-10T11:00:00Z",11,10,7,28]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select timestamp_trunc(timestamp, hour) as time_bucket,
  countif(level = 'success') as success, countif(level = 'warning') as warning, countif(level = 'error') as error, count(*) as total_per_bucket
from unified_logs
where timestamp >= '2026-03-10T00:00:00Z' and timestamp <= '2026-03-10T23:59:59Z'
group by time_bucket
order by time_bucket asc
-- # chart by day
-- rows: [["2026-03-10T00:00:00Z",19,12,11,42]]
with unified_logs as (
    select id, null as source_id, el.timestamp as timestamp, 'edge' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path not like '%/rest/%' and req.path not like '%/storage/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/rest/%'
    union all 
    select id, null as source_id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as pathname, null as event_message, req.method as method, null as log_count, null as logs
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    where req.path like '%/storage/%'
    union all 
    select id, null as source_id, pl.timestamp as timestamp, 'postgres' as log_type, cast(parsed.sql_state_code as string) as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity in ('FATAL', 'ERROR') then 'error' else null end as level,
      null as pathname, event_message as event_message, null as method, null as log_count, null as logs
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    union all 
    select id, null as source_id, fe.timestamp as timestamp, 'edge function' as log_type, cast(fe_res.status_code as string) as status,
      case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as pathname, coalesce(said.last_message, '') as event_message, fe_req.method as method, said.n as log_count, null as logs
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join (
      select fl_meta.request_id, count(fl.id) as n, any_value(fl.event_message) as last_message
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.request_id is not null
      group by fl_meta.request_id
    ) as said on fe_meta.request_id = said.request_id
    union all 
    select in_edge.id as id, al.id as source_id, in_edge.timestamp as timestamp, 'auth' as log_type, cast(in_res.status_code as string) as status,
      case when in_res.status_code between 200 and 299 then 'success' when in_res.status_code between 400 and 499 then 'warning' when in_res.status_code >= 500 then 'error' else 'success' end as level,
      in_req.path as pathname, null as event_message, in_req.method as method, null as log_count, null as logs
    from auth_logs as al
    cross join unnest(metadata) as al_meta
    left join (
      edge_logs as in_edge
        cross join unnest (metadata) as in_meta
        cross join unnest (in_meta.response) as in_res
        cross join unnest (in_res.headers) as in_res_headers
        cross join unnest (in_meta.request) as in_req
    )
    on al_meta.request_id = in_res_headers.cf_ray
    where al_meta.request_id is not null
)
select timestamp_trunc(timestamp, day) as time_bucket,
  countif(level = 'success') as success, countif(level = 'warning') as warning, countif(level = 'error') as error, count(*) as total_per_bucket
from unified_logs
where timestamp >= '2026-03-10T00:00:00Z' and timestamp <= '2026-03-10T23:59:59Z'
group by time_bucket
order by time_bucket asc
