WITH
  (
    SELECT
      multiIf(ifNull({interval:Nullable(String)} = '5min', false), arrayMap(step_2 -> fromUnixTimestamp64Micro(step_2, 'UTC'), range(toUnixTimestamp64Micro(toStartOfSecond(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 5))), toUnixTimestamp64Micro(toStartOfSecond({quern_now:DateTime64(6, 'UTC')})) + 1, 1000000)), ifNull({interval:Nullable(String)} = '15min', false), arrayMap(step_3 -> fromUnixTimestamp64Micro(step_3, 'UTC'), range(toUnixTimestamp64Micro(toStartOfMinute(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 15))), toUnixTimestamp64Micro(toStartOfMinute({quern_now:DateTime64(6, 'UTC')})) + 1, 60000000)), ifNull({interval:Nullable(String)} = '1hr', false), arrayMap(step_4 -> fromUnixTimestamp64Micro(step_4, 'UTC'), range(toUnixTimestamp64Micro(toStartOfMinute(subtractHours({quern_now:DateTime64(6, 'UTC')}, 1))), toUnixTimestamp64Micro(toStartOfMinute({quern_now:DateTime64(6, 'UTC')})) + 1, 60000000)), ifNull({interval:Nullable(String)} = '7day', false), arrayMap(step_5 -> fromUnixTimestamp64Micro(step_5, 'UTC'), range(toUnixTimestamp64Micro(toStartOfDay(subtractDays({quern_now:DateTime64(6, 'UTC')}, 7))), toUnixTimestamp64Micro(toStartOfDay({quern_now:DateTime64(6, 'UTC')})) + 1, 86400000000)), arrayMap(step -> fromUnixTimestamp64Micro(step, 'UTC'), range(toUnixTimestamp64Micro(toStartOfHour(subtractDays({quern_now:DateTime64(6, 'UTC')}, 1))), toUnixTimestamp64Micro(toStartOfHour({quern_now:DateTime64(6, 'UTC')})) + 1, 3600000000))) AS value
  ) AS starts
SELECT
  multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(t.`timestamp`), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(t.`timestamp`), toStartOfHour(t.`timestamp`)) AS `timestamp`,
  min(t.metadata.execution_time_ms) AS min_execution_time,
  max(t.metadata.execution_time_ms) AS max_execution_time,
  avg(t.metadata.execution_time_ms) AS avg_execution_time,
  quantileExact(0.9499999999)(t.metadata.execution_time_ms) AS p95_execution_time,
  quantileExact(0.9899999999)(t.metadata.execution_time_ms) AS p99_execution_time,
  toInt64(count()) AS count,
  toInt64(countIf(t.metadata.response.status_code >= 400)) AS error_count
FROM quern.function_edge_logs AS t
WHERE t.metadata.project_ref = {project:Nullable(String)} AND (coalesce({function_id:Nullable(String)}, '') = '' OR t.metadata.function_id = {function_id:Nullable(String)}) AND t.`timestamp` >= if(toUInt8(if(length(starts) < 1, 'array index is out of bounds', '0')) = 0, arrayElementOrNull(starts, 1), NULL) AND t.project = {project:Nullable(String)} AND multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(t.`timestamp`), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(t.`timestamp`), toStartOfHour(t.`timestamp`)) IN (
    SELECT arrayJoin(starts) AS start_2
  )
GROUP BY
  multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(t.`timestamp`), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(t.`timestamp`), toStartOfHour(t.`timestamp`))
ORDER BY
  multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(t.`timestamp`), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(t.`timestamp`), toStartOfHour(t.`timestamp`)) NULLS FIRST
