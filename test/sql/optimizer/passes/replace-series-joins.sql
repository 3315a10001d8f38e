-- Buckets that are matched to a series of their own size need no join
SELECT bucket, COUNT(e.id) AS n
FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '2026-01-02 00:03:00+00', TIMESTAMP '2026-01-02 00:05:00+00', INTERVAL 1 MINUTE)) AS bucket
JOIN events AS e ON TIMESTAMP_TRUNC(e.moment, MINUTE) = bucket GROUP BY bucket ORDER BY bucket;
SELECT q.bucket_2 AS bucket, toInt64(count()) AS n
FROM (
  SELECT e.id AS id, toStartOfMinute(e.moment) AS bucket_2
  FROM default.events AS e
) AS q
WHERE q.bucket_2 IN (
    SELECT
      arrayJoin(arrayMap(step -> fromUnixTimestamp64Micro(step, 'UTC'), range(toUnixTimestamp64Micro(toDateTime64('2026-01-02 00:03:00.000000', 6, 'UTC')), toUnixTimestamp64Micro(toDateTime64('2026-01-02 00:05:00.000000', 6, 'UTC')) + 1, 60000000))) AS start
  )
GROUP BY q.bucket_2
ORDER BY q.bucket_2 NULLS FIRST;
-- = ["2026-01-02 00:03:00.000000",1]
-- = ["2026-01-02 00:04:00.000000",1]
-- = ["2026-01-02 00:05:00.000000",1]

-- An outer join gives the buckets without rows too
SELECT bucket, COUNT(e.id) AS n
FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '2026-01-02 00:08:00+00', TIMESTAMP '2026-01-02 00:11:00+00', INTERVAL 1 MINUTE)) AS bucket
LEFT JOIN events AS e ON TIMESTAMP_TRUNC(e.moment, MINUTE) = bucket GROUP BY bucket ORDER BY bucket;
SELECT u.bucket_2 AS bucket, toInt64(count(e.id)) AS n
FROM (
  SELECT
    arrayJoin(arrayMap(step -> fromUnixTimestamp64Micro(step, 'UTC'), range(toUnixTimestamp64Micro(toDateTime64('2026-01-02 00:08:00.000000', 6, 'UTC')), toUnixTimestamp64Micro(toDateTime64('2026-01-02 00:11:00.000000', 6, 'UTC')) + 1, 60000000))) AS bucket_2
) AS u
LEFT JOIN default.events AS e ON toStartOfMinute(e.moment) = u.bucket_2
GROUP BY u.bucket_2
ORDER BY u.bucket_2 NULLS FIRST;
-- = ["2026-01-02 00:08:00.000000",1]
-- = ["2026-01-02 00:09:00.000000",1]
-- = ["2026-01-02 00:10:00.000000",0]
-- = ["2026-01-02 00:11:00.000000",0]

-- Buckets cut to the steps of their series are a range of the time itself; the first element of a series that ends now is its start
WITH series AS (SELECT GENERATE_TIMESTAMP_ARRAY(TIMESTAMP_TRUNC(TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 36500 DAY), DAY), TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY), INTERVAL 1 DAY) AS days)
SELECT day, COUNT(*) AS n FROM series, UNNEST(series.days) AS day
JOIN (SELECT TIMESTAMP_TRUNC(e.moment, DAY) AS day FROM events AS e, series WHERE e.moment >= series.days[OFFSET(0)]) AS e ON e.day = day
GROUP BY day ORDER BY day;
WITH
  toStartOfDay(subtractDays(now64(6, 'UTC'), 36500)) AS `first`,
  addHours(toStartOfDay(now64(6, 'UTC')), 24) AS `end`
SELECT toStartOfDay(e.moment) AS day, toInt64(count()) AS n
FROM default.events AS e
WHERE e.moment >= `first` AND e.moment < `end`
GROUP BY toStartOfDay(e.moment)
ORDER BY toStartOfDay(e.moment) NULLS FIRST;
-- = ["2026-01-02 00:00:00.000000",10]

-- Branches of the same conditions are matched one by one
WITH series AS (SELECT CASE WHEN CURRENT_DATE() < '2000-01-01' THEN GENERATE_TIMESTAMP_ARRAY(TIMESTAMP_TRUNC(TIMESTAMP '2026-01-02 00:00:00+00', DAY), TIMESTAMP_TRUNC(TIMESTAMP '2026-01-03 00:00:00+00', DAY), INTERVAL 1 DAY)
  ELSE GENERATE_TIMESTAMP_ARRAY(TIMESTAMP_TRUNC(TIMESTAMP '2026-01-02 00:03:59+00', MINUTE), TIMESTAMP_TRUNC(TIMESTAMP '2026-01-02 00:05:01+00', MINUTE), INTERVAL 60 SECOND) END AS starts)
