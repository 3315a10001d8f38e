-- The subcolumn .:String would lack values that are stored as numbers or dates.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(metadata.request.path::String LIKE '%/rest%'),
  countIf(metadata.request.path::String LIKE '%/storage%'),
  countIf(metadata.request.path::String LIKE '%/auth%'),
  countIf(metadata.request.path::String LIKE '%/realtime%')
FROM bench.edge_logs_json
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND match(metadata.request.url::String, {project:String})
GROUP BY bucket
ORDER BY bucket
