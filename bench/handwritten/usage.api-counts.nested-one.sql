-- Somebody who knows that every record has one element reads it.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(metadata.request.path[1][1] LIKE '%/rest%'),
  countIf(metadata.request.path[1][1] LIKE '%/storage%'),
  countIf(metadata.request.path[1][1] LIKE '%/auth%'),
  countIf(metadata.request.path[1][1] LIKE '%/realtime%')
FROM bench.edge_logs_nested
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND match(metadata.request.url[1][1], {project:String})
GROUP BY bucket
ORDER BY bucket
