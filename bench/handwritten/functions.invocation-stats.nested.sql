-- Only the leaves that are used are joined; a record of several elements gives several rows.
SELECT bucket, least, most, mean, arrayElementOrNull(quantiles, 1), arrayElementOrNull(quantiles, 2), calls, errors
FROM (
  SELECT
    %bucket%(timestamp) AS bucket,
    min(execution_time_ms) AS least, max(execution_time_ms) AS most, avg(execution_time_ms) AS mean,
    quantilesExactOrNull(0.95 - 1e-10, 0.99 - 1e-10)(execution_time_ms) AS quantiles,
    count() AS calls, countIf(status_code >= 400) AS errors
  FROM bench.function_edge_logs_nested
  ARRAY JOIN metadata.execution_time_ms AS execution_time_ms, metadata.response.status_code AS codes
  LEFT ARRAY JOIN codes AS status_code
  WHERE project = {project:String}
    AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
    AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
  GROUP BY bucket
)
ORDER BY bucket
