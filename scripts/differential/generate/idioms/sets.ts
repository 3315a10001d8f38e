// Grouping sets, set operations of several sides, tables that read themselves, and columns by all their names.
import { INT64, STRING, typeName } from '../../../../src/sql/base/types.ts';
import type { Node } from '../../tree.ts';
import { type Idiom, instead, type Maker, ordered, sql } from './maker.ts';

/** Grouping sets of the keys x and y. */
const SETS: readonly (readonly [string, readonly (readonly ('x' | 'y')[])[]])[] = [
  ['ROLLUP(x, y)', [['x', 'y'], ['x'], []]],
  ['CUBE(x, y)', [['x', 'y'], ['x'], ['y'], []]],
  ['GROUPING SETS((x, y), (y), ())', [['x', 'y'], ['y'], []]],
  ['GROUPING SETS(x, y)', [['x'], ['y']]],
  ['GROUPING SETS(x, ROLLUP(y))', [['x'], ['y'], []]],
  ['GROUPING SETS(CUBE(x), (x, y))', [['x'], [], ['x', 'y']]],
];

function groupingSets(m: Maker): Node {
  const types = { x: m.key(), y: m.key() };
  const rows = sql`SELECT ${m.value(types.x, 'a')} AS x, ${m.value(types.y, 'a')} AS y, ${m.value(m.key(), 'a')} AS z, a.k FROM t1 AS a${m.where('a')}`;
  const [form, sets] = m.random.pick(SETS);
  const call = m.some('COUNT(*)', 'SUM(k)', 'MAX(z)', 'COUNT(DISTINCT z)', 'MIN(k)', 'COUNTIF(x IS NULL)');
  const having = m.some('', '', ' HAVING COUNT(*) > 1', ' HAVING SUM(k) IS NOT NULL');
  // Grouped by nothing there is one row even of no rows: the keys there are aggregates.
  const one = (set: readonly ('x' | 'y')[]) => {
    const key = (name: 'x' | 'y') => {
      const absent = `CAST(NULL AS ${typeName(types[name])})`;
      return set.includes(name) ? name : set.length === 0 ? `MAX(${absent})` : absent;
    };
    const flag = set.length === 0 ? 'IFNULL(MAX(1), 1)' : set.includes('x') ? '0' : '1';
    return `SELECT ${key('x')} AS x, ${key('y')} AS y, ${call} AS n, ${flag} AS g FROM w${set.length === 0 ? '' : ` GROUP BY ${set.join(', ')}`}${having}`;
  };
  const ours = sql`WITH w AS (${rows}) SELECT x, y, ${call} AS n, GROUPING(x) AS g FROM w GROUP BY ${form}${having}`;
  return instead(ours, sql`WITH w AS (${rows}) ${sets.map(one).join(' UNION ALL ')}`);
}

const OPERATIONS = ['UNION ALL', 'UNION DISTINCT', 'INTERSECT DISTINCT', 'EXCEPT DISTINCT'] as const;

