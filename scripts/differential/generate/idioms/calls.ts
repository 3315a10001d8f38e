// Every aggregate of the translator's tables, as a group, as a window and beside others; and corners of functions that their signatures do not lead to.
import { BIGNUMERIC, BYTES, FLOAT64, INT64, INTERVAL, NUMERIC, STRING, type Type } from '../../../../src/sql/base/types.ts';
import { optional } from '../../tree.ts';
import { productions } from '../productions.ts';
import { type Idiom, instead, type Maker, sql } from './maker.ts';

/** Those whose value hangs on the order of rows, or is an estimate, are written in the idioms themselves. */
const OTHERS = /^(?:ARRAY_AGG|STRING_AGG|ARRAY_CONCAT_AGG|ANY_VALUE|APPROX_|HLL_|KLL_|MAX_BY|MIN_BY|GROUPING|PERCENTILE)/;

function aggregate(m: Maker) {
  const all = productions().filter(({ kind, name }) => kind === 'aggregate' && !OTHERS.test(name));
  for (;;) {
    const made = m.call(m.random.pick(all), 'a');
    if (made !== undefined) return made;
  }
}

/** Large numbers, whose squares and sums are near what a type holds. */
const LARGE = [
  '1e29',
  '99999999999999999999999999999.999999999',
  '-99999999999999999999999999999',
  '1e28',
  '12345678901234567890.123456789',
];
const LARGE_FLOATS = ['1e154', '1.7e308', '-1.7e308', '1e15', '9007199254740993.0', '1e-200'];

