// Subqueries that read the rows around them, in every place where people put them.
import { INT64, STRING } from '../../../../src/sql/base/types.ts';
import { type Idiom, instead, type Maker, ordered, sql } from './maker.ts';

/** A condition between the rows around, `a`, and those of the subquery, `b`. */
const same = (m: Maker) => {
  const k = m.key();
  return m.some(
    () => sql`${m.part(k, 'a')} = ${m.part(k, 'b')}`,
    () => sql`b.${m.some('k', 'i', 'id')} = a.${m.some('k', 'i', 'id')}`,
    () => sql`b.k ${m.some('<', '<=', '>', '!=')} a.k`,
    () => sql`(b.i = a.i OR ${m.condition('a')})`,
    () => sql`b.w IS NOT DISTINCT FROM a.w`,
    () => sql`a.c AND ${m.condition('b')}`,
  )();
};

/** A number that a subquery makes of the rows around. */
const counted = (m: Maker) => {
  const l = m.key();
  return m.some(
    () => sql`(SELECT COUNT(*) FROM t2 AS b WHERE ${same(m)})`,
    () => sql`(SELECT COUNT(DISTINCT ${m.value(l, 'b')}) FROM t2 AS b WHERE ${same(m)})`,
    () => sql`(SELECT SUM(b.k) FROM t2 AS b WHERE ${same(m)})`,
    () => sql`(SELECT IFNULL(MAX(b.k), -1) + COUNT(*) FROM t2 AS b WHERE ${same(m)} AND ${m.condition('b')})`,
    () => sql`(SELECT b.k FROM t2 AS b WHERE ${same(m)} ORDER BY b.id${m.some('', ' DESC')} LIMIT 1${m.some('', ' OFFSET 1')})`,
    () => sql`(SELECT b.k + a.k FROM t2 AS b WHERE b.id = a.id)`,
    () => sql`(SELECT MAX(n) FROM (SELECT ${m.value(l, 'b')} AS g, COUNT(*) AS n FROM t2 AS b WHERE ${same(m)} GROUP BY g))`,
    () => sql`(SELECT COUNT(*) FROM (SELECT DISTINCT ${m.value(l, 'b')} AS g FROM t2 AS b WHERE ${same(m)}))`,
    () => sql`(SELECT SUM(x) FROM UNNEST(a.ai) AS x WHERE x ${m.some('IN', 'NOT IN')} (SELECT b.k FROM t2 AS b WHERE ${same(m)}))`,
    () =>
      sql`(SELECT COUNT(*) FROM t2 AS b ${m.some('JOIN', 'LEFT JOIN')} t3 AS c ON b.k = c.k AND c.i ${m.some('=', '<', '>')} a.i WHERE ${same(m)})`,
    () =>
      sql`(WITH w AS (SELECT b.k, b.id FROM t2 AS b WHERE ${same(m)}) SELECT MAX(w.k) + COUNT(*) FROM w${m.some('', ' WHERE w.id > a.k')})`,
    () =>
      sql`(SELECT COUNT(*) FROM (SELECT b.id FROM t2 AS b WHERE ${same(m)} ${m.some('UNION ALL', 'UNION DISTINCT', 'EXCEPT DISTINCT', 'INTERSECT DISTINCT')} SELECT c.k FROM t3 AS c WHERE c.i = a.i))`,
    () =>
      sql`(SELECT SUM(r) FROM (SELECT b.id, ROW_NUMBER() OVER (PARTITION BY b.c ORDER BY b.id DESC) AS r FROM t2 AS b WHERE ${same(m)}) WHERE r <= 2)`,
    () => sql`(SELECT COUNTIF(b.k IN (SELECT c.k FROM t3 AS c WHERE c.c = b.c)) FROM t2 AS b WHERE ${same(m)})`,
    () => sql`ARRAY_LENGTH(ARRAY(SELECT DISTINCT b.w FROM t2 AS b WHERE ${same(m)}${m.some('', ' AND b.w IS NOT NULL')}))`,
  )();
};

