-- A time that is shown in microseconds is ordered by as it is stored: rows of one microsecond come in any order
SELECT id, fine FROM ticks ORDER BY fine DESC LIMIT 3;
SELECT ticks.id AS id, CAST(ticks.fine, 'DateTime64(6, \'UTC\')') AS fine
FROM default.ticks AS ticks
ORDER BY ticks.fine DESC
LIMIT toInt64(3);
-- = [6,"2262-04-11 23:47:16.854774"]
-- = [4,"2026-01-02 00:00:00.000002"]
-- = [3,"2026-01-02 00:00:00.000001"]

-- Of several things to order by, only the last: the second of two rows of one microsecond may come first
SELECT id, fine FROM ticks WHERE fine = TIMESTAMP '2026-01-02 00:00:00.000001+00' ORDER BY fine, id DESC;
SELECT ticks.id AS id, CAST(ticks.fine, 'DateTime64(6, \'UTC\')') AS fine
FROM default.ticks AS ticks
WHERE ticks.fine >= toDateTime64('2026-01-02 00:00:00.000001', 6, 'UTC') AND ticks.fine < toDateTime64('2026-01-02 00:00:00.000002', 6, 'UTC')
ORDER BY CAST(ticks.fine, 'DateTime64(6, \'UTC\')'), ticks.id DESC;
-- = [3,"2026-01-02 00:00:00.000001"]
-- = [2,"2026-01-02 00:00:00.000001"]

-- A time to the second is the same as it is stored
SELECT id FROM ticks WHERE id < 5 ORDER BY coarse DESC, id;
SELECT ticks.id AS id
FROM default.ticks AS ticks
WHERE ticks.id < 5
ORDER BY ticks.coarse DESC, ticks.id;
-- = [4]
-- = [2]
-- = [3]
-- = [1]

-- A table whose key is made of the seconds of a time is ordered by those first, so that it is read in the order of its key
SELECT id FROM keyed WHERE fine BETWEEN TIMESTAMP '2026-01-01 00:00:00+00' AND TIMESTAMP '2026-02-01 00:00:00+00' ORDER BY fine DESC LIMIT 3;
SELECT keyed.id AS id
FROM default.ticks AS keyed
WHERE keyed.fine >= toDateTime64('2026-01-01 00:00:00.000000', 6, 'UTC') AND keyed.fine < toDateTime64('2026-02-01 00:00:00.000001', 6, 'UTC')
ORDER BY toDateTime(keyed.fine) DESC, keyed.fine DESC
LIMIT toInt64(3);
-- = [4]
-- = [3]
-- = [2]

-- Whatever follows
SELECT id FROM keyed WHERE fine BETWEEN TIMESTAMP '2026-01-01 00:00:00+00' AND TIMESTAMP '2026-02-01 00:00:00+00' ORDER BY fine, id DESC;
SELECT keyed.id AS id
FROM default.ticks AS keyed
WHERE keyed.fine >= toDateTime64('2026-01-01 00:00:00.000000', 6, 'UTC') AND keyed.fine < toDateTime64('2026-02-01 00:00:00.000001', 6, 'UTC')
ORDER BY toDateTime(keyed.fine) NULLS FIRST, CAST(keyed.fine, 'DateTime64(6, \'UTC\')'), keyed.id DESC;
-- = [1]
-- = [3]
-- = [2]
-- = [4]

-- Where those seconds are a column, by it
SELECT id FROM seconds WHERE fine BETWEEN TIMESTAMP '2026-01-01 00:00:00+00' AND TIMESTAMP '2026-02-01 00:00:00+00' ORDER BY fine DESC LIMIT 3;
SELECT seconds.id AS id
FROM default.ticks AS seconds
WHERE seconds.fine >= toDateTime64('2026-01-01 00:00:00.000000', 6, 'UTC') AND seconds.fine < toDateTime64('2026-02-01 00:00:00.000001', 6, 'UTC') AND seconds.second >= toStartOfSecond(subtractMicroseconds(toDateTime64('2026-01-01 00:00:00.000000', 6, 'UTC'), 1)) AND seconds.second <= addMicroseconds(toDateTime64('2026-02-01 00:00:00.000000', 6, 'UTC'), 1)
ORDER BY seconds.second DESC, seconds.fine DESC
LIMIT toInt64(3);
-- = [4]
-- = [3]
-- = [2]

-- Below a limit, and by another name
WITH t AS (SELECT id, fine AS at_time FROM keyed WHERE fine < TIMESTAMP '2026-02-01 00:00:00+00' AND fine >= TIMESTAMP '2026-01-02 00:00:00+00' ORDER BY at_time DESC)
SELECT id, at_time FROM t LIMIT 2;
SELECT keyed.id AS id, CAST(keyed.fine, 'DateTime64(6, \'UTC\')') AS at_time
FROM default.ticks AS keyed
WHERE keyed.fine < toDateTime64('2026-02-01 00:00:00.000000', 6, 'UTC') AND keyed.fine >= toDateTime64('2026-01-02 00:00:00.000000', 6, 'UTC')
ORDER BY toDateTime(keyed.fine) DESC, keyed.fine DESC
LIMIT toInt64(2);
-- = [4,"2026-01-02 00:00:00.000002"]
-- = [3,"2026-01-02 00:00:00.000001"]

-- What is counted by has no stored time any more
SELECT fine, COUNT(*) AS n FROM keyed WHERE fine < TIMESTAMP '2026-02-01 00:00:00+00' GROUP BY fine ORDER BY fine LIMIT 10;
SELECT CAST(keyed.fine, 'DateTime64(6, \'UTC\')') AS fine, toInt64(count()) AS n
FROM default.ticks AS keyed
WHERE keyed.fine < toDateTime64('2026-02-01 00:00:00.000000', 6, 'UTC')
GROUP BY CAST(keyed.fine, 'DateTime64(6, \'UTC\')')
ORDER BY CAST(keyed.fine, 'DateTime64(6, \'UTC\')') NULLS FIRST
LIMIT toInt64(10);
-- = ["1970-01-01 00:00:00.000000",1]
-- = ["2026-01-02 00:00:00.000000",1]
-- = ["2026-01-02 00:00:00.000001",2]
-- = ["2026-01-02 00:00:00.000002",1]
