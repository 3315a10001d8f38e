/*---
id: 9b2c7a54-6d1e-4f0a-8c35-2f7d90b1e6a4
description: Requests per API area (REST, storage, auth, realtime) over time for one project
max_rows: 1000
cache: 900s
cache_warming: 300s
sandbox: disabled
params:
  project:
    type: string
    format: regexp
    required: true
    description: Regular expression matched against the request URL
    example: abcdefgh
  interval:
    type: string
    required: true
    enum: [minutely, hourly, daily]
    description: "minutely: the last 60 minutes by minute; hourly: the last hour by hour; daily: the last 7 days by day"
    example: daily
---*/
with span as (
  select
    case @interval
      when 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
      when 'hourly' then timestamp_sub(current_timestamp(), interval 1 hour)
      when 'daily' then timestamp_sub(current_timestamp(), interval 7 day)
    end as first_instant,
),
requests as (
  select
    case @interval
      when 'minutely' then timestamp_trunc(t.timestamp, minute)
      when 'hourly' then timestamp_trunc(t.timestamp, hour)
      when 'daily' then timestamp_trunc(t.timestamp, day)
    end as bucket,
    request.path,
  from edge_logs as t
  cross join span
  cross join unnest(t.metadata) as m
  cross join unnest(m.request) as request
  where t.timestamp >= span.first_instant
    and t.timestamp <= current_timestamp()
    and regexp_contains(request.url, @project)
)
select
  datetime(bucket, 'UTC') as timestamp,
  countif(regexp_contains(path, '/rest')) as total_rest_requests,
  countif(regexp_contains(path, '/storage')) as total_storage_requests,
  countif(regexp_contains(path, '/auth')) as total_auth_requests,
  countif(regexp_contains(path, '/realtime')) as total_realtime_requests,
from requests
group by bucket
order by bucket
