/*---
id: 3e8f1d60-52c9-4b7e-a1f4-7c60d2b95e13
description: Execution times, calls and errors of edge functions over time
max_rows: 1000
cache: 900s
cache_warming: 300s
sandbox: disabled
params:
  project:
    type: string
    required: true
    description: Project reference of the function's records
    example: abcdefgh
  function_id:
    type: string
    description: A single function; if empty or absent, all functions of the project
  interval:
    type: string
    description: "Time range: 5min (in 1-second buckets), 15min and 1hr (1-minute buckets), 1day (1-hour buckets), 7day (1-day buckets); any other value means 1day"
    suggest: [5min, 15min, 1hr, 1day, 7day]
    example: 1day
---*/

-- The starts of all buckets from `lookback` look-back units ago until now. The unit names both: "look-back unit"_"bucket unit".
create temp function bucket_starts(lookback int64, unit string) as (
  case unit
    when 'minute_second' then generate_timestamp_array(
      timestamp_trunc(timestamp_sub(current_timestamp(), interval lookback minute), second),
      timestamp_trunc(current_timestamp(), second),
      interval 1 second)
    when 'minute_minute' then generate_timestamp_array(
      timestamp_trunc(timestamp_sub(current_timestamp(), interval lookback minute), minute),
      timestamp_trunc(current_timestamp(), minute),
      interval 1 minute)
    when 'hour_minute' then generate_timestamp_array(
      timestamp_trunc(timestamp_sub(current_timestamp(), interval lookback hour), minute),
      timestamp_trunc(current_timestamp(), minute),
      interval 1 minute)
    when 'day_hour' then generate_timestamp_array(
      timestamp_trunc(timestamp_sub(current_timestamp(), interval lookback day), hour),
      timestamp_trunc(current_timestamp(), hour),
      interval 1 hour)
    when 'day_day' then generate_timestamp_array(
      timestamp_trunc(timestamp_sub(current_timestamp(), interval lookback day), day),
      timestamp_trunc(current_timestamp(), day),
      interval 1 day)
  end
);

with chart as (
  select
    case @interval
      when '5min' then bucket_starts(5, 'minute_second')
      when '15min' then bucket_starts(15, 'minute_minute')
      when '1hr' then bucket_starts(1, 'hour_minute')
      when '7day' then bucket_starts(7, 'day_day')
      else bucket_starts(1, 'day_hour')
    end as starts
),
records as (
  select
    case @interval
      when '5min' then timestamp_trunc(t.timestamp, second)
      when '15min' then timestamp_trunc(t.timestamp, minute)
      when '1hr' then timestamp_trunc(t.timestamp, minute)
      when '7day' then timestamp_trunc(t.timestamp, day)
      else timestamp_trunc(t.timestamp, hour)
    end as bucket,
    t.id,
    m.execution_time_ms,
    response.status_code,
  from function_edge_logs as t
  cross join chart
  cross join unnest(t.metadata) as m
  left join unnest(m.response) as response on true
  where m.project_ref = @project
    and (coalesce(@function_id, '') = '' or m.function_id = @function_id)
    and t.timestamp >= chart.starts[offset(0)]
),
stats as (
  select
    start,
    min(execution_time_ms) as min_execution_time,
    max(execution_time_ms) as max_execution_time,
    avg(execution_time_ms) as avg_execution_time,
    approx_quantiles(execution_time_ms, 100) as quantiles,
    count(records.id) as calls,
    countif(status_code >= 400) as errors,
    countif(status_code between 100 and 199) as status_1xx,
    countif(status_code between 200 and 299) as status_2xx,
    countif(status_code between 300 and 399) as status_3xx,
    countif(status_code between 400 and 499) as status_4xx,
    countif(status_code between 500 and 599) as status_5xx,
  from chart
  cross join unnest(chart.starts) as start
  join records on records.bucket = start
  group by start
)
select
  start as timestamp,
  min_execution_time,
  max_execution_time,
  avg_execution_time,
  quantiles[safe_offset(95)] as p95_execution_time,
  quantiles[safe_offset(99)] as p99_execution_time,
  calls as count,
  errors as error_count,
from stats
order by timestamp