SELECT start, COUNT(e.id) AS n FROM series, UNNEST(series.starts) AS start
JOIN events AS e ON CASE WHEN CURRENT_DATE() < '2000-01-01' THEN TIMESTAMP_TRUNC(e.moment, DAY) ELSE TIMESTAMP_TRUNC(e.moment, MINUTE) END = start GROUP BY start ORDER BY start;
WITH
  if(ifNull(toDate32(now64(6, 'UTC')) < toDate32('2000-01-01'), false), toStartOfDay(toDateTime64('2026-01-02 00:00:00.000000', 6, 'UTC')), toStartOfMinute(toDateTime64('2026-01-02 00:03:59.000000', 6, 'UTC'))) AS `first`,
  if(ifNull(toDate32(now64(6, 'UTC')) < toDate32('2000-01-01'), false), addHours(toStartOfDay(toDateTime64('2026-01-03 00:00:00.000000', 6, 'UTC')), 24), addMinutes(toStartOfMinute(toDateTime64('2026-01-02 00:05:01.000000', 6, 'UTC')), 1)) AS `end`,
  if(ifNull(toDate32(now64(6, 'UTC')) < toDate32('2000-01-01'), false), toStartOfDay(e.moment), toStartOfMinute(e.moment)) AS start_2
SELECT start_2 AS start, toInt64(count()) AS n
FROM default.events AS e
WHERE e.moment >= `first` AND e.moment < `end`
GROUP BY start_2
ORDER BY start_2 NULLS FIRST;
-- = ["2026-01-02 00:03:00.000000",1]
-- = ["2026-01-02 00:04:00.000000",1]
-- = ["2026-01-02 00:05:00.000000",1]

-- A series that does not start on a bucket holds none
SELECT bucket, COUNT(e.id) AS n
FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(TIMESTAMP '2026-01-02 00:03:30+00', TIMESTAMP_TRUNC(TIMESTAMP '2026-01-02 00:05:00+00', MINUTE), INTERVAL 1 MINUTE)) AS bucket
JOIN events AS e ON TIMESTAMP_TRUNC(e.moment, MINUTE) = bucket GROUP BY bucket ORDER BY bucket;
SELECT q.bucket_2 AS bucket, toInt64(count()) AS n
FROM (
  SELECT e.id AS id, toStartOfMinute(e.moment) AS bucket_2
  FROM default.events AS e
) AS q
WHERE q.bucket_2 IN (
    SELECT
      arrayJoin(arrayMap(step -> fromUnixTimestamp64Micro(step, 'UTC'), range(toUnixTimestamp64Micro(toDateTime64('2026-01-02 00:03:30.000000', 6, 'UTC')), toUnixTimestamp64Micro(toStartOfMinute(toDateTime64('2026-01-02 00:05:00.000000', 6, 'UTC'))) + 1, 60000000))) AS start
  )
GROUP BY q.bucket_2
ORDER BY q.bucket_2 NULLS FIRST;

-- Every second bucket is no range
SELECT bucket, COUNT(e.id) AS n
FROM UNNEST(GENERATE_TIMESTAMP_ARRAY(TIMESTAMP_TRUNC(TIMESTAMP '2026-01-02 00:03:00+00', MINUTE), TIMESTAMP_TRUNC(TIMESTAMP '2026-01-02 00:06:00+00', MINUTE), INTERVAL 2 MINUTE)) AS bucket
JOIN events AS e ON TIMESTAMP_TRUNC(e.moment, MINUTE) = bucket GROUP BY bucket ORDER BY bucket;
SELECT q.bucket_2 AS bucket, toInt64(count()) AS n
FROM (
  SELECT e.id AS id, toStartOfMinute(e.moment) AS bucket_2
  FROM default.events AS e
) AS q
WHERE q.bucket_2 IN (
    SELECT
      arrayJoin(arrayMap(step -> fromUnixTimestamp64Micro(step, 'UTC'), range(toUnixTimestamp64Micro(toStartOfMinute(toDateTime64('2026-01-02 00:03:00.000000', 6, 'UTC'))), toUnixTimestamp64Micro(toStartOfMinute(toDateTime64('2026-01-02 00:06:00.000000', 6, 'UTC'))) + 1, 120000000))) AS start
  )
GROUP BY q.bucket_2
ORDER BY q.bucket_2 NULLS FIRST;
-- = ["2026-01-02 00:03:00.000000",1]
-- = ["2026-01-02 00:05:00.000000",1]
