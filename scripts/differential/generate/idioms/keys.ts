// What groups, joins, sorts and compares rows, by values of every type.
import { arrayOf, BIGNUMERIC, FLOAT64, INT64, NUMERIC, STRING, type Type, typeName } from '../../../../src/sql/base/types.ts';
import { operand, optional } from '../../tree.ts';
import { type Idiom, type Maker, ordered, sql } from './maker.ts';

const extreme = ({ some, value }: Maker, type: Type) => sql`${some('MIN', 'MAX')}(${value(type, 'a')})`;

export const KEY_IDIOMS: Readonly<Record<string, Idiom>> = {
  grouped(m) {
    const [k, l] = [m.key(), m.key()];
    const having = m.random.chance(0.3) ? optional(` HAVING COUNT(*) ${m.some('> 1', '= 1', '>= 0')}`) : '';
    return sql`SELECT ${m.value(k, 'a')} AS y0, COUNT(*) AS y1, ${extreme(m, l)} AS y2, COUNT(DISTINCT ${m.value(l, 'a')}) AS y3 FROM t1 AS a${m.where('a')} GROUP BY y0${having}`;
  },
  byTwo(m) {
    return sql`SELECT ${m.value(m.key(), 'a')} AS y0, ${m.value(m.key(), 'a')} AS y1, COUNT(*) AS y2 FROM t1 AS a${m.where('a')} GROUP BY ${m.some('1, 2', 'y1, y0')}`;
  },
  distinct: (m) => sql`SELECT DISTINCT ${m.value(m.key(), 'a')} AS y0, ${m.value(m.key(), 'a')} AS y1 FROM t1 AS a${m.where('a')}`,
  distinctStruct: (m) =>
    sql`SELECT DISTINCT STRUCT(${m.value(m.key(), 'a')} AS x, ${m.value(m.key(), 'a')} AS y) AS s FROM t1 AS a${m.where('a')}`,
  groupedByStruct: (m) =>
    sql`SELECT STRUCT(${m.value(m.key(), 'a')} AS x, ${m.value(m.key(), 'a')} AS y) AS s, COUNT(*) AS n FROM t1 AS a${m.where('a')} GROUP BY s`,
  groupedByArray: (m) => sql`SELECT ${m.value(arrayOf(m.some(INT64, STRING)), 'a')} AS l, COUNT(*) AS n FROM t1 AS a GROUP BY l`,
  joined(m) {
    const k = m.key();
    const more = m.random.chance(0.4) ? optional(m.some(' AND ', ' AND NOT '), operand(m.condition('b'))) : '';
    const kind = m.some('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN');
    return sql`SELECT a.id AS y0, b.id AS y1, ${m.value(m.key(), m.some('a', 'b'))} AS y2 FROM t1 AS a ${kind} t2 AS b ON ${m.part(k, 'a')} = ${m.part(k, 'b')}${more}`;
  },
  joinedByNearly(m) {
    const k = m.key();
    return sql`SELECT a.id AS y0, b.id AS y1 FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} t2 AS b ON ${m.part(k, 'a')} ${m.some('<', '<=', '>', 'IS NOT DISTINCT FROM')} ${m.part(k, 'b')} AND a.k = b.k`;
  },
  usingComputed(m) {
    const k = m.key();
    return sql`SELECT y, n, o FROM (SELECT ${m.value(k, 'a')} AS y, a.id AS n FROM t1 AS a) ${m.some('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN')} (SELECT ${m.value(k, 'b')} AS y, b.id AS o FROM t2 AS b) USING (y)`;
  },
  inQuery(m) {
    const k = m.key();
    return sql`SELECT a.id, ${m.part(k, 'a')} ${m.some('IN', 'NOT IN')} (SELECT ${m.value(k, 'b')} FROM t2 AS b${m.where('b')}) AS y FROM t1 AS a`;
  },
  structIn(m) {
    const [k, l] = [m.key(), m.key()];
    const pair = (from: string) => sql`(${m.value(k, from, 0)}, ${m.value(l, from, 0)})`;
    const word = m.some('IN', 'NOT IN');
    return m.some(
      () => sql`SELECT a.id, ${pair('a')} ${word} (SELECT STRUCT${pair('b')} FROM t2 AS b${m.where('b')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, ${pair('a')} ${word} UNNEST([${pair('a')}, ${pair('a')}]) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, ${pair('a')} ${word} (${pair('a')}, (${m.constant(k)}, ${m.constant(l)})) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, b.id FROM t1 AS a JOIN t2 AS b ON ${pair('a')} = ${pair('b')}`,
    )();
  },
  setOperation(m) {
    const k = m.key();
    const op = m.some('UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT');
    return sql`SELECT ${m.value(k, 'a')} AS y FROM t1 AS a${m.where('a')} ${op} SELECT ${m.value(k, 'b')} FROM t2 AS b${m.where('b')}`;
  },
  setOperationOfTypes(m) {
    const [wide, narrow] = m.some<readonly [Type, Type]>(
      [FLOAT64, INT64],
      [FLOAT64, NUMERIC],
      [NUMERIC, INT64],
      [BIGNUMERIC, NUMERIC],
      [BIGNUMERIC, INT64],
      [FLOAT64, BIGNUMERIC],
    );
    const sides = [sql`SELECT ${m.value(wide, 'a')} AS y FROM t1 AS a`, sql`SELECT ${m.value(narrow, 'b')} AS y FROM t2 AS b`];
    const [x, y] = m.random.chance(0.5) ? sides : [...sides].reverse();
    return sql`${x ?? ''} ${m.some('UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT')} ${y ?? ''}`;
  },
  sorted(m) {
    const by = (type: Type) => sql`${m.value(type, 'a')}${m.some('', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST')}`;
    const limit = optional(` LIMIT ${1 + m.random.below(4)}${m.some('', ' OFFSET 1')}`);
    return ordered(
      sql`SELECT a.id, ${m.value(m.key(), 'a')} AS y FROM t1 AS a${m.where('a')} ORDER BY ${by(m.key())}, ${by(m.key())}, a.id${limit}`,
    );
  },
  arraysOfGroups(m) {
    const k = m.key();
    const one = m.value(k, 'a');
    const limit = m.random.chance(0.3) ? optional(` LIMIT ${1 + m.random.below(2)}`) : '';
    return m.some(
      () =>
        sql`SELECT a.k AS y0, ARRAY_AGG(DISTINCT ${one} IGNORE NULLS ORDER BY ${one}${m.some('', ' DESC')}${limit}) AS y1 FROM t1 AS a GROUP BY y0`,
      () =>
        sql`SELECT a.c AS y0, ARRAY_AGG(${one} IGNORE NULLS ORDER BY ${m.value(m.key(), 'a')}${m.some('', ' DESC')}, a.id${limit}) AS y1 FROM t1 AS a GROUP BY y0`,
      () =>
        sql`SELECT a.c AS y0, ARRAY_AGG(STRUCT(${one} AS x, ${m.value(m.key(), 'a')} AS y) ORDER BY a.id${limit}) AS y1 FROM t1 AS a GROUP BY y0`,
    )();
  },
  most(m) {
    const [k, l] = [m.key(), m.key()];
    return m.some(
      () =>
        sql`SELECT a.c AS y0, ANY_VALUE(${m.value(k, 'a')} HAVING ${m.some('MAX', 'MIN')} a.id) AS y1, ${extreme(m, l)} AS y2 FROM t1 AS a GROUP BY y0`,
      () => sql`SELECT ${extreme(m, k)} AS y0, ${extreme(m, l)} AS y1 FROM t1 AS a${m.where('a')}`,
      () =>
        sql`SELECT ${m.some('MIN', 'MAX')}(${m.value(k, 'a')} HAVING ${m.some('MAX', 'MIN')} ${m.value(l, 'a')}) AS y FROM t1 AS a${m.where('a')}`,
    )();
  },
  correlated(m) {
    const [k, l] = [m.key(), m.key()];
    const same = sql`${m.part(k, 'a')} = ${m.part(k, 'b')}`;
    const tail = m.some('', ' LIMIT 1', ' LIMIT 2');
    return m.some(
      () => sql`SELECT a.id, (SELECT COUNT(*) FROM t2 AS b WHERE ${same}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same} AND b.i IS NOT NULL ORDER BY b.id${tail}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT AS STRUCT ${m.value(l, 'b')} AS x, b.id AS n FROM t2 AS b WHERE ${same} ORDER BY b.id DESC${tail}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT AS STRUCT ${m.value(l, 'b')} AS x, b.id AS n FROM t2 AS b WHERE ${same} ORDER BY b.id LIMIT 1) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same} ORDER BY ${m.value(m.key(), 'b')}, b.id LIMIT 1) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, (SELECT ARRAY_AGG(${m.value(l, 'b')} IGNORE NULLS ORDER BY b.id${tail}) FROM t2 AS b WHERE ${same}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, x FROM t1 AS a, UNNEST(ARRAY(SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same})) AS x`,
      () =>
        sql`SELECT a.id FROM t1 AS a WHERE ${m.some('EXISTS', 'NOT EXISTS')}(SELECT 1 FROM t2 AS b WHERE ${same} AND ${m.part(l, 'b')} ${m.some('<', '>=', '!=')} ${m.part(l, 'a')})`,
      () =>
        sql`SELECT a.id, ${m.part(l, 'a')} ${m.some('IN', 'NOT IN')} (SELECT ${m.value(l, 'b')} FROM t2 AS b WHERE ${same}) AS y FROM t1 AS a`,
    )();
  },
  recursive(m) {
    const k = m.key();
    const type = typeName(k);
    return sql`WITH RECURSIVE r AS (SELECT 1 AS n, CAST(${m.constant(k)} AS ${type}) AS v, '' AS path UNION ALL SELECT r.n + 1, ${m.value(k, 'a')}, CONCAT(r.path, '/', CAST(a.id AS STRING)) FROM r JOIN t1 AS a ON a.id = r.n${m.some('', ' + 1')} WHERE r.n < 4) SELECT n, v, path FROM r`;
  },
  pivoted(m) {
    const k = m.key();
    const [x, y] = [m.constant(k), m.constant(k)];
    const call = m.some('COUNT(v)', 'SUM(v)', 'MAX(v)', 'MIN(v)', 'COUNT(DISTINCT v)', 'ANY_VALUE(1)', 'AVG(v)', 'COUNTIF(v > 1)');
    return sql`SELECT * FROM (SELECT ${m.value(k, 'a')} AS f, a.k AS v${m.some('', ', a.c AS c')} FROM t1 AS a${m.where('a')}) PIVOT(${call} FOR f IN (${x} AS p0, ${y} AS p1))`;
  },
  unpivoted(m) {
    const k = m.key();
    return sql`SELECT * FROM (SELECT a.id + 0 AS id, ${m.value(k, 'a')} AS x, ${m.value(k, 'a')} AS y FROM t1 AS a) UNPIVOT${m.some('', ' INCLUDE NULLS')}(v FOR n IN (${m.some('x, y', "x AS 'one', y AS 'two'", 'x AS 1, y AS 2')}))`;
  },
  condensed(m) {
    const k = m.key();
    return sql`SELECT a.id, ${m.some('GREATEST', 'LEAST', 'COALESCE')}(${m.value(k, 'a')}, ${m.value(k, 'a')}, ${m.constant(k)}) AS y0, CASE ${m.value(k, 'a')} WHEN ${m.value(k, 'a', 0)} THEN 'x' WHEN ${m.constant(k)} THEN 'y' END AS y1, ${m.part(k, 'a')} IN UNNEST([${m.value(k, 'a', 0)}, ${m.constant(k)}]) AS y2 FROM t1 AS a`;
  },
};
