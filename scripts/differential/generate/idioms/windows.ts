// Windows as people write them: sessions, running totals, fillings, the newest row of each, shares of a whole.
import { INT64 } from '../../../../src/sql/base/types.ts';
import { optional } from '../../tree.ts';
import { type Idiom, type Maker, ordered, sql } from './maker.ts';

const frame = (m: Maker): string =>
  m.some(
    '',
    ' ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW',
    ' ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING',
    ' ROWS 2 PRECEDING',
    ' ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING',
    ' ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING',
    ' ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING',
    ' ROWS BETWEEN CURRENT ROW AND 2 FOLLOWING',
    ' ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING',
  );

const rangeFrame = (m: Maker, steps: readonly string[]): string => {
  const step = (): string => m.random.pick(steps);
  return m.some(
    '',
    ` RANGE BETWEEN ${step()} PRECEDING AND CURRENT ROW`,
    ` RANGE BETWEEN ${step()} PRECEDING AND ${step()} FOLLOWING`,
    ` RANGE BETWEEN CURRENT ROW AND ${step()} FOLLOWING`,
    ` RANGE BETWEEN UNBOUNDED PRECEDING AND ${step()} PRECEDING`,
    ` RANGE ${step()} PRECEDING`,
    ' RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
  );
};

/** Aggregates whose value over a window hangs on its rows alone. */
const running = (m: Maker) => {
  const k = m.key();
  return m.some(
    () => sql`COUNT(*)`,
    () => sql`COUNT(${m.value(k, 'a')})`,
    () => sql`COUNTIF(${m.condition('a')})`,
    () => sql`SUM(${m.value(INT64, 'a')})`,
    () => sql`SUM(${m.value({ kind: m.some('NUMERIC', 'BIGNUMERIC') }, 'a')})`,
    () => sql`AVG(${m.value({ kind: m.some('INT64', 'NUMERIC', 'FLOAT64') }, 'a')})`,
    () => sql`${m.some('MIN', 'MAX')}(${m.value(k, 'a')})`,
    () => sql`${m.some('BIT_AND', 'BIT_OR', 'BIT_XOR')}(${m.value(INT64, 'a')})`,
    () => sql`${m.some('LOGICAL_AND', 'LOGICAL_OR')}(${m.condition('a')})`,
    () => sql`${m.some('STDDEV_SAMP', 'STDDEV_POP', 'VARIANCE', 'VAR_POP')}(${m.value({ kind: m.some('INT64', 'NUMERIC') }, 'a', 0)})`,
  )();
};

