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
