-- # trips by hour
SELECT EXTRACT(HOUR FROM trip_start_timestamp) AS hour, AVG(trip_total) AS mean, COUNT(1) AS n FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` WHERE trip_miles > 0 AND EXTRACT(YEAR FROM trip_start_timestamp) = 2026 GROUP BY hour ORDER BY hour
-- # speed
SELECT company, ROUND(SUM(trip_miles) / NULLIF(SUM(trip_seconds) / 3600, 0), 2) AS mph FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` GROUP BY company ORDER BY mph DESC
-- # best company of each month
WITH m AS (SELECT DATE_TRUNC(DATE(trip_start_timestamp), MONTH) AS month, company, SUM(trip_total) AS total FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` GROUP BY 1, 2) SELECT month, company, total FROM m QUALIFY RANK() OVER (PARTITION BY month ORDER BY total DESC) = 1 ORDER BY month
-- # change over the month before
WITH m AS (SELECT FORMAT_TIMESTAMP('%Y-%m', trip_start_timestamp) AS month, COUNT(*) AS n FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips` GROUP BY 1) SELECT month, n, LAG(n) OVER (ORDER BY month) AS before, ROUND(SAFE_DIVIDE(n - LAG(n) OVER (ORDER BY month), LAG(n) OVER (ORDER BY month)) * 100, 1) AS change FROM m ORDER BY month
-- # tags
SELECT tag, COUNT(*) AS n FROM `bigquery-public-data.stackoverflow.posts_questions`, UNNEST(SPLIT(tags, '|')) AS tag GROUP BY tag ORDER BY n DESC, tag
-- # answered within a day
SELECT EXTRACT(YEAR FROM creation_date) AS year, COUNTIF(answer_count > 0) / COUNT(*) AS answered FROM `bigquery-public-data.stackoverflow.posts_questions` GROUP BY year ORDER BY year
-- # words of titles
SELECT word, COUNT(*) AS n FROM `bigquery-public-data.stackoverflow.posts_questions` CROSS JOIN UNNEST(REGEXP_EXTRACT_ALL(LOWER(title), r'[a-z]+')) AS word WHERE LENGTH(word) > 3 GROUP BY word HAVING n >= 1 ORDER BY n DESC, word LIMIT 10
-- # weather of years
SELECT _TABLE_SUFFIX AS year, ROUND(AVG(temp), 1) AS mean FROM `bigquery-public-data.noaa_gsod.gsod*` WHERE _TABLE_SUFFIX BETWEEN '2024' AND '2026' AND temp != 9999.9 GROUP BY year ORDER BY year
-- # weather of one year
SELECT stn, MAX(`max`) AS hottest FROM `bigquery-public-data.noaa_gsod.gsod2025` WHERE `max` < 9999 GROUP BY stn ORDER BY 1
-- # days from parts
SELECT DATE(CAST(year AS INT64), CAST(mo AS INT64), CAST(da AS INT64)) AS day, temp FROM `bigquery-public-data.noaa_gsod.gsod2026` ORDER BY day LIMIT 5
-- # revenue by category
SELECT u.country, o.status, ROUND(SUM(o.sale_price), 2) AS revenue FROM `bigquery-public-data.thelook_ecommerce.order_items` AS o JOIN `bigquery-public-data.thelook_ecommerce.users` AS u ON o.user_id = u.id WHERE o.status NOT IN ('Cancelled', 'Returned') GROUP BY 1, 2 ORDER BY revenue DESC, 1, 2
-- # cohorts
WITH first AS (SELECT user_id, MIN(DATE_TRUNC(DATE(created_at), MONTH)) AS cohort FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY user_id) SELECT cohort, DATE_DIFF(DATE_TRUNC(DATE(o.created_at), MONTH), cohort, MONTH) AS month, COUNT(DISTINCT o.user_id) AS users FROM `bigquery-public-data.thelook_ecommerce.order_items` AS o JOIN first USING (user_id) GROUP BY 1, 2 ORDER BY 1, 2
-- # youngest and oldest
SELECT first_name, age, tag FROM (SELECT first_name, age, 'youngest' AS tag FROM `bigquery-public-data.thelook_ecommerce.users` WHERE age = (SELECT MIN(age) FROM `bigquery-public-data.thelook_ecommerce.users`) UNION ALL SELECT first_name, age, 'oldest' FROM `bigquery-public-data.thelook_ecommerce.users` WHERE age = (SELECT MAX(age) FROM `bigquery-public-data.thelook_ecommerce.users`)) ORDER BY tag, first_name
-- # recency, frequency, money
SELECT user_id, DATE_DIFF(DATE '2026-03-01', MAX(DATE(created_at)), DAY) AS recency, COUNT(DISTINCT order_id) AS frequency, SUM(sale_price) AS money, NTILE(4) OVER (ORDER BY SUM(sale_price) DESC, user_id) AS quartile FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY user_id ORDER BY user_id
-- # a generated calendar
SELECT d AS day, COUNT(o.order_id) AS orders FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-01-10')) AS d LEFT JOIN `bigquery-public-data.thelook_ecommerce.order_items` AS o ON DATE(o.created_at) = d GROUP BY d ORDER BY d
-- # columns
SELECT table_name, column_name FROM `bigquery-public-data`.thelook_ecommerce.INFORMATION_SCHEMA.COLUMNS WHERE data_type = 'TIMESTAMP' ORDER BY 1, 2
-- # median by a window
SELECT DISTINCT status, PERCENTILE_CONT(sale_price, 0.5) OVER (PARTITION BY status) AS median FROM `bigquery-public-data.thelook_ecommerce.order_items` ORDER BY status
-- # pairs
SELECT a.order_id AS x, b.order_id AS y FROM `bigquery-public-data.thelook_ecommerce.order_items` AS a JOIN `bigquery-public-data.thelook_ecommerce.order_items` AS b ON a.user_id = b.user_id AND a.order_id < b.order_id ORDER BY 1, 2 LIMIT 5
-- # a running total
SELECT DATE(created_at) AS day, SUM(SUM(sale_price)) OVER (ORDER BY DATE(created_at)) AS total FROM `bigquery-public-data.thelook_ecommerce.order_items` GROUP BY day ORDER BY day LIMIT 5
-- # unpivoted
SELECT stn, what, value FROM (SELECT stn, temp, `max` AS hottest FROM `bigquery-public-data.noaa_gsod.gsod2026` LIMIT 1) UNPIVOT(value FOR what IN (temp, hottest)) ORDER BY what
-- # a recursive series
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) AS s FROM n
-- # a table of parameters
WITH p AS (SELECT DATE '2026-01-01' AS since, 'Complete' AS status) SELECT COUNT(*) AS n FROM `bigquery-public-data.thelook_ecommerce.order_items` AS o, p WHERE DATE(o.created_at) >= p.since AND o.status = p.status
-- # pipes
FROM `bigquery-public-data.thelook_ecommerce.order_items` |> WHERE sale_price > 10 |> AGGREGATE COUNT(*) AS n, SUM(sale_price) AS total GROUP BY status |> ORDER BY status
-- # sessions of fifteen minutes
SELECT company, COUNTIF(gap IS NULL OR gap > 3600 * 40) AS sessions FROM (SELECT company, TIMESTAMP_DIFF(trip_start_timestamp, LAG(trip_start_timestamp) OVER (PARTITION BY company ORDER BY trip_start_timestamp), SECOND) AS gap FROM `bigquery-public-data.chicago_taxi_trips.taxi_trips`) GROUP BY company ORDER BY company
-- # created, then read
CREATE TEMP TABLE big AS SELECT * FROM `bigquery-public-data.thelook_ecommerce.order_items` WHERE sale_price > 20;
SELECT status, COUNT(*) AS n FROM big GROUP BY status ORDER BY status;
