WITH
  multiIf(ifNull({interval:Nullable(String)} = 'minutely', false), subtractHours({quern_now:DateTime64(6, 'UTC')}, 1), ifNull({interval:Nullable(String)} = 'hourly', false), subtractHours({quern_now:DateTime64(6, 'UTC')}, 1), ifNull({interval:Nullable(String)} = 'daily', false), subtractDays({quern_now:DateTime64(6, 'UTC')}, 7), CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AS first_instant
SELECT
  q.bucket AS `timestamp`,
  toInt64(countIf(match(q.path_2, '/rest'))) AS total_rest_requests,
  toInt64(countIf(match(q.path_2, '/storage'))) AS total_storage_requests,
  toInt64(countIf(match(q.path_2, '/auth'))) AS total_auth_requests,
  toInt64(countIf(match(q.path_2, '/realtime'))) AS total_realtime_requests
FROM (
  WITH
    if(position(t.metadata, '[') = 0, JSONExtract(t.metadata, 'request', 'url', 'Nullable(String)'), arrayElement(arrayMap((event, read) -> if(throwIf(JSON_EXISTS(event, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event, '$."request"[1]') OR JSON_EXISTS(event, '$[0]."request"[1]'), 'metadata.request holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(tupleElement(tupleElement(tupleElement(tupleElement(read, 1), 2), 1), 2), tupleElement(tupleElement(tupleElement(read, 1), 2), 2), tupleElement(tupleElement(tupleElement(read, 2), 1), 2), tupleElement(tupleElement(read, 2), 2))), [ifNull(t.metadata, '')], [JSONExtract(ifNull(t.metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `url` Nullable(String)), `url` Nullable(String))), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `url` Nullable(String)), `url` Nullable(String)))')]), 1)) AS url,
    if(position(t.metadata, '[') = 0, JSONExtract(t.metadata, 'request', 'path', 'Nullable(String)'), arrayElement(arrayMap((event_2, read_2) -> if(throwIf(JSON_EXISTS(event_2, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event_2, '$."request"[1]') OR JSON_EXISTS(event_2, '$[0]."request"[1]'), 'metadata.request holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(tupleElement(tupleElement(tupleElement(tupleElement(read_2, 1), 2), 1), 2), tupleElement(tupleElement(tupleElement(read_2, 1), 2), 2), tupleElement(tupleElement(tupleElement(read_2, 2), 1), 2), tupleElement(tupleElement(read_2, 2), 2))), [ifNull(t.metadata, '')], [JSONExtract(ifNull(t.metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String))), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String)))')]), 1)) AS path
  SELECT
    multiIf(ifNull({interval:Nullable(String)} = 'minutely', false), toStartOfMinute(t.`timestamp`), ifNull({interval:Nullable(String)} = 'hourly', false), toStartOfHour(t.`timestamp`), ifNull({interval:Nullable(String)} = 'daily', false), toStartOfDay(t.`timestamp`), CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AS bucket,
    path AS path_2
  FROM logs.edge_logs AS t
  WHERE t.`timestamp` >= first_instant AND t.`timestamp` <= {quern_now:DateTime64(6, 'UTC')} AND (position(t.metadata, extract({project:Nullable(String)}, '^(?:[A-Za-z0-9_-]*[A-DF-Za-df-z_][A-Za-z0-9_-]*)$')) != 0 OR position(t.metadata, '\\u') != 0) AND match(url, if(match({project:Nullable(String)}, '(^|[^\\\\])(\\\\\\\\)*\\.'), concat('(?-s)', {project:Nullable(String)}), {project:Nullable(String)}))
) AS q
GROUP BY q.bucket
ORDER BY q.bucket
