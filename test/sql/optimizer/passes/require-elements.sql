-- A filter that NULL does not pass asks for an element: nothing stands for an empty array
SELECT v.id, m.number FROM visits AS v LEFT JOIN UNNEST(v.metadata) AS m ON TRUE WHERE m.number > 1 ORDER BY v.id, m.number;
SELECT v.id AS id, number_2 AS number
FROM default.visits AS v
ARRAY JOIN v.metadata.number AS number_2
WHERE number_2 > 1
ORDER BY v.id, number_2 NULLS FIRST;
-- = [2,2]
-- = [2,2]
-- = [3,3]

-- So does an UNNEST of the element
SELECT v.id, r.path FROM visits AS v, UNNEST(v.metadata) AS m, UNNEST(m.request) AS r ORDER BY v.id, r.path;
SELECT v.id AS id, path_3 AS path
FROM default.visits AS v
ARRAY JOIN v.metadata.request.path AS path_2
ARRAY JOIN path_2 AS path_3
ORDER BY v.id, path_3 NULLS FIRST;
-- = [1,"/a"]
-- = [1,"/b"]
-- = [2,null]
-- = [2,"/a"]

-- Another UNNEST that keeps records without elements does not, and a filter after it asks for both
SELECT v.id, r.path FROM visits AS v, UNNEST(v.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE ORDER BY v.id, r.path;
SELECT v.id AS id, path_3 AS path
FROM default.visits AS v
ARRAY JOIN arrayResize(v.metadata.request.path, greatest(length(v.metadata.request.path), 1)) AS path_2
ARRAY JOIN arrayResize(path_2, greatest(length(path_2), 1)) AS path_3
ORDER BY v.id, path_3 NULLS FIRST;
-- = [1,"/a"]
-- = [1,"/b"]
-- = [2,null]
-- = [2,"/a"]
-- = [3,null]
-- = [4,null]

SELECT v.id, r.path FROM visits AS v LEFT JOIN UNNEST(v.metadata) AS m ON TRUE LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE STARTS_WITH(r.path, '/') ORDER BY v.id, r.path;
SELECT v.id AS id, path_3 AS path
FROM default.visits AS v
ARRAY JOIN v.metadata.request.path AS path_2
ARRAY JOIN path_2 AS path_3
WHERE arrayExists(element -> arrayExists(element_2 -> startsWith(element_2, '/'), element), v.metadata.request.path) AND startsWith(path_3, '/')
ORDER BY v.id, path_3 NULLS FIRST;
-- = [1,"/a"]
-- = [1,"/b"]
-- = [2,"/a"]

-- A leaf that is never NULL holds '' where there is no record, which may be what is looked for
SELECT v.id, r.path FROM visits AS v, UNNEST(v.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE r.verb = '' ORDER BY v.id, r.path;
SELECT q.id AS id, path_3 AS path
FROM (
  SELECT v.id AS id, verb AS verb, path_2 AS path_2
  FROM default.visits AS v
  ARRAY JOIN arrayResize(v.metadata.request.verb, greatest(length(v.metadata.request.verb), 1)) AS verb, arrayResize(v.metadata.request.path, greatest(length(v.metadata.request.path), 1)) AS path_2
) AS q
ARRAY JOIN arrayResize(q.verb, greatest(length(q.verb), 1)) AS verb_2, arrayResize(q.path_2, greatest(length(q.path_2), 1)) AS path_3
WHERE verb_2 = ''
ORDER BY q.id, path_3 NULLS FIRST;
-- = [3,null]
-- = [4,null]

-- NULL passes these: the place for none stays
SELECT v.id, m.number FROM visits AS v LEFT JOIN UNNEST(v.metadata) AS m ON TRUE WHERE m.number IS NULL OR m.number > 2 ORDER BY v.id;
SELECT v.id AS id, number_2 AS number
FROM default.visits AS v
ARRAY JOIN arrayResize(v.metadata.number, greatest(length(v.metadata.number), 1)) AS number_2
WHERE number_2 IS NULL OR number_2 > 2
ORDER BY v.id;
-- = [3,3]
-- = [4,null]

SELECT v.id, COALESCE(m.owner, '-') AS owner FROM visits AS v LEFT JOIN UNNEST(v.metadata) AS m ON TRUE WHERE COALESCE(m.owner, '-') = '-' ORDER BY v.id;
SELECT v.id AS id, coalesce(owner_2, '-') AS owner
FROM default.visits AS v
ARRAY JOIN arrayResize(v.metadata.owner, greatest(length(v.metadata.owner), 1)) AS owner_2
WHERE coalesce(owner_2, '-') = '-'
ORDER BY v.id;
-- = [3,"-"]
-- = [4,"-"]

-- Plain arrays too
SELECT e.id, tag FROM events AS e LEFT JOIN UNNEST(e.tags) AS tag ON TRUE WHERE tag <> 'x' ORDER BY e.id, tag;
SELECT e.id AS id, tag AS tag
FROM default.events AS e
ARRAY JOIN e.tags AS tag
WHERE tag != 'x'
ORDER BY e.id, tag NULLS FIRST;
-- = [1,"a"]
-- = [1,"b"]
-- = [4,"a"]
-- = [5,"a"]
-- = [5,"c"]
-- = [7,"b"]
-- = [8,""]
-- = [9,"a"]
-- = [9,"a"]

-- A LIMIT counts the rows without an element
SELECT COUNT(*) AS n FROM (SELECT m.number FROM visits AS v LEFT JOIN UNNEST(v.metadata) AS m ON TRUE LIMIT 100) WHERE number IS NOT NULL;
SELECT toInt64(count()) AS n
FROM (
  SELECT number AS number_2
  FROM default.visits AS v
  ARRAY JOIN arrayResize(v.metadata.number, greatest(length(v.metadata.number), 1)) AS number
  LIMIT toInt64(100)
) AS q
WHERE q.number_2 IS NOT NULL;
-- = [4]
