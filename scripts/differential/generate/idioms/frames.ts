// Windows of equal values and of values within a distance, over keys of every type, with NULLs among them.
import { BIGNUMERIC, FLOAT64, INT64, NUMERIC, type Type } from '../../../../src/sql/base/types.ts';
import { type Idiom, type Maker, sql } from './maker.ts';

const direction = (m: Maker): string => m.some('', ' DESC', ' NULLS LAST', ' DESC NULLS FIRST', ' ASC');

/** Calls whose value does not hang on the order of equal rows. */
const call = (m: Maker) => {
  const k = m.key();
  return m.some(
    () => sql`COUNT(${m.some('*', 'a.i', 'a.s')})`,
    () => sql`SUM(${m.value(m.some(INT64, NUMERIC), 'a')})`,
    () => sql`${m.some('MIN', 'MAX')}(${m.value(k, 'a')})`,
    () => sql`AVG(a.${m.some('k', 'i', 'n')})`,
    () => sql`COUNTIF(${m.condition('a')})`,
    () => sql`${m.some('LOGICAL_AND', 'LOGICAL_OR')}(${m.condition('a')})`,
  )();
};

const EQUAL = [
  '',
  ' RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
  ' RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
  ' RANGE BETWEEN CURRENT ROW AND CURRENT ROW',
  ' RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
  ' RANGE UNBOUNDED PRECEDING',
  ' RANGE CURRENT ROW',
];

function near(m: Maker, type: Type): string {
  const steps = type.kind === 'INT64' ? ['0', '1', '3', '9223372036854775807'] : ['0', '0.5', '1', '2.5'];
  const step = (): string => {
    const text = m.random.pick(steps);
    return type.kind === 'INT64' || type.kind === 'FLOAT64' ? text : `${type.kind} '${text}'`;
  };
  return m.some(
    () => ` RANGE BETWEEN ${step()} PRECEDING AND ${step()} FOLLOWING`,
    () => ` RANGE BETWEEN ${step()} PRECEDING AND CURRENT ROW`,
    () => ` RANGE BETWEEN CURRENT ROW AND ${step()} FOLLOWING`,
    () => ` RANGE BETWEEN UNBOUNDED PRECEDING AND ${step()} PRECEDING`,
    () => ` RANGE BETWEEN ${step()} FOLLOWING AND UNBOUNDED FOLLOWING`,
    () => ` RANGE BETWEEN ${step()} PRECEDING AND ${step()} PRECEDING`,
    () => ` RANGE BETWEEN ${step()} FOLLOWING AND ${step()} FOLLOWING`,
    () => ` RANGE ${step()} PRECEDING`,
  )();
}

