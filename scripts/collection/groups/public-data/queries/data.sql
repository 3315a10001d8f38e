-- # trips by hour
-- rows: [[0,12.75,4],[1,12.75,4],[2,13,3],[3,13,3],[4,13.25,4],[5,12.333333333333334,3],[6,12.333333333333334,3],[7,12,4],[8,11.666666666666666,3],[9,11.666666666666666,3],[10,11.666666666666666,3],[11,12.5,4],[12,13.333333333333334,3],[13,13.333333333333334,3],[14,13,4],[15,12.666666666666666,3],[16,12.666666666666666,3],[17,12.666666666666666,3],[18,13.5,4],[19,14.333333333333334,3],[20,14.333333333333334,3],[21,14,4],[22,13.666666666666666,3],[23,13.666666666666666,3]]
SELECT EXTRACT(HOUR FROM trip_start_timestamp) AS hour, AVG(trip_total) AS mean, COUNT(1) AS n FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` WHERE trip_miles > 0 AND EXTRACT(YEAR FROM trip_start_timestamp) = 2026 GROUP BY hour ORDER BY hour
-- # speed
-- rows: [["Flash",19.69],["Sun",14.08]]
SELECT company, ROUND(SUM(trip_miles) / NULLIF(SUM(trip_seconds) / 3600, 0), 2) AS mph FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` GROUP BY company ORDER BY mph DESC
-- # best company of each month
-- rows: [["2026-01-01","Sun",154],["2026-02-01","Flash",145],["2026-03-01","Sun",160],["2026-04-01","Sun",63]]
WITH m AS (SELECT DATE_TRUNC(DATE(trip_start_timestamp), MONTH) AS month, company, SUM(trip_total) AS total FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` GROUP BY 1, 2) SELECT month, company, total FROM m QUALIFY RANK() OVER (PARTITION BY month ORDER BY total DESC) = 1 ORDER BY month
-- # change over the month before
-- rows: [["2026-01",24,null,null],["2026-02",22,24,-8.3],["2026-03",24,22,9.1],["2026-04",10,24,-58.3]]
WITH m AS (SELECT FORMAT_TIMESTAMP('%Y-%m', trip_start_timestamp) AS month, COUNT(*) AS n FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` GROUP BY 1) SELECT month, n, LAG(n) OVER (ORDER BY month) AS before, ROUND(SAFE_DIVIDE(n - LAG(n) OVER (ORDER BY month), LAG(n) OVER (ORDER BY month)) * 100, 1) AS change FROM m ORDER BY month
-- # tags
-- rows: [["json",12],["sql",12]]
SELECT tag, COUNT(*) AS n FROM `bigquery-public-data.stackoverflow.posts_questions`, UNNEST(SPLIT(tags, '|')) AS tag GROUP BY tag ORDER BY n DESC, tag
-- # answered within a day
-- rows: [[2024,0.42857142857142855],[2025,0.6]]
SELECT EXTRACT(YEAR FROM creation_date) AS year, COUNTIF(answer_count > 0) / COUNT(*) AS answered FROM `bigquery-public-data.stackoverflow.posts_questions` GROUP BY year ORDER BY year
-- # words of titles
-- rows: [["json",12],["parse",12],["quickly",12]]
SELECT word, COUNT(*) AS n FROM `bigquery-public-data.stackoverflow.posts_questions` CROSS JOIN UNNEST(REGEXP_EXTRACT_ALL(LOWER(title), r'[a-z]+')) AS word WHERE LENGTH(word) > 3 GROUP BY word HAVING n >= 1 ORDER BY n DESC, word LIMIT 10
-- # weather of years
-- rows: [["2025",32],["2026",37]]
SELECT _TABLE_SUFFIX AS year, ROUND(AVG(temp), 1) AS mean FROM `bigquery-public-data.noaa_gsod.gsod*` WHERE _TABLE_SUFFIX BETWEEN '2024' AND '2026' AND temp != 9999.9 GROUP BY year ORDER BY year
-- # weather of one year
-- rows: [["1",40]]
SELECT stn, MAX(`max`) AS hottest FROM `bigquery-public-data.noaa_gsod.gsod2025` WHERE `max` < 9999 GROUP BY stn ORDER BY 1
-- # days from parts
-- rows: [["2026-01-01",35],["2026-01-02",36],["2026-01-03",37],["2026-01-04",38],["2026-01-05",39]]
SELECT DATE(CAST(year AS INT64), CAST(mo AS INT64), CAST(da AS INT64)) AS day, temp FROM `bigquery-public-data.noaa_gsod.gsod2026` ORDER BY day LIMIT 5
-- # revenue by category
-- rows: [["US","Shipped",110],["US","Complete",100],["DE","Shipped",95],["DE","Complete",85]]
SELECT u.country, o.status, ROUND(SUM(o.sale_price), 2) AS revenue FROM `bigquery-public-data.thelook_ecommerce.order_items` AS o JOIN `bigquery-public-data.thelook_ecommerce.users` AS u ON o.user_id = u.id WHERE o.status NOT IN ('Cancelled', 'Returned') GROUP BY 1, 2 ORDER BY revenue DESC, 1, 2
-- # cohorts
-- rows: [["2026-01-01",0,6],["2026-01-01",1,6]]
WITH first AS (SELECT user_id, MIN(DATE_TRUNC(DATE(created_at), MONTH)) AS cohort FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY user_id) SELECT cohort, DATE_DIFF(DATE_TRUNC(DATE(o.created_at), MONTH), cohort, MONTH) AS month, COUNT(DISTINCT o.user_id) AS users FROM `bigquery-public-data.thelook_ecommerce.order_items` AS o JOIN first USING (user_id) GROUP BY 1, 2 ORDER BY 1, 2
-- # youngest and oldest
-- rows: [["n4",24,"oldest"],["n0",20,"youngest"],["n5",20,"youngest"]]
SELECT first_name, age, tag FROM (SELECT first_name, age, 'youngest' AS tag FROM `bigquery-public-data.thelook_ecommerce.users` WHERE age = (SELECT MIN(age) FROM `bigquery-public-data.thelook_ecommerce.users`) UNION ALL SELECT first_name, age, 'oldest' FROM `bigquery-public-data.thelook_ecommerce.users` WHERE age = (SELECT MAX(age) FROM `bigquery-public-data.thelook_ecommerce.users`)) ORDER BY tag, first_name
-- # recency, frequency, money
-- rows: [[0,11,5,85,4],[1,9,5,90,3],[2,7,5,95,2],[3,5,5,100,2],[4,3,5,105,1],[5,1,5,110,1]]
SELECT user_id, DATE_DIFF(DATE '2026-03-01', MAX(DATE(created_at)), DAY) AS recency, COUNT(DISTINCT order_id) AS frequency, SUM(sale_price) AS money, NTILE(4) OVER (ORDER BY SUM(sale_price) DESC, user_id) AS quartile FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY user_id ORDER BY user_id
-- # a generated calendar
-- rows: [["2026-01-01",1],["2026-01-02",0],["2026-01-03",1],["2026-01-04",0],["2026-01-05",1],["2026-01-06",0],["2026-01-07",1],["2026-01-08",0],["2026-01-09",1],["2026-01-10",0]]
SELECT d AS day, COUNT(o.order_id) AS orders FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-01-10')) AS d LEFT JOIN `bigquery-public-data.thelook_ecommerce.order_items` AS o ON DATE(o.created_at) = d GROUP BY d ORDER BY d
-- # columns
-- rows: [["order_items","created_at"]]
SELECT table_name, column_name FROM `bigquery-public-data`.thelook_ecommerce.INFORMATION_SCHEMA.COLUMNS WHERE data_type = 'TIMESTAMP' ORDER BY 1, 2
-- # median by a window
-- rows: [["Complete",18.5],["Returned",19.5],["Shipped",20.5]]
SELECT DISTINCT status, PERCENTILE_CONT(sale_price, 0.5) OVER (PARTITION BY status) AS median FROM `bigquery-public-data.thelook_ecommerce.order_items` ORDER BY status
-- # pairs
-- rows: [[0,6],[0,12],[0,18],[0,24],[1,7]]
SELECT a.order_id AS x, b.order_id AS y FROM `bigquery-public-data.thelook_ecommerce.order_items` AS a JOIN `bigquery-public-data.thelook_ecommerce.order_items` AS b ON a.user_id = b.user_id AND a.order_id < b.order_id ORDER BY 1, 2 LIMIT 5
-- # a running total
SELECT DATE(created_at) AS day, SUM(SUM(sale_price)) OVER (ORDER BY DATE(created_at)) AS total FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY day ORDER BY day LIMIT 5
-- # unpivoted
-- rows: [["1","hottest",45],["1","temp",35]]
SELECT stn, what, value FROM (SELECT stn, temp, `max` AS hottest FROM `bigquery-public-data.noaa_gsod.gsod2026` LIMIT 1) UNPIVOT(value FOR what IN (temp, hottest)) ORDER BY what
-- # a recursive series
-- rows: [[15]]
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) AS s FROM n
-- # a table of parameters
-- rows: [[10]]
WITH p AS (SELECT DATE '2026-01-01' AS since, 'Complete' AS status) SELECT COUNT(*) AS n FROM `bigquery-public-data.thelook_ecommerce.order_items` AS o, p WHERE DATE(o.created_at) >= p.since AND o.status = p.status
-- # pipes
FROM `bigquery-public-data.thelook_ecommerce.order_items` |> WHERE sale_price > 10 |> AGGREGATE COUNT(*) AS n, SUM(sale_price) AS total GROUP BY status |> ORDER BY status
-- # sessions of fifteen minutes
-- rows: [["Flash",40],["Sun",40]]
SELECT company, COUNTIF(gap IS NULL OR gap > 3600 * 40) AS sessions FROM (SELECT company, TIMESTAMP_DIFF(trip_start_timestamp, LAG(trip_start_timestamp) OVER (PARTITION BY company ORDER BY trip_start_timestamp), SECOND) AS gap FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips`) GROUP BY company ORDER BY company
-- # created, then read
CREATE TEMP TABLE big AS SELECT * FROM `bigquery-public-data.thelook_ecommerce.order_items` WHERE sale_price > 20;
SELECT status, COUNT(*) AS n FROM big GROUP BY status ORDER BY status;
-- # growth of each status against the total, in percent
-- rows: [["Complete",32.53,40],["Returned",32.16,50],["Shipped",31.84,50]]
SELECT status, ROUND(100 * (SUM(sale_price) - AVG(sale_price) * COUNT(DISTINCT user_id)) / NULLIF(SUM(sale_price) + SUM(order_id) * 2, 0), 2) AS growth, ROUND(SAFE_DIVIDE(COUNTIF(sale_price > 20), COUNT(*)) * 100, 1) AS dear FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY status HAVING ROUND(SUM(sale_price) / NULLIF(COUNT(*) - 1, 0), 2) > 1 ORDER BY status
