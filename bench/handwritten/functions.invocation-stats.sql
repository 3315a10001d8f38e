SELECT
  %bucket%(timestamp) AS bucket,
  min(metadata.execution_time_ms), max(metadata.execution_time_ms), avg(metadata.execution_time_ms),
  quantileExact(0.95 - 1e-10)(metadata.execution_time_ms), quantileExact(0.99 - 1e-10)(metadata.execution_time_ms),
  count(), countIf(metadata.response.status_code >= 400)
FROM quern.function_edge_logs
WHERE project = {project:String}
  AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
  AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
GROUP BY bucket
ORDER BY bucket
