// Queries of the shapes that people bring along, each beside the ClickHouse SQL that somebody who knows the tables would write for the same rows.

/** `k` from 0 to `count - 1`, each written by `write`. */
const each = (count, write) => Array.from({ length: count }, (_, k) => write(k)).join(', ');

/** Questions about page views in one wide table. */
const VIEWS = [
  {
    name: 'count of a test',
    bigquery: 'SELECT COUNT(*) AS n FROM views WHERE engine <> 0',
    clickhouse: 'SELECT count() AS n FROM views WHERE engine != 0',
  },
  {
    name: 'plain aggregates',
    bigquery: 'SELECT SUM(engine) AS s, COUNT(*) AS n, AVG(width) AS w, MIN(day) AS first, MAX(day) AS last, AVG(visitor) AS v FROM views',
    clickhouse:
      'SELECT sum(engine) AS s, count() AS n, avg(width) AS w, min(day) AS first, max(day) AS last, avg(toFloat64(visitor)) AS v FROM views',
  },
  {
    name: 'sums of x + k',
    bigquery: `SELECT ${each(40, (k) => `SUM(width + ${k}) AS s${k}`)} FROM views`,
    clickhouse: `SELECT ${each(40, (k) => `sum(width) + ${k} * count() AS s${k}`)} FROM views`,
  },
  {
    name: 'aggregates by key',
    bigquery: `SELECT region, SUM(engine) AS s, COUNT(*) AS n, AVG(width) AS w, COUNT(DISTINCT visitor) AS v FROM views
               GROUP BY region ORDER BY n DESC, region LIMIT 10`,
    clickhouse: `SELECT region, sum(engine) AS s, count() AS n, avg(width) AS w, uniqExact(visitor) AS v FROM views
                 GROUP BY region ORDER BY n DESC, region LIMIT 10`,
  },
  {
    name: 'sum and average by two keys',
    bigquery: `SELECT address, visitor, COUNT(*) AS n, SUM(reload) AS r, AVG(width) AS w FROM views
               GROUP BY address, visitor ORDER BY n DESC, address, visitor LIMIT 10`,
    clickhouse: `SELECT address, visitor, count() AS n, sum(reload) AS r, avg(width) AS w FROM views
                 GROUP BY address, visitor ORDER BY n DESC, address, visitor LIMIT 10`,
  },
  {
    name: 'dependent keys',
    bigquery: `SELECT address, address - 1 AS a1, address - 2 AS a2, address - 3 AS a3, COUNT(*) AS n FROM views
               GROUP BY address, a1, a2, a3 ORDER BY n DESC, address LIMIT 10`,
    clickhouse: `SELECT address, address - 1 AS a1, address - 2 AS a2, address - 3 AS a3, count() AS n FROM views
                 GROUP BY address ORDER BY n DESC, address LIMIT 10`,
  },
  {
    name: 'texts by key',
    bigquery: `SELECT phrase, MIN(url) AS u, COUNT(*) AS n FROM views WHERE url LIKE '%shop.%' AND phrase <> ''
               GROUP BY phrase ORDER BY n DESC, phrase LIMIT 10`,
    clickhouse: `SELECT phrase, min(url) AS u, count() AS n FROM views WHERE url LIKE '%shop.%' AND phrase != ''
                 GROUP BY phrase ORDER BY n DESC, phrase LIMIT 10`,
  },
  {
    name: 'a range of the key',
    bigquery: `SELECT url, COUNT(*) AS n FROM views
               WHERE site = 62 AND day >= '2025-07-10' AND day <= '2025-07-12' AND reload = 0 AND url <> ''
               GROUP BY url ORDER BY n DESC, url LIMIT 10`,
    clickhouse: `SELECT url, count() AS n FROM views
                 WHERE site = 62 AND day >= '2025-07-10' AND day <= '2025-07-12' AND reload = 0 AND url != ''
                 GROUP BY url ORDER BY n DESC, url LIMIT 10`,
  },
  {
    name: 'a list of the key',
    bigquery: `SELECT engine, width, COUNT(*) AS n FROM views WHERE site IN (40, 62, 71) AND day = DATE '2025-07-14' AND engine IN (0, 3, 6)
               GROUP BY engine, width ORDER BY n DESC, engine, width LIMIT 10`,
    clickhouse: `SELECT engine, width, count() AS n FROM views WHERE site IN (40, 62, 71) AND day = '2025-07-14' AND engine IN (0, 3, 6)
                 GROUP BY engine, width ORDER BY n DESC, engine, width LIMIT 10`,
  },
  {
    name: 'minutes',
    bigquery: `SELECT TIMESTAMP_TRUNC(seen, MINUTE) AS minute, COUNT(*) AS n FROM views WHERE day BETWEEN '2025-07-14' AND '2025-07-15'
               GROUP BY minute ORDER BY minute LIMIT 10 OFFSET 1000`,
    clickhouse: `SELECT toStartOfMinute(seen) AS minute, count() AS n FROM views WHERE day BETWEEN '2025-07-14' AND '2025-07-15'
                 GROUP BY minute ORDER BY minute LIMIT 10 OFFSET 1000`,
  },
  {
    name: 'a part of a time',
    bigquery: `SELECT visitor, EXTRACT(HOUR FROM seen) AS h, phrase, COUNT(*) AS n FROM views
               GROUP BY visitor, h, phrase ORDER BY n DESC, visitor, h, phrase LIMIT 10`,
    clickhouse: `SELECT visitor, toHour(seen) AS h, phrase, count() AS n FROM views
                 GROUP BY visitor, h, phrase ORDER BY n DESC, visitor, h, phrase LIMIT 10`,
  },
  {
    name: 'first and last time',
    bigquery: `SELECT visitor, MIN(seen) AS first, MAX(seen) AS last, TIMESTAMP_DIFF(MAX(seen), MIN(seen), SECOND) AS s FROM views
               GROUP BY visitor ORDER BY s DESC, visitor LIMIT 10`,
    clickhouse: `SELECT visitor, min(seen) AS first, max(seen) AS last, toUnixTimestamp(max(seen)) - toUnixTimestamp(min(seen)) AS s FROM views
                 GROUP BY visitor ORDER BY s DESC, visitor LIMIT 10`,
  },
  {
    name: 'choices',
    bigquery: `SELECT engine, IF(reload = 0 AND engine = 0, url, '') AS source, CASE WHEN width > 1400 THEN 'wide' ELSE 'narrow' END AS shape,
                 COUNT(*) AS n, COUNTIF(phrase <> '') AS searches
               FROM views GROUP BY engine, source, shape ORDER BY n DESC, engine, source, shape LIMIT 10`,
    clickhouse: `SELECT engine, if(reload = 0 AND engine = 0, url, '') AS source, if(width > 1400, 'wide', 'narrow') AS shape,
                   count() AS n, countIf(phrase != '') AS searches
                 FROM views GROUP BY engine, source, shape ORDER BY n DESC, engine, source, shape LIMIT 10`,
  },
  {
    name: 'hosts',
    bigquery: `SELECT REGEXP_REPLACE(url, r'^https?://(?:www\\.)?([^/]+)/.*$', r'\\1') AS host, AVG(LENGTH(url)) AS l, COUNT(*) AS n FROM views
               GROUP BY host HAVING COUNT(*) > 100 ORDER BY l DESC, host LIMIT 10`,
    clickhouse: `SELECT replaceRegexpOne(url, '^https?://(?:www\\\\.)?([^/]+)/.*$', '\\\\1') AS host, avg(length(url)) AS l, count() AS n FROM views
                 GROUP BY host HAVING count() > 100 ORDER BY l DESC, host LIMIT 10`,
  },
];

