-- # a JWT
select id, el.timestamp as timestamp, 'postgrest' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as request_path, req.host as request_host, req.method as request_method, req.url as request_url, req.search as request_search,
      res.origin_time as response_origin_time, res_headers.content_type as response_content_type, res_headers.cf_cache_status as response_cache_status,
      cf.continent as client_continent, cf.country as client_country, cf.city as client_city, cf.regionCode as client_region_code, cf.latitude as client_latitude,
      cf.httpProtocol as network_protocol, cf.colo as network_datacenter,
      req_headers.user_agent as headers_user_agent, req_headers.x_client_info as headers_x_client_info,
      authorization_payload.role as api_role,
      coalesce(sb.auth_user, null) as auth_user,
      case
        when key_payload.algorithm = 'HS256' and key_payload.issuer = 'supabase' and key_payload.role in ('anon', 'service_role') then key_payload.role
        when key_payload is not null then '<other>'
        else null
      end as jwt_key_role,
      key_payload.signature_prefix as jwt_key_prefix,
      case
        when inner_key.prefix like '%publishable%' then 'anon'
        when inner_key.prefix like '%secret%' then 'service_role'
        when inner_key.prefix is not null then 'unknown'
        else null
      end as api_key_role,
      inner_key.prefix as api_key_prefix, inner_key.error as api_key_error, inner_key.hash as api_key_hash,
      null as user_id, null as user_email,
      key_payload.role as jwt_role, key_payload.expires_at as jwt_expires_at, key_payload.subject as jwt_subject,
      authorization_payload.key_id as jwt_auth_key_id, authorization_payload.session_id as jwt_auth_session_id,
      res_headers.cf_ray as cf_ray, res_headers.sb_gateway_mode as gateway_mode,
      el as raw_log_data
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    left join unnest(res.headers) as res_headers
    left join unnest(req.headers) as req_headers
    left join unnest(req.cf) as cf
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(coalesce(jwt.apikey, [])) as jwt_key
    left join unnest(coalesce(jwt_key.payload, [])) as key_payload
    left join unnest(coalesce(jwt.authorization, [])) as auth
    left join unnest(coalesce(auth.payload, [])) as authorization_payload
    left join unnest(coalesce(sb.apikey, [])) as outer_key
    left join unnest(coalesce(outer_key.apikey, [])) as inner_key
    where el.id = 'edge-0'
-- # a new key
select id, el.timestamp as timestamp, 'auth' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as request_path, req.host as request_host, req.method as request_method, req.url as request_url, req.search as request_search,
      res.origin_time as response_origin_time, res_headers.content_type as response_content_type, res_headers.cf_cache_status as response_cache_status,
      cf.continent as client_continent, cf.country as client_country, cf.city as client_city, cf.regionCode as client_region_code, cf.latitude as client_latitude,
      cf.httpProtocol as network_protocol, cf.colo as network_datacenter,
      req_headers.user_agent as headers_user_agent, req_headers.x_client_info as headers_x_client_info,
      authorization_payload.role as api_role,
      coalesce(sb.auth_user, null) as auth_user,
      case
        when key_payload.algorithm = 'HS256' and key_payload.issuer = 'supabase' and key_payload.role in ('anon', 'service_role') then key_payload.role
        when key_payload is not null then '<other>'
        else null
      end as jwt_key_role,
      key_payload.signature_prefix as jwt_key_prefix,
      case
        when inner_key.prefix like '%publishable%' then 'anon'
        when inner_key.prefix like '%secret%' then 'service_role'
        when inner_key.prefix is not null then 'unknown'
        else null
      end as api_key_role,
      inner_key.prefix as api_key_prefix, inner_key.error as api_key_error, inner_key.hash as api_key_hash,
      null as user_id, null as user_email,
      key_payload.role as jwt_role, key_payload.expires_at as jwt_expires_at, key_payload.subject as jwt_subject,
      authorization_payload.key_id as jwt_auth_key_id, authorization_payload.session_id as jwt_auth_session_id,
      res_headers.cf_ray as cf_ray, res_headers.sb_gateway_mode as gateway_mode,
      el as raw_log_data
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    left join unnest(res.headers) as res_headers
    left join unnest(req.headers) as req_headers
    left join unnest(req.cf) as cf
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(coalesce(jwt.apikey, [])) as jwt_key
    left join unnest(coalesce(jwt_key.payload, [])) as key_payload
    left join unnest(coalesce(jwt.authorization, [])) as auth
    left join unnest(coalesce(auth.payload, [])) as authorization_payload
    left join unnest(coalesce(sb.apikey, [])) as outer_key
    left join unnest(coalesce(outer_key.apikey, [])) as inner_key
    where el.id = 'edge-1'
