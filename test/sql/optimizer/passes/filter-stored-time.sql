-- A time to the second is compared as it is stored, by the key that the table may have on it
SELECT id FROM ticks WHERE coarse >= TIMESTAMP '2026-01-02 00:00:00.5+00' AND coarse <= TIMESTAMP '2026-01-02 00:00:02+00' ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.coarse >= toDateTime64('2026-01-02 00:00:00.500000', 6, 'UTC') AND ticks.coarse <= toDateTime64('2026-01-02 00:00:02.000000', 6, 'UTC')
ORDER BY ticks.id;
-- = [2]
-- = [3]
-- = [4]

-- Also where the value comes from a row of constants
WITH bounds AS (SELECT TIMESTAMP '2026-01-02 00:00:01+00' AS after, CAST(NULL AS TIMESTAMP) AS until)
SELECT id FROM ticks, bounds WHERE coarse > bounds.after AND (bounds.until IS NULL OR coarse < bounds.until) AND coarse BETWEEN bounds.after AND TIMESTAMP '2100-01-01 00:00:00+00' ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.coarse > toDateTime64('2026-01-02 00:00:01.000000', 6, 'UTC') AND (CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))') IS NULL OR ticks.coarse < CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))')) AND (ticks.coarse >= toDateTime64('2026-01-02 00:00:01.000000', 6, 'UTC') AND ticks.coarse <= toDateTime64('2100-01-01 00:00:00.000000', 6, 'UTC'))
ORDER BY ticks.id;
-- = [4]

-- A time finer than a microsecond is cut to one, so the stored time may lie just beside: the condition is said of both
SELECT id FROM ticks WHERE fine = TIMESTAMP '2026-01-02 00:00:00.000001+00' ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.fine >= toDateTime64('2026-01-02 00:00:00.000001', 6, 'UTC') AND ticks.fine < toDateTime64('2026-01-02 00:00:00.000002', 6, 'UTC')
ORDER BY ticks.id;
-- = [2]
-- = [3]

-- Bounds that exclude
SELECT id FROM ticks WHERE fine > TIMESTAMP '2026-01-02 00:00:00.000000+00' AND TIMESTAMP '2026-01-02 00:00:00.000002+00' > fine ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.fine >= toDateTime64('2026-01-02 00:00:00.000001', 6, 'UTC') AND ticks.fine < toDateTime64('2026-01-02 00:00:00.000002', 6, 'UTC')
ORDER BY ticks.id;
-- = [2]
-- = [3]

-- Before 1970 a time is cut towards 1970
SELECT id FROM ticks WHERE fine >= TIMESTAMP '1970-01-01 00:00:00+00' AND fine < TIMESTAMP '2000-01-01 00:00:00+00' ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.fine > addNanoseconds(least(toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC'), toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC')), multiIf(toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC') > toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC'), 807, toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC') > toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC'), -1, -1000)) AND ticks.fine < toDateTime64('2000-01-01 00:00:00.000000', 6, 'UTC')
ORDER BY ticks.id;
-- = [5]

-- Later than nanoseconds reach
SELECT id FROM ticks WHERE fine BETWEEN TIMESTAMP '2026-01-02 00:00:00.000002+00' AND TIMESTAMP '2299-01-01 00:00:00+00' ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.fine >= toDateTime64('2026-01-02 00:00:00.000002', 6, 'UTC') AND ticks.fine <= addNanoseconds(least(toDateTime64('2299-01-01 00:00:00.000000', 6, 'UTC'), toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC')), multiIf(toDateTime64('2299-01-01 00:00:00.000000', 6, 'UTC') >= toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC'), 807, toDateTime64('2299-01-01 00:00:00.000000', 6, 'UTC') >= toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC'), 999, 0))
ORDER BY ticks.id;
-- = [4]
-- = [6]

-- A bound that may be absent, and one that is known when the query runs
WITH bounds AS (SELECT CAST(NULL AS TIMESTAMP) AS until, TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 36500 DAY) AS since)
SELECT id FROM ticks, bounds WHERE fine >= bounds.since AND (bounds.until IS NULL OR fine <= bounds.until) ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.fine > addNanoseconds(least(subtractDays(now64(6, 'UTC'), 36500), toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC')), multiIf(subtractDays(now64(6, 'UTC'), 36500) > toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC'), 807, subtractDays(now64(6, 'UTC'), 36500) > toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC'), -1, -1000)) AND (CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))') IS NULL OR ticks.fine <= addNanoseconds(least(CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))'), toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC')), multiIf(CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))') >= toDateTime64('2262-04-11 23:47:16.854775', 6, 'UTC'), 807, CAST(NULL, 'Nullable(DateTime64(6, \'UTC\'))') >= toDateTime64('1970-01-01 00:00:00.000000', 6, 'UTC'), 999, 0)))
ORDER BY ticks.id;
-- = [1]
-- = [2]
-- = [3]
-- = [4]
-- = [5]
-- = [6]

-- Values of the row are compared with what the query sees
SELECT id FROM ticks WHERE fine < coarse ORDER BY id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE CAST(ticks.fine, 'DateTime64(6, \'UTC\')') < CAST(ticks.coarse, 'DateTime64(6, \'UTC\')')
ORDER BY ticks.id;
-- = [2]
-- = [3]
-- = [4]

-- A column that holds the time cut to the second is filtered too: OpenTelemetry's logs are partitioned and ordered by it
SELECT id FROM seconds WHERE fine > TIMESTAMP '2026-01-01 23:59:59.999999+00' AND fine <= TIMESTAMP '2026-01-02 00:00:00.000001+00' ORDER BY id;
SELECT seconds.id AS id
FROM default.ticks AS seconds
WHERE seconds.fine >= toDateTime64('2026-01-02 00:00:00.000000', 6, 'UTC') AND seconds.fine < toDateTime64('2026-01-02 00:00:00.000002', 6, 'UTC') AND seconds.second >= toStartOfSecond(subtractMicroseconds(toDateTime64('2026-01-01 23:59:59.999999', 6, 'UTC'), 1)) AND seconds.second <= addMicroseconds(toDateTime64('2026-01-02 00:00:00.000001', 6, 'UTC'), 1)
ORDER BY seconds.id;
-- = [1]
-- = [2]
-- = [3]