const tested = (m: Maker) => {
  const l = m.key();
  return m.some(
    () => sql`${m.some('', 'NOT ')}EXISTS(SELECT 1 FROM t2 AS b WHERE ${same(m)})`,
    () =>
      sql`${m.some('', 'NOT ')}EXISTS(SELECT b.id FROM t2 AS b WHERE ${same(m)} AND EXISTS(SELECT 1 FROM t3 AS c WHERE c.k = b.k ${m.some('AND c.i = a.i', 'OR c.c = a.c')}))`,
    () => sql`EXISTS(SELECT b.c FROM t2 AS b WHERE ${same(m)} GROUP BY b.c HAVING COUNT(*) ${m.some('> 1', '= 1', '>= a.k')})`,
    () => sql`${m.part(l, 'a')} ${m.some('IN', 'NOT IN')} (SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same(m)})`,
    () => sql`${m.part(l, 'a')} ${m.some('IN', 'NOT IN')} (SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same(m)} ORDER BY b.id LIMIT 2)`,
    () => sql`a.k ${m.some('IN', 'NOT IN')} (SELECT MAX(b.i) FROM t2 AS b WHERE ${same(m)}${m.some('', ' GROUP BY b.c')})`,
    () => sql`a.i ${m.some('IN', 'NOT IN')} (SELECT b.i FROM t2 AS b UNION ALL SELECT c.k FROM t3 AS c WHERE c.id = a.id)`,
    () => sql`a.k ${m.some('=', '<', '>=')} ${counted(m)}`,
    () => sql`(SELECT ${m.some('LOGICAL_AND', 'LOGICAL_OR')}(${m.condition('b')}) FROM t2 AS b WHERE ${same(m)})`,
    () => {
      // The reference takes the subquery for one value.
      const like = sql`a.v LIKE ${m.some('ANY', 'ALL')} `;
      const patterns = sql`(SELECT CONCAT(b.v, '%') FROM t2 AS b${m.some('', ' WHERE b.k = 2', ' WHERE FALSE')})`;
      return instead(sql`${like}${patterns}`, sql`${like}UNNEST(ARRAY${patterns})`);
    },
  )();
};

