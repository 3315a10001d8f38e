-- A path that must have a value is only there in a record that is there
SELECT t.id FROM events AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE r.path = '/' ORDER BY t.id;
SELECT t.id AS id
FROM default.events AS t
WHERE t.metadata.request.path = '/'
ORDER BY t.id;
-- = [7]

-- A path that may be NULL says nothing of its record
SELECT t.id FROM events AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE r.path IS NULL ORDER BY t.id;
SELECT t.id AS id
FROM default.events AS t
WHERE has(t.metadata_records, 'request') AND t.metadata.request.path IS NULL
ORDER BY t.id;
-- = [3]
-- = [6]
