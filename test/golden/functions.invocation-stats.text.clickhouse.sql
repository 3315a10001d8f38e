WITH
  ifNull({interval:Nullable(String)} = '5min', false) AS chosen,
  ifNull({interval:Nullable(String)} = '15min', false) AS chosen_2,
  ifNull({interval:Nullable(String)} = '1hr', false) AS chosen_3,
  ifNull({interval:Nullable(String)} = '7day', false) AS chosen_4,
  quantilesExactOrNull(0.9499999999, 0.9899999999)(execution_time_ms_2) AS aggregate
SELECT
  start AS `timestamp`,
  min(execution_time_ms_2) AS min_execution_time,
  max(execution_time_ms_2) AS max_execution_time,
  avg(execution_time_ms_2) AS avg_execution_time,
  arrayElementOrNull(aggregate, 1) AS p95_execution_time,
  arrayElementOrNull(aggregate, 2) AS p99_execution_time,
  toInt64(count()) AS count,
  toInt64(countIf(status_code_2 >= 400)) AS error_count
FROM (
  WITH
    if(position(metadata, '[') = 0, JSONExtract(ifNull(metadata, ''), 'Tuple(`project_ref` Nullable(String), `function_id` Nullable(String))'), arrayMap((event, read) -> (if(throwIf(JSON_EXISTS(event, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(read.1.2, read.2)), coalesce(read.1.3, read.3)), [ifNull(metadata, '')], [JSONExtract(ifNull(metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `project_ref` Nullable(String), `function_id` Nullable(String)), `project_ref` Nullable(String), `function_id` Nullable(String))')])[1]) AS fields,
    if(position(metadata, '[') = 0, JSONExtract(ifNull(metadata, ''), 'Tuple(`execution_time_ms` Nullable(String), `response` Tuple(`status_code` Nullable(String)))'), arrayMap((event_2, read_2) -> (if(throwIf(JSON_EXISTS(event_2, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event_2, '$."response"[1]') OR JSON_EXISTS(event_2, '$[0]."response"[1]'), 'metadata.response holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(read_2.1.2, read_2.2)), tuple(coalesce(read_2.1.3.1.2, read_2.1.3.2, read_2.3.1.2, read_2.3.2))), [ifNull(metadata, '')], [JSONExtract(ifNull(metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `execution_time_ms` Nullable(String), `response` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `status_code` Nullable(String)), `status_code` Nullable(String))), `execution_time_ms` Nullable(String), `response` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `status_code` Nullable(String)), `status_code` Nullable(String)))')])[1]) AS fields_2
  SELECT
    id,
    ifNotFinite(toFloat64OrNull(fields_2.1), NULL) AS execution_time_ms_2,
    toInt64OrNull(fields_2.2.1) AS status_code_2,
    multiIf(ifNull({interval:Nullable(String)} = '5min', false), toStartOfSecond(`timestamp`), ifNull({interval:Nullable(String)} = '15min', false), toStartOfMinute(`timestamp`), ifNull({interval:Nullable(String)} = '1hr', false), toStartOfMinute(`timestamp`), ifNull({interval:Nullable(String)} = '7day', false), toStartOfDay(`timestamp`), toStartOfHour(`timestamp`)) AS start
  FROM logs.function_edge_logs
  WHERE (position(metadata, extract({project:Nullable(String)}, '[A-Za-z0-9_-]*[A-DF-Za-df-z_][A-Za-z0-9_-]*')) != 0 OR position(metadata, '\\u') != 0) AND fields.1 = {project:Nullable(String)} AND (coalesce({function_id:Nullable(String)}, '') = '' OR fields.2 = {function_id:Nullable(String)}) AND `timestamp` >= multiIf(chosen, toStartOfSecond(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 5)), chosen_2, toStartOfMinute(subtractMinutes({quern_now:DateTime64(6, 'UTC')}, 15)), chosen_3, toStartOfMinute(subtractHours({quern_now:DateTime64(6, 'UTC')}, 1)), chosen_4, toStartOfDay(subtractDays({quern_now:DateTime64(6, 'UTC')}, 7)), toStartOfHour(subtractDays({quern_now:DateTime64(6, 'UTC')}, 1))) AND `timestamp` < multiIf(chosen, addSeconds(toStartOfSecond({quern_now:DateTime64(6, 'UTC')}), 1), chosen_2, addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), chosen_3, addMinutes(toStartOfMinute({quern_now:DateTime64(6, 'UTC')}), 1), chosen_4, addHours(toStartOfDay({quern_now:DateTime64(6, 'UTC')}), 24), addHours(toStartOfHour({quern_now:DateTime64(6, 'UTC')}), 1))
)
GROUP BY start
ORDER BY start
