-- What filters the first UNNEST is not carried through the second
SELECT v.id, m.owner, r.path FROM visits AS v, UNNEST(v.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE m.owner = 'bob' AND v.id > 1 ORDER BY v.id, r.path;
SELECT q.id AS id, q.owner_2 AS owner, path_3 AS path
FROM (
  SELECT v.id AS id, owner_2 AS owner_2, path_2 AS path_2
  FROM default.visits AS v
  ARRAY JOIN v.metadata.owner AS owner_2, v.metadata.request.path AS path_2
  WHERE v.id > 1 AND v.owner = 'bob'
) AS q
ARRAY JOIN arrayResize(q.path_2, greatest(length(q.path_2), 1)) AS path_3
ORDER BY q.id, path_3 NULLS FIRST;
-- = [2,"bob",null]
-- = [2,"bob","/a"]

-- What needs the second one stays after it
SELECT v.id, r.path FROM visits AS v, UNNEST(v.metadata) AS m, UNNEST(m.request) AS r WHERE m.number > 0 AND (r.path = '/a' OR m.owner = 'bob') ORDER BY v.id, r.path;
SELECT q.id AS id, path_3 AS path
FROM (
  SELECT v.id AS id, path_2 AS path_2, owner AS owner
  FROM default.visits AS v
  ARRAY JOIN v.metadata.number AS number, v.metadata.request.path AS path_2, v.metadata.owner AS owner
  WHERE number > 0
) AS q
ARRAY JOIN q.path_2 AS path_3
WHERE path_3 = '/a' OR q.owner = 'bob'
ORDER BY q.id, path_3 NULLS FIRST;
-- = [1,"/a"]
-- = [2,null]
-- = [2,"/a"]

-- One UNNEST stands beside its filter anyway
SELECT v.id, m.owner FROM visits AS v, UNNEST(v.metadata) AS m WHERE m.owner = 'bob' AND v.id > 1 ORDER BY v.id;
SELECT v.id AS id, owner_2 AS owner
FROM default.visits AS v
ARRAY JOIN v.metadata.owner AS owner_2
WHERE v.id > 1 AND v.owner = 'bob'
ORDER BY v.id;
-- = [2,"bob"]
-- = [2,"bob"]

-- What gives another result each time is asked for once for each row
SELECT v.id FROM visits AS v, UNNEST(v.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE RAND() >= 0 AND r.path = '/b' AND m.owner = 'ann' ORDER BY v.id;
SELECT q.id AS id
FROM (
  SELECT v.id AS id, path AS path
  FROM default.visits AS v
  ARRAY JOIN v.metadata.request.path AS path, v.metadata.owner AS owner
  WHERE arrayExists(element -> arrayExists(element_2 -> element_2 = '/b', element), v.metadata.request.path) AND v.owner = 'ann'
) AS q
ARRAY JOIN q.path AS path_2
WHERE randCanonical() >= 0.0 AND path_2 = '/b'
ORDER BY q.id;
-- = [1]

-- A constant that is joined after both goes along
WITH p AS (SELECT 'bob' AS wanted) SELECT v.id, r.path FROM visits AS v, UNNEST(v.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE CROSS JOIN p WHERE m.owner = p.wanted AND v.id > 1 ORDER BY v.id, r.path;
SELECT q.id AS id, path_3 AS path
FROM (
  SELECT v.id AS id, path_2 AS path_2
  FROM default.visits AS v
  ARRAY JOIN v.metadata.owner AS owner, v.metadata.request.path AS path_2
  WHERE ('bob' != '' OR owner = 'bob') AND v.id > 1 AND v.owner = 'bob'
) AS q
ARRAY JOIN arrayResize(q.path_2, greatest(length(q.path_2), 1)) AS path_3
ORDER BY q.id, path_3 NULLS FIRST;
-- = [2,null]
-- = [2,"/a"]
