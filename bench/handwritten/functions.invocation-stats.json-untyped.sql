-- Right for a value of any type, and read once. A cast to Float64 would make 0 of no value and 1 of true, and fail at an array; by way of text, all
-- values would take four times as long.
WITH
  multiIf(
    dynamicElement(metadata.execution_time_ms, 'Float64') IS NOT NULL, dynamicElement(metadata.execution_time_ms, 'Float64'),
    dynamicElement(metadata.execution_time_ms, 'Int64') IS NOT NULL, toFloat64(dynamicElement(metadata.execution_time_ms, 'Int64')),
    toFloat64OrNull(metadata.execution_time_ms::Nullable(String))
  ) AS ms,
  dynamicElement(metadata.response.status_code, 'Int64') AS status
SELECT bucket, least, most, mean, arrayElementOrNull(quantiles, 1), arrayElementOrNull(quantiles, 2), calls, errors
FROM (
  SELECT
    %bucket%(timestamp) AS bucket,
    min(ms) AS least, max(ms) AS most, avg(ms) AS mean,
    quantilesExactOrNull(0.95 - 1e-10, 0.99 - 1e-10)(ms) AS quantiles,
    count() AS calls, countIf(if(status IS NOT NULL, status, toInt64OrNull(metadata.response.status_code::Nullable(String))) >= 400) AS errors
  FROM bench.function_edge_logs_json
  WHERE project = {project:String}
    AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
    AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
  GROUP BY bucket
)
ORDER BY bucket