export const CALL_IDIOMS: Readonly<Record<string, Idiom>> = {
  aggregates: (m) =>
    sql`SELECT ${m.value(m.key(), 'a')} AS y0, ${aggregate(m)} AS y1, ${aggregate(m)} AS y2 FROM t1 AS a${m.where('a')} GROUP BY y0`,
  overAll: (m) => sql`SELECT ${aggregate(m)} AS y1, ${aggregate(m)} AS y2, ${aggregate(m)} AS y3 FROM t1 AS a${m.where('a')}`,
  overWindows: (m) =>
    sql`SELECT a.id, ${aggregate(m)} OVER (PARTITION BY ${m.value(m.division(), 'a')}${m.some('', ' ORDER BY a.id', ' ORDER BY a.id ROWS 1 PRECEDING')}) AS y FROM t1 AS a`,
  ofDistinct(m) {
    const [call, type] = m.some<readonly [string, Type]>(
      ['SUM', INT64],
      ['AVG', INT64],
      ['COUNT', STRING],
      ['BIT_XOR', INT64],
      ['COUNT', BYTES],
      ['SUM', NUMERIC],
      ['AVG', BIGNUMERIC],
      ['STDDEV', INT64],
      ['VAR_POP', FLOAT64],
    );
    return sql`SELECT a.${m.some('c', 'k', 'w')} AS y0, ${call}(DISTINCT ${m.value(type, 'a')}) AS y1${m.random.chance(0.4) ? sql`, COUNT(DISTINCT ${m.value(m.key(), 'a')}) AS y2` : ''} FROM t1 AS a GROUP BY y0`;
  },
  estimates(m) {
    const k = m.key();
    const one = m.value(k, 'a');
    const by = sql` FROM t1 AS a GROUP BY a.c`;
    return m.some(
      () => instead(sql`SELECT APPROX_COUNT_DISTINCT(${one}) AS y${by}`, sql`SELECT COUNT(DISTINCT ${one}) AS y${by}`),
      () => instead(sql`SELECT APPROX_QUANTILES(${one}, ${m.some('1', '2', '4')})[OFFSET(0)] AS y${by}`, sql`SELECT MIN(${one}) AS y${by}`),
      () => instead(sql`SELECT APPROX_QUANTILES(${one}, 2)[ORDINAL(3)] AS y${by}`, sql`SELECT MAX(${one}) AS y${by}`),
      () =>
        instead(
          sql`SELECT MAX_BY(a.id, a.id) AS y, MIN_BY(${one}, a.id) AS z${by}`,
          sql`SELECT MAX(a.id) AS y, ANY_VALUE(${one} HAVING MIN a.id) AS z${by}`,
        ),
      () => instead(sql`SELECT HLL_COUNT.EXTRACT(HLL_COUNT.INIT(a.v)) AS y${by}`, sql`SELECT COUNT(DISTINCT a.v) AS y${by}`),
      () =>
        instead(
          sql`SELECT (SELECT SUM(x.count) FROM UNNEST(l) AS x) AS y FROM (SELECT APPROX_TOP_COUNT(${one}, 100) AS l${by})`,
          sql`SELECT COUNT(*) + 0 * COUNT(${one}) AS y${by}`,
        ),
    )();
  },
  texts(m) {
    const limit = m.random.chance(0.3) ? optional(` LIMIT ${1 + m.random.below(2)}`) : '';
    return m.some(
      () =>
        sql`SELECT a.c, STRING_AGG(${m.value(STRING, 'a')}, ${m.some("', '", "''", "'é'")} ORDER BY a.id${m.some('', ' DESC')}${limit}) AS y FROM t1 AS a GROUP BY a.c`,
      () => sql`SELECT a.c, STRING_AGG(${m.value(BYTES, 'a')}, b',' ORDER BY a.id${limit}) AS y FROM t1 AS a GROUP BY a.c`,
      () => sql`SELECT a.k, STRING_AGG(DISTINCT ${m.some('a.s', 'a.v', 'a.w')} ORDER BY 1${limit}) AS y FROM t1 AS a GROUP BY a.k`,
      () => {
        const one = m.value(STRING, 'a');
        return sql`SELECT a.k, STRING_AGG(DISTINCT ${one}, '-' ORDER BY ${one} DESC${limit}) AS y FROM t1 AS a GROUP BY a.k`;
      },
    )();
  },
  largeNumbers(m) {
    const type = m.some('NUMERIC', 'BIGNUMERIC');
    const call = m.some('STDDEV', 'STDDEV_POP', 'VARIANCE', 'VAR_POP', 'AVG', 'SUM', 'MAX');
    const n = () => `${type} '${m.random.pick(LARGE)}'`;
    const f = () => m.random.pick(LARGE_FLOATS);
    return m.some(
      () => sql`SELECT ${call}(x) AS y FROM UNNEST([${n()}, ${n()}${m.some('', ', NULL', ', 0')}]) AS x`,
      () => sql`SELECT ${call}(x) OVER (ORDER BY o) AS y FROM UNNEST([${n()}, ${n()}, 1]) AS x WITH OFFSET AS o`,
      () => sql`SELECT ${call}(x) AS y FROM UNNEST([${f()}, ${f()}${m.some('', ', NULL', ', 0')}]) AS x`,
      () =>
        sql`SELECT ${m.some('CORR', 'COVAR_POP', 'COVAR_SAMP')}(x, ${m.some('x', '-x', '1.0')}) AS y FROM UNNEST([${f()}, ${f()}, 1.0]) AS x`,
      () => sql`SELECT ${call}(IF(a.c, ${n()}, a.n)) AS y FROM t1 AS a GROUP BY a.k`,
      () =>
        sql`SELECT ${m.some('SUM', 'AVG')}(IF(a.c, ${m.some('9223372036854775807', '-9223372036854775808', '9223372036854775806')}, a.k)) AS y FROM t1 AS a GROUP BY a.id`,
    )();
  },
  bytes(m) {
    const part = () => m.some("b''", "b'a'", "b'\\x00'", "b'bc'", 'FROM_HEX(a.hx)', 'NULL');
    return m.some(
      () => sql`SELECT a.id, ${m.some('INSTR', 'STRPOS')}(${m.value(BYTES, 'a')}, ${part()}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, INSTR(${m.value(BYTES, 'a')}, ${part()}, ${m.some('1', '-1', '2', 'NULL', 'a.id')}${m.some('', ', 1', ', 2', ', a.id')}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, REGEXP_EXTRACT_ALL(${m.value(BYTES, 'a')}, ${m.some("b'a'", "b'.'", "br'(.)b'", "b''", "CONCAT(b'[', b'a', b'-c]')", "CAST('a' AS BYTES)")}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.some('REGEXP_CONTAINS', 'REGEXP_EXTRACT')}(${m.value(BYTES, 'a')}, ${m.some("b'a'", "br'^\\x61'", "b'(?i)A'", "FROM_HEX('61')")}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.some('SPLIT', 'TRIM', 'LTRIM', 'RTRIM')}(${m.value(BYTES, 'a')}, ${m.some("b'a'", "b','", "b'\\xff\\x00'")}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, ${m.some('LPAD', 'RPAD')}(${m.value(BYTES, 'a')}, ${m.some('3', '0', 'a.id')}${m.some('', ", b'xy'")}) AS y0, SUBSTR(${m.value(BYTES, 'a')}, ${m.some('0', '-2', '2', 'a.id')}, 2) AS y1, REPLACE(${m.value(BYTES, 'a')}, b'a', b'') AS y2 FROM t1 AS a`,
    )();
  },
  farIntervals(m) {
    const n = () =>
      m.some('-9223372036854775808', '9223372036854775807', '3652059', '10000', '-10000', '120000', 'a.i', '87840000', '316224000000');
    const unit = m.some('YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND', 'MILLISECOND', 'MICROSECOND');
    return m.some(
      () => sql`SELECT a.id, INTERVAL ${n()} ${unit} AS y FROM t1 AS a`,
      () => sql`SELECT a.id, INTERVAL 1 ${unit} * ${n()} AS y FROM t1 AS a`,
      () => sql`SELECT a.id, CAST(INTERVAL ${n()} ${unit} AS STRING) AS y FROM t1 AS a WHERE a.id = 1`,
      () => sql`SELECT a.id, SAFE.TIMESTAMP_ADD(a.t, INTERVAL ${n()} ${m.some('DAY', 'HOUR', 'SECOND', 'MICROSECOND')}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, SAFE.DATE_${m.some('ADD', 'SUB')}(a.d, INTERVAL ${n()} ${m.some('DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, a.t ${m.some('+', '-')} INTERVAL ${n()} ${m.some('DAY', 'HOUR', 'SECOND')} AS y FROM t1 AS a WHERE a.id < 3`,
      () => sql`SELECT a.id, ${m.value(INTERVAL, 'a', 1)} ${m.some('<', '=', '>=')} ${m.value(INTERVAL, 'a', 1)} AS y FROM t1 AS a`,
      () => sql`SELECT ${m.value(INTERVAL, 'a', 1)} AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () => sql`SELECT ${m.some('SUM', 'AVG', 'MIN', 'MAX')}(${m.value(INTERVAL, 'a', 1)}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, UNICODE(TRIM(CAST(${m.value(INTERVAL, 'a', 1)} AS STRING))) AS y FROM t1 AS a`,
    )();
  },
  safe: (m) => {
    const fn = m.some(
      () => sql`SAFE.SUBSTR(${m.value(STRING, 'a')}, ${m.value(INT64, 'a')}, ${m.value(INT64, 'a')})`,
      () => sql`SAFE.LEFT(${m.value(STRING, 'a')}, ${m.value(INT64, 'a')})`,
      () => sql`SAFE.REPEAT(${m.value(STRING, 'a')}, ${m.value(INT64, 'a')})`,
      () => sql`SAFE.DIV(${m.value(INT64, 'a')}, ${m.value(INT64, 'a')})`,
      () => sql`SAFE.MOD(${m.value(INT64, 'a')}, ${m.value(INT64, 'a')})`,
      () => sql`SAFE.SQRT(${m.value(FLOAT64, 'a')})`,
      () => sql`SAFE.LN(${m.value(FLOAT64, 'a')})`,
      () => sql`SAFE.REGEXP_EXTRACT(${m.value(STRING, 'a')}, ${m.some("'('", "'(a)(b)'", "'a'", 'a.v')})`,
      () => sql`SAFE.DATE(${m.value(INT64, 'a')} + 2000, ${m.value(INT64, 'a')}, ${m.value(INT64, 'a')})`,
      () => sql`SAFE.PARSE_NUMERIC(${m.value(STRING, 'a')})`,
      () => sql`SAFE.FROM_HEX(${m.value(STRING, 'a')})`,
      () => sql`SAFE.FROM_BASE64(${m.value(STRING, 'a')})`,
      () => sql`SAFE.CODE_POINTS_TO_STRING([${m.value(INT64, 'a')}, 97])`,
      () => sql`SAFE.CHR(${m.value(INT64, 'a')})`,
      () => sql`SAFE.SAFE_CONVERT_BYTES_TO_STRING(${m.value(BYTES, 'a')})`,
      () => sql`SAFE.LPAD(${m.value(STRING, 'a')}, ${m.value(INT64, 'a')}, ${m.value(STRING, 'a')})`,
      () => sql`SAFE.TIMESTAMP_SECONDS(${m.value(INT64, 'a')} * 10000000000)`,
      () => sql`SAFE.ARRAY_LENGTH(GENERATE_ARRAY(1, ${m.value(INT64, 'a')}, ${m.value(INT64, 'a')}))`,
      () => sql`SAFE.PARSE_JSON(${m.some('a.s', 'a.jx', 'a.v')})`,
      () => sql`SAFE.GENERATE_ARRAY(${m.value(INT64, 'a', 0)}, 10, ${m.value(INT64, 'a', 0)})`,
      () => sql`SAFE.RANGE_BUCKET(${m.value(INT64, 'a')}, [1, 2, 5])`,
    )();
    return sql`SELECT a.id, ${fn} AS y FROM t1 AS a`;
  },
};
