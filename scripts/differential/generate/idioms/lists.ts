// Several arrays at once, by their offsets, with conditions, beside joins; and what is made of their elements.
import { arrayOf, INT64, STRING } from '../../../../src/sql/base/types.ts';
import { type Idiom, type Maker, sql } from './maker.ts';

const join = (m: Maker): string => m.some('JOIN', 'LEFT JOIN', 'INNER JOIN', 'LEFT OUTER JOIN');
const LISTS = ['ai', 'sa', 'af'] as const;

/** An array of numbers of the row. */
const numbers = (m: Maker) =>
  m.some(
    () => sql`a.ai`,
    () => sql`${m.value(arrayOf(INT64), 'a')}`,
    () => sql`[a.i, a.k, ${m.value(INT64, 'a')}]`,
    () => sql`GENERATE_ARRAY(1, a.k)`,
    () => sql`ARRAY(SELECT y + a.k FROM UNNEST(a.ai) AS y)`,
    () => sql`ARRAY_CONCAT(a.ai, [a.k])`,
    () => sql`IF(${m.condition('a')}, a.ai, [a.k])`,
    () => sql`IF(${m.condition('a')}, a.ai, NULL)`,
    () => sql`CASE WHEN a.c THEN [1, 2] WHEN a.k > 1 THEN a.ai END`,
    () => sql`ARRAY_REVERSE(a.ai)`,
    () => sql`ARRAY(SELECT b.k FROM t2 AS b WHERE b.id <= a.k ORDER BY b.id)`,
    () => sql`ARRAY(SELECT x FROM UNNEST([3, 1, 2]) AS x WHERE x != a.k ORDER BY x)`,
  )();

/** A condition on the element x at the place o. */
const on = (m: Maker): string =>
  m.some(
    'x = a.k',
    'x > 1',
    'o = 0',
    'o < 2 AND x IS NOT NULL',
    'x = a.i OR o = 1',
    'TRUE',
    'FALSE',
    'x IS NULL',
    'a.c',
    'a.b AND x != 1',
    'x IN (1, 2, NULL)',
    'MOD(o, 2) = 0',
    'x NOT IN UNNEST(a.ai)',
  );