/** Questions to a shop in the third normal form. */
const SHOP = [
  {
    name: 'pricing summary',
    bigquery: `SELECT returned, status, SUM(quantity) AS q, SUM(price * (1 - discount)) AS net, SUM(price * (1 - discount) * (1 + tax)) AS charge,
                 AVG(quantity) AS aq, AVG(price) AS ap, COUNT(*) AS n
               FROM lines WHERE shipped <= DATE_SUB(DATE '1998-12-01', INTERVAL 90 DAY) GROUP BY returned, status ORDER BY returned, status`,
    clickhouse: `SELECT returned, status, sum(quantity) AS q, sum(price * (1 - discount)) AS net, sum(price * (1 - discount) * (1 + tax)) AS charge,
                   round(divideDecimal(sum(quantity), toDecimal64(count(), 0), 10), 9) AS aq,
                   round(divideDecimal(sum(price), toDecimal64(count(), 0), 10), 9) AS ap, count() AS n
                 FROM lines WHERE shipped <= '1998-09-02' GROUP BY returned, status ORDER BY returned, status`,
  },
  {
    name: 'forecast',
    bigquery: `SELECT SUM(price * discount) AS revenue FROM lines
               WHERE shipped >= DATE '1994-01-01' AND shipped < DATE '1994-01-01' + INTERVAL 1 YEAR
                 AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24`,
    clickhouse: `SELECT sum(price * discount) AS revenue FROM lines
                 WHERE shipped >= '1994-01-01' AND shipped < '1995-01-01' AND discount BETWEEN 0.05 AND 0.07 AND quantity < 24`,
  },
  {
    name: 'three tables',
    bigquery: `SELECT l.order_id, SUM(l.price * (1 - l.discount)) AS revenue, o.ordered
               FROM customers AS c JOIN orders AS o ON c.customer = o.customer JOIN lines AS l ON l.order_id = o.order_id
               WHERE c.segment = 'TOOLS' AND o.ordered < DATE '1995-03-15' AND l.shipped > DATE '1995-03-15'
               GROUP BY l.order_id, o.ordered ORDER BY revenue DESC, l.order_id LIMIT 10`,
    clickhouse: `SELECT l.order_id, sum(l.price * (1 - l.discount)) AS revenue, o.ordered
                 FROM customers AS c JOIN orders AS o ON c.customer = o.customer JOIN lines AS l ON l.order_id = o.order_id
                 WHERE c.segment = 'TOOLS' AND o.ordered < '1995-03-15' AND l.shipped > '1995-03-15'
                 GROUP BY l.order_id, o.ordered ORDER BY revenue DESC, l.order_id LIMIT 10`,
  },
  {
    name: 'EXISTS',
    bigquery: `SELECT priority, COUNT(*) AS n FROM orders AS o
               WHERE ordered >= DATE '1993-07-01' AND ordered < DATE '1993-10-01'
                 AND EXISTS (SELECT * FROM lines AS l WHERE l.order_id = o.order_id AND l.promised < l.received)
               GROUP BY priority ORDER BY priority`,
    clickhouse: `SELECT priority, count() AS n FROM orders AS o SEMI LEFT JOIN (SELECT order_id FROM lines WHERE promised < received) AS l USING (order_id)
                 WHERE ordered >= '1993-07-01' AND ordered < '1993-10-01' GROUP BY priority ORDER BY priority`,
  },
  {
    name: 'NOT EXISTS',
    bigquery: `SELECT SUBSTR(c.phone, 1, 2) AS code, COUNT(*) AS n, SUM(c.balance) AS total FROM customers AS c
               WHERE c.balance > 0 AND NOT EXISTS (SELECT 1 FROM orders AS o WHERE o.customer = c.customer) GROUP BY code ORDER BY code`,
    clickhouse: `SELECT substring(phone, 1, 2) AS code, count() AS n, sum(balance) AS total FROM customers
                 WHERE balance > 0 AND customer NOT IN (SELECT customer FROM orders) GROUP BY code ORDER BY code`,
  },
  {
    name: 'EXISTS with another supplier',
    bigquery: `SELECT l1.supplier, COUNT(*) AS n FROM lines AS l1 JOIN orders AS o ON o.order_id = l1.order_id
               WHERE o.status = 'F' AND l1.received > l1.promised
                 AND EXISTS (SELECT * FROM lines AS l2 WHERE l2.order_id = l1.order_id AND l2.supplier <> l1.supplier)
                 AND NOT EXISTS (SELECT * FROM lines AS l3
                                 WHERE l3.order_id = l1.order_id AND l3.supplier <> l1.supplier AND l3.received > l3.promised)
               GROUP BY l1.supplier ORDER BY n DESC, l1.supplier LIMIT 10`,
    clickhouse: `SELECT l1.supplier, count() AS n FROM lines AS l1 JOIN orders AS o ON o.order_id = l1.order_id
                 WHERE o.status = 'F' AND l1.received > l1.promised
                   AND l1.order_id IN (SELECT order_id FROM lines GROUP BY order_id HAVING min(supplier) != max(supplier))
                   AND l1.order_id IN (SELECT order_id FROM lines WHERE received > promised GROUP BY order_id HAVING min(supplier) = max(supplier))
                 GROUP BY l1.supplier ORDER BY n DESC, l1.supplier LIMIT 10`,
  },
  {
    name: 'a key in each choice',
    bigquery: `SELECT SUM(l.price * (1 - l.discount)) AS revenue FROM lines AS l, parts AS p
               WHERE (p.part = l.part AND p.brand = 'Brand#12' AND p.box IN ('SM CASE', 'SM BOX') AND l.quantity BETWEEN 1 AND 11 AND l.mode IN ('AIR', 'AIR REG'))
                  OR (p.part = l.part AND p.brand = 'Brand#23' AND p.box IN ('MED BAG') AND l.quantity BETWEEN 10 AND 20 AND l.mode IN ('AIR', 'AIR REG'))
                  OR (p.part = l.part AND p.brand = 'Brand#14' AND p.box IN ('LG CASE', 'LG BOX') AND l.quantity BETWEEN 20 AND 30 AND l.mode IN ('AIR', 'AIR REG'))`,
    clickhouse: `SELECT sum(l.price * (1 - l.discount)) AS revenue FROM lines AS l JOIN parts AS p ON p.part = l.part
                 WHERE l.mode IN ('AIR', 'AIR REG')
                   AND ((p.brand = 'Brand#12' AND p.box IN ('SM CASE', 'SM BOX') AND l.quantity BETWEEN 1 AND 11)
                     OR (p.brand = 'Brand#23' AND p.box = 'MED BAG' AND l.quantity BETWEEN 10 AND 20)
                     OR (p.brand = 'Brand#14' AND p.box IN ('LG CASE', 'LG BOX') AND l.quantity BETWEEN 20 AND 30))`,
  },
  {
    name: 'less than the average',
    bigquery: `SELECT SUM(l.price) / 7 AS yearly FROM lines AS l JOIN parts AS p ON p.part = l.part
               WHERE p.brand = 'Brand#23' AND p.box = 'MED BAG' AND l.quantity < (SELECT 0.5 * AVG(i.quantity) FROM lines AS i WHERE i.part = p.part)`,
    clickhouse: `SELECT round(divideDecimal(sum(l.price), toDecimal64(7, 0), 10), 9) AS yearly FROM lines AS l
                 JOIN (SELECT part, 0.5 * avg(quantity) AS half FROM lines
                       WHERE part IN (SELECT part FROM parts WHERE brand = 'Brand#23' AND box = 'MED BAG') GROUP BY part) AS p ON p.part = l.part
                 WHERE l.quantity < p.half`,
  },
  {
    name: 'share of a kind',
    bigquery: `SELECT 100 * SUM(CASE WHEN p.type LIKE 'PROMO%' THEN l.price * (1 - l.discount) ELSE 0 END) / SUM(l.price * (1 - l.discount)) AS share
               FROM lines AS l JOIN parts AS p ON l.part = p.part
               WHERE l.shipped >= DATE '1995-09-01' AND l.shipped < DATE_ADD(DATE '1995-09-01', INTERVAL 1 MONTH)`,
    clickhouse: `SELECT round(divideDecimal(100 * toDecimal256(sumIf(l.price * (1 - l.discount), p.type LIKE 'PROMO%'), 9), sum(l.price * (1 - l.discount)), 10), 9) AS share
                 FROM lines AS l JOIN parts AS p ON l.part = p.part WHERE l.shipped >= '1995-09-01' AND l.shipped < '1995-10-01'`,
  },
  {
    name: 'late by mode',
    bigquery: `SELECT l.mode, SUM(CASE WHEN o.priority = '1-URGENT' OR o.priority = '2-HIGH' THEN 1 ELSE 0 END) AS high,
                 SUM(CASE WHEN o.priority <> '1-URGENT' AND o.priority <> '2-HIGH' THEN 1 ELSE 0 END) AS low
               FROM orders AS o JOIN lines AS l ON o.order_id = l.order_id
               WHERE l.mode IN ('MAIL', 'SHIP') AND l.promised < l.received AND l.shipped < l.promised
                 AND l.received >= DATE '1994-01-01' AND l.received < DATE '1994-01-01' + INTERVAL 1 YEAR
               GROUP BY l.mode ORDER BY l.mode`,
    clickhouse: `SELECT l.mode, countIf(o.priority IN ('1-URGENT', '2-HIGH')) AS high, countIf(o.priority NOT IN ('1-URGENT', '2-HIGH')) AS low
                 FROM orders AS o JOIN lines AS l ON o.order_id = l.order_id
                 WHERE l.mode IN ('MAIL', 'SHIP') AND l.promised < l.received AND l.shipped < l.promised
                   AND l.received >= '1994-01-01' AND l.received < '1995-01-01'
                 GROUP BY l.mode ORDER BY l.mode`,
  },
];