export const SUBQUERY_IDIOMS: Readonly<Record<string, Idiom>> = {
  countedBeside: (m) => sql`SELECT a.id, ${counted(m)} AS y0, ${counted(m)} AS y1 FROM t1 AS a${m.where('a')}`,
  testedBeside: (m) => sql`SELECT a.id, ${tested(m)} AS y0, ${tested(m)} AS y1 FROM t1 AS a${m.where('a')}`,
  filteredByRows: (m) =>
    sql`SELECT a.id, ${m.value(m.key(), 'a')} AS y FROM t1 AS a WHERE ${tested(m)} ${m.some('AND', 'OR', 'AND NOT')} ${m.some(tested, (n: Maker) => sql`(${n.condition('a')})`)(m)}`,
  joinedByRows: (m) => sql`SELECT a.id AS y0, x.id AS y1 FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN')} t3 AS x ON a.k = x.k AND ${tested(m)}`,
  aggregatedRows(m) {
    return m.some(
      () => sql`SELECT SUM(${counted(m)}) AS y0, COUNTIF(${tested(m)}) AS y1 FROM t1 AS a${m.where('a')}`,
      () => sql`SELECT ${m.value(m.key(), 'a')} AS y, MAX(${counted(m)}) AS n, COUNT(*) AS c FROM t1 AS a GROUP BY y`,
      () => sql`SELECT ${counted(m)} AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () => sql`SELECT ${tested(m)} AS y, COUNT(*) AS n, MIN(a.id) AS z FROM t1 AS a GROUP BY 1`,
      () =>
        sql`SELECT a.k, COUNT(*) AS n FROM t1 AS a GROUP BY a.k HAVING COUNT(*) ${m.some('>', '<=', '!=')} (SELECT COUNT(*) FROM t2 AS b WHERE b.k = a.k)`,
      () =>
        sql`SELECT a.k, (SELECT COUNT(*) FROM t2 AS b WHERE b.k = a.k ${m.some('', 'AND b.id <= COUNT(*)')}) AS n FROM t1 AS a GROUP BY a.k`,
      () =>
        sql`SELECT a.w, (SELECT MAX(b.k) FROM t2 AS b WHERE b.k < MAX(a.k) ${m.some('', 'AND b.w = a.w')}) AS n FROM t1 AS a GROUP BY a.w`,
      () => sql`SELECT a.id, SUM(${counted(m)}) OVER (${m.some('', 'PARTITION BY a.c ')}ORDER BY a.id) AS y FROM t1 AS a`,
      () => sql`SELECT a.id FROM t1 AS a QUALIFY ROW_NUMBER() OVER (PARTITION BY ${tested(m)} ORDER BY ${counted(m)}, a.id) = 1`,
    )();
  },
  sortedByRows: (m) =>
    ordered(sql`SELECT a.id, ${counted(m)} AS y FROM t1 AS a ORDER BY ${counted(m)}${m.some('', ' DESC', ' NULLS LAST')}, a.id LIMIT 4`),
  listsOfRows(m) {
    const l = m.key();
    const order = sql`ORDER BY b.${m.some('id', 'id DESC')}${m.some('', ' LIMIT 1', ' LIMIT 2', ' LIMIT 2 OFFSET 1')}`;
    return m.some(
      () => sql`SELECT a.id, ARRAY(SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same(m)} ${order}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT AS STRUCT b.id, ${m.value(l, 'b')} AS x, ${m.value(m.key(), 'a')} AS z FROM t2 AS b WHERE ${same(m)} ${order}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT x FROM (SELECT b.id AS o, ${m.value(l, 'b')} AS x FROM t2 AS b WHERE ${same(m)} UNION ALL SELECT 0, ${m.value(l, 'a')}) ORDER BY o${m.some('', ' LIMIT 2')}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT AS STRUCT COUNT(*) AS n, MIN(${m.value(l, 'b')}) AS x FROM t2 AS b WHERE ${same(m)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT ARRAY_AGG(STRUCT(b.id, ${m.value(l, 'b')} AS x) ORDER BY b.id DESC LIMIT 2) FROM t2 AS b WHERE ${same(m)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT STRING_AGG(${m.value(STRING, 'b')}, '|' ORDER BY b.id) FROM t2 AS b WHERE ${same(m)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, x FROM t1 AS a ${m.some('CROSS JOIN', 'LEFT JOIN')} UNNEST(ARRAY(SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same(m)} ${order})) AS x${m.some('', ' WITH OFFSET AS o')}`,
      () =>
        sql`SELECT a.id, x.n, x.z FROM t1 AS a ${m.some('CROSS JOIN', 'LEFT JOIN')} UNNEST(ARRAY(SELECT AS STRUCT b.id AS n, ${m.value(l, 'b')} AS z FROM t2 AS b WHERE ${same(m)})) AS x`,
      () =>
        sql`SELECT a.id, (SELECT x FROM UNNEST(a.ai) AS x WITH OFFSET AS o WHERE ${m.some('x > a.k', 'x IN (SELECT b.k FROM t2 AS b)', 'o != a.k')} ORDER BY o DESC LIMIT 1) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT b.id FROM t2 AS b, UNNEST(b.ai) AS x WHERE x = a.${m.some('k', 'i', 'id')} ORDER BY b.id, x) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT AS STRUCT b.w, COUNT(*) AS n FROM t2 AS b WHERE ${same(m)} GROUP BY b.w ORDER BY n DESC, b.w LIMIT 2) AS y FROM t1 AS a`,
    )();
  },
  /** The row of the other table that is nearest before, a table's own newest row, rows without a partner. */
  nearest(m) {
    const [k, l] = [m.key(), m.key()];
    return m.some(
      () =>
        sql`SELECT a.id, (SELECT AS STRUCT b.id, ${m.value(k, 'b')} AS x FROM t2 AS b WHERE b.k <= a.k ORDER BY b.k DESC, b.id LIMIT 1).* FROM t1 AS a`,
      () => sql`SELECT a.id, a.k FROM t1 AS a WHERE a.k = (SELECT MAX(b.k) FROM t1 AS b WHERE ${same(m)})`,
      () => sql`SELECT a.id FROM t1 AS a LEFT JOIN t2 AS b ON ${m.part(k, 'a')} = ${m.part(k, 'b')} WHERE b.id IS NULL`,
      () =>
        sql`SELECT a.id, b.id AS n FROM t1 AS a LEFT JOIN t2 AS b ON a.k = b.k AND ${m.condition('b')} WHERE ${m.part(l, 'b')} IS ${m.some('NULL', 'NOT NULL')} OR ${m.condition('a')}`,
      () =>
        sql`SELECT a.id, b.id AS n FROM t1 AS a JOIN t2 AS b ON b.k BETWEEN a.k AND a.k + ${m.some('1', '3')} QUALIFY RANK() OVER (PARTITION BY a.id ORDER BY b.k, b.id) = 1`,
      () =>
        sql`SELECT a.id, COUNT(b.id) AS n, MAX(${m.value(l, 'b')}) AS y FROM t1 AS a LEFT JOIN t2 AS b ON ${m.part(k, 'a')} = ${m.part(k, 'b')} AND ${m.condition('b')} GROUP BY a.id`,
      () =>
        sql`SELECT x.y, x.n, z.m FROM (SELECT ${m.value(k, 'a')} AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y) AS x ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} (SELECT ${m.value(k, 'b')} AS y, MIN(${m.value(l, 'b')}) AS m FROM t2 AS b GROUP BY y) AS z ${m.some('USING (y)', 'ON x.y = z.y', 'ON x.y IS NOT DISTINCT FROM z.y')}`,
      () =>
        sql`SELECT COUNT(*) AS n, SUM(${m.value(INT64, 'b')}) AS y FROM t1 AS a, t2 AS b, t3 AS c WHERE a.k = b.k AND b.c = c.c AND ${m.condition('c')}`,
    )();
  },
};
