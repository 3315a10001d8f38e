-- One parse per leaf.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/rest%'),
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/storage%'),
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/auth%'),
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/realtime%')
FROM bench.edge_logs_text
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND match(JSONExtractString(metadata, 'request', 'url'), {project:String})
GROUP BY bucket
ORDER BY bucket
