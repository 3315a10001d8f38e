-- A record with one element per event is a path long before, and nothing is left to unnest
SELECT COUNT(*) AS n FROM events AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE STARTS_WITH(r.path, '/rest');
SELECT toInt64(count()) AS n
FROM default.events AS t
WHERE startsWith(t.metadata.request.path, '/rest');
-- = [2]
