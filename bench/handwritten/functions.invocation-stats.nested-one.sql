-- Somebody who knows that every record has one element reads it.
SELECT bucket, least, most, mean, arrayElementOrNull(quantiles, 1), arrayElementOrNull(quantiles, 2), calls, errors
FROM (
  SELECT
    %bucket%(timestamp) AS bucket,
    min(metadata.execution_time_ms[1]) AS least, max(metadata.execution_time_ms[1]) AS most, avg(metadata.execution_time_ms[1]) AS mean,
    quantilesExactOrNull(0.95 - 1e-10, 0.99 - 1e-10)(metadata.execution_time_ms[1]) AS quantiles,
    count() AS calls, countIf(metadata.response.status_code[1][1] >= 400) AS errors
  FROM bench.function_edge_logs_nested
  WHERE project = {project:String}
    AND timestamp >= %bucket%({quern_now:DateTime64(6, 'UTC')} - INTERVAL %window%)
    AND timestamp < %bucket%({quern_now:DateTime64(6, 'UTC')}) + INTERVAL 1 %step%
  GROUP BY bucket
)
ORDER BY bucket