export const FRAME_IDIOMS: Readonly<Record<string, Idiom>> = {
  ofEqualValues(m) {
    const partition = m.random.chance(0.5) ? sql`PARTITION BY ${m.value(m.division(), 'a')} ` : '';
    const by = sql`${m.value(m.key(), 'a')}${direction(m)}${m.random.chance(0.4) ? sql`, ${m.value(m.key(), 'a')}${direction(m)}` : ''}`;
    return sql`SELECT a.id, ${call(m)} OVER (${partition}ORDER BY ${by}${m.random.pick(EQUAL)}) AS y0, ${m.some('RANK', 'DENSE_RANK', 'PERCENT_RANK', 'CUME_DIST')}() OVER (${partition}ORDER BY ${by}) AS y1 FROM t1 AS a${m.where('a')}`;
  },
  ofNearValues(m) {
    const type = m.some(INT64, INT64, FLOAT64, NUMERIC, BIGNUMERIC);
    const partition = m.random.chance(0.5) ? sql`PARTITION BY ${m.value(m.division(), 'a')} ` : '';
    return sql`SELECT a.id, ${call(m)} OVER (${partition}ORDER BY ${m.value(type, 'a')}${direction(m)}${near(m, type)}) AS y FROM t1 AS a${m.where('a')}`;
  },
  /** Windows over the rows of joins, of groups, of windows, of arrays. */
  overOthers(m) {
    const k = m.key();
    return m.some(
      () =>
        sql`SELECT a.id, b.id AS n, ${call(m)} OVER (PARTITION BY b.k ORDER BY ${m.value(k, 'b')}${direction(m)}) AS y FROM t1 AS a ${m.some('JOIN', 'LEFT JOIN', 'FULL JOIN')} t2 AS b ON a.k = b.k`,
      () =>
        sql`SELECT ${m.value(k, 'a')} AS y, RANK() OVER (ORDER BY COUNT(*)${direction(m)}) AS r, SUM(SUM(a.k)) OVER (ORDER BY MIN(a.id) ROWS 1 PRECEDING) AS s, FIRST_VALUE(MAX(a.k)) OVER (PARTITION BY COUNT(*) ORDER BY MIN(a.id)) AS f FROM t1 AS a${m.where('a')} GROUP BY y`,
      () =>
        sql`SELECT id, SUM(n) OVER (PARTITION BY g ORDER BY id) AS y FROM (SELECT a.id, COUNTIF(${m.condition('a')}) OVER (ORDER BY a.id) AS g, ${m.value(INT64, 'a')} AS n FROM t1 AS a)`,
      () =>
        sql`SELECT id, y FROM (SELECT a.id, ${call(m)} OVER (PARTITION BY ${m.value(m.division(), 'a')} ORDER BY a.id) AS y, ${m.value(k, 'a')} AS z FROM t1 AS a) WHERE ${m.some('id > 2', 'z IS NOT NULL', 'y IS NULL OR id = 1', 'id IN (1, 3)')}`,
      () =>
        sql`SELECT a.id, x, LAG(x) OVER (PARTITION BY a.id ORDER BY o) AS y0, SUM(x) OVER (PARTITION BY a.id ORDER BY o ROWS UNBOUNDED PRECEDING) AS y1 FROM t1 AS a, UNNEST(a.ai) AS x WITH OFFSET AS o`,
      () =>
        sql`SELECT a.k, ARRAY(SELECT AS STRUCT x, SUM(x) OVER (ORDER BY o) AS s FROM UNNEST(a.ai) AS x WITH OFFSET AS o ORDER BY o) AS y FROM t1 AS a`,
      () =>
        sql`SELECT DISTINCT ${m.value(m.division(), 'a')} AS y, ${call(m)} OVER (PARTITION BY a.${m.some('k', 'c', 'w')}) AS z FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.value(k, 'a')} AS y FROM t1 AS a WHERE TRUE QUALIFY COUNT(*) OVER (PARTITION BY a.${m.some('k', 'c', 'w')}) ${m.some('>', '=', '<=')} COUNT(${m.value(k, 'a')}) OVER (PARTITION BY ${m.value(m.division(), 'a')})`,
    )();
  },
  /** What the next and the last rows say: gaps, islands, changes. */
  islands(m) {
    const k = m.key();
    const value = m.value(k, 'a');
    return m.some(
      () =>
        sql`SELECT g, MIN(id) AS y0, MAX(id) AS y1, COUNT(*) AS n FROM (SELECT a.id, a.id - ROW_NUMBER() OVER (PARTITION BY ${value} ORDER BY a.id) AS g, ${value} AS v FROM t1 AS a) GROUP BY g, v`,
      () =>
        sql`SELECT id, SUM(changed) OVER (ORDER BY id) AS run FROM (SELECT a.id, IF(${value} IS DISTINCT FROM LAG(${value}) OVER (ORDER BY a.id), 1, 0) AS changed FROM t1 AS a)`,
      () =>
        sql`SELECT run, COUNT(*) AS n, ARRAY_AGG(id ORDER BY id) AS ids FROM (SELECT a.id, COUNTIF(${m.condition('a')}) OVER (ORDER BY a.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS run FROM t1 AS a) GROUP BY run`,
      () =>
        sql`SELECT a.id, LEAD(${value}) OVER (ORDER BY a.id) AS y0, LAST_VALUE(${value} IGNORE NULLS) OVER (ORDER BY a.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS y1, FIRST_VALUE(${value} IGNORE NULLS) OVER (ORDER BY a.id ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS y2 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, NTH_VALUE(${value}, ${m.some('1', '2', '3')}${m.some('', ' IGNORE NULLS')}) OVER (PARTITION BY a.c ORDER BY a.id${m.some('', ' ROWS BETWEEN 1 PRECEDING AND 2 FOLLOWING', ' RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING')}) AS y FROM t1 AS a`,
    )();
  },
};