export const LIST_IDIOMS: Readonly<Record<string, Idiom>> = {
  withConditions(m) {
    return m.some(
      () => sql`SELECT a.id, x, o FROM t1 AS a ${join(m)} UNNEST(${numbers(m)}) AS x WITH OFFSET AS o ON ${on(m)}${m.where('a')}`,
      () => sql`SELECT a.id, x, o FROM t1 AS a, UNNEST(${numbers(m)}) AS x WITH OFFSET AS o WHERE ${on(m)}`,
      () =>
        sql`SELECT a.id, COUNT(x) AS n, MAX(o) AS y FROM t1 AS a LEFT JOIN UNNEST(${numbers(m)}) AS x WITH OFFSET AS o ON ${on(m)} GROUP BY a.id`,
      () =>
        sql`SELECT a.id, x, b.id AS n FROM t1 AS a ${join(m)} UNNEST(${numbers(m)}) AS x WITH OFFSET AS o ON ${on(m)} ${m.some('LEFT JOIN', 'JOIN', 'FULL JOIN')} t2 AS b ON b.k = x`,
      () =>
        sql`SELECT a.id, b.id AS n, x FROM t1 AS a ${m.some('LEFT JOIN', 'JOIN')} t2 AS b ON a.k = b.k ${join(m)} UNNEST(b.${m.some('ai', 'sa', 'af')}) AS x ON ${m.some('TRUE', 'a.c', 'x IS NOT NULL', 'b.id > a.id')}`,
      () => sql`SELECT x, o, COUNT(*) AS n FROM t1 AS a LEFT JOIN UNNEST(${numbers(m)}) AS x WITH OFFSET AS o ON ${on(m)} GROUP BY x, o`,
      () =>
        sql`SELECT a.id FROM t1 AS a LEFT JOIN UNNEST(${numbers(m)}) AS x WITH OFFSET AS o ON ${on(m)} WHERE ${m.some('x IS NULL', 'o IS NULL', 'x = 1 OR a.c', 'o IS NOT NULL')}`,
    )();
  },
  several(m) {
    const [l, r] = [m.random.pick(LISTS), m.random.pick(LISTS)];
    return m.some(
      () => sql`SELECT a.id, x, y FROM t1 AS a, UNNEST(a.${l}) AS x WITH OFFSET AS o JOIN UNNEST(a.${r}) AS y WITH OFFSET AS p ON o = p`,
      () =>
        sql`SELECT a.id, x, y, o, p FROM t1 AS a, UNNEST(a.${l}) AS x WITH OFFSET AS o ${join(m)} UNNEST(a.${r}) AS y WITH OFFSET AS p ON ${m.some('o = p', 'o < p', 'o = p + 1', 'o = p AND a.c')}`,
      () => sql`SELECT a.id, x, y FROM t1 AS a LEFT JOIN UNNEST(a.${l}) AS x LEFT JOIN UNNEST(a.${r}) AS y`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT AS STRUCT x, y FROM UNNEST(a.${l}) AS x WITH OFFSET AS o ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN', 'RIGHT JOIN')} UNNEST(a.${r}) AS y WITH OFFSET AS p ON o = p ORDER BY IFNULL(o, p)) AS l FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT COUNT(*) FROM UNNEST(a.${l}) AS x, UNNEST(a.${r}) AS y) AS n, (SELECT SUM(o * p) FROM UNNEST(a.${l}) WITH OFFSET AS o, UNNEST(a.${r}) WITH OFFSET AS p) AS s FROM t1 AS a`,
      () => sql`SELECT a.id, a.ai[SAFE_OFFSET(o)] AS x, y FROM t1 AS a, UNNEST(a.${r}) AS y WITH OFFSET AS o`,
      () =>
        sql`SELECT o, COUNT(*) AS n, COUNT(DISTINCT x) AS d FROM t1 AS a, UNNEST(${numbers(m)}) AS x WITH OFFSET AS o, UNNEST(a.${r}) AS y WITH OFFSET AS p WHERE o ${m.some('=', '<', '!=')} p GROUP BY o`,
      () =>
        sql`SELECT a.id, part, o FROM t1 AS a, UNNEST(SPLIT(${m.value(STRING, 'a')}, ${m.some("','", "'b'")})) AS part WITH OFFSET AS o ${m.some('JOIN', 'LEFT JOIN')} UNNEST(a.sa) AS y ON y = part`,
      () => sql`SELECT a.id, x FROM t1 AS a, UNNEST(ARRAY_CONCAT(${numbers(m)}, IFNULL(${numbers(m)}, []))) AS x${m.where('a')}`,
    )();
  },
  made(m) {
    const k = m.key();
    const l = m.random.pick(LISTS);
    return m.some(
      () =>
        sql`SELECT a.id, ARRAY(SELECT DISTINCT x FROM UNNEST(${numbers(m)}) AS x WHERE x IS NOT NULL ORDER BY x DESC) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT x FROM UNNEST(a.${l}) AS x WITH OFFSET AS o WHERE o < a.k AND x IS NOT NULL ORDER BY o) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT AS STRUCT x, ${m.value(k, 'a')} AS y, o FROM UNNEST(a.${l}) AS x WITH OFFSET AS o ORDER BY o LIMIT 2) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT ${m.some('MIN', 'MAX', 'COUNT', 'ANY_VALUE')}(x) FROM UNNEST(a.${l}) AS x WHERE ${m.some('x IS NOT NULL', 'FALSE', 'a.c', 'x = x')}${m.some('', ' HAVING COUNT(*) > 1')}) AS y FROM t1 AS a WHERE ${m.some('TRUE', 'a.k > 0')} AND ARRAY_LENGTH(a.${l}) < 2`,
      () =>
        sql`SELECT a.id, (SELECT STRING_AGG(DISTINCT CAST(x AS STRING), ',' ORDER BY CAST(x AS STRING)) FROM UNNEST(a.${l}) AS x) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, EXISTS(SELECT 1 FROM UNNEST(a.${l}) AS x WITH OFFSET AS o WHERE ${m.some('x IS NULL', 'o = a.k', 'a.c AND o > 0')}) AS y, ${m.part(INT64, 'a')} ${m.some('IN', 'NOT IN')} UNNEST(${numbers(m)}) AS z FROM t1 AS a`,
      () =>
        sql`SELECT k, ARRAY_AGG(x IGNORE NULLS ORDER BY id, o${m.some('', ' LIMIT 3')}) AS l, COUNT(DISTINCT x) AS n FROM (SELECT a.k, a.id, x, o FROM t1 AS a, UNNEST(${numbers(m)}) AS x WITH OFFSET AS o) GROUP BY k`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT SUM(y) FROM UNNEST(a.ai) AS y WITH OFFSET AS p WHERE p <= o) AS l, o FROM t1 AS a, UNNEST(a.sa) WITH OFFSET AS o`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT x FROM UNNEST(a.ai) AS x INTERSECT DISTINCT SELECT b.k FROM t2 AS b ORDER BY 1) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY_LENGTH(l) AS n, l[SAFE_ORDINAL(1)] AS y, ARRAY_TO_STRING(ARRAY(SELECT CAST(x AS STRING) FROM UNNEST(l) AS x WITH OFFSET AS o ORDER BY o), ',', '-') AS z FROM (SELECT a.id, ${numbers(m)} AS l FROM t1 AS a) AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT STRUCT(y.x, y.o) FROM (SELECT x, o FROM UNNEST(a.${l}) AS x WITH OFFSET AS o WHERE o != 1) AS y ORDER BY y.o DESC) AS l FROM t1 AS a`,
      () => sql`SELECT l, COUNT(*) AS n FROM (SELECT ARRAY_LENGTH(${numbers(m)}) AS l FROM t1 AS a) GROUP BY l`,
      () =>
        sql`SELECT a.id, (SELECT AS STRUCT MAX(x) AS hi, MIN(o) AS lo FROM UNNEST(${numbers(m)}) AS x WITH OFFSET AS o WHERE ${on(m)}).hi AS y FROM t1 AS a`,
    )();
  },
  /** Arrays of structs that a subquery collects, read by another. */
  collected(m) {
    const [k, l] = [m.key(), m.key()];
    const from = sql`(SELECT a.${m.some('k', 'c', 'w')} AS g, ARRAY_AGG(STRUCT(a.id, ${m.value(k, 'a')} AS x, ${m.value(l, 'a')} AS y) ORDER BY a.id${m.some('', ' LIMIT 2')}) AS l FROM t1 AS a${m.where('a')} GROUP BY g)`;
    return m.some(
      () => sql`SELECT g, e.id, e.x FROM ${from}, UNNEST(l) AS e`,
      () =>
        sql`SELECT g, e.id, e.x, o FROM ${from} LEFT JOIN UNNEST(l) AS e WITH OFFSET AS o ON e.${m.some('y IS NULL', 'x IS NOT NULL', 'id > 2')}`,
      () =>
        sql`SELECT g, (SELECT COUNT(x) FROM UNNEST(l)) AS n, (SELECT MAX(e.y) FROM UNNEST(l) AS e WHERE e.x IS NOT NULL) AS m FROM ${from}`,
      () => sql`SELECT g, l[SAFE_OFFSET(1)].x AS y0, l[OFFSET(0)] AS y1, ARRAY_LENGTH(l) AS n FROM ${from}`,
      () =>
        sql`SELECT g, ARRAY(SELECT AS STRUCT e.* EXCEPT (id), e.id + 1 AS next FROM UNNEST(l) AS e ORDER BY e.id DESC) AS y FROM ${from}`,
      () => sql`SELECT g, ARRAY(SELECT e FROM UNNEST(l) AS e WHERE e.x IS ${m.some('', 'NOT ')}NULL ORDER BY e.id) AS y FROM ${from}`,
      () =>
        sql`SELECT b.id, e.x, e.y FROM t2 AS b ${m.some('JOIN', 'LEFT JOIN')} ${from} AS c ON b.id = ARRAY_LENGTH(c.l) LEFT JOIN UNNEST(c.l) AS e`,
      () => sql`SELECT e.x, COUNT(*) AS n FROM ${from}, UNNEST(l) AS e GROUP BY e.x`,
      () => sql`SELECT g, TO_JSON_STRING(l) AS y FROM ${from}`,
      () => sql`SELECT e.id, f.id AS m FROM ${from} AS c, UNNEST(c.l) AS e, UNNEST(c.l) AS f WHERE e.id ${m.some('<', '!=')} f.id`,
    )();
  },
};