export const SET_IDIOMS: Readonly<Record<string, Idiom>> = {
  rolledUp: (m) => groupingSets(m),
  overRolledUp(m) {
    const query = groupingSets(m);
    return m.some(
      () => sql`SELECT g, COUNT(*) AS c, COUNT(x) AS cx, COUNT(y) AS cy FROM (${query}) GROUP BY g`,
      () => sql`SELECT x, n FROM (${query}) WHERE ${m.some('g = 1', 'x IS NULL', 'y IS NOT NULL', 'n IS NULL OR g = 0')}`,
      () => sql`SELECT r.x, r.n, b.id FROM (${query}) AS r ${m.some('JOIN', 'LEFT JOIN')} t2 AS b ON b.id = r.g + 1`,
      () => sql`SELECT x, y, g, COUNT(*) OVER (PARTITION BY g) AS c, RANK() OVER (ORDER BY n) AS r FROM (${query})`,
    )();
  },
  severalSets(m) {
    const k = m.key();
    const side = (table: string) => sql`SELECT ${m.value(k, 'a')} AS y FROM ${table} AS a${m.where('a')}`;
    const [op, other] = [m.random.pick(OPERATIONS), m.random.pick(OPERATIONS)];
    return m.some(
      () => sql`(${side('t1')} ${op} ${side('t2')}) ${other} ${side('t3')}`,
      () => sql`${side('t1')} ${op} (${side('t2')} ${other} ${side('t3')})`,
      () => sql`${side('t1')} ${op} ${side('t2')} ${op} ${side('t3')}`,
      () => sql`SELECT y, COUNT(*) AS n FROM (${side('t1')} ${op} ${side('t2')}) GROUP BY y`,
      () =>
        sql`SELECT x.y, b.id FROM (${side('t1')} ${op} ${side('t2')}) AS x ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} t3 AS b ON x.y = ${m.part(k, 'b')}`,
      () => sql`SELECT y FROM (${side('t1')} ${op} ${side('t2')}) WHERE y ${m.some('IS NOT NULL', 'IS NULL')} OR y = ${m.constant(k)}`,
      () => sql`${side('t1')} ${op} SELECT NULL`,
      () => sql`${side('t1')} ${op} SELECT ${m.constant(k)} ${op} SELECT NULL`,
    )();
  },
  sortedSets(m) {
    const k = m.key();
    return ordered(
      sql`SELECT ${m.value(k, 'a')} AS y, a.id, 1 AS t FROM t1 AS a${m.where('a')} UNION ALL SELECT ${m.value(k, 'b')}, b.id, 2 FROM t2 AS b ORDER BY y${m.some('', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST')}, t, id${m.some('', ' LIMIT 3', ' LIMIT 4 OFFSET 2')}`,
    );
  },
  taggedSets(m) {
    const k = m.key();
    const all = sql`SELECT 'a' AS tag, a.id, ${m.value(k, 'a')} AS y FROM t1 AS a UNION ALL SELECT 'b', b.id, ${m.value(k, 'b')} FROM t2 AS b UNION ALL SELECT CAST(c.k AS STRING), c.id, ${m.value(k, 'c')} FROM t3 AS c`;
    return m.some(
      () => sql`SELECT tag, COUNT(*) AS n, MAX(y) AS y FROM (${all}) GROUP BY tag`,
      () => sql`SELECT id, y FROM (${all}) WHERE tag = ${m.some("'a'", "'b'", "'2'", "'none'")}`,
      () => sql`SELECT tag, id FROM (${all}) QUALIFY ROW_NUMBER() OVER (PARTITION BY tag ORDER BY id DESC) = 1`,
      () => sql`WITH w AS (${all}) SELECT x.id, z.id AS m FROM w AS x JOIN w AS z ON x.y = z.y AND x.tag < z.tag`,
      () =>
        sql`SELECT id, MAX(IF(tag = 'a', y, NULL)) AS y0, MAX(IF(tag = 'b', y, NULL)) AS y1, COUNTIF(tag NOT IN ('a', 'b')) AS n FROM (${all}) GROUP BY id`,
    )();
  },
  closures(m) {
    const k = m.key();
    return m.some(
      () =>
        sql`WITH RECURSIVE r AS (SELECT a.id AS x, a.k AS y, 0 AS depth FROM t1 AS a${m.where('a')} UNION ALL SELECT r.x, b.k, r.depth + 1 FROM r JOIN t2 AS b ON b.id = r.y WHERE r.depth < 3) SELECT * FROM r`,
      () =>
        sql`WITH RECURSIVE r AS (SELECT a.id AS x, a.k AS y FROM t1 AS a UNION DISTINCT SELECT r.x, b.k FROM r JOIN t1 AS b ON b.id = r.y) SELECT x, COUNT(*) AS n, MAX(y) AS y FROM r GROUP BY x`,
      () =>
        sql`WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT r.n, a.id, ${m.value(k, 'a')} AS y FROM r LEFT JOIN t1 AS a ON a.id = r.n AND ${m.condition('a')}`,
      () =>
        sql`WITH RECURSIVE r AS (SELECT ${m.value(k, 'a')} AS v, a.id, 1 AS n FROM t1 AS a WHERE a.id <= 2 UNION ALL SELECT v, id, n + 1 FROM r WHERE n < id + 1) SELECT v, MAX(n) AS n, COUNT(*) AS c FROM r GROUP BY v`,
      () =>
        sql`WITH RECURSIVE days AS (SELECT DATE '2024-02-27' AS d UNION ALL SELECT DATE_ADD(d, INTERVAL 1 ${m.some('DAY', 'WEEK')}) FROM days WHERE d < '2024-03-05'), w AS (SELECT ${m.value({ kind: 'DATE' }, 'a')} AS y, a.k FROM t1 AS a) SELECT d, COUNT(w.y) AS n FROM days LEFT JOIN w ON w.y ${m.some('=', '<=', '>')} d GROUP BY d`,
    )();
  },
  namedByUsing(m) {
    const [k, l] = [m.key(), m.key()];
    const side = (alias: string, table: string, own: string) =>
      sql`(SELECT ${m.value(k, alias)} AS y, ${m.value(l, alias)} AS z, ${alias}.id AS ${own} FROM ${table} AS ${alias})`;
    const kind = () => m.some('JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN');
    return m.some(
      () => sql`SELECT * FROM ${side('a', 't1', 'p')} AS l ${kind()} ${side('b', 't2', 'q')} AS r USING (y, z)`,
      () => sql`SELECT * EXCEPT (p) FROM ${side('a', 't1', 'p')} AS l ${kind()} ${side('b', 't2', 'q')} AS r USING (z, y)`,
      () => sql`SELECT * REPLACE (y IS NULL AS y) FROM ${side('a', 't1', 'p')} ${kind()} ${side('b', 't2', 'q')} USING (y, z)`,
      () => sql`SELECT l.*, r.q FROM ${side('a', 't1', 'p')} AS l ${kind()} ${side('b', 't2', 'q')} AS r USING (y, z)`,
      () =>
        sql`SELECT y, z, p, q, o FROM ${side('a', 't1', 'p')} ${kind()} ${side('b', 't2', 'q')} USING (y, z) ${kind()} ${side('c', 't3', 'o')} USING (y, z)`,
      () =>
        sql`SELECT l.y AS ly, r.y AS ry, y, COUNT(*) AS n FROM ${side('a', 't1', 'p')} AS l ${kind()} ${side('b', 't2', 'q')} AS r USING (y) GROUP BY 1, 2, 3`,
      () =>
        sql`SELECT y, COUNT(p) AS n, COUNT(q) AS c FROM ${side('a', 't1', 'p')} AS l ${kind()} ${side('b', 't2', 'q')} AS r USING (y) WHERE ${m.some('p > 1', 'y IS NULL', 'q IS NULL', 'p = 1 OR q = 2', 'l.y IS NOT NULL')} GROUP BY y`,
    )();
  },
  /** A query read in ways that leave some of it out. */
  readInPart(m) {
    const [k, l] = [m.key(), m.key()];
    const inner = m.some(
      () => sql`SELECT a.id, ${m.value(k, 'a')} AS y, ${m.value(l, 'a')} AS z FROM t1 AS a${m.where('a')}`,
      () =>
        sql`SELECT a.id, ${m.value(k, 'b')} AS y, ${m.value(l, 'a')} AS z FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN', 'RIGHT JOIN')} t2 AS b ON a.k = b.k`,
      () => sql`SELECT MIN(a.id) AS id, ${m.value(k, 'a')} AS y, MAX(${m.value(l, 'a')}) AS z FROM t1 AS a GROUP BY y`,
      () => sql`SELECT a.id, LAG(${m.value(k, 'a')}) OVER (ORDER BY a.id) AS y, ${m.value(l, 'a')} AS z FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.value(k, 'a')} AS y, ${m.value(l, 'a')} AS z FROM t1 AS a UNION ALL SELECT b.id, ${m.value(k, 'b')}, ${m.value(l, 'b')} FROM t2 AS b`,
      () => sql`SELECT DISTINCT a.k AS id, ${m.value(k, 'a')} AS y, ${m.value(l, 'a')} AS z FROM t1 AS a`,
      () =>
        sql`SELECT x AS id, ${m.value(k, 'a')} AS y, ${m.value(l, 'a')} AS z FROM t1 AS a ${m.some('CROSS JOIN', 'LEFT JOIN')} UNNEST(a.ai) AS x`,
      () => sql`SELECT a.id, ${m.value(k, 'a')} AS y, (SELECT MAX(${m.value(l, 'b')}) FROM t2 AS b WHERE b.k = a.k) AS z FROM t1 AS a`,
      () => sql`SELECT a.id, ${m.value(k, 'a')} AS y, ${m.value(l, 'a')} AS z FROM t1 AS a ORDER BY a.id${m.some('', ' DESC')} LIMIT 3`,
    )();
    const test = () => m.some('y IS NULL', 'z IS NOT NULL', 'id > 2', 'id IN (1, 2)', 'y IS NOT NULL AND id < 4', 'z IS NULL OR id = 1');
    return m.some(
      () => sql`SELECT COUNT(*) AS n FROM (${inner})`,
      () => sql`SELECT id FROM (${inner}) WHERE ${test()}`,
      () => sql`SELECT y FROM (${inner}) WHERE y = ${m.constant(k)}`,
      () => sql`SELECT z, COUNT(*) AS n FROM (${inner}) WHERE ${test()} GROUP BY z`,
      () =>
        sql`WITH w AS (${inner}) SELECT p.id, q.y FROM w AS p ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} w AS q ON p.id = q.id + 1 WHERE ${m.some('p.z IS NULL', 'q.y IS NOT NULL', 'TRUE', 'p.id > 1')}`,
      () => sql`WITH w AS (${inner}) SELECT id FROM w WHERE y ${m.some('IN', 'NOT IN')} (SELECT y FROM w WHERE ${test()})`,
      () => sql`WITH w AS (${inner}) SELECT (SELECT COUNT(*) FROM w) AS n, id, y FROM w WHERE ${test()}`,
      () =>
        sql`SELECT a.id, w.y FROM t1 AS a LEFT JOIN (${inner}) AS w ON a.id = w.id WHERE ${m.some('w.z IS NULL', 'w.y IS NOT NULL', 'w.id IS NULL', 'TRUE')}`,
      () => sql`SELECT * FROM (${inner}) WHERE ${test()} UNION ALL SELECT * FROM (${inner}) WHERE ${test()}`,
      () => sql`SELECT MIN(y) AS y0, MAX(z) AS y1, COUNT(DISTINCT y) AS n FROM (${inner}) WHERE ${test()}`,
      () =>
        sql`SELECT id, y, z FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY ${k.kind === 'FLOAT64' ? 'id' : 'y'} ORDER BY id, TO_JSON_STRING(z), TO_JSON_STRING(y)) AS r FROM (${inner})) WHERE r = 1 AND ${test()}`,
      () => sql`SELECT y FROM (${inner}) EXCEPT DISTINCT SELECT y FROM (${inner}) WHERE ${test()}`,
    )();
  },
  /** Numbers of people's reports: funnels, cohorts, shares, fillings. */
  reports(m) {
    const k = m.division();
    const [t, u] = [m.value({ kind: 'TIMESTAMP' }, 'a'), m.value(STRING, 'a')];
    return m.some(
      () =>
        sql`SELECT ${m.value(k, 'a')} AS y, COUNTIF(${m.condition('a')}) AS n0, COUNT(DISTINCT IF(${m.condition('a')}, ${u}, NULL)) AS n1, SAFE_DIVIDE(COUNTIF(${m.condition('a')}), COUNT(*)) AS share, MIN(IF(${m.condition('a')}, ${t}, NULL)) AS first FROM t1 AS a GROUP BY y`,
      () =>
        sql`WITH f AS (SELECT ${u} AS u, MIN(${t}) AS first FROM t1 AS a GROUP BY u) SELECT f.u, DATE_DIFF(DATE(b.t), DATE(f.first), ${m.some('DAY', 'WEEK', 'MONTH', 'YEAR')}) AS since, COUNT(DISTINCT b.id) AS n FROM f JOIN t2 AS b ON b.v = f.u GROUP BY 1, 2`,
      () =>
        sql`SELECT u, ARRAY_TO_STRING(ARRAY_AGG(v ORDER BY id), '>') AS path FROM (SELECT ${u} AS u, a.v, a.id FROM t1 AS a${m.where('a')}) GROUP BY u`,
      () =>
        sql`SELECT RANGE_BUCKET(${m.value(INT64, 'a')}, [0, 1, 2, 5, 10]) AS bucket, COUNT(*) AS n, APPROX_COUNT_DISTINCT(a.id) - COUNT(DISTINCT a.id) AS zero FROM t1 AS a GROUP BY bucket`,
      () =>
        sql`SELECT y, n, n / SUM(n) OVER () AS share, SUM(n) OVER (ORDER BY n DESC, y ROWS UNBOUNDED PRECEDING) AS total FROM (SELECT ${m.value(k, 'a')} AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y)`,
      () =>
        sql`SELECT month, n - LAG(n) OVER (ORDER BY month) AS change, SAFE_DIVIDE(n, FIRST_VALUE(n) OVER (ORDER BY month)) AS of_first FROM (SELECT DATE_TRUNC(DATE(${t}), MONTH) AS month, SUM(a.k) AS n FROM t1 AS a GROUP BY month)`,
      () =>
        sql`SELECT id, COALESCE(y, LAST_VALUE(y IGNORE NULLS) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), ${m.constant(k)}) AS y FROM (SELECT a.id, ${m.value(k, 'a')} AS y FROM t1 AS a)`,
      () =>
        sql`SELECT CASE WHEN ${m.condition('a')} THEN 'one' WHEN ${m.condition('a')} THEN 'two' ELSE IFNULL(${u}, 'none') END AS class, COUNT(*) AS n, AVG(a.k) AS mean, MAX(${t}) AS last FROM t1 AS a GROUP BY class HAVING COUNT(*) ${m.some('>= 1', '> 1')}`,
      () =>
        sql`SELECT a.id, b.id AS m FROM t1 AS a FULL JOIN t2 AS b ON ${m.part(k, 'a')} = ${m.part(k, 'b')} WHERE ${m.some('a.id IS NULL OR b.id IS NULL', 'a.v IS DISTINCT FROM b.v', 'IFNULL(a.i, 0) != IFNULL(b.i, 0)')}`,
      () =>
        sql`SELECT SUM(a.k * b.k) / NULLIF(SUM(b.k), 0) AS mean, COUNT(*) AS n FROM t1 AS a JOIN t2 AS b ON ${m.part(k, 'a')} = ${m.part(k, 'b')}${m.where('a')}`,
    )();
  },
};
