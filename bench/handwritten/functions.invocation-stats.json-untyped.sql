-- A cast where an untyped path holds Int64 or Float64, whichever the event had; the subcolumn where it holds one type.
SELECT bucket, least, most, mean, quantiles[1], quantiles[2], calls, errors
FROM (
  SELECT
    %bucket%(timestamp) AS bucket,
    min(metadata.execution_time_ms::Float64) AS least, max(metadata.execution_time_ms::Float64) AS most, avg(metadata.execution_time_ms::Float64) AS mean,
    quantilesExact(0.95 - 1e-10, 0.99 - 1e-10)(metadata.execution_time_ms::Float64) AS quantiles,
    count() AS calls, countIf(metadata.response.status_code.:Int64 >= 400) AS errors
  FROM bench.function_edge_logs_json
  WHERE project = {project:String}
    AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
    AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
  GROUP BY bucket
)
ORDER BY bucket
