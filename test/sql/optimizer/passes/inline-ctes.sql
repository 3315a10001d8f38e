-- A CTE that is read once is a subquery, of which only what is needed is read
WITH slow AS (SELECT id, area, ms, tags FROM events WHERE ms > 5) SELECT id FROM slow WHERE area = 'rest' ORDER BY id;
SELECT events.id AS id
FROM default.events AS events
WHERE events.ms > 5.0 AND events.area = 'rest'
ORDER BY events.id;
-- = [1]
-- = [2]

-- A CTE that is read twice stays, one that nothing reads goes
WITH unread AS (SELECT 1 / 0 AS x), few AS (SELECT id, area FROM events WHERE id < 4) SELECT a.id, b.id AS other FROM few AS a JOIN few AS b ON a.id + 1 = b.id ORDER BY 1;
WITH
  few AS (
    SELECT events.id AS id_3, events.area AS area
    FROM default.events AS events
    WHERE events.id < 4
  )
SELECT a.id_3 AS id, b.id_3 AS other
FROM few AS a
INNER JOIN few AS b ON a.id_3 + toInt64(1) = b.id_3
ORDER BY a.id_3 NULLS FIRST;
-- = [1,2]
-- = [2,3]

-- A CTE of constants is written wherever it is read
WITH bounds AS (SELECT 3 AS low, 5 AS high) SELECT id FROM events, bounds WHERE id BETWEEN low AND high AND id <> (SELECT low + 1 FROM bounds) ORDER BY id;
SELECT events.id AS id
FROM default.events AS events
WHERE events.id >= 3 AND events.id <= 5 AND events.id != toInt64(3) + toInt64(1)
ORDER BY events.id;
-- = [3]
-- = [5]
