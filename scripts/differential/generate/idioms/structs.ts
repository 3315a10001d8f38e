// Structs, arrays of structs, and what stars do with them.
import { INT64, STRING } from '../../../../src/sql/base/types.ts';
import { type Idiom, type Maker, sql } from './maker.ts';

const TWO = (m: Maker, alias = 'a') => sql`${m.value(m.key(), alias)} AS x, ${m.value(m.key(), alias)} AS y`;

/** Of the table of events: an array of structs, whose values are structs. */
const KEY = ["'page'", "'count'", "'none'", "'price'"] as const;

const parameter = (m: Maker, key: string, field: string) =>
  sql`(SELECT ${m.some('p.value', 'value')}.${field} FROM UNNEST(e.params)${m.some(' AS p', ' p')} WHERE ${m.some('p.key', 'key')} = ${key}${m.some('', '', ' LIMIT 1')})`;

export const STRUCT_IDIOMS: Readonly<Record<string, Idiom>> = {
  stars(m) {
    const inner = sql`(SELECT a.id, ${TWO(m)} FROM t1 AS a${m.where('a')})`;
    return m.some(
      () => sql`SELECT * EXCEPT (x) FROM ${inner}`,
      () => sql`SELECT * REPLACE (id + 1 AS id) FROM ${inner}`,
      () => sql`SELECT * EXCEPT (y) REPLACE (id * 2 AS id, TO_JSON_STRING(x) AS x), id AS old FROM ${inner} AS b`,
      () => sql`SELECT b.*, b.id > 2 AS z FROM ${inner} AS b`,
      () => sql`SELECT b.* EXCEPT (id), c.x AS cx FROM ${inner} AS b JOIN ${inner} AS c USING (id)`,
      () => sql`SELECT * FROM ${inner} AS b ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} (SELECT id, v FROM t2) AS c USING (id)`,
      () => sql`SELECT ARRAY_LENGTH(ARRAY(SELECT AS STRUCT b.* FROM ${inner} AS b)) AS n`,
      () => sql`SELECT s.* FROM (SELECT STRUCT(${TWO(m)}) AS s FROM t1 AS a)`,
      () => sql`SELECT s.* EXCEPT (x) FROM (SELECT (SELECT AS STRUCT ${TWO(m)}) AS s FROM t1 AS a)`,
      () => sql`SELECT x AS y, v.y AS z FROM (SELECT AS VALUE STRUCT(${TWO(m)}) FROM t1 AS a) AS v`,
      () => sql`SELECT v.x, v.y FROM (SELECT AS VALUE STRUCT(${TWO(m)}) FROM t1 AS a) AS v`,
    )();
  },
  nestedStructs(m) {
    const s = sql`STRUCT(${m.value(m.key(), 'a')} AS x, STRUCT(${TWO(m)}, [a.k, 1] AS l) AS inner_)`;
    return m.some(
      () => sql`SELECT s.inner_.x, s.inner_.l[OFFSET(0)], s FROM (SELECT ${s} AS s FROM t1 AS a)`,
      () => sql`SELECT a.id, IF(${m.condition('a')}, ${s}, NULL).inner_.y AS y FROM t1 AS a`,
      () => sql`SELECT ANY_VALUE(${s} HAVING MAX a.id).inner_ AS y FROM t1 AS a`,
      () => sql`SELECT a.c, ARRAY_AGG(${s} ORDER BY a.id) AS l FROM t1 AS a GROUP BY a.c`,
      () => sql`SELECT a.id, TO_JSON_STRING(${s}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, IFNULL(NULLIF(a.k, 1), ${m.value(INT64, 'a')}) AS y, COALESCE((SELECT AS STRUCT ${TWO(m, 'b')} FROM t2 AS b WHERE b.id = a.k ORDER BY b.id LIMIT 1).x, NULL) AS z FROM t1 AS a`,
    )();
  },
  typedLists(m) {
    const list = m.some(
      "[STRUCT<k INT64, v STRING>(1, 'a'), (2, 'b'), (NULL, 'c'), (2, NULL)]",
      "[STRUCT(1 AS k, 'a' AS v), STRUCT(2, 'b'), STRUCT(5, 'é')]",
      "ARRAY<STRUCT<k INT64, v STRING>>[(1, 'a'), (2, CAST(NULL AS STRING))]",
      'ARRAY<STRUCT<k INT64, v STRING>>[]',
    );
    return m.some(
      () =>
        sql`SELECT a.id, x.v, o FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN')} UNNEST(${list}) AS x WITH OFFSET AS o ON x.k = a.${m.some('i', 'k', 'id')}`,
      () => sql`SELECT a.id, (SELECT MAX(v) FROM UNNEST(${list}) WHERE k = a.k) AS y FROM t1 AS a`,
      () => sql`SELECT a.id FROM t1 AS a WHERE (a.i, a.s) IN UNNEST(${list})`,
      () => sql`SELECT k, v, COUNT(*) AS n FROM t1 AS a, UNNEST(${list}) GROUP BY k, v`,
      () => sql`SELECT a.id, ARRAY(SELECT AS STRUCT v, k + a.k AS n FROM UNNEST(${list}) ORDER BY k DESC, v LIMIT 2) AS l FROM t1 AS a`,
      () => sql`SELECT a.id, ${list}[SAFE_OFFSET(a.k)].v AS y FROM t1 AS a`,
    )();
  },
  lists(m) {
    const l = m.some('ai', 'sa', 'af');
    const one = m.some('x', 'a.id');
    return m.some(
      () => sql`SELECT a.id, x, o FROM t1 AS a ${m.some('CROSS JOIN', 'LEFT JOIN', 'INNER JOIN')} a.${l} AS x WITH OFFSET AS o`,
      () => sql`SELECT a.id, x, b.id FROM t1 AS a, a.ai AS x ${m.some('JOIN', 'LEFT JOIN')} t2 AS b ON b.${m.some('id', 'k', 'i')} = x`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT x FROM UNNEST(a.${l}) AS x WITH OFFSET AS o WHERE x IS NOT NULL ORDER BY o DESC${m.some('', ' LIMIT 2')}) AS l FROM t1 AS a`,
      () => sql`SELECT a.id, ARRAY(SELECT DISTINCT x FROM UNNEST(a.${l}) AS x WHERE x IS NOT NULL ORDER BY x) AS l FROM t1 AS a`,
      () =>
        sql`SELECT x, COUNT(DISTINCT ${one}) AS n, ARRAY_AGG(DISTINCT a.id ORDER BY a.id) AS ids FROM t1 AS a, UNNEST(a.${l}) AS x GROUP BY x`,
      () =>
        sql`SELECT a.id, (SELECT STRING_AGG(CAST(x AS STRING), '|' ORDER BY o) FROM UNNEST(a.${l}) AS x WITH OFFSET o) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, (SELECT AS STRUCT COUNT(*) AS n, MAX(x) AS x FROM UNNEST(a.${l}) AS x).* FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY_CONCAT(a.ai, [a.k], ARRAY(SELECT b.k FROM t2 AS b WHERE b.id = a.k)) AS l FROM t1 AS a WHERE a.i IS NOT NULL`,
      () =>
        sql`SELECT a.id, a.${l}[SAFE_OFFSET(${m.some('0', '1', 'a.k')})] AS y, ARRAY_LENGTH(a.${l}) AS n, ARRAY_REVERSE(ARRAY(SELECT x FROM UNNEST(a.${l}) x WHERE x IS NOT NULL)) AS r FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT COUNT(*) FROM UNNEST(a.ai) AS x JOIN UNNEST(b.ai) AS y ON x = y) AS n FROM t1 AS a JOIN t2 AS b ON a.id = b.id`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT x FROM UNNEST(a.ai) AS x WHERE x IS NOT NULL ${m.some('UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT')} SELECT y FROM UNNEST([1, 2, 3]) AS y ORDER BY 1) AS l FROM t1 AS a`,
      () =>
        sql`SELECT a.id, EXISTS(SELECT 1 FROM UNNEST(a.ai) AS x WHERE x ${m.some('IN', 'NOT IN')} (SELECT b.k FROM t2 AS b)) AS y FROM t1 AS a`,
      () =>
        sql`SELECT ARRAY_CONCAT_AGG(a.ai ORDER BY a.id${m.some('', ' DESC', ' LIMIT 2')})[SAFE_OFFSET(0)] AS y, ARRAY_LENGTH(ARRAY_CONCAT_AGG(a.sa)) AS n FROM t1 AS a${m.where('a')}`,
    )();
  },
  rowsAsValues(m) {
    return m.some(
      () =>
        sql`SELECT a.k, ARRAY_AGG(a ORDER BY a.id${m.some('', ' DESC', ' LIMIT 1')})[SAFE_OFFSET(0)].${m.some('i', 's', 'd', 'w')} AS y FROM t1 AS a GROUP BY a.k`,
      () => sql`SELECT TO_JSON_STRING(b) AS y FROM (SELECT a.id, ${TWO(m)} FROM t1 AS a) AS b`,
      () => sql`SELECT (SELECT AS STRUCT b.*).id AS y FROM (SELECT a.id, ${TWO(m)} FROM t1 AS a) AS b`,
      () => sql`SELECT ANY_VALUE(b HAVING MAX b.id).x AS y, COUNT(b.x) AS n FROM (SELECT a.id, ${TWO(m)} FROM t1 AS a) AS b`,
      () => sql`SELECT b.id, c.id AS d, c IS NULL AS none FROM t1 AS b LEFT JOIN (SELECT a.id, ${TWO(m)} FROM t2 AS a) AS c ON b.k = c.id`,
      () => sql`SELECT COUNT(DISTINCT TO_JSON_STRING(b)) AS n FROM (SELECT ${TWO(m)} FROM t1 AS a) AS b`,
    )();
  },
  eventParameters(m) {
    const field = m.some('string_value', 'int_value', 'double_value');
    const k = m.random.pick(KEY);
    return m.some(
      () => sql`SELECT e.id, ${parameter(m, k, field)} AS y FROM ev AS e`,
      () =>
        sql`SELECT ${parameter(m, k, field)} AS y, COUNT(*) AS n, COUNT(DISTINCT e.user) AS users FROM ev AS e GROUP BY ${m.some('1', 'y')}`,
      () => sql`SELECT e.id FROM ev AS e WHERE ${parameter(m, k, field)} IS ${m.some('NOT NULL', 'NULL')}`,
      () =>
        sql`SELECT e.id, p.key, p.value.${field} AS v, o FROM ev AS e ${m.some('CROSS JOIN', 'LEFT JOIN')} UNNEST(e.params) AS p${' WITH OFFSET AS o'}`,
      () =>
        sql`SELECT p.key, COUNT(*) AS n, MAX(p.value.${field}) AS y FROM ev AS e, UNNEST(e.params) AS p GROUP BY p.key ${m.some('', `HAVING n > 1`)}`,
      () =>
        sql`SELECT e.id, EXISTS(SELECT 1 FROM UNNEST(e.params) AS p WHERE p.key = ${k} AND p.value.${field} IS NOT NULL) AS y FROM ev AS e`,
      () =>
        sql`SELECT e.id, ARRAY(SELECT AS STRUCT p.key AS k, p.value.${field} AS v FROM UNNEST(e.params) AS p WHERE p.key != ${k} ORDER BY p.key) AS l FROM ev AS e`,
      () =>
        sql`SELECT e.id, ARRAY(SELECT p.value.string_value FROM UNNEST(e.params) AS p WHERE p.value.string_value IS NOT NULL) AS l, ARRAY_LENGTH(e.params) AS n, e.params[SAFE_OFFSET(${m.some('0', '1')})].key AS first FROM ev AS e`,
      () =>
        sql`SELECT e.id, COALESCE(${parameter(m, k, 'int_value')}, CAST(${parameter(m, k, 'double_value')} AS INT64)) AS y, e.device.os, e.device.size.w + 1 AS w FROM ev AS e`,
      () =>
        sql`SELECT e.device.os AS os, SUM(e.device.size.w) AS w, COUNTIF(${parameter(m, k, field)} IS NOT NULL) AS n FROM ev AS e GROUP BY os`,
      () =>
        sql`SELECT e.id, i.name, i.tags[SAFE_OFFSET(0)] AS tag, SUM(i.price * i.quantity) OVER (PARTITION BY e.id) AS total FROM ev AS e, UNNEST(e.items) AS i`,
      () => sql`SELECT i.name, t, COUNT(*) AS n FROM ev AS e, e.items AS i, i.tags AS t GROUP BY 1, 2`,
      () =>
        sql`SELECT e.id, (SELECT SUM(i.price * i.quantity) FROM UNNEST(e.items) AS i WHERE ${m.some("'a' IN UNNEST(i.tags)", 'i.quantity > 1', "EXISTS(SELECT 1 FROM i.tags AS t WHERE t = 'b')")}) AS y FROM ev AS e`,
      () =>
        sql`SELECT e.id, (SELECT i.name FROM UNNEST(e.items) AS i ORDER BY i.price DESC, i.name LIMIT 1) AS top, (SELECT COUNT(DISTINCT t) FROM UNNEST(e.items) AS i, UNNEST(i.tags) AS t) AS tags FROM ev AS e`,
      () => sql`SELECT e.* EXCEPT (params, items), e.device.* FROM ev AS e`,
      () =>
        sql`SELECT e.* REPLACE (ARRAY(SELECT AS STRUCT i.* REPLACE (i.price * 2 AS price) FROM UNNEST(e.items) AS i WITH OFFSET AS o ORDER BY o) AS items) FROM ev AS e`,
      () =>
        sql`SELECT x.user, x.n, y.key FROM (SELECT e.user, COUNT(*) AS n FROM ev AS e GROUP BY user) AS x LEFT JOIN (SELECT e.user, p.key FROM ev AS e, UNNEST(params) AS p WHERE p.value.${field} IS NOT NULL) AS y USING (user)`,
      () => sql`SELECT e.id, TO_JSON_STRING(e.${m.some('params', 'device', 'items')}) AS y FROM ev AS e`,
      () =>
        sql`SELECT e.id FROM ev AS e WHERE (SELECT LOGICAL_OR(p.key = ${k}) FROM UNNEST(e.params) AS p) AND e.id NOT IN (SELECT f.id FROM ev AS f, UNNEST(f.items) AS i WHERE i.quantity = e.id)`,
      () =>
        sql`SELECT e.id, (SELECT MAX(i.price) FROM UNNEST(e.items) AS i) AS y FROM ev AS e ORDER BY (SELECT MAX(i.price) FROM UNNEST(e.items) AS i) DESC, e.id LIMIT 3`,
      () => sql`SELECT e.user, ARRAY_AGG(STRUCT(e.id, e.device, e.items) ORDER BY e.id LIMIT 2) AS l FROM ev AS e GROUP BY e.user`,
      () =>
        sql`SELECT f.id, f.items[SAFE_OFFSET(0)].name AS y FROM (SELECT e.user, ARRAY_AGG(e ORDER BY e.id DESC LIMIT 1)[OFFSET(0)] AS f FROM ev AS e GROUP BY e.user)`,
      () =>
        sql`SELECT * FROM (SELECT e.id, p.key, p.value.int_value AS v FROM ev AS e, UNNEST(e.params) AS p) PIVOT(${m.some('MAX', 'SUM', 'COUNT')}(v) FOR key IN ('page', 'count' AS c))`,
    )();
  },
  comparedStructs(m) {
    const [k, l] = [m.key(), m.some(INT64, STRING)];
    const pair = (alias: string) => sql`STRUCT(${m.value(k, alias, 0)} AS x, ${m.value(l, alias, 0)} AS y)`;
    return m.some(
      () =>
        sql`SELECT a.id, ${pair('a')} ${m.some('=', '!=')} ${pair('a')} AS y0, ${pair('a')} IS NOT DISTINCT FROM ${pair('a')} AS y1 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, NULLIF(${pair('a')}, ${pair('a')}).x AS y0, CASE ${pair('a')} WHEN ${pair('a')} THEN 1 ELSE 2 END AS y1 FROM t1 AS a`,
      () => sql`SELECT a.id, b.id FROM t1 AS a LEFT JOIN t2 AS b ON ${pair('a')} = ${pair('b')}`,
      () =>
        sql`SELECT COUNT(*) AS n FROM (SELECT ${pair('a')} AS s FROM t1 AS a ${m.some('UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT')} SELECT ${pair('b')} FROM t2 AS b)`,
    )();
  },
};
