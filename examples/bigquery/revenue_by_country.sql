-- As it ran in BigQuery: a script, a table of a project, SAFE functions, QUALIFY.
DECLARE least FLOAT64 DEFAULT 50;

SELECT
  country,
  COUNT(*) AS orders,
  SUM(total) AS revenue,
  ROUND(SAFE_DIVIDE(SUM(total), COUNT(DISTINCT customer)), 2) AS per_customer
FROM `my-proj.shop.orders`
WHERE total >= least
GROUP BY country
QUALIFY RANK() OVER (ORDER BY SUM(total) DESC) <= 3
ORDER BY revenue DESC;
