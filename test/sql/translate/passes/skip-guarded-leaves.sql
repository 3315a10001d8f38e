-- A field read for a condition alone is not read where its guard holds
WITH p AS (SELECT 'bob' AS wanted) SELECT v.id, m.number FROM visits AS v, p, UNNEST(v.metadata) AS m WHERE (p.wanted = '' OR m.owner = p.wanted) AND m.number > 0 ORDER BY v.id, m.number;
SELECT v.id AS id, number_2 AS number
FROM default.visits AS v
ARRAY JOIN v.metadata.number AS number_2, if(ifNull('bob' = '', false), arrayMap(element_2 -> true, v.metadata.number), arrayMap(element -> ifNull(element = 'bob', false), v.metadata.owner)) AS answer
WHERE ('bob' = '' OR answer) AND number_2 > 0
ORDER BY v.id, number_2 NULLS FIRST;
-- = [2,2]
-- = [2,2]

WITH p AS (SELECT '' AS wanted) SELECT v.id, m.number FROM visits AS v, p, UNNEST(v.metadata) AS m WHERE (p.wanted = '' OR m.owner = p.wanted) AND m.number > 0 ORDER BY v.id, m.number;
SELECT v.id AS id, number_2 AS number
FROM default.visits AS v
ARRAY JOIN v.metadata.number AS number_2, if(ifNull('' = '', false), arrayMap(element_2 -> true, v.metadata.number), arrayMap(element -> ifNull(element = '', false), v.metadata.owner)) AS answer
WHERE ('' = '' OR answer) AND number_2 > 0
ORDER BY v.id, number_2 NULLS FIRST;
-- = [1,1]
-- = [2,2]
-- = [2,2]
-- = [3,3]

-- Also of the inner records, and where NULL is what is looked for
WITH p AS (SELECT '/b' AS wanted) SELECT v.id, r.verb FROM visits AS v, p, UNNEST(v.metadata) AS m, UNNEST(m.request) AS r WHERE p.wanted = '' OR r.path = p.wanted OR r.path IS NULL ORDER BY v.id, r.verb;
SELECT q.id AS id, verb_3 AS verb
FROM (
  SELECT v.id AS id, path AS path, verb_2 AS verb_2
  FROM default.visits AS v
  ARRAY JOIN v.metadata.request.path AS path, v.metadata.request.verb AS verb_2
) AS q
ARRAY JOIN q.verb_2 AS verb_3, if(ifNull('/b' = '', false), arrayMap(element_2 -> true, q.verb_2), arrayMap(element -> ifNull(element = '/b' OR element IS NULL, false), q.path)) AS answer
WHERE '/b' = '' OR answer
ORDER BY q.id, verb_3 NULLS FIRST;
-- = [1,"PUT"]
-- = [2,"PUT"]

-- Where nothing else of the record is read, one field says how many there are
WITH p AS (SELECT '/b' AS wanted, 'GET' AS other) SELECT v.id FROM visits AS v, p, UNNEST(v.metadata) AS m, UNNEST(m.request) AS r WHERE (p.wanted = '' OR r.path = p.wanted) AND (p.other = '' OR r.verb <> p.other) ORDER BY v.id;
SELECT q.id AS id
FROM (
  SELECT v.id AS id, '/b' AS wanted, path AS path, verb AS verb
  FROM default.visits AS v
  ARRAY JOIN v.metadata.request.path AS path, v.metadata.request.verb AS verb
) AS q
ARRAY JOIN q.path AS path_2, if(ifNull('GET' = '', false), arrayMap(element_2 -> true, q.path), arrayMap(element -> ifNull(element != 'GET', false), q.verb)) AS answer
WHERE (q.wanted = '' OR path_2 = q.wanted) AND ('GET' = '' OR answer)
ORDER BY q.id;
-- = [1]

-- A field that is shown is read anyway
WITH p AS (SELECT 'bob' AS wanted) SELECT v.id, m.owner, m.number FROM visits AS v, p, UNNEST(v.metadata) AS m WHERE p.wanted = '' OR m.owner = p.wanted ORDER BY v.id;
SELECT v.id AS id, owner_2 AS owner, number_2 AS number
FROM default.visits AS v
ARRAY JOIN arrayResize(v.metadata.owner, greatest(length(v.metadata.owner), 1)) AS owner_2, arrayResize(v.metadata.number, greatest(length(v.metadata.number), 1)) AS number_2
WHERE 'bob' = '' OR owner_2 = 'bob'
ORDER BY v.id;
-- = [2,"bob",2]
-- = [2,"bob",2]

-- So is one that is compared with another
WITH p AS (SELECT 'bob' AS wanted) SELECT v.id, m.number FROM visits AS v, p, UNNEST(v.metadata) AS m WHERE p.wanted = '' OR m.owner = CAST(m.number AS STRING) OR m.owner = v.owner ORDER BY v.id;
SELECT v.id AS id, number_2 AS number
FROM default.visits AS v
ARRAY JOIN arrayResize(v.metadata.owner, greatest(length(v.metadata.owner), 1)) AS owner, arrayResize(v.metadata.number, greatest(length(v.metadata.number), 1)) AS number_2
WHERE 'bob' = '' OR owner = CAST(number_2, 'Nullable(String)') OR owner = v.owner
ORDER BY v.id;
-- = [1,1]
-- = [2,2]
-- = [2,2]

-- Records without an element have no answer
WITH p AS (SELECT 'bob' AS wanted) SELECT v.id, r.verb FROM visits AS v, p, UNNEST(v.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE p.wanted = '' OR r.path IS NULL ORDER BY v.id, r.verb;
SELECT q.id AS id, verb_3 AS verb
FROM (
  SELECT v.id AS id, 'bob' AS wanted, path AS path, verb_2 AS verb_2
  FROM default.visits AS v
  ARRAY JOIN arrayResize(v.metadata.request.path, greatest(length(v.metadata.request.path), 1)) AS path, arrayResize(v.metadata.request.verb, greatest(length(v.metadata.request.verb), 1)) AS verb_2
) AS q
ARRAY JOIN arrayResize(q.path, greatest(length(q.path), 1)) AS path_2, arrayResize(q.verb_2, greatest(length(q.verb_2), 1)) AS verb_3
WHERE q.wanted = '' OR path_2 IS NULL
ORDER BY q.id, verb_3 NULLS FIRST;
-- = [2,"PUT"]
-- = [3,""]
-- = [4,""]