export const WINDOW_IDIOMS: Readonly<Record<string, Idiom>> = {
  rangeOfTimes(m) {
    const [by, steps] = m.some<readonly [string, readonly string[]]>(
      ['UNIX_SECONDS(a.t)', ['60', '3600', '86400', '2592000']],
      ['UNIX_MILLIS(a.t)', ['1000', '86400000']],
      ['UNIX_MICROS(a.t)', ['1', '86400000000']],
      ['UNIX_DATE(a.d)', ['1', '7', '30', '365']],
      ["DATE_DIFF(a.d, DATE '2024-01-01', MONTH)", ['1', '12']],
      ['EXTRACT(YEAR FROM a.t)', ['1', '10']],
    );
    const partition = m.random.chance(0.5) ? sql`PARTITION BY ${m.value(m.division(), 'a')} ` : '';
    return sql`SELECT a.id, ${running(m)} OVER (${partition}ORDER BY ${by}${m.some('', ' DESC')}${rangeFrame(m, steps)}) AS y FROM t1 AS a${m.where('a')}`;
  },
  runningTotals(m) {
    const order = m.random.chance(0.5) ? sql`${m.value(m.key(), 'a')}${m.some('', ' DESC', ' NULLS LAST')}, a.id` : 'a.id';
    const partition = m.random.chance(0.5) ? sql`PARTITION BY ${m.value(m.division(), 'a')} ` : '';
    return sql`SELECT a.id, ${running(m)} OVER (${partition}ORDER BY ${order}${frame(m)}) AS y0, ${running(m)} OVER w AS y1 FROM t1 AS a WINDOW w AS (${partition}ORDER BY ${order})`;
  },
  filled(m) {
    const k = m.key();
    const call = m.some('LAST_VALUE', 'FIRST_VALUE');
    return sql`SELECT a.id, ${call}(${m.value(k, 'a')}${m.some(' IGNORE NULLS', ' RESPECT NULLS', '')}) OVER (ORDER BY a.id${frame(m)}) AS y0, COALESCE(${m.value(k, 'a')}, ${call}(${m.value(k, 'a')} IGNORE NULLS) OVER (PARTITION BY a.c ORDER BY a.id${frame(m)})) AS y1 FROM t1 AS a`;
  },
  neighbours(m) {
    const k = m.key();
    const value = m.part(k, 'a');
    return sql`SELECT a.id, ${m.some('LAG', 'LEAD')}(${value}${m.some('', ', 1', ', 2', ', 0')}) OVER w AS y0, ${m.some('LAG', 'LEAD')}(${value}, 1, ${m.constant(k)}) OVER w AS y1, ${value} = LAG(${value}) OVER (ORDER BY a.id) AS y2, NTH_VALUE(${value}, 2${m.some('', ' IGNORE NULLS')}) OVER (ORDER BY a.id${frame(m)}) AS y3 FROM t1 AS a WINDOW w AS (PARTITION BY ${m.value(m.division(), 'a')} ORDER BY a.id)`;
  },
  sessions(m) {
    const gap = m.some('3600', '86400', '100000000');
    return sql`SELECT s, COUNT(*) AS n, MIN(t) AS first, MAX(t) AS last FROM (SELECT t, COUNTIF(fresh) OVER (PARTITION BY k ORDER BY t, id) AS s FROM (SELECT a.id, a.t, a.k, TIMESTAMP_DIFF(a.t, LAG(a.t) OVER (PARTITION BY a.k ORDER BY a.t, a.id), SECOND) > ${gap} AS fresh FROM t1 AS a${m.where('a')})) GROUP BY s`;
  },
  newestOfEach(m) {
    const k = m.division();
    const number = m.some('ROW_NUMBER()', 'RANK()');
    return m.some(
      () =>
        sql`SELECT a.id, ${m.value(m.key(), 'a')} AS y FROM t1 AS a${m.where('a')} QUALIFY ${number} OVER (PARTITION BY ${m.value(k, 'a')} ORDER BY a.id DESC) = 1`,
      () =>
        sql`SELECT a.* EXCEPT (x, jx, hx, af, p) FROM t1 AS a${m.where('a')} QUALIFY ROW_NUMBER() OVER (PARTITION BY ${m.value(k, 'a')} ORDER BY ${m.value(m.key(), 'a')}, a.id) <= 2`,
      () =>
        sql`SELECT ${m.value(k, 'a')} AS y, COUNT(*) AS n FROM t1 AS a WHERE TRUE GROUP BY y QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) ${m.some('<= 2', '= 1', '> 1')}`,
      () => sql`SELECT a.id FROM t1 AS a WHERE TRUE QUALIFY COUNT(*) OVER (PARTITION BY ${m.value(k, 'a')}) > 1`,
      () =>
        sql`SELECT a.id, ROW_NUMBER() OVER (PARTITION BY ${m.value(k, 'a')} ORDER BY a.id) AS r FROM t1 AS a WHERE TRUE QUALIFY r = 1 ${m.some('AND', 'OR')} ${m.condition('a')}`,
      () =>
        sql`SELECT ARRAY_AGG(a ORDER BY a.id DESC LIMIT 1)[OFFSET(0)].${m.some('i', 's', 'd', 't', 'n', 'ai')} AS y FROM t1 AS a GROUP BY a.${m.some('k', 'c', 'w', 'd')}`,
    )();
  },
  shares(m) {
    const k = m.division();
    return m.some(
      () =>
        sql`SELECT ${m.value(k, 'a')} AS y, COUNT(*) / SUM(COUNT(*)) OVER () AS share, SUM(COUNT(*)) OVER (ORDER BY COUNT(*)) AS running FROM t1 AS a${m.where('a')} GROUP BY y`,
      () => sql`SELECT a.id, SAFE_DIVIDE(a.k, SUM(a.k) OVER (PARTITION BY ${m.value(k, 'a')})) AS y FROM t1 AS a`,
      () =>
        sql`SELECT ${m.value(k, 'a')} AS y, SUM(a.k) AS n, LAG(SUM(a.k)) OVER (ORDER BY SUM(a.k), MIN(a.id)) AS before, RANK() OVER (PARTITION BY MAX(a.c) ORDER BY SUM(a.k)) AS place FROM t1 AS a GROUP BY y`,
    )();
  },
  chainOfNames(m) {
    return sql`SELECT a.id, ${running(m)} OVER w1 AS y0, ROW_NUMBER() OVER w2 AS y1, ${running(m)} OVER w3 AS y2, ${running(m)} OVER (w2${frame(m)}) AS y3, NTILE(2) OVER w2 AS y4 FROM t1 AS a WINDOW w1 AS (PARTITION BY ${m.value(m.division(), 'a')}), w2 AS (w1 ORDER BY ${m.value(m.key(), 'a')}, a.id), w3 AS (w2${frame(m) || ' ROWS 1 PRECEDING'})`;
  },
  listsOfWindows(m) {
    const k = m.division();
    return m.some(
      () =>
        sql`SELECT a.id, ARRAY_TO_STRING(ARRAY_AGG(CAST(a.k AS STRING)) OVER (PARTITION BY ${m.value(k, 'a')} ORDER BY a.id${frame(m)}), ',') AS y FROM t1 AS a`,
      () => sql`SELECT a.id, STRING_AGG(a.v, '-') OVER (PARTITION BY ${m.value(k, 'a')} ORDER BY a.id${frame(m)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, COUNT(DISTINCT ${m.value(k, 'a')}) OVER (PARTITION BY a.${m.some('c', 'k', 'w')}) AS y0, ${m.some('PERCENT_RANK', 'CUME_DIST', 'DENSE_RANK', 'RANK')}() OVER (ORDER BY ${m.value(k, 'a')}${m.some('', ' DESC', ' NULLS LAST')}) AS y1 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, PERCENTILE_CONT(a.${m.some('k', 'f', 'n')}, ${m.some('0.5', '0.9', '0.0', '1.0')}${m.some('', ' IGNORE NULLS', ' RESPECT NULLS')}) OVER (PARTITION BY ${m.value(k, 'a')}) AS y0, PERCENTILE_DISC(${m.value(m.key(), 'a')}, 0.5) OVER () AS y1 FROM t1 AS a`,
    )();
  },
  sortedByWindow(m) {
    const more = m.random.chance(0.5) ? optional(` LIMIT ${1 + m.random.below(4)}`) : '';
    return ordered(
      sql`SELECT a.id, ${m.value(m.key(), 'a')} AS y FROM t1 AS a${m.where('a')} ORDER BY ${running(m)} OVER (PARTITION BY ${m.value(m.division(), 'a')})${m.some('', ' DESC')}, a.id${more}`,
    );
  },
};