/** Questions to sales around dimensions, whose columns may be NULL. */
const SALES = [
  {
    name: 'averages over NULLs',
    bigquery: `SELECT i.item, AVG(s.quantity) AS q, SUM(s.price) AS p, COUNT(s.customer) AS c FROM sales AS s
               JOIN items AS i ON s.item = i.item JOIN days AS d ON s.sold_on = d.day_id
               WHERE d.year = 2000 GROUP BY i.item ORDER BY i.item LIMIT 100`,
    clickhouse: `SELECT i.item, avg(s.quantity) AS q, sum(s.price) AS p, count(s.customer) AS c FROM sales AS s
                 JOIN items AS i ON s.item = i.item JOIN days AS d ON s.sold_on = d.day_id
                 WHERE d.year = 2000 GROUP BY i.item ORDER BY i.item LIMIT 100`,
  },
  {
    name: 'ROLLUP',
    bigquery: `SELECT i.category, i.class, SUM(s.profit) AS profit, COUNT(*) AS n FROM sales AS s JOIN items AS i ON s.item = i.item
               GROUP BY ROLLUP (i.category, i.class) ORDER BY n DESC, i.category, i.class LIMIT 50`,
    clickhouse: `SELECT i.category, i.class, sum(s.profit) AS profit, count() AS n FROM sales AS s JOIN items AS i ON s.item = i.item
                 GROUP BY ROLLUP (i.category, i.class) ORDER BY n DESC, i.category NULLS FIRST, i.class NULLS FIRST LIMIT 50
                 SETTINGS group_by_use_nulls = 1`,
  },
  {
    name: 'OR of two keys in ON',
    bigquery: `SELECT COUNT(*) AS n, SUM(b.quantity) AS q FROM (SELECT * FROM sales WHERE store = 3 AND quantity < 3) AS a
               JOIN (SELECT * FROM sales WHERE store = 4 AND quantity < 3) AS b ON a.customer = b.customer OR a.ticket = b.ticket`,
    clickhouse: `SELECT count() AS n, sum(b.quantity) AS q FROM (SELECT * FROM sales WHERE store = 3 AND quantity < 3) AS a
                 JOIN (SELECT * FROM sales WHERE store = 4 AND quantity < 3) AS b ON a.customer = b.customer OR a.ticket = b.ticket`,
  },
  {
    name: 'rank within groups',
    bigquery: `SELECT * FROM (SELECT i.category, i.class, SUM(s.price) AS p, RANK() OVER (PARTITION BY i.category ORDER BY SUM(s.price) DESC) AS r
               FROM sales AS s JOIN items AS i ON s.item = i.item GROUP BY i.category, i.class) WHERE r <= 3 ORDER BY category, r, class`,
    clickhouse: `SELECT * FROM (SELECT i.category, i.class, sum(s.price) AS p, rank() OVER (PARTITION BY i.category ORDER BY sum(s.price) DESC) AS r
                 FROM sales AS s JOIN items AS i ON s.item = i.item GROUP BY i.category, i.class)
                 WHERE r <= 3 ORDER BY category NULLS FIRST, r, class NULLS FIRST`,
  },
  {
    name: 'EXISTS for many rows',
    bigquery: `SELECT COUNT(*) AS n FROM sales AS s
               WHERE EXISTS (SELECT 1 FROM sales AS r WHERE r.customer = s.customer AND r.store = 3 AND r.quantity > 97)`,
    clickhouse: `SELECT count() AS n FROM sales WHERE customer IN (SELECT customer FROM sales WHERE store = 3 AND quantity > 97)`,
  },
  {
    name: 'EXISTS or EXISTS',
    bigquery: `SELECT c.nation, COUNT(*) AS n FROM customers AS c
               WHERE EXISTS (SELECT 1 FROM sales AS s WHERE s.customer = c.customer AND s.quantity > 98)
                  OR EXISTS (SELECT 1 FROM orders AS o WHERE o.customer = c.customer AND o.status = 'P')
               GROUP BY c.nation ORDER BY c.nation`,
    clickhouse: `SELECT nation, count() AS n FROM customers
                 WHERE customer IN (SELECT customer FROM sales WHERE quantity > 98) OR customer IN (SELECT customer FROM orders WHERE status = 'P')
                 GROUP BY nation ORDER BY nation`,
  },
  {
    name: 'above the average of a group',
    bigquery: `WITH totals AS (SELECT customer, store, SUM(price) AS total FROM sales GROUP BY customer, store)
               SELECT t.customer, t.store FROM totals AS t WHERE t.total > (SELECT AVG(o.total) * 3 FROM totals AS o WHERE o.store = t.store)
               ORDER BY t.customer, t.store LIMIT 100`,
    clickhouse: `WITH totals AS (SELECT customer, store, sum(price) AS total FROM sales GROUP BY customer, store),
                   limits AS (SELECT store, avg(total) * 3 AS most FROM totals GROUP BY store)
                 SELECT t.customer, t.store FROM totals AS t JOIN limits AS l ON l.store = t.store WHERE t.total > l.most
                 ORDER BY t.customer NULLS FIRST, t.store NULLS FIRST LIMIT 100`,
  },
  {
    name: 'customers of both',
    bigquery: `SELECT COUNT(*) AS n FROM (SELECT DISTINCT customer, sold_on FROM sales WHERE store = 1
               INTERSECT DISTINCT SELECT DISTINCT customer, sold_on FROM sales WHERE store = 2)`,
    clickhouse: `SELECT count() AS n FROM (SELECT customer, sold_on FROM sales WHERE store = 1
                 INTERSECT DISTINCT SELECT customer, sold_on FROM sales WHERE store = 2)`,
  },
];

export const CASES = Object.entries({ views: VIEWS, shop: SHOP, sales: SALES }).flatMap(([manner, cases]) =>
  cases.map((one) => ({ manner, ...one })),
);
