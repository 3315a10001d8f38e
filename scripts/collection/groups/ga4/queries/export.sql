-- # events
-- rows: [["add_to_cart",4],["first_visit",4],["page_view",4],["purchase",4],["session_start",4]]
SELECT event_name, COUNT(*) AS n FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY event_name ORDER BY n DESC, event_name
-- # last days
-- rows: [[3]]
SELECT COUNT(DISTINCT user_pseudo_id) AS users FROM `my-proj.analytics_123.events_*` WHERE _table_suffix BETWEEN FORMAT_DATE('%Y%m%d', DATE_SUB(CURRENT_DATE(), INTERVAL 90 DAY)) AND FORMAT_DATE('%Y%m%d', CURRENT_DATE())
-- # one day
-- rows: [[10]]
SELECT COUNT(*) FROM `my-proj.analytics_123.events_20260102`
-- # today so far
-- rows: [[10]]
SELECT COUNT(*) FROM `my-proj.analytics_123.events_intraday_*`
-- # without the day so far
-- rows: [[30]]
SELECT COUNT(*) FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX NOT LIKE '%intraday%' AND REGEXP_EXTRACT(_TABLE_SUFFIX, r'[0-9]+') >= '20260101'
-- # pages
-- rows: [["https://x/1",2],["https://x/0",2]]
SELECT (SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location') AS page, COUNT(*) AS views FROM `my-proj.analytics_123.events_*` WHERE event_name = 'page_view' AND _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY page ORDER BY views DESC
-- # sessions
-- rows: [[6]]
SELECT COUNT(DISTINCT CONCAT(user_pseudo_id, CAST((SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id') AS STRING))) AS sessions FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131'
-- # sessions, a number in CONCAT
-- rows: [[6]]
SELECT COUNT(DISTINCT CONCAT(user_pseudo_id, (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id'))) AS sessions FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131'
-- # params from an alias
-- rows: [[100,"session_start"],[100,"page_view"],[100,"add_to_cart"],[100,"purchase"],[100,"first_visit"],[101,"session_start"],[101,"page_view"],[101,"add_to_cart"],[101,"purchase"],[101,"first_visit"],[100,"session_start"],[100,"page_view"],[100,"add_to_cart"],[100,"purchase"],[100,"first_visit"],[101,"session_start"],[101,"page_view"],[101,"add_to_cart"],[101,"purchase"],[101,"first_visit"]]
SELECT (SELECT ep.value.int_value FROM e.event_params AS ep WHERE ep.key = 'ga_session_id') AS session, event_name FROM `my-proj.analytics_123.events_*` AS e WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131'
-- # flattened params
SELECT event_date, event_name, ep.key, COALESCE(ep.value.string_value, CAST(ep.value.int_value AS STRING), CAST(ep.value.double_value AS STRING)) AS value FROM `my-proj.analytics_123.events_*`, UNNEST(event_params) AS ep WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' ORDER BY 1, 2, 3, 4
-- # times
-- rows: [["2026-01-01T00:00:00Z","2026-01-01","2026-01-01T01:00:00"],["2026-01-01T00:01:00Z","2026-01-01","2026-01-01T01:01:00"],["2026-01-01T00:02:00Z","2026-01-01","2026-01-01T01:02:00"],["2026-01-01T00:03:00Z","2026-01-01","2026-01-01T01:03:00"],["2026-01-01T00:04:00Z","2026-01-01","2026-01-01T01:04:00"]]
SELECT TIMESTAMP_MICROS(event_timestamp) AS moment, PARSE_DATE('%Y%m%d', event_date) AS day, DATETIME(TIMESTAMP_MICROS(event_timestamp), 'Europe/Berlin') AS here FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' ORDER BY moment LIMIT 5
-- # engagement
-- rows: [["u0",36],["u2",30],["u1",24]]
SELECT user_pseudo_id, SUM((SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'engagement_time_msec')) / 1000 AS seconds FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY user_pseudo_id ORDER BY seconds DESC
-- # purchases
-- rows: [["20260101",19,2],["20260102",19,2]]
SELECT event_date, SUM(ecommerce.purchase_revenue) AS revenue, COUNT(DISTINCT ecommerce.transaction_id) AS orders FROM `my-proj.analytics_123.events_*` WHERE event_name = 'purchase' AND _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY event_date ORDER BY event_date
-- # items
-- rows: [["Shirt",8,38]]
SELECT item.item_name, SUM(item.quantity) AS sold, SUM(item.item_revenue) AS revenue FROM `my-proj.analytics_123.events_*`, UNNEST(items) AS item WHERE event_name IN ('purchase') AND _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY item.item_name ORDER BY sold DESC
-- # devices and places
-- rows: [["mobile","Chrome","DE",3]]
SELECT device.category, device.web_info.browser, geo.country, COUNT(DISTINCT user_pseudo_id) AS users FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2, 3 ORDER BY users DESC, 1, 2, 3
-- # channels
-- rows: [["google","organic","Organic",20]]
SELECT traffic_source.source, traffic_source.medium, CASE WHEN traffic_source.medium = 'organic' THEN 'Organic' WHEN REGEXP_CONTAINS(traffic_source.medium, r'^(cpc|ppc)$') THEN 'Paid' ELSE 'Other' END AS channel, COUNT(*) FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2, 3 ORDER BY 1, 2
-- # collected source
-- rows: [["google",false,20]]
SELECT collected_traffic_source.manual_source AS source, collected_traffic_source.gclid IS NOT NULL AS paid, COUNT(*) FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2
-- # user properties
-- rows: [["plan","pro",3]]
SELECT up.key, up.value.string_value, COUNT(DISTINCT user_pseudo_id) AS users FROM `my-proj.analytics_123.events_*` CROSS JOIN UNNEST(user_properties) AS up WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2
-- # funnel
-- rows: [[2,0,1,50]]
WITH steps AS (SELECT user_pseudo_id, MIN(IF(event_name = 'session_start', event_timestamp, NULL)) AS t1, MIN(IF(event_name = 'add_to_cart', event_timestamp, NULL)) AS t2, MIN(IF(event_name = 'purchase', event_timestamp, NULL)) AS t3 FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY user_pseudo_id) SELECT COUNT(t1) AS started, COUNTIF(t2 > t1) AS carts, COUNTIF(t3 > t2) AS bought, ROUND(SAFE_DIVIDE(COUNTIF(t3 > t2), COUNT(t1)) * 100, 2) AS rate FROM steps
-- # next page
-- rows: [["https://x/0",null,1],["https://x/0","https://x/0",1],["https://x/1",null,1],["https://x/1","https://x/1",1]]
SELECT page, next_page, COUNT(*) AS n FROM (SELECT (SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location') AS page, LEAD((SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location')) OVER (PARTITION BY user_pseudo_id, (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id') ORDER BY event_timestamp) AS next_page FROM `my-proj.analytics_123.events_*` WHERE event_name = 'page_view' AND _TABLE_SUFFIX BETWEEN '20260101' AND '20260131') GROUP BY 1, 2 ORDER BY n DESC, 1, 2
-- # landing pages
-- rows: [["https://x/0",2],["https://x/1",2],["https://x/2",2]]
WITH s AS (SELECT user_pseudo_id, (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id') AS session, ARRAY_AGG((SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location') IGNORE NULLS ORDER BY event_timestamp LIMIT 1)[SAFE_OFFSET(0)] AS landing FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2) SELECT landing, COUNT(*) AS sessions FROM s GROUP BY landing ORDER BY sessions DESC, landing
-- # retention
-- rows: [["2025-12-31",0,3],["2025-12-31",1,3],["2025-12-31",2,3],["2025-12-31",34,3],["2025-12-31",69,3]]
WITH first AS (SELECT user_pseudo_id, MIN(PARSE_DATE('%Y%m%d', event_date)) AS day FROM `my-proj.analytics_123.events_*` GROUP BY 1), seen AS (SELECT DISTINCT user_pseudo_id, PARSE_DATE('%Y%m%d', event_date) AS day FROM `my-proj.analytics_123.events_*`) SELECT f.day, DATE_DIFF(s.day, f.day, DAY) AS after, COUNT(DISTINCT s.user_pseudo_id) AS users FROM first AS f JOIN seen AS s USING (user_pseudo_id) GROUP BY 1, 2 ORDER BY 1, 2
-- # new users
-- rows: [["20260101",2,3],["20260102",2,3]]
SELECT event_date, COUNTIF(event_name = 'first_visit') AS new_users, COUNT(DISTINCT user_pseudo_id) AS all_users FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1 ORDER BY 1
-- # bounces
-- rows: [[0.16666666666666663]]
WITH s AS (SELECT CONCAT(user_pseudo_id, '.', CAST((SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id') AS STRING)) AS id, MAX((SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'session_engaged')) AS engaged FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY id) SELECT 1 - SAFE_DIVIDE(COUNTIF(engaged = '1'), COUNT(*)) AS bounce_rate FROM s
-- # declared range
DECLARE start_date STRING DEFAULT '20260101';
DECLARE end_date STRING DEFAULT FORMAT_DATE('%Y%m%d', DATE '2026-01-31');
SELECT event_date, COUNT(*) AS n FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN start_date AND end_date GROUP BY event_date ORDER BY event_date;
-- # declared and used in a CTE
DECLARE days INT64 DEFAULT 90;
WITH e AS (SELECT * FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX >= FORMAT_DATE('%Y%m%d', DATE_SUB(CURRENT_DATE(), INTERVAL days DAY))) SELECT platform, COUNT(*) AS n FROM e GROUP BY platform
-- # helper function
CREATE TEMP FUNCTION param(params ARRAY<STRUCT<key STRING, value STRUCT<string_value STRING, int_value INT64, float_value FLOAT64, double_value FLOAT64>>>, name STRING) AS ((SELECT p.value.string_value FROM UNNEST(params) AS p WHERE p.key = name));
SELECT param(event_params, 'page_title') AS title, COUNT(*) AS n FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY title ORDER BY n DESC
-- # all but some columns
SELECT * EXCEPT (event_params, user_properties, items) FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' LIMIT 3
-- # privacy
-- rows: [["Yes",20]]
SELECT privacy_info.analytics_storage, COUNT(*) FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1
-- # ranks
SELECT * FROM (SELECT event_date, event_name, COUNT(*) AS n, RANK() OVER (PARTITION BY event_date ORDER BY COUNT(*) DESC) AS place FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2) WHERE place = 1 ORDER BY 1
-- # the last of each user
-- rows: [["u0","first_visit"],["u1","add_to_cart"],["u2","purchase"]]
SELECT user_pseudo_id, event_name FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' QUALIFY ROW_NUMBER() OVER (PARTITION BY user_pseudo_id ORDER BY event_timestamp DESC) = 1 ORDER BY 1
-- # weeks
-- rows: [[1,"Friday",10],[1,"Thursday",10]]
SELECT EXTRACT(ISOWEEK FROM PARSE_DATE('%Y%m%d', event_date)) AS week, FORMAT_DATE('%A', PARSE_DATE('%Y%m%d', event_date)) AS day, COUNT(*) AS n FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1, 2 ORDER BY 1, 2
-- # columns of the export
SELECT column_name, data_type FROM `my-proj.analytics_123`.INFORMATION_SCHEMA.COLUMNS WHERE table_name = 'events_20260101' ORDER BY ordinal_position
-- # array of params by name
-- rows: [["session_start",[["page_location","https://x/0"],["page_title","T"],["session_engaged","0"]]],["page_view",[["page_location","https://x/1"],["page_title","T"],["session_engaged","1"]]]]
SELECT event_name, ARRAY(SELECT AS STRUCT key, value.string_value AS v FROM UNNEST(event_params) WHERE value.string_value IS NOT NULL ORDER BY key) AS texts FROM `my-proj.analytics_123.events_20260101` ORDER BY event_timestamp LIMIT 2
-- # two exports
-- rows: [["a",30],["b",10]]
SELECT 'a' AS property, COUNT(*) AS n FROM `my-proj.analytics_123.events_2026*` UNION ALL SELECT 'b', COUNT(*) FROM `my-proj.analytics_123.events_2025*` ORDER BY 1
-- # sessions by their first source
-- rows: [["google",6]]
WITH s AS (SELECT user_pseudo_id, (SELECT value.int_value FROM UNNEST(event_params) WHERE key = 'ga_session_id') AS id, ARRAY_AGG(traffic_source.source ORDER BY event_timestamp LIMIT 1)[OFFSET(0)] AS source FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX > '20260101' GROUP BY 1, 2) SELECT source, COUNT(*) AS sessions FROM s GROUP BY source
-- # with the suffix as a date
-- rows: [["2025-12-31",10],["2026-01-01",10],["2026-01-02",10],["2026-02-03",10]]
SELECT PARSE_DATE('%Y%m%d', _TABLE_SUFFIX) AS day, COUNT(*) AS n FROM `my-proj.analytics_123.events_*` WHERE NOT STARTS_WITH(_TABLE_SUFFIX, 'intraday') GROUP BY day ORDER BY day
-- # days for a table of reports
-- rows: [["2026-01-01",3,"2"],["2026-01-02",3,"2"]]
CREATE TABLE IF NOT EXISTS `my-proj.reports.days` (day DATE NOT NULL OPTIONS (description = 'UTC'), visitors INT64, views NUMERIC) PARTITION BY day;
INSERT INTO `my-proj.reports.days` (day, visitors, views) SELECT PARSE_DATE('%Y%m%d', event_date), COUNT(DISTINCT user_pseudo_id), COUNTIF(event_name = 'page_view') FROM `my-proj.analytics_123.events_*` WHERE _TABLE_SUFFIX BETWEEN '20260101' AND '20260131' GROUP BY 1 ORDER BY 1
-- # pages of yesterday, added to a table
-- rows: [["https://x/0",2],["https://x/1",2]]
INSERT INTO `my-proj.reports.pages` WITH views AS (SELECT event_date, (SELECT value.string_value FROM UNNEST(event_params) WHERE key = 'page_location') AS page FROM `my-proj.analytics_123.events_*` WHERE event_name = 'page_view' AND _TABLE_SUFFIX BETWEEN '20260101' AND '20260131') SELECT page, COUNT(*) AS n FROM views WHERE page NOT IN (SELECT p FROM UNNEST(['https://x/9']) AS p) GROUP BY page ORDER BY n DESC, page
