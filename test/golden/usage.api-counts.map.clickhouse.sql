WITH
  ifNull({interval:Nullable(String)} = 'minutely', false) AS chosen,
  ifNull({interval:Nullable(String)} = 'hourly', false) AS chosen_2,
  ifNull({interval:Nullable(String)} = 'daily', false) AS chosen_3,
  multiIf(chosen, toStartOfMinute(t.`timestamp`), chosen_2, toStartOfHour(t.`timestamp`), chosen_3, toStartOfDay(t.`timestamp`), CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AS bucket
SELECT
  bucket AS `timestamp`,
  toInt64(countIf(match(metadata['request.path'], '/rest'))) AS total_rest_requests,
  toInt64(countIf(match(metadata['request.path'], '/storage'))) AS total_storage_requests,
  toInt64(countIf(match(metadata['request.path'], '/auth'))) AS total_auth_requests,
  toInt64(countIf(match(metadata['request.path'], '/realtime'))) AS total_realtime_requests
FROM logs.edge_logs AS t
WHERE t.`timestamp` >= multiIf(chosen, subtractHours({quern_now:DateTime64(6, 'UTC')}, 1), chosen_2, subtractHours({quern_now:DateTime64(6, 'UTC')}, 1), chosen_3, subtractDays({quern_now:DateTime64(6, 'UTC')}, 7), CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AND t.`timestamp` <= {quern_now:DateTime64(6, 'UTC')} AND match(if(metadata['request.url'] = '' AND NOT mapContains(metadata, 'request.url'), NULL, metadata['request.url']), if(match({project:Nullable(String)}, '(^|[^\\\\])(\\\\\\\\)*\\.'), concat('(?-s)', {project:Nullable(String)}), {project:Nullable(String)}))
GROUP BY bucket
ORDER BY bucket NULLS FIRST
