-- UNNEST of a record is ARRAY JOIN of an array that holds it.
WITH
chart AS (
  SELECT
    CASE {interval:String}
      WHEN '5min' THEN arrayMap(n -> addMicroseconds(toDateTime64(toStartOfSecond({quern_now:DateTime64(6, 'UTC')} - INTERVAL 5 MINUTE), 6, 'UTC'), n * 1000000), range(toUInt64(dateDiff('second', toStartOfSecond({quern_now:DateTime64(6, 'UTC')} - INTERVAL 5 MINUTE), toStartOfSecond({quern_now:DateTime64(6, 'UTC')})) / 1 + 1)))
      WHEN '15min' THEN arrayMap(n -> addMicroseconds(toDateTime64(toStartOfMinute({quern_now:DateTime64(6, 'UTC')} - INTERVAL 15 MINUTE), 6, 'UTC'), n * 60000000), range(toUInt64(dateDiff('second', toStartOfMinute({quern_now:DateTime64(6, 'UTC')} - INTERVAL 15 MINUTE), toStartOfMinute({quern_now:DateTime64(6, 'UTC')})) / 60 + 1)))
      WHEN '1hr' THEN arrayMap(n -> addMicroseconds(toDateTime64(toStartOfMinute({quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 HOUR), 6, 'UTC'), n * 60000000), range(toUInt64(dateDiff('second', toStartOfMinute({quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 HOUR), toStartOfMinute({quern_now:DateTime64(6, 'UTC')})) / 60 + 1)))
      WHEN '7day' THEN arrayMap(n -> addMicroseconds(toDateTime64(toStartOfDay({quern_now:DateTime64(6, 'UTC')} - INTERVAL 7 DAY), 6, 'UTC'), n * 86400000000), range(toUInt64(dateDiff('second', toStartOfDay({quern_now:DateTime64(6, 'UTC')} - INTERVAL 7 DAY), toStartOfDay({quern_now:DateTime64(6, 'UTC')})) / 86400 + 1)))
      ELSE arrayMap(n -> addMicroseconds(toDateTime64(toStartOfHour({quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 DAY), 6, 'UTC'), n * 3600000000), range(toUInt64(dateDiff('second', toStartOfHour({quern_now:DateTime64(6, 'UTC')} - INTERVAL 1 DAY), toStartOfHour({quern_now:DateTime64(6, 'UTC')})) / 3600 + 1)))
    END AS starts
),
records AS (
  SELECT
    toDateTime64(CASE {interval:String}
      WHEN '5min' THEN toStartOfSecond(t.timestamp)
      WHEN '15min' THEN toStartOfMinute(t.timestamp)
      WHEN '1hr' THEN toStartOfMinute(t.timestamp)
      WHEN '7day' THEN toStartOfDay(t.timestamp)
      ELSE toStartOfHour(t.timestamp)
    END, 6, 'UTC') AS bucket,
    t.id AS id,
    toFloat64OrNull(m['execution_time_ms']) AS execution_time_ms,
    toInt64OrNull(response['response.status_code']) AS status_code
  FROM bench.function_edge_logs_logflare AS t
  CROSS JOIN chart
  ARRAY JOIN [t.log_attributes] AS m
  LEFT ARRAY JOIN [m] AS response
  WHERE t.source_name = 'function_edge_logs'
    AND m['project_ref'] = {project:String}
    AND (coalesce({function_id:Nullable(String)}, '') = '' OR m['function_id'] = {function_id:Nullable(String)})
    AND t.timestamp >= chart.starts[1]
),
stats AS (
  SELECT
    start,
    min(execution_time_ms) AS min_execution_time,
    max(execution_time_ms) AS max_execution_time,
    avg(execution_time_ms) AS avg_execution_time,
    quantilesExact(%percentiles%)(execution_time_ms) AS quantiles,
    count(records.id) AS calls,
    countIf(status_code >= 400) AS errors,
    countIf(status_code BETWEEN 100 AND 199) AS status_1xx,
    countIf(status_code BETWEEN 200 AND 299) AS status_2xx,
    countIf(status_code BETWEEN 300 AND 399) AS status_3xx,
    countIf(status_code BETWEEN 400 AND 499) AS status_4xx,
    countIf(status_code BETWEEN 500 AND 599) AS status_5xx
  FROM (SELECT start FROM chart ARRAY JOIN chart.starts AS start) AS series
  JOIN records ON records.bucket = series.start
  GROUP BY start
)
SELECT start AS timestamp, min_execution_time, max_execution_time, avg_execution_time, quantiles[96], quantiles[100], calls AS count, errors AS error_count
FROM stats
ORDER BY timestamp
