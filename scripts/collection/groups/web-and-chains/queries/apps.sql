-- # crashes by version
-- rows: [["1.0",4,2],["1.1",3,2]]
SELECT application.display_version, COUNTIF(is_fatal) AS fatal, COUNT(DISTINCT issue_id) AS issues FROM `my-app.firebase_crashlytics.crashes` WHERE event_timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 30 DAY) GROUP BY 1 ORDER BY 1
-- # top frames
-- rows: [["Main.kt",10,10],["Main.kt",11,10]]
SELECT f.file, f.line, COUNT(*) AS n FROM `my-app.firebase_crashlytics.crashes` AS c, UNNEST(c.exceptions) AS e, UNNEST(e.frames) AS f WITH OFFSET AS depth WHERE depth = 0 GROUP BY 1, 2 ORDER BY n DESC, f.line
-- # a key of each crash
-- rows: [["cart","ANR",4],["cart","FATAL",3],["cart","NON_FATAL",3],["home","ANR",3],["home","FATAL",4],["home","NON_FATAL",3]]
SELECT (SELECT value FROM UNNEST(custom_keys) WHERE key = 'screen') AS screen, error_type, COUNT(*) AS n FROM `my-app.firebase_crashlytics.crashes` GROUP BY 1, 2 ORDER BY 1, 2
-- # crash free days
-- rows: [[2]]
SELECT COUNT(*) AS days FROM UNNEST(GENERATE_DATE_ARRAY('2026-03-01', '2026-03-06')) AS d LEFT JOIN (SELECT DISTINCT DATE(event_timestamp) AS d FROM `my-app.firebase_crashlytics.crashes` WHERE error_type = 'ANR') AS c USING (d) WHERE c.d IS NULL
-- # issues that came back
-- rows: [["i0","2026-03-01T00:00:00Z","2026-03-04T08:00:00Z",80],["i1","2026-03-01T05:00:00Z","2026-03-04T13:00:00Z",80],["i2","2026-03-01T10:00:00Z","2026-03-04T18:00:00Z",80],["i3","2026-03-01T15:00:00Z","2026-03-04T23:00:00Z",80]]
SELECT issue_id, MIN(event_timestamp) AS first_seen, MAX(event_timestamp) AS last_seen, TIMESTAMP_DIFF(MAX(event_timestamp), MIN(event_timestamp), HOUR) AS hours FROM `my-app.firebase_crashlytics.crashes` GROUP BY issue_id HAVING COUNT(DISTINCT DATE(event_timestamp)) > 3 ORDER BY issue_id
-- # gaps of meters, filled
SELECT FORMAT_TIMESTAMP('%R', stamp) AS minute, device, level, state FROM GAP_FILL((SELECT device, `at` AS stamp, level, state FROM `my-app.iot.meters`), ts_column => 'stamp', bucket_width => INTERVAL 1 MINUTE, partitioning_columns => ['device'], value_columns => [('level', 'linear'), ('state', 'locf')]) WHERE stamp < TIMESTAMP '2026-03-01 00:04:00+00' ORDER BY device, stamp
-- # a table function of the text
CREATE TEMP TABLE FUNCTION of_device(wanted STRING, least FLOAT64) AS (SELECT `at`, level FROM `my-app.iot.meters` WHERE device = wanted AND level >= least); SELECT COUNT(*) AS n, MAX(level) AS most FROM of_device('a', 5)
-- # sessions of meters
-- rows: [["a",1,1,"2026-03-01T00:00:20Z"],["a",2,1,"2026-03-01T00:02:40Z"],["a",3,1,"2026-03-01T00:05:00Z"],["a",4,1,"2026-03-01T00:07:20Z"]]
SELECT device, session, COUNT(*) AS n, MIN(`at`) AS begins FROM (SELECT *, COUNTIF(begins) OVER (PARTITION BY device ORDER BY `at`) AS session FROM (SELECT device, `at`, IFNULL(TIMESTAMP_DIFF(`at`, LAG(`at`) OVER (PARTITION BY device ORDER BY `at`), SECOND) > 100, TRUE) AS begins FROM `my-app.iot.meters`)) GROUP BY device, session ORDER BY device, session LIMIT 4
-- # buckets of time
-- rows: [["2026-03-01T00:00:00Z","a",3,1],["2026-03-01T00:00:00Z","b",6,0.5],["2026-03-01T00:05:00Z","a",21,0.6666666666666666],["2026-03-01T00:05:00Z","b",18,0.5],["2026-03-01T00:10:00Z","b",27,0]]
SELECT TIMESTAMP_BUCKET(`at`, INTERVAL 5 MINUTE) AS bucket, device, AVG(level) AS level, COUNTIF(state = 'on') / COUNT(*) AS share_on FROM `my-app.iot.meters` GROUP BY 1, 2 ORDER BY 1, 2
-- # state changes
-- rows: [["a","2026-03-01T00:00:20Z","on"],["a","2026-03-01T00:05:00Z","off"],["a","2026-03-01T00:07:20Z","on"],["b","2026-03-01T00:01:30Z","on"],["b","2026-03-01T00:03:50Z","off"],["b","2026-03-01T00:08:30Z","on"],["b","2026-03-01T00:10:50Z","off"]]
SELECT device, `at`, state FROM `my-app.iot.meters` WHERE TRUE QUALIFY state IS DISTINCT FROM LAG(state) OVER (PARTITION BY device ORDER BY `at`) ORDER BY device, `at`
-- # a cohort of crashes, pivoted
-- rows: [["1.0",4,3],["1.1",3,4]]
SELECT * FROM (SELECT error_type, application.display_version AS version FROM `my-app.firebase_crashlytics.crashes`) PIVOT(COUNT(*) FOR error_type IN ('FATAL' AS fatal, 'ANR' AS anr)) ORDER BY version
-- # corners of shapes, each once
-- rows: [["a",[[-36,8.48528137423857,null],[0,6,null]]],["b",[[-36,10.816653826391969,0.8],[0,15,0.8]]]]
WITH shapes AS (SELECT device, ARRAY_AGG(IFNULL(level, 0) ORDER BY `at`) AS p FROM `my-app.prod.meters` GROUP BY device)
SELECT device, ARRAY(SELECT DISTINCT AS STRUCT p[OFFSET(0)] * p[SAFE_OFFSET(i + 1)] - p[OFFSET(1)] * p[SAFE_OFFSET(i)] AS x, SQRT(POW(p[OFFSET(2)] - p[SAFE_OFFSET(i)], 2) + POW(p[OFFSET(1)], 2)) AS y, (p[OFFSET(0)] + p[OFFSET(1)]) / NULLIF(p[OFFSET(2)], 0) AS z FROM UNNEST([0, 1, 1]) AS i ORDER BY x) AS corners FROM shapes ORDER BY device
-- # the last crashes, by functions of datetimes
-- rows: [["i0",40,"2026-03-04 08:00"],["i1",60,"2026-03-04 13:00"],["i2",60,"2026-03-04 18:00"],["i3",60,"2026-03-04 23:00"]]
SELECT issue_id, DATETIME_DIFF(MAX(event_timestamp), MIN(event_timestamp), HOUR) AS hours, FORMAT_DATETIME('%F %H:%M', MAX(event_timestamp)) AS last_seen FROM `my-app.firebase_crashlytics.crashes` WHERE event_timestamp BETWEEN DATETIME_SUB(TIMESTAMP '2026-03-05', INTERVAL 3 DAY) AND DATETIME_ADD(TIMESTAMP '2026-03-04', INTERVAL 36 HOUR) GROUP BY issue_id ORDER BY issue_id
