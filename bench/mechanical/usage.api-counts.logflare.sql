-- UNNEST of a record is ARRAY JOIN of an array that holds it.
WITH
span AS (
  SELECT
    CASE {interval:String}
      WHEN 'minutely' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 60 MINUTE
      WHEN 'hourly' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 HOUR
      WHEN 'daily' THEN {quern_now:DateTime64(6, 'UTC')} - INTERVAL 7 DAY
    END AS first_instant
),
requests AS (
  SELECT
    CASE {interval:String}
      WHEN 'minutely' THEN toStartOfMinute(t.timestamp)
      WHEN 'hourly' THEN toStartOfHour(t.timestamp)
      WHEN 'daily' THEN toStartOfDay(t.timestamp)
    END AS bucket,
    request['request.path'] AS path
  FROM bench.edge_logs_logflare AS t
  CROSS JOIN span
  ARRAY JOIN [t.log_attributes] AS m
  ARRAY JOIN [m] AS request
  WHERE t.source_name = 'edge_logs'
    AND t.timestamp >= span.first_instant
    AND t.timestamp <= {quern_now:DateTime64(6, 'UTC')}
    AND match(request['request.url'], {project:String})
)
SELECT
  bucket AS timestamp,
  countIf(match(path, '/rest')) AS total_rest_requests,
  countIf(match(path, '/storage')) AS total_storage_requests,
  countIf(match(path, '/auth')) AS total_auth_requests,
  countIf(match(path, '/realtime')) AS total_realtime_requests
FROM requests
GROUP BY bucket
ORDER BY bucket
