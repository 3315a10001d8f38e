WITH
  multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 5)), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 15)), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(subtractHours({quern_now:DateTime64(6, 'UTC')}, 1)), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(subtractDays({quern_now:DateTime64(6, 'UTC')}, 7)), toStartOfHour(subtractDays({quern_now:DateTime64(6, 'UTC')}, 1))) AS `first`,
  multiIf(ifNull({interval:Nullable(String)} = '5min', false), addSeconds(toStartOfSecond({quern_now:DateTime64(6, 'UTC')}), 1), ifNull({interval:Nullable(String)} = '15min', false), addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), ifNull({interval:Nullable(String)} = '1hr', false), addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), ifNull({interval:Nullable(String)} = '7day', false), addHours(toStartOfDay({quern_now:DateTime64(6, 'UTC')}), 24), addHours(toStartOfHour({quern_now:DateTime64(6, 'UTC')}), 1)) AS `end`,
  multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(t.`timestamp`), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(t.`timestamp`), toStartOfHour(t.`timestamp`)) AS start_2
SELECT
  start_2 AS `timestamp`,
  minOrNull(t.metadata.execution_time_ms) AS min_execution_time,
  maxOrNull(t.metadata.execution_time_ms) AS max_execution_time,
  avgOrNull(t.metadata.execution_time_ms) AS avg_execution_time,
  arrayElementOrNull(quantilesExactOrNull(0.9499999999, 0.9899999999)(t.metadata.execution_time_ms), 1) AS p95_execution_time,
  arrayElementOrNull(quantilesExactOrNull(0.9499999999, 0.9899999999)(t.metadata.execution_time_ms), 2) AS p99_execution_time,
  toInt64(count()) AS count,
  toInt64(countIf(t.metadata.response.status_code >= 400)) AS error_count
FROM quern.function_edge_logs AS t
WHERE ({project:Nullable(String)} != '' OR t.metadata.project_ref = {project:Nullable(String)}) AND (coalesce({function_id:Nullable(String)}, '') = '' OR t.metadata.function_id = {function_id:Nullable(String)}) AND t.`timestamp` >= `first` AND t.project = {project:Nullable(String)} AND t.`timestamp` >= `first` AND t.`timestamp` < `end`
GROUP BY start_2
ORDER BY start_2 NULLS FIRST
