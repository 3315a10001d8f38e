WITH
  ifNull({interval:Nullable(String)} = '5min', false) AS chosen,
  ifNull({interval:Nullable(String)} = '15min', false) AS chosen_2,
  ifNull({interval:Nullable(String)} = '1hr', false) AS chosen_3,
  ifNull({interval:Nullable(String)} = '7day', false) AS chosen_4,
  ifNotFinite(toFloat64OrNull(metadata['execution_time_ms']), NULL) AS execution_time_ms,
  multiIf(chosen, toStartOfSecond(t.`timestamp`), chosen_2, toStartOfMinute(t.`timestamp`), chosen_3, toStartOfMinute(t.`timestamp`), chosen_4, toStartOfDay(t.`timestamp`), toStartOfHour(t.`timestamp`)) AS start,
  quantilesExactOrNull(0.9499999999, 0.9899999999)(execution_time_ms) AS aggregate
SELECT
  start AS `timestamp`,
  min(execution_time_ms) AS min_execution_time,
  max(execution_time_ms) AS max_execution_time,
  avg(execution_time_ms) AS avg_execution_time,
  arrayElementOrNull(aggregate, 1) AS p95_execution_time,
  arrayElementOrNull(aggregate, 2) AS p99_execution_time,
  toInt64(count()) AS count,
  toInt64(countIf(toInt64OrNull(metadata['response.status_code']) >= 400)) AS error_count
FROM logs.function_edge_logs AS t
WHERE if(metadata['project_ref'] = '' AND NOT mapContains(metadata, 'project_ref'), NULL, metadata['project_ref']) = {project:Nullable(String)} AND (coalesce({function_id:Nullable(String)}, '') = '' OR if(metadata['function_id'] = '' AND NOT mapContains(metadata, 'function_id'), NULL, metadata['function_id']) = {function_id:Nullable(String)}) AND t.`timestamp` >= multiIf(chosen, toStartOfSecond(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 5)), chosen_2, toStartOfMinute(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 15)), chosen_3, toStartOfMinute(subtractHours({quern_now:DateTime64(6, 'UTC')}, 1)), chosen_4, toStartOfDay(subtractDays({quern_now:DateTime64(6, 'UTC')}, 7)), toStartOfHour(subtractDays({quern_now:DateTime64(6, 'UTC')}, 1))) AND t.`timestamp` < multiIf(chosen, addSeconds(toStartOfSecond({quern_now:DateTime64(6, 'UTC')}), 1), chosen_2, addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), chosen_3, addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), chosen_4, addHours(toStartOfDay({quern_now:DateTime64(6, 'UTC')}), 24), addHours(toStartOfHour({quern_now:DateTime64(6, 'UTC')}), 1))
GROUP BY start
ORDER BY start
