// Parameters as people use them: filters that are off where nothing is given, choices of buckets, lists.
import type { Random } from '../../../../src/cli/demo/random.ts';
import { arrayOf, BOOL, DATE, FLOAT64, INT64, STRING, TIMESTAMP } from '../../../../src/sql/base/types.ts';
import type { Argument } from '../../outcome.ts';
import type { Node } from '../../tree.ts';
import { type Idiom, type Maker, ordered, sql } from './maker.ts';

/** What a query may be given; an optional parameter that is not given is NULL. */
export const someArguments = (random: Random): readonly Argument[] => [
  { name: 'n', type: INT64, value: random.pick([null, 0n, 1n, 2n, 3n]) },
  { name: 'text', type: STRING, value: random.pick([null, '', 'a', 'abc', 'day', 'month']) },
  { name: 'flag', type: BOOL, value: random.pick([null, true, false]) },
  { name: 'day', type: DATE, value: random.pick([null, '2024-02-29', '1970-01-01']) },
  { name: 'since', type: TIMESTAMP, value: random.pick([null, '2024-02-29T12:34:56.789000Z', '1969-12-31T23:59:59.999999Z']) },
  { name: 'share', type: FLOAT64, value: random.pick([null, 0, 0.5, 2.5]) },
  { name: 'ids', type: arrayOf(INT64), value: random.pick([[], [1n, 2n], [1n, null], [3n]]) },
  { name: 'words', type: arrayOf(STRING), value: random.pick([[], ['a', ''], ['abc', null]]) },
];

/** A filter that hangs on a parameter. */
const filter = (m: Maker): Node =>
  m.some(
    () => sql`(@n IS NULL OR a.${m.some('k', 'i', 'id')} ${m.some('=', '>', '!=')} @n)`,
    () => sql`(@text IS NULL OR @text = '' OR a.${m.some('v', 's', 'w')} = @text)`,
    () => sql`IF(@text = '', TRUE, a.${m.some('v', 's')} ${m.some('=', '!=')} @text)`,
    () => sql`IF(@flag, ${m.condition('a')}, ${m.condition('a')})`,
    () => sql`CASE WHEN @flag IS NULL THEN TRUE WHEN @flag THEN a.c ELSE NOT a.c END`,
    () => sql`a.k ${m.some('IN', 'NOT IN')} UNNEST(@ids)`,
    () => sql`a.i ${m.some('IN', 'NOT IN')} UNNEST(@ids)`,
    () => sql`(ARRAY_LENGTH(@words) = 0 OR a.v IN UNNEST(@words))`,
    () => sql`a.d ${m.some('>=', '<')} IFNULL(@day, '2000-01-01')`,
    () => sql`a.t ${m.some('>=', '<', 'IS DISTINCT FROM')} @since`,
    () => sql`a.t BETWEEN @since AND TIMESTAMP_ADD(@since, INTERVAL @n DAY)`,
    () => sql`COALESCE(a.k = @n, @flag, TRUE)`,
    () => sql`a.v LIKE CONCAT('%', @text, '%')`,
    () => sql`STARTS_WITH(a.v, IFNULL(@text, ''))`,
    () => sql`a.f ${m.some('>', '<=')} @share`,
    () => sql`NOT (a.k = @n)`,
    () => sql`EXISTS(SELECT 1 FROM UNNEST(@ids) AS x WHERE x = a.k)`,
    () => sql`(SELECT LOGICAL_OR(w = a.v) FROM UNNEST(@words) AS w)`,
    () => sql`@flag`,
    () => sql`a.k > @n - 1 AND a.k < @n + 2`,
  )();

const unit = (m: Maker): Node =>
  m.some(
    () => sql`CASE @text WHEN 'day' THEN DATE_TRUNC(a.d, DAY) WHEN 'month' THEN DATE_TRUNC(a.d, MONTH) ELSE DATE_TRUNC(a.d, YEAR) END`,
    () => sql`IF(@text = 'month', DATE_TRUNC(a.d, MONTH), a.d)`,
    () => sql`IF(@flag, CAST(a.k AS STRING), a.v)`,
    () => sql`COALESCE(@n, a.k)`,
    () => sql`IFNULL(@text, a.v)`,
    () => sql`MOD(a.id, IFNULL(NULLIF(@n, 0), 2))`,
    () => sql`CASE WHEN @n > 1 THEN a.k WHEN @n = 1 THEN a.i END`,
  )();

