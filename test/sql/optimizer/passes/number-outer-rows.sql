-- Equal outer rows count once each, not once per pair
SELECT a.area, (SELECT COUNT(*) FROM events AS b WHERE b.area = a.area) AS n FROM events AS a WHERE a.area = 'rest';
SELECT q_2.area AS area, q_2.n AS n
FROM (
  SELECT
    q.area AS area,
    ifNull((
      SELECT toInt64(count()) AS count
      FROM default.events AS b
      WHERE q.row_number > 0 AND b.area = q.area
    ), 0) AS n
  FROM (
    SELECT a.area AS area, toInt64(row_number() OVER (ORDER BY a.area NULLS FIRST)) AS row_number
    FROM default.events AS a
    WHERE a.area = 'rest'
  ) AS q
) AS q_2;
-- = ["rest",3]
-- = ["rest",3]
-- = ["rest",3]

-- No inner row is 0 for COUNT and NULL for the rest
SELECT a.id, (SELECT COUNT(*) FROM events AS b WHERE b.ms > a.ms) AS n, (SELECT SUM(b.ms) FROM events AS b WHERE b.ms > a.ms) AS total FROM events AS a WHERE a.id IN (3, 5, 6) ORDER BY a.id;
SELECT q_2.id AS id, q_2.n AS n, q_2.total AS total
FROM (
  SELECT
    q.id AS id,
    ifNull((
      SELECT toInt64(count()) AS count
      FROM default.events AS b
      WHERE q.row_number > 0 AND b.ms > q.ms
    ), 0) AS n,
    (
      SELECT sumOrNull(b_2.ms) AS sum
      FROM default.events AS b_2
      WHERE q.row_number > 0 AND b_2.ms > q.ms
    ) AS total
  FROM (
    SELECT
      a.id AS id,
      a.ms AS ms,
      toInt64(row_number() OVER (ORDER BY a.ms IS NULL DESC, ifNull(isNaN(a.ms), 0) DESC, a.ms)) AS row_number
    FROM default.events AS a
    WHERE a.id IN (3, 5, 6)
  ) AS q
) AS q_2
ORDER BY q_2.id;
-- = [3,0,null]
-- = [5,0,null]
-- = [6,5,82.5]
