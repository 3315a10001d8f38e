-- A word of the value is looked for before the text is parsed; characters that JSON may write otherwise are none of a word
SELECT t.id FROM notes AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE r.path = '/rest/items' ORDER BY t.id;
WITH
  if(position(t.metadata, '[') = 0, JSONExtract(t.metadata, 'request', 'path', 'Nullable(String)'), arrayElement(arrayMap((event, read) -> if(throwIf(JSON_EXISTS(event, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event, '$."request"[1]') OR JSON_EXISTS(event, '$[0]."request"[1]'), 'metadata.request holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(tupleElement(tupleElement(tupleElement(tupleElement(read, 1), 2), 1), 2), tupleElement(tupleElement(tupleElement(read, 1), 2), 2), tupleElement(tupleElement(tupleElement(read, 2), 1), 2), tupleElement(tupleElement(read, 2), 2))), [ifNull(t.metadata, '')], [JSONExtract(ifNull(t.metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String))), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String)))')]), 1)) AS path
SELECT t.id AS id
FROM default.notes AS t
WHERE (position(t.metadata, extract('/rest/items', '[A-Za-z0-9_-]*[A-DF-Za-df-z_][A-Za-z0-9_-]*')) != 0 OR position(t.metadata, '\\u') != 0) AND path = '/rest/items'
ORDER BY t.id;
-- = [1]
-- = [2]
-- = [3]

-- A regular expression with signs is no word, and neither is a number, which is read otherwise than it is written
SELECT t.id FROM notes AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, 'items$') OR r.path = '100' ORDER BY t.id;
WITH
  if(position(t.metadata, '[') = 0, JSONExtract(t.metadata, 'request', 'path', 'Nullable(String)'), arrayElement(arrayMap((event, read) -> if(throwIf(JSON_EXISTS(event, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event, '$."request"[1]') OR JSON_EXISTS(event, '$[0]."request"[1]'), 'metadata.request holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(tupleElement(tupleElement(tupleElement(tupleElement(read, 1), 2), 1), 2), tupleElement(tupleElement(tupleElement(read, 1), 2), 2), tupleElement(tupleElement(tupleElement(read, 2), 1), 2), tupleElement(tupleElement(read, 2), 2))), [ifNull(t.metadata, '')], [JSONExtract(ifNull(t.metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String))), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String)))')]), 1)) AS path
SELECT t.id AS id
FROM default.notes AS t
WHERE if(if(match(ifNull(t.metadata, ''), '^\\s*\\['), JSONLength(ifNull(t.metadata, '')) = 1 AND JSONType(ifNull(t.metadata, ''), 1, 'request', 1) = 'Object', JSONType(ifNull(t.metadata, ''), 'request') = 'Object') OR position(ifNull(t.metadata, ''), '[') = 0, if(match(ifNull(t.metadata, ''), '^\\s*\\['), JSONLength(ifNull(t.metadata, '')) = 1 AND JSONType(ifNull(t.metadata, ''), 1, 'request', 1) = 'Object', JSONType(ifNull(t.metadata, ''), 'request') = 'Object'), arrayElement(arrayMap(event_2 -> arrayElement(arrayMap(held -> startsWith(held, '{') OR startsWith(held, '[{'), [if(match(event_2, '^\\s*\\['), if(throwIf(match(event_2, '^\\s*\\[') AND JSONLength(event_2) > 1, 'metadata holds several records: set "records: several" for its source in quern.yaml') = 0, JSONExtractRaw(event_2, 1, 'request'), NULL), JSONExtractRaw(event_2, 'request'))]), 1), [ifNull(t.metadata, '')]), 1)) AND (match(path, 'items$') OR path = '100')
ORDER BY t.id;
-- = [1]
-- = [2]
-- = [3]
-- = [4]

-- The value may stand first
SELECT t.id FROM notes AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r WHERE '100' = r.path AND REGEXP_CONTAINS(r.path, '^1') ORDER BY t.id;
WITH
  if(position(t.metadata, '[') = 0, JSONExtract(t.metadata, 'request', 'path', 'Nullable(String)'), arrayElement(arrayMap((event, read) -> if(throwIf(JSON_EXISTS(event, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event, '$."request"[1]') OR JSON_EXISTS(event, '$[0]."request"[1]'), 'metadata.request holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(tupleElement(tupleElement(tupleElement(tupleElement(read, 1), 2), 1), 2), tupleElement(tupleElement(tupleElement(read, 1), 2), 2), tupleElement(tupleElement(tupleElement(read, 2), 1), 2), tupleElement(tupleElement(read, 2), 2))), [ifNull(t.metadata, '')], [JSONExtract(ifNull(t.metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String))), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String)))')]), 1)) AS path
SELECT t.id AS id
FROM default.notes AS t
WHERE '100' = path AND match(path, '^1')
ORDER BY t.id;
-- = [4]

-- A condition that holds for values without the word is none to search for
SELECT t.id FROM notes AS t, UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r ON TRUE WHERE r.path != '/rest/items' OR r.path IS NULL ORDER BY t.id;
WITH
  if(position(t.metadata, '[') = 0, JSONExtract(t.metadata, 'request', 'path', 'Nullable(String)'), arrayElement(arrayMap((event, read) -> if(throwIf(JSON_EXISTS(event, '$[1]'), 'metadata holds several records: set "records: several" for its source in quern.yaml') OR throwIf(JSON_EXISTS(event, '$."request"[1]') OR JSON_EXISTS(event, '$[0]."request"[1]'), 'metadata.request holds several records: set "records: several" for its source in quern.yaml'), NULL, coalesce(tupleElement(tupleElement(tupleElement(tupleElement(read, 1), 2), 1), 2), tupleElement(tupleElement(tupleElement(read, 1), 2), 2), tupleElement(tupleElement(tupleElement(read, 2), 1), 2), tupleElement(tupleElement(read, 2), 2))), [ifNull(t.metadata, '')], [JSONExtract(ifNull(t.metadata, ''), 'Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String))), `request` Tuple(`\\xFF` Tuple(`\\xFF` Nullable(String), `path` Nullable(String)), `path` Nullable(String)))')]), 1)) AS path
SELECT t.id AS id
FROM default.notes AS t
WHERE path != '/rest/items' OR path IS NULL
ORDER BY t.id;
-- = [4]
-- = [5]
-- = [6]
