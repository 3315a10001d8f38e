-- A bare LIMIT over an ordered subquery takes the first in its order
SELECT id FROM (SELECT id, moment FROM events ORDER BY moment DESC) LIMIT 3;
SELECT events.id AS id
FROM default.events AS events
ORDER BY events.moment DESC
LIMIT toInt64(3);
-- = [10]
-- = [9]
-- = [8]

-- Through a CTE and a filter likewise
WITH newest AS (SELECT id, area FROM events ORDER BY moment DESC) SELECT id FROM newest WHERE area IS NOT NULL LIMIT 2;
SELECT events.id AS id
FROM default.events AS events
WHERE events.area IS NOT NULL
ORDER BY events.moment DESC
LIMIT toInt64(2);
-- = [10]
-- = [9]

-- An order of its own goes first
SELECT id FROM (SELECT id, moment FROM events ORDER BY moment DESC) ORDER BY id LIMIT 2;
SELECT q.id AS id
FROM (
  SELECT events.id AS id
  FROM default.events AS events
  ORDER BY events.moment DESC
) AS q
ORDER BY q.id
LIMIT toInt64(2);
-- = [1]
-- = [2]