-- # no key
select id, el.timestamp as timestamp, 'storage' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as request_path, req.host as request_host, req.method as request_method, req.url as request_url, req.search as request_search,
      res.origin_time as response_origin_time, res_headers.content_type as response_content_type, res_headers.cf_cache_status as response_cache_status,
      cf.continent as client_continent, cf.country as client_country, cf.city as client_city, cf.regionCode as client_region_code, cf.latitude as client_latitude,
      cf.httpProtocol as network_protocol, cf.colo as network_datacenter,
      req_headers.user_agent as headers_user_agent, req_headers.x_client_info as headers_x_client_info,
      authorization_payload.role as api_role,
      coalesce(sb.auth_user, null) as auth_user,
      case
        when key_payload.algorithm = 'HS256' and key_payload.issuer = 'supabase' and key_payload.role in ('anon', 'service_role') then key_payload.role
        when key_payload is not null then '<other>'
        else null
      end as jwt_key_role,
      key_payload.signature_prefix as jwt_key_prefix,
      case
        when inner_key.prefix like '%publishable%' then 'anon'
        when inner_key.prefix like '%secret%' then 'service_role'
        when inner_key.prefix is not null then 'unknown'
        else null
      end as api_key_role,
      inner_key.prefix as api_key_prefix, inner_key.error as api_key_error, inner_key.hash as api_key_hash,
      null as user_id, null as user_email,
      key_payload.role as jwt_role, key_payload.expires_at as jwt_expires_at, key_payload.subject as jwt_subject,
      authorization_payload.key_id as jwt_auth_key_id, authorization_payload.session_id as jwt_auth_session_id,
      res_headers.cf_ray as cf_ray, res_headers.sb_gateway_mode as gateway_mode,
      el as raw_log_data
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    left join unnest(res.headers) as res_headers
    left join unnest(req.headers) as req_headers
    left join unnest(req.cf) as cf
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(coalesce(jwt.apikey, [])) as jwt_key
    left join unnest(coalesce(jwt_key.payload, [])) as key_payload
    left join unnest(coalesce(jwt.authorization, [])) as auth
    left join unnest(coalesce(auth.payload, [])) as authorization_payload
    left join unnest(coalesce(sb.apikey, [])) as outer_key
    left join unnest(coalesce(outer_key.apikey, [])) as inner_key
    where el.id = 'edge-2'
-- # another service
select id, el.timestamp as timestamp, 'edge-function' as log_type, cast(res.status_code as string) as status,
      case when res.status_code between 200 and 299 then 'success' when res.status_code between 400 and 499 then 'warning' when res.status_code >= 500 then 'error' else 'success' end as level,
      req.path as request_path, req.host as request_host, req.method as request_method, req.url as request_url, req.search as request_search,
      res.origin_time as response_origin_time, res_headers.content_type as response_content_type, res_headers.cf_cache_status as response_cache_status,
      cf.continent as client_continent, cf.country as client_country, cf.city as client_city, cf.regionCode as client_region_code, cf.latitude as client_latitude,
      cf.httpProtocol as network_protocol, cf.colo as network_datacenter,
      req_headers.user_agent as headers_user_agent, req_headers.x_client_info as headers_x_client_info,
      authorization_payload.role as api_role,
      coalesce(sb.auth_user, null) as auth_user,
      case
        when key_payload.algorithm = 'HS256' and key_payload.issuer = 'supabase' and key_payload.role in ('anon', 'service_role') then key_payload.role
        when key_payload is not null then '<other>'
        else null
      end as jwt_key_role,
      key_payload.signature_prefix as jwt_key_prefix,
      case
        when inner_key.prefix like '%publishable%' then 'anon'
        when inner_key.prefix like '%secret%' then 'service_role'
        when inner_key.prefix is not null then 'unknown'
        else null
      end as api_key_role,
      inner_key.prefix as api_key_prefix, inner_key.error as api_key_error, inner_key.hash as api_key_hash,
      null as user_id, null as user_email,
      key_payload.role as jwt_role, key_payload.expires_at as jwt_expires_at, key_payload.subject as jwt_subject,
      authorization_payload.key_id as jwt_auth_key_id, authorization_payload.session_id as jwt_auth_session_id,
      res_headers.cf_ray as cf_ray, res_headers.sb_gateway_mode as gateway_mode,
      el as raw_log_data
    from edge_logs as el
    cross join unnest(metadata) as meta
    cross join unnest(meta.request) as req
    cross join unnest(meta.response) as res
    left join unnest(res.headers) as res_headers
    left join unnest(req.headers) as req_headers
    left join unnest(req.cf) as cf
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(coalesce(jwt.apikey, [])) as jwt_key
    left join unnest(coalesce(jwt_key.payload, [])) as key_payload
    left join unnest(coalesce(jwt.authorization, [])) as auth
    left join unnest(coalesce(auth.payload, [])) as authorization_payload
    left join unnest(coalesce(sb.apikey, [])) as outer_key
    left join unnest(coalesce(outer_key.apikey, [])) as inner_key
    where el.id = 'edge-4'
