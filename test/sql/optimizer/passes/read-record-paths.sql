-- Records that are unnested one in the other are read as a path; events without the inner record are left out
SELECT t.id, m.status, r.path FROM events AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r ORDER BY t.id;
SELECT t.id AS id, t.metadata.status AS status, t.metadata.request.path AS path
FROM default.events AS t
WHERE has(t.metadata_records, 'request')
ORDER BY t.id;
-- = [1,200,"/rest/1"]
-- = [2,500,"/rest/2"]
-- = [3,200,null]
-- = [6,null,null]
-- = [7,200,"/"]
-- = [8,0,""]
-- = [9,301,"/storage"]

-- LEFT JOIN UNNEST keeps events without the inner record
SELECT t.id, r.path FROM events AS t CROSS JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE t.id > 3 ORDER BY t.id;
SELECT t.id AS id, t.metadata.request.path AS path
FROM default.events AS t
WHERE t.id > 3
ORDER BY t.id;
-- = [4,null]
-- = [5,null]
-- = [6,null]
-- = [7,"/"]
-- = [8,""]
-- = [9,"/storage"]
-- = [10,null]

-- An array that is no record is unnested as ever; NULL elements are rows, empty arrays are none
SELECT id, tag FROM events, UNNEST(tags) AS tag WHERE id BETWEEN 2 AND 5 ORDER BY id, tag;
SELECT events.id AS id, tag AS tag
FROM default.events AS events
ARRAY JOIN events.tags AS tag
WHERE events.id >= 2 AND events.id <= 5
ORDER BY events.id, tag NULLS FIRST;
-- = [3,null]
-- = [4,"a"]
-- = [5,null]
-- = [5,"a"]
-- = [5,"c"]

-- LEFT JOIN UNNEST keeps rows with an empty array, as NULL and not as an empty text
SELECT id, tag, at_ FROM events LEFT JOIN UNNEST(tags) AS tag WITH OFFSET AS at_ WHERE id IN (1, 2, 8) ORDER BY id, at_;
SELECT events.id AS id, tag AS tag, at_ AS at_
FROM default.events AS events
ARRAY JOIN if(empty(events.tags), [NULL], events.tags) AS tag, if(empty(events.tags), [NULL], range(toInt64(length(events.tags)))) AS at_
WHERE events.id IN (1, 2, 8)
ORDER BY events.id, at_ NULLS FIRST;
-- = [1,"a",0]
-- = [1,"b",1]
-- = [2,null,null]
-- = [8,"",0]
