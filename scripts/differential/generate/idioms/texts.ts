// Queries with statements before them, wildcards, GROUP BY ALL and BY NAME, and pipes: the reference is asked the same in other words.
import { DATE, FLOAT64, INT64, STRING, TIMESTAMP, type Type, typeName } from '../../../../src/sql/base/types.ts';
import type { Node } from '../../tree.ts';
import { type Idiom, instead, type Maker, sql } from './maker.ts';

/** A function of a query's own, with what it is of an argument. */
const OWN: readonly (readonly [parameters: string, body: string, of: readonly Type[]])[] = [
  ['x INT64', 'x * 2 + 1', [INT64]],
  ['x INT64, y INT64', 'IF(x > y, x - y, NULL)', [INT64, INT64]],
  ['s STRING', "CONCAT('<', UPPER(s), '>')", [STRING]],
  ['s STRING', "(SELECT COUNT(*) FROM UNNEST(SPLIT(s, '')) AS c WHERE c = 'a')", [STRING]],
  ['d DATE', "FORMAT_DATE('%Y-%m', DATE_TRUNC(d, MONTH))", [DATE]],
  ['t TIMESTAMP', 'TIMESTAMP_TRUNC(t, HOUR)', [TIMESTAMP]],
  ['x FLOAT64, y FLOAT64', 'SAFE_DIVIDE(x, y)', [FLOAT64, FLOAT64]],
  ['x INT64', 'CASE WHEN x IS NULL THEN 0 WHEN x < 0 THEN -1 ELSE (SELECT MAX(v) FROM UNNEST([x, 1, 2]) AS v) END', [INT64]],
  ['s STRING', '(SELECT AS STRUCT s AS a, LENGTH(s) AS n).n', [STRING]],
  ['x INT64', 'ARRAY(SELECT y * x FROM UNNEST([1, 2]) AS y)[OFFSET(1)]', [INT64]],
];

