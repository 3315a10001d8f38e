-- # themes
-- rows: [["TAX_FNCACT",6],["ECON_STOCK",3],["ENV_OIL",3]]
SELECT REGEXP_REPLACE(theme, r',.*', '') AS theme, COUNT(*) AS n FROM `gdelt-bq.gdeltv2.gkg`, UNNEST(SPLIT(V2Themes, ';')) AS theme WHERE theme != '' GROUP BY theme ORDER BY n DESC, theme LIMIT 10
-- # tone by day
-- rows: [["2026-01-01",0.5,3]]
SELECT EXTRACT(DATE FROM PARSE_TIMESTAMP('%Y%m%d%H%M%S', CAST(DATE AS STRING))) AS day, ROUND(AVG(CAST(SPLIT(V2Tone, ',')[OFFSET(0)] AS FLOAT64)), 2) AS tone, COUNTIF(V2Themes LIKE '%ECON%') AS economy FROM `gdelt-bq.gdeltv2.gkg` WHERE V2Locations LIKE '%#SP#%' GROUP BY day ORDER BY day
-- # places of a record
-- rows: [["Madrid",-3.7,2],["Spain",-4,2]]
SELECT SPLIT(place, '#')[SAFE_OFFSET(1)] AS name, SAFE_CAST(SPLIT(place, '#')[SAFE_OFFSET(5)] AS FLOAT64) AS latitude, COUNT(DISTINCT SourceCommonName) AS sources FROM `gdelt-bq.gdeltv2.gkg` CROSS JOIN UNNEST(SPLIT(V2Locations, ';')) AS place GROUP BY 1, 2 ORDER BY 1
-- # pairs of themes
-- rows: [["ECON_STOCK","TAX_FNCACT",3],["ENV_OIL","TAX_FNCACT",3]]
WITH t AS (SELECT DATE, SPLIT(theme, ',')[OFFSET(0)] AS theme FROM `gdelt-bq.gdeltv2.gkg`, UNNEST(SPLIT(TRIM(V2Themes, ';'), ';')) AS theme) SELECT a.theme AS one, b.theme AS other, COUNT(*) AS n FROM t AS a JOIN t AS b ON a.DATE = b.DATE AND a.theme < b.theme GROUP BY 1, 2 ORDER BY n DESC, 1
-- # balances by double entry
-- rows: [["0x0",4],["0x2",4],["0x1",-8]]
WITH book AS (SELECT to_address AS address, CAST(value AS NUMERIC) AS value FROM `bigquery-public-data.crypto_ethereum.token_transfers` WHERE token_address = '0xaa' UNION ALL SELECT from_address, -CAST(value AS NUMERIC) FROM `bigquery-public-data.crypto_ethereum.token_transfers` WHERE token_address = '0xaa') SELECT address, SUM(value) / POW(10, 12) AS balance FROM book GROUP BY address HAVING balance IS NOT NULL ORDER BY balance DESC, address
-- # a balance for every day
WITH daily AS (SELECT DATE(block_timestamp) AS day, to_address AS address, SUM(SAFE_CAST(value AS NUMERIC)) AS got FROM `bigquery-public-data.crypto_ethereum.token_transfers` GROUP BY 1, 2), balances AS (SELECT *, SUM(got) OVER (PARTITION BY address ORDER BY day) AS balance, LEAD(day, 1, DATE '2026-01-06') OVER (PARTITION BY address ORDER BY day) AS next_day FROM daily), calendar AS (SELECT day FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-01-05')) AS day) SELECT c.day, address, CAST(balance AS STRING) AS balance FROM balances AS b JOIN calendar AS c ON b.day <= c.day AND c.day < b.next_day ORDER BY day, address
-- # fees
-- rows: [["2025-12-29",0.010731,3,2],["2026-01-05",0.000924,1,1]]
SELECT DATE_TRUNC(DATE(block_timestamp), WEEK(MONDAY)) AS week, SUM(CAST(receipt_gas_used AS FLOAT64) * CAST(gas_price AS FLOAT64)) / 1e9 AS fees, COUNT(DISTINCT from_address) AS senders, COUNTIF(to_address IS NULL) AS created FROM `bigquery-public-data.crypto_ethereum.transactions` GROUP BY week ORDER BY week
-- # calls of a method
SELECT SUBSTR(input, 1, 10) AS method, COUNT(*) AS n, MAX(`hash`) AS last, APPROX_TOP_COUNT(from_address, 1)[OFFSET(0)].value AS most FROM `bigquery-public-data.crypto_ethereum.transactions` WHERE STARTS_WITH(input, '0xa9059cbb') GROUP BY method
-- # largest of each day
-- rows: [["2026-01-03","0x0A","8500000000"],["2026-01-04","0x0D","9000000000"]]
SELECT DATE(block_timestamp) AS day, ARRAY_AGG(STRUCT(`hash`, value) ORDER BY value DESC LIMIT 1)[OFFSET(0)].hash AS largest, SUM(value) AS moved FROM `bigquery-public-data.crypto_ethereum.transactions` GROUP BY day QUALIFY ROW_NUMBER() OVER (ORDER BY SUM(value) DESC, day) <= 2 ORDER BY day
-- # Gini coefficient
-- rows: [[0.063492]]
WITH b AS (SELECT from_address AS address, SUM(value) AS balance FROM `bigquery-public-data.crypto_ethereum.transactions` GROUP BY 1), ranked AS (SELECT balance, ROW_NUMBER() OVER (ORDER BY balance DESC) AS rank FROM b) SELECT ROUND(CAST(1 - 2 * SUM(balance * (rank - 1) + balance / 2) / COUNT(*) / SUM(balance) AS FLOAT64), 6) AS gini FROM ranked
-- # amounts as money
-- rows: [["0x0","   $7,500,000,000.00","    36.0"],["0x1","   $8,750,000,000.00","    37.0"],["0x2","  $10,000,000,000.00","    38.0"]]
SELECT from_address, CAST(SUM(value) AS STRING FORMAT '$999,999,999,990.00') AS amount, CAST(AVG(gas_price) AS STRING FORMAT '9,999.9') AS price FROM `bigquery-public-data.crypto_ethereum.transactions` GROUP BY 1 ORDER BY 1
