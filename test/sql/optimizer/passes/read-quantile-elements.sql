-- One element of a quantile array is one quantile, and NULL where no value is
SELECT area, APPROX_QUANTILES(ms, 100)[OFFSET(95)] AS p95 FROM events WHERE id > 5 GROUP BY area ORDER BY area;
SELECT
  events.area AS area,
  if(avgOrNull(isNaN(events.ms)) >= 0.95, nan, quantileExactOrNull(0.9499999999)(max2(events.ms, -inf))) AS p95
FROM default.events AS events
WHERE events.id > 5
GROUP BY events.area
ORDER BY events.area NULLS FIRST;
-- = [null,1]
-- = ["",0]
-- = ["storage",7]

-- The array itself, where it is wanted, is an array
SELECT APPROX_QUANTILES(ms, 2) AS thirds FROM events;
SELECT
  if(empty(arrayRotateRight(arraySort(groupArray(events.ms)), countIf(isNaN(events.ms)))), [], arrayMap(k -> arrayElement(arrayRotateRight(arraySort(groupArray(events.ms)), countIf(isNaN(events.ms))), greatest(intDiv(k * length(arrayRotateRight(arraySort(groupArray(events.ms)), countIf(isNaN(events.ms)))) + 1, 2), 1)), range(3))) AS thirds
FROM default.events AS events;
-- = [[-3,5.5,40]]

-- Several elements are read from one state of the values
SELECT area, APPROX_QUANTILES(ms, 100)[OFFSET(99)] AS p99, APPROX_QUANTILES(ms, 100)[SAFE_OFFSET(50)] AS p50 FROM events GROUP BY area ORDER BY area;
WITH
  avgOrNull(isNaN(events.ms)) AS aggregate,
  quantilesExactOrNull(0.4999999999, 0.9899999999)(max2(events.ms, -inf)) AS aggregate_2
SELECT
  events.area AS area,
  if(aggregate >= 0.99, nan, arrayElementOrNull(aggregate_2, 2)) AS p99,
  if(aggregate >= 0.5, nan, arrayElementOrNull(aggregate_2, 1)) AS p50
FROM default.events AS events
GROUP BY events.area
ORDER BY events.area NULLS FIRST;
-- = [null,1,1]
-- = ["",0,0]
-- = ["auth",40,5.5]
-- = ["rest",20,10]
-- = ["storage",7,-3]

SELECT q[OFFSET(99)] AS p99, q[SAFE_OFFSET(50)] AS p50, q[OFFSET(0)] AS p0 FROM (SELECT APPROX_QUANTILES(id, 100) AS q FROM events);
WITH
  quantilesExactOrNull(0, 0.4999999999, 0.9899999999)(events.id) AS aggregate
SELECT
  arrayElementOrNull(aggregate, 3) AS p99,
  arrayElementOrNull(aggregate, 2) AS p50,
  arrayElementOrNull(aggregate, 1) AS p0
FROM default.events AS events;
-- = [10,5,1]

SELECT q[OFFSET(99)] AS p99, q[SAFE_OFFSET(50)] AS p50 FROM (SELECT APPROX_QUANTILES(ms, 100) AS q FROM events WHERE id > 1000);
WITH
  avgOrNull(isNaN(events.ms)) AS aggregate,
  quantilesExactOrNull(0.4999999999, 0.9899999999)(max2(events.ms, -inf)) AS aggregate_2
SELECT
  if(aggregate >= 0.99, nan, arrayElementOrNull(aggregate_2, 2)) AS p99,
  if(aggregate >= 0.5, nan, arrayElementOrNull(aggregate_2, 1)) AS p50
FROM default.events AS events
WHERE events.id > 1000;
-- = [null,null]
