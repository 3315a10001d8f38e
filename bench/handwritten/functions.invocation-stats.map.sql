-- The engine reads the entries that are looked up, not the map.
SELECT bucket, least, most, mean, arrayElementOrNull(quantiles, 1), arrayElementOrNull(quantiles, 2), calls, errors
FROM (
  SELECT
    %bucket%(timestamp) AS bucket,
    min(toFloat64OrNull(metadata['execution_time_ms'])) AS least, max(toFloat64OrNull(metadata['execution_time_ms'])) AS most, avg(toFloat64OrNull(metadata['execution_time_ms'])) AS mean,
    quantilesExactOrNull(0.95 - 1e-10, 0.99 - 1e-10)(toFloat64OrNull(metadata['execution_time_ms'])) AS quantiles,
    count() AS calls, countIf(toInt64OrNull(metadata['response.status_code']) >= 400) AS errors
  FROM bench.function_edge_logs_map
  WHERE project = {project:String}
    AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
    AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
  GROUP BY bucket
)
ORDER BY bucket
