-- The key column instead of metadata.project_ref, and one state for both quantiles.
SELECT bucket, least, most, mean, arrayElementOrNull(quantiles, 1), arrayElementOrNull(quantiles, 2), calls, errors
FROM (
  SELECT
    %bucket%(timestamp) AS bucket,
    min(metadata.execution_time_ms) AS least, max(metadata.execution_time_ms) AS most, avg(metadata.execution_time_ms) AS mean,
    quantilesExactOrNull(0.95 - 1e-10, 0.99 - 1e-10)(metadata.execution_time_ms) AS quantiles,
    count() AS calls, countIf(metadata.response.status_code >= 400) AS errors
  FROM quern.function_edge_logs
  WHERE project = {project:String}
    AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
    AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
  GROUP BY bucket
)
ORDER BY bucket
