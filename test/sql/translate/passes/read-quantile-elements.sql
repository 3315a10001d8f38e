-- One element of a quantile array is one quantile, and NULL where no value is
SELECT area, APPROX_QUANTILES(ms, 100)[OFFSET(95)] AS p95 FROM events WHERE id > 5 GROUP BY area ORDER BY area;
SELECT
  events.area AS area,
  if(greatest(intDiv(95 * count(events.ms) + 99, 100), 1) <= countIf(isNaN(events.ms)), nan, quantileExactOrNull(0.9499999999)(if(isNaN(events.ms), -inf, events.ms))) AS p95
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
