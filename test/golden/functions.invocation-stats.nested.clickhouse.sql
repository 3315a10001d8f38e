WITH
  ifNull({interval:Nullable(String)} = '5min', false) AS chosen,
  ifNull({interval:Nullable(String)} = '15min', false) AS chosen_2,
  ifNull({interval:Nullable(String)} = '1hr', false) AS chosen_3,
  ifNull({interval:Nullable(String)} = '7day', false) AS chosen_4,
  multiIf(chosen, toStartOfSecond(timestamp_2), chosen_2, toStartOfMinute(timestamp_2), chosen_3, toStartOfMinute(timestamp_2), chosen_4, toStartOfDay(timestamp_2), toStartOfHour(timestamp_2)) AS start,
  max(isNaN(execution_time_ms)) AS aggregate,
  avg(isNaN(execution_time_ms)) AS aggregate_2,
  quantilesExactOrNull(0.9499999999, 0.9899999999)(max2(execution_time_ms, -inf)) AS aggregate_3
SELECT
  start AS `timestamp`,
  if(aggregate, nan, min(execution_time_ms)) AS min_execution_time,
  if(aggregate, nan, max(execution_time_ms)) AS max_execution_time,
  avg(execution_time_ms) AS avg_execution_time,
  if(aggregate_2 >= 0.95, nan, arrayElementOrNull(aggregate_3, 1)) AS p95_execution_time,
  if(aggregate_2 >= 0.99, nan, arrayElementOrNull(aggregate_3, 2)) AS p99_execution_time,
  toInt64(count()) AS count,
  toInt64(countIf(status_code_2 >= 400)) AS error_count
FROM (
  SELECT id, `timestamp` AS timestamp_2, execution_time_ms, status_code
  FROM logs.function_edge_logs
  ARRAY JOIN metadata.project_ref AS project_ref, metadata.function_id AS function_id, metadata.execution_time_ms AS execution_time_ms, metadata.response.status_code AS status_code
  WHERE arrayExists(element -> element = {project:Nullable(String)}, metadata.project_ref) AND project_ref = {project:Nullable(String)} AND (coalesce({function_id:Nullable(String)}, '') = '' OR function_id = {function_id:Nullable(String)}) AND `timestamp` >= multiIf(chosen, toStartOfSecond(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 5)), chosen_2, toStartOfMinute(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 15)), chosen_3, toStartOfMinute(subtractHours({quern_now:DateTime64(6, 'UTC')}, 1)), chosen_4, toStartOfDay(subtractDays({quern_now:DateTime64(6, 'UTC')}, 7)), toStartOfHour(subtractDays({quern_now:DateTime64(6, 'UTC')}, 1))) AND `timestamp` < multiIf(chosen, addSeconds(toStartOfSecond({quern_now:DateTime64(6, 'UTC')}), 1), chosen_2, addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), chosen_3, addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), chosen_4, addHours(toStartOfDay({quern_now:DateTime64(6, 'UTC')}), 24), addHours(toStartOfHour({quern_now:DateTime64(6, 'UTC')}), 1))
)
ARRAY JOIN arrayResize(status_code, greatest(length(status_code), 1)) AS status_code_2
GROUP BY start
ORDER BY start
