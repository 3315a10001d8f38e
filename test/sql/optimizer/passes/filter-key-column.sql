-- A filter on a field that repeats a column of the key filters that column too
SELECT t.id FROM events AS t, UNNEST(t.metadata) AS m WHERE m.number = 7 ORDER BY t.id;
SELECT t.id AS id
FROM default.events AS t
WHERE t.metadata.number = 7 AND t.id = 7
ORDER BY t.id;
-- = [7]

-- A filter on another field stays alone
SELECT t.id FROM events AS t, UNNEST(t.metadata) AS m WHERE m.status = 200 ORDER BY t.id;
SELECT t.id AS id
FROM default.events AS t
WHERE t.metadata.status = 200
ORDER BY t.id;
-- = [1]
-- = [3]
-- = [7]
-- = [10]

-- Where every event has the field, the column is filtered instead; the value may come from a row of constants
WITH wanted AS (SELECT 2 AS number) SELECT t.id FROM visits AS t, UNNEST(t.metadata) AS m, wanted WHERE m.number = wanted.number ORDER BY t.id;
SELECT t.id AS id
FROM default.visits AS t
ARRAY JOIN t.metadata.number AS number
WHERE (2 != 0 OR number = 2) AND t.number = 2
ORDER BY t.id;
-- = [2]
-- = [2]

-- The value that stands for an absent field in the column is not in the field
SELECT t.id FROM visits AS t, UNNEST(t.metadata) AS m WHERE m.owner = '';
SELECT t.id AS id
FROM default.visits AS t
ARRAY JOIN t.metadata.owner AS owner
WHERE owner = '' AND t.owner = '';

-- A value that is known when the query runs may be that one
SELECT t.id FROM visits AS t, UNNEST(t.metadata) AS m WHERE m.owner = LOWER('ANN') AND m.number > 0 ORDER BY t.id;
SELECT t.id AS id
FROM default.visits AS t
ARRAY JOIN t.metadata.owner AS owner, t.metadata.number AS number
WHERE (lowerUTF8('ANN') != '' OR owner = lowerUTF8('ANN')) AND number > 0 AND t.owner = lowerUTF8('ANN')
ORDER BY t.id;
-- = [1]

-- It is compared with the field too
SELECT t.id FROM visits AS t, UNNEST(t.metadata) AS m WHERE m.owner = LOWER('') ORDER BY t.id;
SELECT t.id AS id
FROM default.visits AS t
ARRAY JOIN t.metadata.owner AS owner
WHERE (lowerUTF8('') != '' OR owner = lowerUTF8('')) AND t.owner = lowerUTF8('')
ORDER BY t.id;
