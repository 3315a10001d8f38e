-- As for records of several elements: 0.77 of what metadata.request.url[1][1] takes.
SELECT
  %bucket%(timestamp) AS bucket,
  countIf(path LIKE '%/rest%'),
  countIf(path LIKE '%/storage%'),
  countIf(path LIKE '%/auth%'),
  countIf(path LIKE '%/realtime%')
FROM bench.edge_logs_nested
ARRAY JOIN arrayFlatten(metadata.request.url) AS url, arrayFlatten(metadata.request.path) AS path
WHERE timestamp >= {quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%
  AND timestamp <= {quern_now:DateTime64(6, 'UTC')}
  AND arrayExists(u -> match(u, {project:String}), arrayFlatten(metadata.request.url))
  AND match(url, {project:String})
GROUP BY bucket
ORDER BY bucket
