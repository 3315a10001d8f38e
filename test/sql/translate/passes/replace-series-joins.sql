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