export const PARAMETER_IDIOMS: Readonly<Record<string, Idiom>> = {
  filtered: (m) =>
    sql`SELECT a.id, ${m.value(m.key(), 'a')} AS y FROM t1 AS a WHERE ${filter(m)}${m.some(sql``, sql` AND ${filter(m)}`, sql` OR ${filter(m)}`)}`,
  bucketed: (m) =>
    sql`SELECT ${unit(m)} AS y, COUNT(*) AS n, COUNTIF(${filter(m)}) AS c FROM t1 AS a WHERE ${filter(m)} GROUP BY y${m.some('', ' HAVING COUNT(*) >= IFNULL(@n, 1)')}`,
  chosen: (m) => sql`SELECT a.id, ${unit(m)} AS y0, ${filter(m)} AS y1, @n AS y2, IF(${filter(m)}, @text, a.v) AS y3 FROM t1 AS a`,
  joinedByParameters: (m) =>
    sql`SELECT a.id, b.id AS o FROM t2 AS b ${m.some('JOIN', 'RIGHT JOIN', 'LEFT JOIN', 'FULL JOIN')} t1 AS a ON ${m.some('a.k = b.k AND ', 'b.id = @n AND ', '')}${filter(m)}`,
  ofParameters(m) {
    return m.some(
      () => sql`SELECT x, o FROM UNNEST(@ids) AS x WITH OFFSET AS o ${m.some('', 'WHERE x > @n', 'WHERE x IS NULL OR o = @n')}`,
      () => sql`SELECT a.id, x FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN')} UNNEST(@ids) AS x ON x = a.k`,
      () =>
        sql`SELECT @n AS n, (SELECT MAX(a.k) FROM t1 AS a WHERE ${filter(m)}) AS y, ARRAY_LENGTH(@words) AS l, @ids[SAFE_OFFSET(0)] AS i`,
      () =>
        sql`WITH p AS (SELECT @n AS n, @text AS text, @flag AS flag) SELECT a.id, p.text FROM t1 AS a, p WHERE a.k >= p.n ${m.some('OR p.flag', 'AND NOT p.flag', 'OR a.v = p.text', '')}`,
      () =>
        sql`WITH p AS (SELECT @n AS n, @day AS day) SELECT a.id FROM t1 AS a ${m.some('CROSS JOIN p', 'LEFT JOIN p ON p.n = a.k')} WHERE a.d >= p.day OR p.n IS NULL`,
      () =>
        sql`SELECT a.id, LAG(a.k, 1, @n) OVER (ORDER BY a.id) AS y0, SUM(IF(@flag, a.k, @n)) OVER (ORDER BY a.id) AS y1 FROM t1 AS a WHERE ${filter(m)}`,
      () =>
        sql`SELECT day, COUNT(a.id) AS n FROM UNNEST(GENERATE_DATE_ARRAY(IFNULL(@day, '2024-02-27'), DATE_ADD(IFNULL(@day, '2024-02-27'), INTERVAL @n DAY))) AS day LEFT JOIN t1 AS a ON a.d = day GROUP BY day`,
      () =>
        sql`SELECT a.id, FORMAT_DATE('%Y', @day) AS y0, DATE_DIFF(a.d, @day, DAY) AS y1, TIMESTAMP_DIFF(a.t, @since, HOUR) AS y2, CONCAT(a.v, @text) AS y3, a.k + @n AS y4, SAFE_DIVIDE(a.k, @n) AS y5, LEFT(a.v, @n) AS y6, a.n * @share AS y7, a.p + @n AS y8, a.n > @share AS y9 FROM t1 AS a`,
      () => sql`SELECT a.id FROM t1 AS a WHERE ${filter(m)} UNION ALL SELECT b.id FROM t2 AS b WHERE @flag ${m.some('', 'OR b.id = @n')}`,
    )();
  },
  limitedByParameters: (m) =>
    ordered(sql`SELECT a.id FROM t1 AS a WHERE ${filter(m)} ORDER BY IF(@flag, a.k, -a.k)${m.some('', ' DESC')}, a.id LIMIT 3`),
};
