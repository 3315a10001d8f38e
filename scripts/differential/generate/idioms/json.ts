// JSON in columns: read by paths, unnested, made of rows.
import { JSON_TYPE } from '../../../../src/sql/base/types.ts';
import { type Idiom, type Maker, sql } from './maker.ts';

const PATHS = ["'$.a'", "'$.b'", "'$.b[0]'", "'$.b[2].c'", "'$'", "'$[0]'", "'$.z'", '\'$."x y"\''];
const path = (m: Maker): string => m.random.pick(PATHS);
const document = (m: Maker): string =>
  m.some(
    'PARSE_JSON(a.jx)',
    'TO_JSON(STRUCT(a.k AS a, [1, a.i] AS b))',
    `JSON '{"a":1,"b":[1,2,{"c":"d"}]}'`,
    'JSON_OBJECT("a", a.v, "b", a.ai)',
  );
const inside = (m: Maker): string => m.some('.a', '.b', '.b[0]', '.b[2].c', "['a']", '[0]', '.z', '.a.b', "['b'][1]", '["x y"]');

export const JSON_IDIOMS: Readonly<Record<string, Idiom>> = {
  readByPaths(m) {
    const call = m.some('JSON_VALUE', 'JSON_QUERY', 'JSON_EXTRACT', 'JSON_EXTRACT_SCALAR');
    return m.some(
      () => sql`SELECT ${call}(a.jx, ${path(m)}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () =>
        sql`SELECT a.id FROM t1 AS a WHERE JSON_VALUE(a.jx, ${path(m)}) ${m.some('IS NULL', "= '1'", 'IS NOT NULL', "!= 'x'", "IN ('1', 'd')")}`,
      () => sql`SELECT a.id, SAFE_CAST(JSON_VALUE(a.jx, ${path(m)}) AS ${m.some('INT64', 'FLOAT64', 'BOOL', 'NUMERIC')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, b.id FROM t1 AS a JOIN t2 AS b ON JSON_VALUE(a.jx, ${path(m)}) = JSON_VALUE(b.jx, ${path(m)})`,
      () =>
        sql`SELECT a.id, x, o FROM t1 AS a ${m.some('CROSS JOIN', 'LEFT JOIN')} UNNEST(${m.some('JSON_QUERY_ARRAY', 'JSON_EXTRACT_ARRAY', 'JSON_VALUE_ARRAY', 'JSON_EXTRACT_STRING_ARRAY')}(a.jx, ${path(m)})) AS x WITH OFFSET AS o`,
      () =>
        sql`SELECT a.id, (SELECT STRING_AGG(IFNULL(JSON_VALUE(x), 'null'), ',' ORDER BY o) FROM UNNEST(JSON_QUERY_ARRAY(a.jx, ${path(m)})) AS x WITH OFFSET AS o) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ARRAY(SELECT JSON_VALUE(x, '$.c') FROM UNNEST(JSON_QUERY_ARRAY(a.jx, '$.b')) AS x WHERE JSON_VALUE(x, '$.c') IS NOT NULL) AS y FROM t1 AS a`,
    )();
  },
  readBySubscripts(m) {
    const at = `${document(m)}${inside(m)}`;
    return m.some(
      () => sql`SELECT a.id, ${at} AS y FROM t1 AS a`,
      () => sql`SELECT a.id, JSON_TYPE(${at}) AS y0, ${at} IS NULL AS y1, TO_JSON_STRING(${at}) AS y2 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.some('LAX_INT64', 'LAX_STRING', 'LAX_FLOAT64', 'LAX_BOOL', 'SAFE.INT64', 'SAFE.STRING', 'SAFE.FLOAT64', 'SAFE.BOOL', 'JSON_VALUE', 'JSON_QUERY')}(${at}) AS y FROM t1 AS a`,
      () => sql`SELECT LAX_STRING(${at}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () => sql`SELECT j${inside(m)} AS y FROM (SELECT ${document(m)} AS j FROM t1 AS a)`,
      () => sql`SELECT a.id, x.c AS y FROM t1 AS a, UNNEST(JSON_QUERY_ARRAY(${document(m)}, '$.b')) AS x`,
    )();
  },
  made(m) {
    const k = m.key();
    const value = m.value(k, 'a');
    return m.some(
      () => sql`SELECT a.id, TO_JSON(STRUCT(${value} AS x, a.k AS y, [${m.value(k, 'a')}] AS l)) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, TO_JSON_STRING(STRUCT(${value} AS x, STRUCT(${m.value(m.key(), 'a')} AS z) AS y)) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, TO_JSON_STRING([${value}, ${m.value(k, 'a')}]${m.some('', ', TRUE')}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, JSON_OBJECT('x', ${value}, 'y', [a.k]) AS y0, JSON_ARRAY(${value}, a.k, NULL) AS y1, JSON_OBJECT(['p', 'q'], [a.i, a.k]) AS y2 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, JSON_VALUE(TO_JSON_STRING(STRUCT(${value} AS x)), '$.x') AS y0, JSON_VALUE(TO_JSON(STRUCT(${value} AS x)), '$.x') AS y1 FROM t1 AS a`,
      () => sql`SELECT a.c, TO_JSON_STRING(ARRAY_AGG(STRUCT(${value} AS x, a.id AS n) ORDER BY a.id)) AS y FROM t1 AS a GROUP BY a.c`,
      () =>
        sql`SELECT a.id, ${m.some("JSON_SET(j, '$.n', a.k)", "JSON_REMOVE(j, '$.a')", 'JSON_STRIP_NULLS(j)', "JSON_ARRAY_APPEND(j, '$.b', a.k)", "JSON_ARRAY_INSERT(j, '$.b[0]', a.v)", 'JSON_KEYS(j)', "JSON_SET(j, '$.b[1]', a.s)")} AS y FROM (SELECT a.id, a.k, a.v, a.s, ${m.value(JSON_TYPE, 'a', 0)} AS j FROM t1 AS a) AS a`,
      () => sql`SELECT COUNT(DISTINCT TO_JSON_STRING(${m.value(JSON_TYPE, 'a', 1)})) AS y FROM t1 AS a`,
    )();
  },
};
