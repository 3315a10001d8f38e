-- # sizes by percentile
SELECT client, percentile, APPROX_QUANTILES(CAST(JSON_VALUE(summary, '$.respBodySize') AS INT64) / 1024, 1000)[OFFSET(percentile * 10)] AS kib FROM `httparchive.crawl.requests`, UNNEST([10, 50, 90]) AS percentile WHERE date = '2026-01-01' AND type = 'script' GROUP BY client, percentile ORDER BY client, percentile
-- # share of a technology
-- rows: [["desktop",3,3,1],["mobile",0,3,0]]
SELECT client, COUNT(DISTINCT IF(t.technology = 'WordPress', page, NULL)) AS wordpress, COUNT(DISTINCT page) AS pages, COUNT(DISTINCT IF(t.technology = 'WordPress', page, NULL)) / COUNT(DISTINCT page) AS pct FROM `httparchive.crawl.pages`, UNNEST(technologies) AS t WHERE date = '2026-01-01' AND 'CMS' IN UNNEST(t.categories) GROUP BY client ORDER BY client
-- # total beside each group
-- rows: [["desktop","css",4,12,0.3333333333333333],["desktop","image",4,12,0.3333333333333333],["desktop","script",4,12,0.3333333333333333],["mobile","css",4,12,0.3333333333333333],["mobile","image",4,12,0.3333333333333333],["mobile","script",4,12,0.3333333333333333]]
WITH totals AS (SELECT client, COUNT(0) AS total FROM `httparchive.crawl.requests` GROUP BY client) SELECT client, type, COUNT(0) AS freq, total, COUNT(0) / total AS pct FROM `httparchive.crawl.requests` JOIN totals USING (client) GROUP BY client, type, total ORDER BY pct DESC, client, type
-- # header values
-- rows: [["cache-control","max-age=600",24],["server","caddy",12],["server","nginx",12]]
SELECT LOWER(h.name) AS name, h.value, COUNT(*) AS n FROM `httparchive.crawl.requests` CROSS JOIN UNNEST(response_headers) AS h WHERE LOWER(h.name) IN ('server', 'cache-control') GROUP BY 1, 2 ORDER BY n DESC, 1, 2
-- # rank buckets
-- rows: [[1000,"1,000",3],[10000,"10,000",5],[100000000,"all",6]]
SELECT rank_grouping, CASE WHEN rank_grouping = 100000000 THEN 'all' ELSE FORMAT("%'d", rank_grouping) END AS ranking, COUNT(DISTINCT page) AS pages FROM `httparchive.crawl.pages`, UNNEST([1000, 10000, 100000000]) AS rank_grouping WHERE rank <= rank_grouping OR rank_grouping = 100000000 GROUP BY rank_grouping ORDER BY rank_grouping
-- # scores
-- rows: [["desktop",0.2,1],["mobile",0.3,2]]
SELECT client, ROUND(AVG(FLOAT64(lighthouse.categories.performance.score)), 3) AS score, COUNTIF(SAFE.FLOAT64(lighthouse.categories.performance.score) >= 0.3) AS good FROM `httparchive.crawl.pages` GROUP BY client ORDER BY client
-- # ids of all audits
SELECT DISTINCT STRING(id) AS id FROM `httparchive.crawl.pages`, UNNEST(JSON_QUERY_ARRAY(JSON_QUERY(lighthouse, 'lax $.audits.id'))) AS id ORDER BY id
-- # fast paints by month
-- rows: [["2026_02_01",1769904000000,"desktop",75],["2026_02_01",1769904000000,"mobile",75],["2026_01_01",1767225600000,"desktop",50],["2026_01_01",1767225600000,"mobile",50]]
SELECT REGEXP_REPLACE(_TABLE_SUFFIX, '(\\d{4})(\\d{2})', '\\1_\\2_01') AS month, UNIX_DATE(CAST(REGEXP_REPLACE(_TABLE_SUFFIX, '(\\d{4})(\\d{2})', '\\1-\\2-01') AS DATE)) * 1000 * 60 * 60 * 24 AS timestamp, IF(form_factor.name = 'desktop', 'desktop', 'mobile') AS client, ROUND(SUM(IF(fcp.start < 1000, fcp.density, 0)) * 100 / SUM(fcp.density), 2) AS percent FROM `chrome-ux-report.all.*`, UNNEST(first_contentful_paint.histogram.bin) AS fcp GROUP BY month, timestamp, client ORDER BY month DESC, client
-- # cumulative histogram of one origin
-- rows: [[0,0.5,0.5],[1000,0.25,0.75],[3000,0.25,1]]
SELECT bin.start, SUM(bin.density) AS density, SUM(SUM(bin.density)) OVER (ORDER BY bin.start) AS so_far FROM `chrome-ux-report.all.202601`, UNNEST(first_contentful_paint.histogram.bin) AS bin WHERE origin IN ('https://o1', 'https://o2') GROUP BY bin.start ORDER BY bin.start
-- # difference of two months
-- rows: [["https://o0",0.125],["https://o1",0.125],["https://o2",0.125],["https://o3",0.125]]
SELECT a.origin, ROUND((SELECT SUM(density) FROM UNNEST(b.first_contentful_paint.histogram.bin) WHERE start < 1000) - (SELECT SUM(density) FROM UNNEST(a.first_contentful_paint.histogram.bin) WHERE start < 1000), 3) AS change FROM `chrome-ux-report.all.202601` AS a JOIN `chrome-ux-report.all.202602` AS b USING (origin) ORDER BY origin
-- # requests with a header
-- rows: [["mobile",12]]
SELECT client, COUNT(*) AS n FROM `httparchive.crawl.requests` AS r WHERE ('server', 'caddy') IN (SELECT (name, value) FROM UNNEST(r.response_headers)) GROUP BY client ORDER BY client
-- # pages without a technology of a category
-- rows: [["https://s0.example/"],["https://s2.example/"],["https://s4.example/"]]
SELECT page FROM `httparchive.crawl.pages` WHERE ('React', 'CMS') NOT IN (SELECT AS STRUCT t.technology, c FROM UNNEST(technologies) AS t, UNNEST(t.categories) AS c) ORDER BY page
