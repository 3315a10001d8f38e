WITH
  ifNull({interval:Nullable(String)} = 'minutely', false) AS chosen,
  ifNull({interval:Nullable(String)} = 'hourly', false) AS chosen_2,
  ifNull({interval:Nullable(String)} = 'daily', false) AS chosen_3,
  multiIf(chosen, toStartOfMinute(timestamp_2), chosen_2, toStartOfHour(timestamp_2), chosen_3, toStartOfDay(timestamp_2), CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AS bucket
SELECT
  bucket AS `timestamp`,
  toInt64(countIf(match(path_2, '/rest'))) AS total_rest_requests,
  toInt64(countIf(match(path_2, '/storage'))) AS total_storage_requests,
  toInt64(countIf(match(path_2, '/auth'))) AS total_auth_requests,
  toInt64(countIf(match(path_2, '/realtime'))) AS total_realtime_requests
FROM (
  SELECT `timestamp` AS timestamp_2, url, path
  FROM logs.edge_logs
  ARRAY JOIN metadata.request.url AS url, metadata.request.path AS path
  WHERE arrayExists(element -> arrayExists(element_2 -> match(element_2, if(match({project:Nullable(String)}, '(^|[^\\\\])(\\\\\\\\)*\\.'), concat('(?-s)', {project:Nullable(String)}), {project:Nullable(String)})), element), metadata.request.url) AND `timestamp` >= multiIf(chosen, subtractHours({quern_now:DateTime64(6, 'UTC')}, 1), chosen_2, subtractHours({quern_now:DateTime64(6, 'UTC')}, 1), chosen_3, subtractDays({quern_now:DateTime64(6, 'UTC')}, 7), CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AND `timestamp` <= {quern_now:DateTime64(6, 'UTC')}
)
ARRAY JOIN url AS url_2, path AS path_2
WHERE match(url_2, if(match({project:Nullable(String)}, '(^|[^\\\\])(\\\\\\\\)*\\.'), concat('(?-s)', {project:Nullable(String)}), {project:Nullable(String)}))
GROUP BY bucket
ORDER BY bucket NULLS FIRST
