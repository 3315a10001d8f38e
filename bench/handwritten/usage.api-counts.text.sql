-- Two parses, the second for the rows of the project only. simpleJSONExtractString takes half the time, and is wrong for records and escapes.
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
