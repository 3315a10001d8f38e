-- A correlated subquery in ORDER BY is computed first
SELECT a.id FROM events AS a WHERE a.id < 4 ORDER BY (SELECT MAX(b.ms) FROM events AS b WHERE b.area = a.area AND b.id <= a.id), a.id DESC;
SELECT q_2.id AS id
FROM (
  SELECT
    q.id AS id,
    (
      SELECT if(maxOrNull(isNaN(b.ms)), nan, maxOrNull(b.ms)) AS max
      FROM default.events AS b
      WHERE q.row_number > 0 AND b.area = q.area AND b.id <= q.id
    ) AS subquery
  FROM (
    SELECT a.id AS id, a.area AS area, toInt64(row_number() OVER (ORDER BY a.area NULLS FIRST, a.id)) AS row_number
    FROM default.events AS a
    WHERE a.id < 4
  ) AS q
) AS q_2
ORDER BY q_2.subquery IS NULL DESC, ifNull(isNaN(q_2.subquery), 0) DESC, q_2.subquery, q_2.id DESC;
-- = [1]
-- = [3]
-- = [2]

-- A correlated IN is asked row by row, NULL in NULL out
SELECT a.id, a.ms IN (SELECT b.ms FROM events AS b WHERE b.area = a.area AND b.id < a.id) AS known FROM events AS a ORDER BY a.id;
SELECT q.id AS id, q.known AS known
FROM (
  SELECT
    a.id AS id,
    multiIf(EXISTS (
      SELECT b.ms AS ms
      FROM default.events AS b
      WHERE b.area = a.area AND b.id < a.id AND a.ms = b.ms
    ), true, NOT EXISTS (
      SELECT b_2.ms AS ms
      FROM default.events AS b_2
      WHERE b_2.area = a.area AND b_2.id < a.id
    ), false, a.ms IS NULL OR EXISTS (
      SELECT b_3.ms AS ms
      FROM default.events AS b_3
      WHERE b_3.area = a.area AND b_3.id < a.id AND b_3.ms IS NULL
    ), CAST(NULL, 'Nullable(Bool)'), false) AS known
  FROM default.events AS a
) AS q
ORDER BY q.id;
-- = [1,false]
-- = [2,false]
-- = [3,null]
-- = [4,false]
-- = [5,false]
-- = [6,false]
-- = [7,false]
-- = [8,false]
-- = [9,false]
-- = [10,false]
