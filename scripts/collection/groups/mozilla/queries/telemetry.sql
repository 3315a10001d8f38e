-- # daily users
-- rows: [["2026-02-24",3],["2026-02-25",4],["2026-02-26",3],["2026-02-27",4],["2026-02-28",3],["2026-03-01",3],["2026-03-02",4],["2026-03-03",3],["2026-03-04",4],["2026-03-05",3],["2026-03-06",4],["2026-03-07",3],["2026-03-08",3],["2026-03-09",1]]
SELECT DATE(submission_timestamp) AS day, COUNT(DISTINCT client_id) AS dau FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) GROUP BY 1 ORDER BY 1
-- # a sample
-- rows: [[100]]
SELECT COUNT(*) * 100 AS n FROM mozdata.telemetry.main WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) AND sample_id = 42
-- # systems
-- rows: [["Linux",15],["Darwin",15],["Windows_NT",15]]
SELECT environment.system.os.name AS os, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) GROUP BY os ORDER BY n DESC
-- # versions
-- rows: [[120,"beta",5],[120,"nightly",5],[120,"release",5],[121,"beta",5],[121,"nightly",5],[121,"release",5],[122,"beta",5],[122,"nightly",5],[122,"release",5],[123,"beta",5],[123,"nightly",5],[123,"release",5]]
SELECT CAST(SPLIT(application.version, '.')[OFFSET(0)] AS INT64) AS major, normalized_channel, COUNT(DISTINCT client_id) AS clients FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1, 2 ORDER BY 1, 2
-- # experiments
-- rows: [["exp-1","control",7],["exp-1","treatment",7]]
SELECT e.key AS experiment, e.value.branch, COUNT(DISTINCT client_id) AS clients FROM `moz-fx-data-shared-prod.telemetry.main`, UNNEST(environment.experiments) AS e WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) GROUP BY 1, 2 ORDER BY 1, 2
-- # a branch by key
-- rows: [["control",14.5],["treatment",15]]
SELECT (SELECT value.branch FROM UNNEST(environment.experiments) WHERE key = 'exp-1') AS branch, SUM(payload.info.subsession_length) / 3600 AS hours FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY branch
-- # events
-- rows: [["nav","click",60],["nav","load",60]]
SELECT event.category, event.name, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` CROSS JOIN UNNEST(events) AS event GROUP BY 1, 2 ORDER BY n DESC, 2
-- # an extra of events
-- rows: [[null,60],["x",60]]
SELECT (SELECT value FROM UNNEST(event.extra) WHERE key = 'url') AS url, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main`, UNNEST(events) AS event GROUP BY url
-- # histogram sums
-- rows: [[720]]
SELECT SUM(CAST(JSON_EXTRACT_SCALAR(payload.histograms.gc_ms, '$.sum') AS INT64)) AS total FROM `moz-fx-data-shared-prod.telemetry.main`
-- # histogram function
CREATE TEMP FUNCTION histogram_sum(h STRING) AS (SAFE_CAST(JSON_VALUE(h, '$.sum') AS INT64));
SELECT normalized_channel, AVG(histogram_sum(payload.histograms.gc_ms)) AS mean FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1 ORDER BY 1
-- # quantiles
SELECT APPROX_QUANTILES(payload.info.subsession_length, 20)[OFFSET(19)] AS p95, APPROX_COUNT_DISTINCT(client_id) AS clients FROM `moz-fx-data-shared-prod.telemetry.main`
-- # first pings
-- rows: [["c0","2026-02-20T16:00:00Z"],["c1","2026-02-20T09:00:00Z"],["c2","2026-02-20T02:00:00Z"],["c3","2026-02-19T19:00:00Z"],["c4","2026-02-21T13:00:00Z"],["c5","2026-02-21T06:00:00Z"],["c6","2026-02-20T23:00:00Z"]]
SELECT * EXCEPT (n) FROM (SELECT client_id, submission_timestamp, ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY submission_timestamp) AS n FROM `moz-fx-data-shared-prod.telemetry.main`) WHERE n = 1 ORDER BY client_id
-- # seven days
WITH d AS (SELECT DATE(submission_timestamp) AS day, COUNT(DISTINCT client_id) AS dau FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1) SELECT day, AVG(dau) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS mean FROM d ORDER BY day
-- # days of a client
-- rows: [["c0",9],["c1",9],["c2",9],["c3",9],["c4",8],["c5",8],["c6",8]]
SELECT client_id, BIT_COUNT(SUM(1 << d)) AS days FROM (SELECT DISTINCT client_id, DATE_DIFF(DATE '2026-03-09', DATE(submission_timestamp), DAY) AS d FROM `moz-fx-data-shared-prod.telemetry.main`) WHERE d < 28 GROUP BY 1 ORDER BY 1
-- # one day
-- rows: [[3]]
SELECT COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) = '2026-03-08'
-- # a range of suffixes
-- rows: [[28,"20260301"]]
SELECT COUNT(*) AS n, MIN(_TABLE_SUFFIX) AS first FROM `moz-fx-data-shared-prod.telemetry.main_remainder_*` WHERE _TABLE_SUFFIX >= '20260301'
-- # countries
-- rows: [["DE",20,33.3],["FR",20,33.3],["US",20,33.3]]
SELECT normalized_country_code AS country, COUNT(*) AS n, ROUND(100 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS share FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY country ORDER BY n DESC, country LIMIT 10
-- # a struct of arrays
-- rows: [["c0",[["2026-03-09","s0"],["2026-03-06","s7"]]],["c1",[["2026-03-08","s1"],["2026-03-06","s8"]]],["c2",[["2026-03-08","s2"],["2026-03-06","s9"]]],["c3",[["2026-03-08","s3"],["2026-03-06","s10"]]],["c4",[["2026-03-07","s4"],["2026-03-05","s11"]]],["c5",[["2026-03-07","s5"],["2026-03-05","s12"]]],["c6",[["2026-03-07","s6"],["2026-03-05","s13"]]]]
SELECT client_id, ARRAY_AGG(STRUCT(DATE(submission_timestamp) AS day, payload.info.session_id AS session) ORDER BY submission_timestamp DESC LIMIT 2) AS last FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY client_id ORDER BY client_id
-- # declared
DECLARE since DATE DEFAULT DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY);
SELECT normalized_channel, COUNT(*) FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) > since GROUP BY 1 ORDER BY 1
-- # memory
-- rows: [["usual",60]]
SELECT CASE WHEN environment.system.memory_mb < 4096 THEN 'small' WHEN environment.system.memory_mb BETWEEN 4096 AND 16384 THEN 'usual' ELSE 'large' END AS memory, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY memory
-- # events by name, counted by a function with a table of its own
-- rows: [["beta","click 20, load 20"],["nightly","click 20, load 20"],["release","click 20, load 20"]]
CREATE TEMP FUNCTION counted(entries ARRAY<STRUCT<name STRING, n INT64>>) RETURNS STRING AS ((WITH sums AS (SELECT name, SUM(n) AS n FROM UNNEST(entries) GROUP BY name) SELECT STRING_AGG(FORMAT('%s %d', name, n), ', ' ORDER BY name) FROM sums));
SELECT normalized_channel, counted(ARRAY_CONCAT_AGG(ARRAY(SELECT AS STRUCT e.name, 1 FROM UNNEST(events) AS e))) AS events FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1 ORDER BY 1
