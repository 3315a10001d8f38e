-- # daily users
SELECT DATE(submission_timestamp) AS day, COUNT(DISTINCT client_id) AS dau FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) GROUP BY 1 ORDER BY 1
-- # a sample
SELECT COUNT(*) * 100 AS n FROM mozdata.telemetry.main WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) AND sample_id = 42
-- # systems
SELECT environment.system.os.name AS os, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) GROUP BY os ORDER BY n DESC
-- # versions
SELECT CAST(SPLIT(application.version, '.')[OFFSET(0)] AS INT64) AS major, normalized_channel, COUNT(DISTINCT client_id) AS clients FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1, 2 ORDER BY 1, 2
-- # experiments
SELECT e.key AS experiment, e.value.branch, COUNT(DISTINCT client_id) AS clients FROM `moz-fx-data-shared-prod.telemetry.main`, UNNEST(environment.experiments) AS e WHERE DATE(submission_timestamp) >= DATE_SUB(CURRENT_DATE, INTERVAL 14 DAY) GROUP BY 1, 2 ORDER BY 1, 2
-- # a branch by key
SELECT (SELECT value.branch FROM UNNEST(environment.experiments) WHERE key = 'exp-1') AS branch, SUM(payload.info.subsession_length) / 3600 AS hours FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY branch
-- # events
SELECT event.category, event.name, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` CROSS JOIN UNNEST(events) AS event GROUP BY 1, 2 ORDER BY n DESC, 2
-- # an extra of events
SELECT (SELECT value FROM UNNEST(event.extra) WHERE key = 'url') AS url, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main`, UNNEST(events) AS event GROUP BY url
-- # histogram sums
SELECT SUM(CAST(JSON_EXTRACT_SCALAR(payload.histograms.gc_ms, '$.sum') AS INT64)) AS total FROM `moz-fx-data-shared-prod.telemetry.main`
-- # histogram function
CREATE TEMP FUNCTION histogram_sum(h STRING) AS (SAFE_CAST(JSON_VALUE(h, '$.sum') AS INT64));
SELECT normalized_channel, AVG(histogram_sum(payload.histograms.gc_ms)) AS mean FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1 ORDER BY 1
-- # quantiles
SELECT APPROX_QUANTILES(payload.info.subsession_length, 20)[OFFSET(19)] AS p95, APPROX_COUNT_DISTINCT(client_id) AS clients FROM `moz-fx-data-shared-prod.telemetry.main`
-- # first pings
SELECT * EXCEPT (n) FROM (SELECT client_id, submission_timestamp, ROW_NUMBER() OVER (PARTITION BY client_id ORDER BY submission_timestamp) AS n FROM `moz-fx-data-shared-prod.telemetry.main`) WHERE n = 1 ORDER BY client_id
-- # seven days
WITH d AS (SELECT DATE(submission_timestamp) AS day, COUNT(DISTINCT client_id) AS dau FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY 1) SELECT day, AVG(dau) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS mean FROM d ORDER BY day
-- # days of a client
SELECT client_id, BIT_COUNT(SUM(1 << d)) AS days FROM (SELECT DISTINCT client_id, DATE_DIFF(DATE '2026-03-09', DATE(submission_timestamp), DAY) AS d FROM `moz-fx-data-shared-prod.telemetry.main`) WHERE d < 28 GROUP BY 1 ORDER BY 1
-- # one day
SELECT COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) = '2026-03-08'
-- # a range of suffixes
SELECT COUNT(*) AS n, MIN(_TABLE_SUFFIX) AS first FROM `moz-fx-data-shared-prod.telemetry.main_remainder_*` WHERE _TABLE_SUFFIX >= '20260301'
-- # countries
SELECT normalized_country_code AS country, COUNT(*) AS n, ROUND(100 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS share FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY country ORDER BY n DESC, country LIMIT 10
-- # a struct of arrays
SELECT client_id, ARRAY_AGG(STRUCT(DATE(submission_timestamp) AS day, payload.info.session_id AS session) ORDER BY submission_timestamp DESC LIMIT 2) AS last FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY client_id ORDER BY client_id
-- # declared
DECLARE since DATE DEFAULT DATE_SUB(CURRENT_DATE(), INTERVAL 7 DAY);
SELECT normalized_channel, COUNT(*) FROM `moz-fx-data-shared-prod.telemetry.main` WHERE DATE(submission_timestamp) > since GROUP BY 1 ORDER BY 1
-- # memory
SELECT CASE WHEN environment.system.memory_mb < 4096 THEN 'small' WHEN environment.system.memory_mb BETWEEN 4096 AND 16384 THEN 'usual' ELSE 'large' END AS memory, COUNT(*) AS n FROM `moz-fx-data-shared-prod.telemetry.main` GROUP BY memory
