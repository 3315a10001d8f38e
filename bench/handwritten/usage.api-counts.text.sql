-- A project's reference is letters and digits, so most texts need no parsing: half the time. The path is parsed for the rows of the project
-- only. (simpleJSONExtractString takes half the time too, and is wrong where the field's name stands elsewhere in the event.)
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/rest%'),
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/storage%'),
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/auth%'),
  countIf(JSONExtractString(metadata, 'request', 'path') LIKE '%/realtime%')
FROM bench.edge_logs_text
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND position(metadata, {project:String}) > 0
  AND match(JSONExtractString(metadata, 'request', 'url'), {project:String})
GROUP BY bucket
ORDER BY bucket
