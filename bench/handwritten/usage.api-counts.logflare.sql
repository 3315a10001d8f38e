-- The engine reads the entries that are looked up, not the map: through mapKeys() and mapValues() it would read six times the bytes.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(log_attributes['request.path'] LIKE '%/rest%'),
  countIf(log_attributes['request.path'] LIKE '%/storage%'),
  countIf(log_attributes['request.path'] LIKE '%/auth%'),
  countIf(log_attributes['request.path'] LIKE '%/realtime%')
FROM bench.edge_logs_logflare
WHERE source_name = 'edge_logs' AND timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND match(log_attributes['request.url'], {project:String})
GROUP BY bucket
ORDER BY bucket
