-- Days are partitions; the table's n-gram index serves match() on the bare path.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(metadata.request.path LIKE '%/rest%'),
  countIf(metadata.request.path LIKE '%/storage%'),
  countIf(metadata.request.path LIKE '%/auth%'),
  countIf(metadata.request.path LIKE '%/realtime%')
FROM quern.edge_logs
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND match(metadata.request.url, {project:String})
GROUP BY bucket
ORDER BY bucket
