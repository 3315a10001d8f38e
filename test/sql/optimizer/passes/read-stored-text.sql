-- A condition on one path is tested as text first, where the path holds text
SELECT h.id FROM hits AS h, UNNEST(h.metadata) AS m, UNNEST(m.request) AS r WHERE REGEXP_CONTAINS(r.path, '^[/40t]') ORDER BY h.id;
SELECT h.id AS id
FROM default.hits AS h
WHERE if(dynamicElement(h.metadata.request.path, 'String') IS NOT NULL, match(dynamicElement(h.metadata.request.path, 'String'), '^[/40t]'), match(CAST(h.metadata.request.path, 'Nullable(String)'), '^[/40t]'))
ORDER BY h.id;
-- = [1]
-- = [2]
-- = [3]

-- Each condition for itself; one that may hold for other reasons, or is about two paths, stays as it is
SELECT h.id FROM hits AS h, UNNEST(h.metadata) AS m, UNNEST(m.request) AS r WHERE LOWER(r.path) IN ('/rest/1', 'true') AND (r.path = '404' OR h.id > 0) AND r.path != CAST(m.cached AS STRING) ORDER BY h.id;
WITH
  if(dynamicElement(h.metadata.cached, 'Bool') IS NOT NULL, dynamicElement(h.metadata.cached, 'Bool'), multiIf(CAST(h.metadata.cached, 'Nullable(String)') = 'true', true, CAST(h.metadata.cached, 'Nullable(String)') = 'false', false, NULL)) AS cached
SELECT h.id AS id
FROM default.hits AS h
WHERE if(dynamicElement(h.metadata.request.path, 'String') IS NOT NULL, lowerUTF8(dynamicElement(h.metadata.request.path, 'String')) IN ('/rest/1', 'true'), lowerUTF8(CAST(h.metadata.request.path, 'Nullable(String)')) IN ('/rest/1', 'true')) AND (CAST(h.metadata.request.path, 'Nullable(String)') = '404' OR h.id > 0) AND CAST(h.metadata.request.path, 'Nullable(String)') != if(cached, 'true', if(cached IS NULL, NULL, 'false'))
ORDER BY h.id;
-- = [1]

-- Nor is one that may give another result when it is worked out a second time, or that asks for NULL alone
SELECT h.id FROM hits AS h, UNNEST(h.metadata) AS m, UNNEST(m.request) AS r WHERE STARTS_WITH(r.path, CAST(CAST(RAND() * 0 AS INT64) AS STRING)) AND r.path IS NOT NULL ORDER BY h.id;
SELECT h.id AS id
FROM default.hits AS h
WHERE startsWith(CAST(h.metadata.request.path, 'Nullable(String)'), CAST(accurateCast(sign(randCanonical() * 0.0) * ceil(floor(abs(randCanonical() * 0.0) * 2) / 2), 'Int64'), 'Nullable(String)')) AND CAST(h.metadata.request.path, 'Nullable(String)') IS NOT NULL
ORDER BY h.id;

-- Numbers and booleans are read as they are stored; what is no number and what does not fit is NULL
SELECT h.id, m.status, m.ms, m.cached FROM hits AS h, UNNEST(h.metadata) AS m ORDER BY h.id;
WITH
  if(dynamicElement(h.metadata.status, 'Int64') IS NOT NULL, dynamicElement(h.metadata.status, 'Int64'), toInt64OrNull(CAST(h.metadata.status, 'Nullable(String)'))) AS status_2,
  if(bitOr(dynamicElement(h.metadata.ms, 'Float64') IS NOT NULL, toFloat64(dynamicElement(h.metadata.ms, 'Int64')) IS NOT NULL), if(dynamicElement(h.metadata.ms, 'Float64') IS NOT NULL, dynamicElement(h.metadata.ms, 'Float64'), toFloat64(dynamicElement(h.metadata.ms, 'Int64'))), ifNotFinite(toFloat64OrNull(CAST(h.metadata.ms, 'Nullable(String)')), NULL)) AS ms_2,
  if(dynamicElement(h.metadata.cached, 'Bool') IS NOT NULL, dynamicElement(h.metadata.cached, 'Bool'), multiIf(CAST(h.metadata.cached, 'Nullable(String)') = 'true', true, CAST(h.metadata.cached, 'Nullable(String)') = 'false', false, NULL)) AS cached_2
SELECT h.id AS id, status_2 AS status, ms_2 AS ms, cached_2 AS cached
FROM default.hits AS h
ORDER BY h.id;
-- = [1,200,1.5,true]
-- = [2,200,2,false]
-- = [3,404,2.5,null]
-- = [4,null,null,null]
-- = [5,null,9007199254740992,null]
-- = [6,null,18446744073709552000,null]
-- = [7,null,null,null]
-- = [8,null,null,null]
-- = [9,null,null,null]
-- = [10,null,null,null]

-- Also where a filter and the result both read a value, for which every branch is worked out for every row
SELECT h.id, m.ms + 1 AS more FROM hits AS h, UNNEST(h.metadata) AS m WHERE m.ms > 2 ORDER BY h.id;
WITH
  if(bitOr(dynamicElement(h.metadata.ms, 'Float64') IS NOT NULL, toFloat64(dynamicElement(h.metadata.ms, 'Int64')) IS NOT NULL), if(dynamicElement(h.metadata.ms, 'Float64') IS NOT NULL, dynamicElement(h.metadata.ms, 'Float64'), toFloat64(dynamicElement(h.metadata.ms, 'Int64'))), ifNotFinite(toFloat64OrNull(CAST(h.metadata.ms, 'Nullable(String)')), NULL)) AS ms
SELECT h.id AS id, ms + 1.0 AS more
FROM default.hits AS h
WHERE ms > 2.0
ORDER BY h.id;
-- = [3,3.5]
-- = [5,9007199254740992]
-- = [6,18446744073709552000]
