-- A comma join with one row of constants reaches the key of the table
SELECT id FROM events, (SELECT TIMESTAMP '2026-01-02 00:05:00+00' AS cutoff) AS c WHERE moment >= c.cutoff ORDER BY id;
SELECT events.id AS id
FROM default.events AS events
WHERE events.moment >= toDateTime64('2026-01-02 00:05:00.000000', 6, 'UTC')
ORDER BY events.id;
-- = [6]
-- = [7]
-- = [8]
-- = [9]
-- = [10]

-- The condition of an inner join with one row filters
SELECT id, c.limit_ FROM events JOIN (SELECT 10.0 AS limit_) AS c ON ms > c.limit_ ORDER BY id;
SELECT events.id AS id, 10.0 AS limit_
FROM default.events AS events
WHERE events.ms > 10.0
ORDER BY events.id;
-- = [2,10]
-- = [5,10]

-- An outer join keeps the rows that do not match, so it stays a join
SELECT id, c.limit_ FROM events LEFT JOIN (SELECT 10.0 AS limit_) AS c ON ms > c.limit_ WHERE id < 4 ORDER BY id;
SELECT q_2.id AS id, q_3.limit_ AS limit_
FROM (
  SELECT events.id AS id, events.ms AS ms, 1 AS `key`
  FROM default.events AS events
) AS q_2
LEFT JOIN (
  SELECT q.limit_ AS limit_, 1 AS key_2
  FROM (
    SELECT 10.0 AS limit_
  ) AS q
) AS q_3 ON q_2.`key` = q_3.key_2 AND q_2.ms > q_3.limit_
WHERE q_2.id < 4
ORDER BY q_2.id;
-- = [1,null]
-- = [2,10]
-- = [3,null]
