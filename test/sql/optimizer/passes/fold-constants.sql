-- The branches that a constant argument does not choose go away
CREATE TEMP FUNCTION start_of(moment TIMESTAMP, unit STRING) AS (CASE unit WHEN 'minute' THEN TIMESTAMP_TRUNC(moment, MINUTE) WHEN 'hour' THEN TIMESTAMP_TRUNC(moment, HOUR) END); SELECT start_of(moment, 'hour') AS hour, COUNT(*) AS n FROM events GROUP BY 1;
SELECT toStartOfHour(events.moment) AS hour, toInt64(count()) AS n
FROM default.events AS events
GROUP BY toStartOfHour(events.moment);
-- = ["2026-01-02 00:00:00.000000",10]

-- A unit that no branch knows is NULL
SELECT CASE 'week' WHEN 'minute' THEN id WHEN 'hour' THEN id + 1 END AS x FROM events WHERE id = 1;
SELECT CAST(NULL, 'Nullable(Int64)') AS x
FROM default.events AS events
WHERE events.id = 1;
-- = [null]

-- A comparison with NULL is neither true nor false; the condition beside it still decides
SELECT id, (area = 'rest' AND NULL) AS both FROM events WHERE id < 5 OR 'a' = 'b' ORDER BY id;
SELECT events.id AS id, events.area = 'rest' AND CAST(NULL, 'Nullable(Bool)') AS `both`
FROM default.events AS events
WHERE events.id < 5
ORDER BY events.id;
-- = [1,null]
-- = [2,null]
-- = [3,null]
-- = [4,0]