function ownFunction(m: Maker): { readonly made: string; readonly call: Node } {
  const [parameters, body, types] = m.random.pick(OWN);
  const args = types.map((type) => m.value(type, 'a'));
  const names = parameters.split(', ').map((p) => p.split(' ')[0] ?? '');
  const list: (string | Node)[] = args.flatMap((arg, at) => (at === 0 ? [arg] : [', ', arg]));
  const whole: (string | Node)[] = body.split(/\b(\w+)\b/).map((text, i, all) => {
    const at = names.indexOf(text);
    const quoted = (all.slice(0, i).join('').match(/'/g)?.length ?? 0) % 2 === 1;
    const arg = args[at];
    return arg === undefined || quoted || i % 2 === 0 || all[i - 1]?.endsWith('.')
      ? text
      : { parts: ['CAST(', arg, ` AS ${typeName(types[at] as Type)})`] };
  });
  return {
    made: `CREATE TEMP FUNCTION f(${parameters}) AS (${body}); `,
    call: instead({ parts: ['f(', ...list, ')'] }, { parts: ['(', ...whole, ')'] }),
  };
}

export const TEXT_IDIOMS: Readonly<Record<string, Idiom>> = {
  ownFunctions(m) {
    const { made, call } = ownFunction(m);
    const before = instead(sql`${made}`, sql``);
    return m.some(
      () => sql`${before}SELECT a.id, ${call} AS y FROM t1 AS a${m.where('a')}`,
      () => sql`${before}SELECT ${call} AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () => sql`${before}SELECT MAX(${call}) AS y FROM t1 AS a${m.where('a')}`,
      () => sql`${before}SELECT a.id FROM t1 AS a JOIN t2 AS b ON a.k = b.k WHERE ${call} IS NOT NULL`,
    )();
  },
  variables(m) {
    const type = m.key();
    const value = m.value(type, []);
    const declared = instead(sql`DECLARE x ${typeName(type)} DEFAULT ${value}; `, sql``);
    const x = instead(sql`x`, sql`(${value})`);
    // Names of columns hide variables: the table is read under other names.
    const from = sql`(SELECT a.id, ${m.value(type, 'a')} AS y FROM t1 AS a)`;
    return m.some(
      () => sql`${declared}SELECT id FROM ${from} WHERE y ${m.some('=', '<', '>=')} ${x}`,
      () => sql`${declared}SELECT id, IFNULL(y, ${x}) AS z FROM ${from}`,
      () => sql`${declared}SELECT ${x} AS z, COUNT(*) AS n FROM ${from} GROUP BY z`,
    )();
  },
  tempTables(m) {
    const query = sql`SELECT a.id, ${m.value(m.key(), 'a')} AS y, ${m.value(m.key(), 'a')} AS z FROM t1 AS a${m.where('a')}`;
    const with_ = instead(sql`CREATE TEMP TABLE tt AS ${query}; `, sql`WITH tt AS (${query}) `);
    return sql`${with_}SELECT b.id, c.z FROM tt AS b ${m.some('JOIN', 'LEFT JOIN')} tt AS c ON ${m.some('b.y = c.y', 'b.id = c.id + 1', 'b.z = c.z')}`;
  },
  wildcards(m) {
    const columns = 'id, i, k, v, d, c';
    const parts = ['1', '2', '3'].map((n) => `SELECT ${columns}, '${n}' AS _TABLE_SUFFIX FROM t${n}`).join(' UNION ALL ');
    const w = instead(sql`${'`t*`'}`, sql`(${parts})`);
    const only = m.some(
      "_TABLE_SUFFIX = '2'",
      "_TABLE_SUFFIX BETWEEN '1' AND '2'",
      "_TABLE_SUFFIX IN ('1', '3')",
      "_TABLE_SUFFIX > '1' OR k = 2",
      "REGEXP_CONTAINS(_TABLE_SUFFIX, '[12]')",
      '_TABLE_SUFFIX != v',
      'TRUE',
      'CAST(_TABLE_SUFFIX AS INT64) = k',
    );
    return m.some(
      () => sql`SELECT _TABLE_SUFFIX AS part, COUNT(*) AS n, SUM(k) AS s FROM ${w} WHERE ${only} GROUP BY part`,
      () => sql`SELECT id, v, CONCAT('t', _TABLE_SUFFIX) AS name FROM ${w} WHERE ${only}`,
      () =>
        sql`SELECT x.id, x._TABLE_SUFFIX AS part, b.v FROM ${w} AS x ${m.some('JOIN', 'LEFT JOIN')} t1 AS b ON x.k = b.k AND x._TABLE_SUFFIX = CAST(b.id AS STRING)`,
      () => sql`SELECT MAX(_TABLE_SUFFIX) AS y, COUNT(DISTINCT _TABLE_SUFFIX) AS n FROM ${w} WHERE ${only}`,
      () => sql`SELECT id FROM t1 AS a WHERE EXISTS(SELECT 1 FROM ${w} AS x WHERE x.k = a.i AND x._TABLE_SUFFIX = '2')`,
    )();
  },
  groupByAll(m) {
    // Keys that read no column would be none for GROUP BY ALL.
    const from = sql` FROM (SELECT ${m.value(m.key(), 'a')} AS y0, ${m.value(m.key(), 'a')} AS y1, ${m.value(m.key(), 'a')} AS y2 FROM t1 AS a${m.where('a')})`;
    const list = m.some(
      'y0, y1, COUNT(*) AS n, MAX(y2) AS y',
      'y0, MIN(y2) AS y, y1 IS NULL AS none',
      'MAX(y2) AS y, y1 AS z, y0',
      'y0, y1, y0 IS NULL AS none',
    );
    const keys: Readonly<Record<string, string>> = { 'y0, MIN(y2) AS y, y1 IS NULL AS none': 'y0, none' };
    return instead(sql`SELECT ${list}${from} GROUP BY ALL`, sql`SELECT ${list}${from} GROUP BY ${keys[list] ?? 'y0, y1'}`);
  },
  byName(m) {
    const [k, l, o] = [m.key(), m.key(), m.key()];
    const [x1, y1, x2, y2, z2] = [m.value(k, 'a'), m.value(l, 'a'), m.value(k, 'b'), m.value(l, 'b'), m.value(o, 'b')];
    const op = m.some('UNION ALL', 'UNION DISTINCT', 'EXCEPT DISTINCT', 'INTERSECT DISTINCT');
    const union = op.startsWith('UNION') ? op : 'UNION ALL';
    const [left, right] = [sql`SELECT ${x1} AS x, ${y1} AS y FROM t1 AS a`, sql`SELECT ${z2} AS z, ${y2} AS y, ${x2} AS x FROM t2 AS b`];
    const none = (type: Type) => `CAST(NULL AS ${typeName(type)})`;
    return m.some(
      () =>
        instead(
          sql`SELECT ${x1} AS x, ${y1} AS y FROM t1 AS a ${op} BY NAME SELECT ${y2} AS y, ${x2} AS x FROM t2 AS b`,
          sql`SELECT ${x1} AS x, ${y1} AS y FROM t1 AS a ${op} SELECT ${x2} AS x, ${y2} AS y FROM t2 AS b`,
        ),
      () =>
        instead(
          sql`${left} ${m.some('FULL OUTER', 'FULL')} ${union} BY NAME ${right}`,
          sql`SELECT ${x1} AS x, ${y1} AS y, ${none(o)} AS z FROM t1 AS a ${union} SELECT ${x2}, ${y2}, ${z2} FROM t2 AS b`,
        ),
      () =>
        instead(
          sql`${left} INNER ${op} BY NAME ${right}`,
          sql`SELECT ${x1} AS x, ${y1} AS y FROM t1 AS a ${op} SELECT ${x2}, ${y2} FROM t2 AS b`,
        ),
      () =>
        instead(
          sql`${left} LEFT ${m.some('OUTER ', '')}${union} BY NAME ${right}`,
          sql`SELECT ${x1} AS x, ${y1} AS y FROM t1 AS a ${union} SELECT ${x2}, ${y2} FROM t2 AS b`,
        ),
      () =>
        instead(
          sql`SELECT ${x1} AS x, ${y1} AS y FROM t1 AS a INNER ${union} BY NAME ON (y, x) ${right}`,
          sql`SELECT ${y1} AS y, ${x1} AS x FROM t1 AS a ${union} SELECT ${y2}, ${x2} FROM t2 AS b`,
        ),
    )();
  },
  piped(m) {
    const [k, l] = [m.key(), m.key()];
    const [x, y] = [m.value(k, 'a'), m.value(l, 'a')];
    const where = m.condition('a');
    const base = sql`SELECT a.id, ${x} AS x, ${y} AS y FROM t1 AS a WHERE ${where}`;
    const start = m.some(
      () => sql`FROM t1 AS a |> WHERE ${where} |> SELECT a.id, ${x} AS x, ${y} AS y`,
      () => sql`FROM t1 AS a |> EXTEND ${x} AS xx, ${y} AS yy |> WHERE ${where} |> SELECT id, xx AS x, yy AS y`,
      () => sql`${base}`,
    )();
    return m.some(
      () =>
        instead(
          sql`${start} |> AGGREGATE COUNT(*) AS n, MAX(y) AS m GROUP BY x`,
          sql`SELECT x, COUNT(*) AS n, MAX(y) AS m FROM (${base}) GROUP BY x`,
        ),
      () =>
        instead(
          sql`${start} |> AGGREGATE COUNT(*) AS n GROUP ${m.some('AND ORDER ', '')}BY x AS g |> WHERE n > 1`,
          sql`SELECT x AS g, COUNT(*) AS n FROM (${base}) GROUP BY x HAVING COUNT(*) > 1`,
        ),
      () =>
        instead(
          sql`${start} |> AS b |> JOIN t2 AS c ON b.id = c.k |> SELECT b.x, c.id`,
          sql`SELECT b.x, c.id FROM (${base}) AS b JOIN t2 AS c ON b.id = c.k`,
        ),
      () =>
        instead(
          sql`${start} |> LEFT JOIN (SELECT id, v FROM t2) AS c USING (id) |> SELECT id, x, c.v`,
          sql`SELECT id, b.x, c.v FROM (${base}) AS b LEFT JOIN t2 AS c USING (id)`,
        ),
      () => {
        const c = m.constant(k);
        return instead(sql`${start} |> SET x = ${c} |> DISTINCT`, sql`SELECT DISTINCT id, ${c} AS x, y FROM (${base})`);
      },
      () =>
        instead(
          sql`${start} |> DROP y |> RENAME x AS z |> ORDER BY id |> LIMIT 3`,
          sql`SELECT id, x AS z FROM (${base}) ORDER BY id LIMIT 3`,
        ),
      () =>
        instead(
          sql`${start} |> EXTEND ROW_NUMBER() OVER (PARTITION BY x ORDER BY id) AS r |> WHERE r = 1`,
          sql`SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY x ORDER BY id) AS r FROM (${base})) WHERE r = 1`,
        ),
      () =>
        instead(
          sql`${start} |> WINDOW COUNT(*) OVER (PARTITION BY y) AS r`,
          sql`SELECT *, COUNT(*) OVER (PARTITION BY y) AS r FROM (${base})`,
        ),
      () => instead(sql`${start} |> UNION ALL (SELECT id, ${m.constant(k)}, ${m.constant(l)} FROM t2 WHERE FALSE)`, sql`${base}`),
      () =>
        instead(
          sql`${start} |> UNPIVOT (v FOR n IN (id)) |> AGGREGATE SUM(v) AS s, COUNT(n) AS n`,
          sql`SELECT SUM(id) AS s, COUNT(id) AS n FROM (${base})`,
        ),
      () =>
        instead(
          sql`${start} |> SELECT id, x |> PIVOT (COUNT(x) FOR id IN (1 AS one, 2 AS two))`,
          sql`SELECT * FROM (SELECT id, x FROM (${base})) PIVOT(COUNT(x) FOR id IN (1 AS one, 2 AS two))`,
        ),
      () =>
        instead(
          sql`${start} |> CROSS JOIN UNNEST([1, 2]) AS u |> WHERE u = id`,
          sql`SELECT b.id, b.x, b.y, u FROM (${base}) AS b CROSS JOIN UNNEST([1, 2]) AS u WHERE u = b.id`,
        ),
    )();
  },
};