-- # keys of all events
-- rows: [["edge-0","service_role",null,true],["edge-1",null,"sb_publishable_x1",false],["edge-10",null,"sb_publishable_x10",false],["edge-11",null,null,false],["edge-2",null,null,false],["edge-3","anon",null,true],["edge-4",null,"sb_publishable_x4",false],["edge-5",null,null,false],["edge-6","service_role",null,true],["edge-7",null,"sb_publishable_x7",false],["edge-8",null,null,false],["edge-9","anon",null,true]]
select el.id, key_payload.role, inner_key.prefix, key_payload is not null as jwt from edge_logs as el cross join unnest(metadata) as meta cross join unnest(meta.request) as req
    left join unnest(req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(coalesce(jwt.apikey, [])) as jwt_key
    left join unnest(coalesce(jwt_key.payload, [])) as key_payload
    left join unnest(coalesce(jwt.authorization, [])) as auth
    left join unnest(coalesce(auth.payload, [])) as authorization_payload
    left join unnest(coalesce(sb.apikey, [])) as outer_key
    left join unnest(coalesce(outer_key.apikey, [])) as inner_key
order by el.id
-- # a function
select fe.id as id, fe.timestamp as timestamp, 'edge-function' as log_type, cast(fe_res.status_code as string) as status, case when fe_res.status_code between 200 and 299 then 'success' when fe_res.status_code between 400 and 499 then 'warning' when fe_res.status_code >= 500 then 'error' else 'success' end as level,
      fe_req.pathname as request_path, fe_req.port as request_port, fe_req.protocol as request_protocol,
      fe_res_headers.content_type as response_content_type, fe_res_headers.content_length as response_content_length, fe_res_headers.date as response_date, fe_res_headers.server as response_server, fe_res_headers.x_sb_edge_region as region, fe_res_headers.x_sb_compute_multiplier as multiplier,
      fe_meta.execution_id as execution_id, fe_meta.function_id as function_id, fe_meta.deployment_id as deployment_id, fe_meta.execution_time_ms as execution_time_ms,
      fe_req_headers.accept as headers_accept, fe_req_headers.cookie as headers_cookie, fe_req_headers.connection as headers_connection,
      authorization_payload.role as api_role,
      coalesce(sb.auth_user, null) as auth_user,
      case
        when key_payload.algorithm = 'HS256' and key_payload.issuer = 'supabase' and key_payload.role in ('anon', 'service_role') then key_payload.role
        when key_payload is not null then '<other>'
        else null
      end as jwt_key_role,
      key_payload.signature_prefix as jwt_key_prefix,
      case
        when inner_key.prefix like '%publishable%' then 'anon'
        when inner_key.prefix like '%secret%' then 'service_role'
        when inner_key.prefix is not null then 'unknown'
        else null
      end as api_key_role,
      inner_key.prefix as api_key_prefix, inner_key.error as api_key_error, inner_key.hash as api_key_hash,
      null as user_id, null as user_email,
      key_payload.role as jwt_role, key_payload.expires_at as jwt_expires_at, key_payload.subject as jwt_subject,
      authorization_payload.key_id as jwt_auth_key_id, authorization_payload.session_id as jwt_auth_session_id,
      said.n as function_log_count, said.logs as function_logs, said.last_message as last_event_message,
      fe as raw_log_data
    from function_edge_logs as fe
    cross join unnest(metadata) as fe_meta
    cross join unnest(fe_meta.response) as fe_res
    cross join unnest(fe_meta.request) as fe_req
    left join unnest(fe_res.headers) as fe_res_headers
    left join unnest(fe_req.headers) as fe_req_headers
    left join unnest(fe_req.sb) as sb
    left join unnest(sb.jwt) as jwt
    left join unnest(coalesce(jwt.apikey, [])) as jwt_key
    left join unnest(coalesce(jwt_key.payload, [])) as key_payload
    left join unnest(coalesce(jwt.authorization, [])) as auth
    left join unnest(coalesce(auth.payload, [])) as authorization_payload
    left join unnest(coalesce(sb.apikey, [])) as outer_key
    left join unnest(coalesce(outer_key.apikey, [])) as inner_key
    left join (
      select fl_meta.execution_id, count(fl.id) as n, any_value(fl.event_message having max fl.timestamp) as last_message,
        array_agg(struct(fl.id, fl.timestamp, fl.event_message, fl_meta.level, fl_meta.event_type)) as logs
      from function_logs as fl
      cross join unnest(fl.metadata) as fl_meta
      where fl_meta.execution_id is not null
      group by fl_meta.execution_id
    ) as said on fe_meta.execution_id = said.execution_id
    where fe.id = 'fe-1'
-- # a statement
select pl.id as id, pl.timestamp as timestamp, 'postgres' as log_type, parsed.sql_state_code as status,
      case when parsed.error_severity = 'LOG' then 'success' when parsed.error_severity = 'WARNING' then 'warning' when parsed.error_severity = 'FATAL' then 'error' else 'success' end as level,
      parsed.database_name as database_name, parsed.user_name as database_user, parsed.connection_from as connection_from, meta.host as database_host,
      parsed.command_tag, parsed.backend_type, parsed.query_id, parsed.session_id, parsed.process_id, parsed.virtual_transaction_id, parsed.transaction_id, parsed.session_start_time, parsed.session_line_num,
      pl.event_message as event_message, parsed.timestamp as operation_timestamp, pl as raw_log_data
    from postgres_logs as pl
    cross join unnest(pl.metadata) as meta
    cross join unnest(meta.parsed) as parsed
    where pl.id = 'pg-3'
