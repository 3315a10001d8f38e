-- Events without such a request are gone before their requests are walked
SELECT t.id, r.verb FROM visits AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE r.path = '/a' ORDER BY t.id;
SELECT q.id AS id, verb_3 AS verb
FROM (
  SELECT t.id AS id, path AS path, verb_2 AS verb_2
  FROM default.visits AS t
  ARRAY JOIN t.metadata.request.path AS path, t.metadata.request.verb AS verb_2
  WHERE arrayExists(element -> arrayExists(element_2 -> element_2 = '/a', element), t.metadata.request.path)
) AS q
ARRAY JOIN q.path AS path_2, q.verb_2 AS verb_3
WHERE path_2 = '/a'
ORDER BY q.id;
-- = [1,"GET"]
-- = [2,"GET"]

-- The condition may name a constant, and stand over a left join whose missing records it does not pass
WITH wanted AS (SELECT CONCAT('/', LOWER('B')) AS path)
SELECT t.id, m.number FROM visits AS t CROSS JOIN wanted LEFT JOIN UNNEST(t.metadata) AS m ON TRUE LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE STARTS_WITH(r.path, wanted.path) AND m.number < 2 ORDER BY t.id;
SELECT q.id AS id, q.number_2 AS number
FROM (
  SELECT t.id AS id, concat('/', lowerUTF8('B')) AS path_2, path AS path, number_2 AS number_2
  FROM default.visits AS t
  ARRAY JOIN t.metadata.request.path AS path, t.metadata.number AS number_2
  WHERE arrayExists(element -> arrayExists(element_2 -> startsWith(element_2, concat('/', lowerUTF8('B'))), element), t.metadata.request.path) AND number_2 < 2
) AS q
ARRAY JOIN q.path AS path_3
WHERE startsWith(path_3, q.path_2)
ORDER BY q.id;
-- = [1,1]

-- A condition that missing records pass says nothing of the arrays, nor does one of two fields, nor one on a field that is never NULL
SELECT t.id, r.path, r.verb FROM visits AS t LEFT JOIN UNNEST(t.metadata) AS m ON TRUE LEFT JOIN UNNEST(m.request) AS r ON TRUE
WHERE (r.path IS NULL OR r.path = '/b') AND IFNULL(CONCAT(r.path, r.verb) != '/bGET', TRUE) AND r.verb = 'PUT' ORDER BY t.id, r.verb;
SELECT q.id AS id, path_3 AS path, verb_3 AS verb
FROM (
  SELECT t.id AS id, path_2 AS path_2, verb_2 AS verb_2
  FROM default.visits AS t
  ARRAY JOIN arrayResize(t.metadata.request.path, greatest(length(t.metadata.request.path), 1)) AS path_2, arrayResize(t.metadata.request.verb, greatest(length(t.metadata.request.verb), 1)) AS verb_2
) AS q
ARRAY JOIN arrayResize(q.path_2, greatest(length(q.path_2), 1)) AS path_3, arrayResize(q.verb_2, greatest(length(q.verb_2), 1)) AS verb_3
WHERE (path_3 IS NULL OR path_3 = '/b') AND ifNull(concat(path_3, verb_3) != '/bGET', true) AND verb_3 = 'PUT'
ORDER BY q.id, verb_3 NULLS FIRST;
-- = [1,"/b","PUT"]
-- = [2,null,"PUT"]

-- A value that is NULL is equal to no element, not even to one that is NULL
SELECT t.id FROM visits AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE r.path = NULLIF('/a', LOWER('/A')) ORDER BY t.id;
SELECT t.id AS id
FROM default.visits AS t
ARRAY JOIN t.metadata.request.path AS path
ARRAY JOIN path AS path_2
WHERE arrayExists(element -> arrayExists(element_2 -> element_2 = if('/a' = lowerUTF8('/A'), NULL, '/a'), element), t.metadata.request.path) AND path_2 = if('/a' = lowerUTF8('/A'), NULL, '/a')
ORDER BY t.id;
