-- The engine reads the entries that are looked up, not the map: through mapKeys() and mapValues() it would read six times the bytes.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(metadata['request.path'] LIKE '%/rest%'),
  countIf(metadata['request.path'] LIKE '%/storage%'),
  countIf(metadata['request.path'] LIKE '%/auth%'),
  countIf(metadata['request.path'] LIKE '%/realtime%')
FROM bench.edge_logs_map
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND match(metadata['request.url'], {project:String})
GROUP BY bucket
ORDER BY bucket
