// Days and hours as people count by them: series, zones, formats, buckets.
import { DATE, DATETIME, INT64, STRING, TIME, TIMESTAMP } from '../../../../src/sql/base/types.ts';
import { quoted } from '../../literal.ts';
import { type Idiom, type Maker, sql } from './maker.ts';

const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns', '+05:30', '-08:00'];
const DAYS = ['DAY', 'WEEK', 'WEEK(MONDAY)', 'WEEK(SATURDAY)', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR', 'ISOYEAR'];
const CLOCK = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR'];

const zone = (m: Maker): string => (m.random.chance(0.6) ? `, '${m.random.pick(ZONES)}'` : '');
const atZone = (m: Maker): string => (m.random.chance(0.6) ? ` AT TIME ZONE '${m.random.pick(ZONES)}'` : '');

const DATE_ELEMENTS =
  '%A %a %B %b %C %D %d %e %F %G %g %h %j %m %n %t %U %u %V %W %w %x %Y %y %% %E4Y %EY %Ey %EC %Ex %Od %Oe %Om %OU %Ou %OV %OW %Ow %Oy %Q %J'.split(
    ' ',
  );
const TIME_ELEMENTS = '%H %I %k %l %M %P %p %R %r %S %T %X %E1S %E3S %E4S %E6S %E*S %EX %OH %OI %OM %OS'.split(' ');
const ZONE_ELEMENTS = '%Z %z %Ez %E*z %s %c %Ec %+'.split(' ');

const format = (m: Maker, ...elements: readonly (readonly string[])[]): string =>
  quoted(Array.from({ length: 1 + m.random.below(3) }, () => m.random.pick(elements.flat())).join(m.some('', ' ', '-', '/', 'T', 'é')));

/** Elements of CAST … FORMAT. */
const CAST_DATE = 'YYYY YYY YY Y MM MON MONTH Mon mon DD DDD D DY DAY Day RRRR RR "x"'.split(' ');
const CAST_TIME = 'HH HH12 HH24 MI SS SSSSS FF3 FF6 FF1 AM PM A.M. "x"'.split(' ');
const castFormat = (m: Maker, ...elements: readonly (readonly string[])[]): string =>
  quoted(Array.from({ length: 1 + m.random.below(3) }, () => m.random.pick(elements.flat())).join(m.some(' ', '-', '/', ':', '', '.')));

const PARSED: readonly (readonly [fn: string, format: string, text: string])[] = [
  ['TIMESTAMP', '%Y-%m-%dT%H:%M:%E*SZ', '2024-02-29T12:34:56.789Z'],
  ['TIMESTAMP', '%Y-%m-%dT%H:%M:%E*S%Ez', '2024-02-29T12:34:56.789+02:00'],
  ['TIMESTAMP', '%a %b %d %H:%M:%S %Z %Y', 'Thu Feb 29 12:34:56 UTC 2024'],
  ['TIMESTAMP', '%d/%b/%Y:%H:%M:%S %z', '29/Feb/2024:12:34:56 +0000'],
  ['TIMESTAMP', '%a, %d %b %Y %H:%M:%S GMT', 'Thu, 29 Feb 2024 12:34:56 GMT'],
  ['TIMESTAMP', '%c', 'Thu Feb 29 12:34:56 2024'],
  ['TIMESTAMP', '%+', '2024-02-29T12:34:56+00:00'],
  ['TIMESTAMP', '%s', '1709210096'],
  ['TIMESTAMP', '%Y%m%d%H%M%S', '20240229123456'],
  ['TIMESTAMP', '%F %R', '2024-02-29 12:34'],
  ['TIMESTAMP', '%Y-%m-%d %H:%M:%E9S', '2024-02-29 12:34:56.123456789'],
  ['TIMESTAMP', '%F %T', '2024-02-29 23:59:60'],
  ['TIMESTAMP', '%F %T %Z', '2024-07-01 12:00:00 America/New_York'],
  ['DATE', '%Y%m%d', '20240229'],
  ['DATE', '%Y%m%d', '2024229'],
  ['DATE', '%b %d, %Y', 'Feb 29, 2024'],
  ['DATE', '%A, %B %e, %Y', 'Thursday, February 29, 2024'],
  ['DATE', '%m-%Y', '02-2024'],
  ['DATE', '%y%m%d', '690229'],
  ['DATE', '%Y-%j', '2024-060'],
  ['DATE', '%E4Y-%m-%d', '0099-12-31'],
  ['DATE', '%Y-%m-%d', '10000-01-01'],
  ['DATE', '%x', '02/29/24'],
  ['DATE', '%%%d%n%m', '%29 02'],
  ['DATE', '%Y-%Q', '2024-3'],
  ['DATETIME', '%Y-%m-%d %I:%M:%S %p', '2024-02-29 12:34:56 AM'],
  ['DATETIME', '%F %T', '2024-02-29 25:00:00'],
  ['DATETIME', '%Y-%m-%d %H:%M:%E3S', '2024-02-29 12:34:56.7891'],
  ['DATETIME', '%d.%m.%Y %k:%M', '29.02.2024  7:05'],
  ['DATETIME', '%Y', '2024'],
  ['DATETIME', '%H:%M', '12:34'],
  ['TIME', '%H:%M:%E*S', '12:34:56.1234567'],
  ['TIME', '%I %P', '12 pm'],
  ['TIME', '%T', '24:00:00'],
  ['TIME', '%X', '01:02:03'],
  ['TIME', '%S:%M', '60:59'],
];
const CAST_PARSED: readonly (readonly [type: string, format: string, text: string])[] = [
  ['DATE', 'YYYY-MM-DD', '2024-02-29'],
  ['DATE', 'MM/DD/YYYY', '02/29/2024'],
  ['DATE', 'DD MON YYYY', '29 FEB 2024'],
  ['DATE', 'MONTH DD, YYYY', 'February 29, 2024'],
  ['DATE', 'YY-MM-DD', '24-02-29'],
  ['DATE', 'RRRR-MM', '2024-02'],
  ['TIMESTAMP', 'YYYY-MM-DD HH24:MI:SS', '2024-02-29 12:34:56'],
  ['TIMESTAMP', 'YYYY-MM-DD HH24:MI:SSTZH:TZM', '2024-02-29 12:34:56+02:30'],
  ['TIMESTAMP', 'YYYY-MM-DD"T"HH24:MI:SS.FF3', '2024-02-29T12:34:56.789'],
  ['DATETIME', 'YYYY-MM-DD HH12:MI:SS A.M.', '2024-02-29 12:34:56 P.M.'],
  ['DATETIME', 'MM-DD HH24', '02-28 7'],
  ['TIME', 'HH24:MI:SS.FF6', '12:34:56.789012'],
  ['TIME', 'SSSSS', '45296'],
  ['TIME', 'HH12 P.M.', '12 A.M.'],
];
/** Texts of times that are cast as they are. */
const TEXTS = [
  '2024-02-29 12:34:56.1234567',
  '2024-02-29 12:34:56.123456789',
  '2024-02-29 12:34:56.1234567891',
  '2024-02-29T12:34:56Z',
  '2024-02-29 12:34:60',
  '2024-02-29 12:34:60.5',
  '2024-12-31 23:59:60',
  '2024-12-31 23:59:60.000001',
  '2024-2-9 1:2:3',
  '2024-02-29 24:00:00',
  '2024-02-29 12:34:56 America/New_York',
  '2024-02-29 12:34:56+02',
  '2024-02-29 12:34:56.5+02:30',
  '0001-01-01',
  '9999-12-31 23:59:59.999999',
  '10000-01-01',
  ' 2024-02-29',
  '2024-02-29 ',
  '2024-02-30',
  '20240229',
  '2024-02-29 12',
  '2024-02-29 12:34',
  '12:34:56',
  '12:34:56.1234567',
  '12:34:60',
  '12:34:60.25',
  '1:2:3.4',
  '24:00:00',
  '12:34',
  '2024-02-29t12:34:56z',
  '2024-02-29 12:34:56.',
  '-0001-01-01',
  '',
];

export const TIME_IDIOMS: Readonly<Record<string, Idiom>> = {
  days(m) {
    const [from, to, step] = m.some<readonly [string, string, string]>(
      ["DATE '2024-02-27'", "DATE '2024-03-02'", ''],
      ["DATE '2024-01-31'", "DATE '2024-06-30'", ', INTERVAL 1 MONTH'],
      ["DATE '2024-03-01'", "DATE '2024-02-01'", ', INTERVAL -1 WEEK'],
      ["DATE '1999-12-31'", "DATE '2001-01-01'", ', INTERVAL 1 QUARTER'],
      ["DATE '1968-02-29'", "DATE '2024-02-29'", ', INTERVAL 8 YEAR'],
    );
    const series = `UNNEST(GENERATE_DATE_ARRAY(${from}, ${to}${step}))`;
    return m.some(
      () =>
        sql`SELECT day, COUNT(a.id) AS n, IFNULL(SUM(a.k), 0) AS s FROM ${series} AS day LEFT JOIN t1 AS a ON ${m.value(DATE, 'a')} = day GROUP BY day`,
      () =>
        sql`SELECT day, a.id FROM ${series} AS day ${m.some('CROSS JOIN t1 AS a WHERE', 'JOIN t1 AS a ON', 'LEFT JOIN t1 AS a ON')} DATE_TRUNC(a.d, YEAR) = DATE_TRUNC(day, YEAR)`,
      () => sql`SELECT day, o, LEAD(day) OVER (ORDER BY o) AS next FROM ${series} AS day WITH OFFSET AS o`,
      () =>
        sql`SELECT a.id, ARRAY_LENGTH(GENERATE_DATE_ARRAY(a.d, LEAST(a.e, DATE_ADD(a.d, INTERVAL 60 DAY))${m.some('', ', INTERVAL 1 WEEK', ', INTERVAL 1 MONTH')})) AS n FROM t1 AS a WHERE a.d > '1950-01-01' AND a.d < '2200-01-01'`,
      () =>
        sql`SELECT a.id, x FROM t1 AS a, UNNEST(GENERATE_TIMESTAMP_ARRAY(a.t, TIMESTAMP_ADD(a.t, INTERVAL 3 HOUR), INTERVAL ${m.some('1', '2', '90')} ${m.some('HOUR', 'MINUTE')})) AS x WHERE a.k = 2 AND EXTRACT(YEAR FROM a.t) < 2200`,
    )();
  },
  truncated(m) {
    const part = m.random.pick([...DAYS, 'HOUR', 'MINUTE']);
    return m.some(
      () => sql`SELECT TIMESTAMP_TRUNC(${m.value(TIMESTAMP, 'a')}, ${part}${zone(m)}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () =>
        sql`SELECT ${m.some('DATE_TRUNC', 'DATETIME_TRUNC')}(${m.value(DATETIME, 'a')}, ${part}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY 1`,
      () => sql`SELECT DATE_TRUNC(${m.value(DATE, 'a')}, ${m.random.pick(DAYS)}) AS y, COUNT(DISTINCT a.id) AS n FROM t1 AS a GROUP BY y`,
      () => sql`SELECT TIME_TRUNC(${m.value(TIME, 'a')}, ${m.random.pick(CLOCK)}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () =>
        sql`SELECT EXTRACT(${m.random.pick([...DAYS, ...CLOCK, 'DAYOFWEEK', 'DAYOFYEAR', 'DATE', 'TIME', 'DATETIME'])} FROM a.t${atZone(m)}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () =>
        sql`SELECT EXTRACT(${m.random.pick([...DAYS, ...CLOCK, 'DAYOFWEEK', 'DATE', 'TIME'])} FROM ${m.value(DATETIME, 'a')}) AS y, COUNT(*) AS n FROM t1 AS a GROUP BY y`,
      () => sql`SELECT DATE(${m.value(TIMESTAMP, 'a')}${zone(m)}) AS y, ${m.some('DATETIME', 'TIME')}(a.t${zone(m)}) AS z FROM t1 AS a`,
      () =>
        sql`SELECT TIMESTAMP(${m.value(m.some(DATETIME, DATE), 'a')}${zone(m)}) AS y, LAST_DAY(${m.value(DATE, 'a')}, ${m.random.pick(DAYS.slice(1))}) AS z FROM t1 AS a`,
      () =>
        sql`SELECT ${m.some('TIMESTAMP_BUCKET(a.t', 'DATETIME_BUCKET(DATETIME(a.t)')}, INTERVAL ${m.some('5 MINUTE', '7 DAY', '90 SECOND', '3 HOUR', '500 MILLISECOND')}) AS y, DATE_BUCKET(a.d, INTERVAL ${m.some('2 DAY', '1 WEEK', '3 MONTH', '5 YEAR')}) AS z FROM t1 AS a`,
    )();
  },
  differences(m) {
    const type = m.some(DATE, DATETIME, TIMESTAMP, TIME);
    const parts = type === TIME ? CLOCK : type === DATE ? DAYS : type === TIMESTAMP ? [...CLOCK, 'DAY'] : [...CLOCK, ...DAYS];
    const name = type.kind;
    return m.some(
      () => sql`SELECT a.id, ${name}_DIFF(${m.value(type, 'a')}, ${m.value(type, 'a')}, ${m.random.pick(parts)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, SAFE.${name}_${m.some('ADD', 'SUB')}(${m.value(type, 'a')}, INTERVAL ${m.part(INT64, 'a')} ${m.random.pick(type === DATE ? ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] : type === DATETIME ? [...CLOCK, 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] : type === TIME ? CLOCK : [...CLOCK, 'DAY'])}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT AVG(${name}_DIFF(${m.value(type, 'a')}, ${m.value(type, 'a', 0)}, ${m.random.pick(parts.filter((p) => !p.startsWith('MI')))})) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, ${m.part(type, 'a')} BETWEEN ${m.constant(type)} AND ${m.part(type, 'a')} AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, JUSTIFY_INTERVAL(a.t - a.x) AS y0, EXTRACT(${m.some('HOUR', 'MINUTE', 'SECOND', 'DAY')} FROM a.t - a.x) AS y1, MAKE_INTERVAL(${m.some('a.k', '1')}, a.k, ${m.some('2', 'a.id')}) AS y2 FROM t1 AS a`,
      () =>
        sql`SELECT SUM(MAKE_INTERVAL(day => a.k, second => a.id)) AS y0, MAX(a.t - a.x) AS y1, MIN(MAKE_INTERVAL(0, a.k)) AS y2 FROM t1 AS a`,
    )();
  },
  shown(m) {
    return m.some(
      () =>
        sql`SELECT a.id, FORMAT_TIMESTAMP(${format(m, DATE_ELEMENTS, TIME_ELEMENTS, ZONE_ELEMENTS)}, ${m.value(TIMESTAMP, 'a')}${zone(m)}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, FORMAT_DATETIME(${format(m, DATE_ELEMENTS, TIME_ELEMENTS)}, ${m.value(DATETIME, 'a')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, FORMAT_DATE(${format(m, DATE_ELEMENTS)}, ${m.value(DATE, 'a')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, FORMAT_TIME(${format(m, TIME_ELEMENTS)}, ${m.value(TIME, 'a')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, CAST(${m.value(DATE, 'a')} AS STRING FORMAT ${castFormat(m, CAST_DATE)}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, CAST(${m.value(DATETIME, 'a')} AS STRING FORMAT ${castFormat(m, CAST_DATE, CAST_TIME)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, CAST(${m.value(TIMESTAMP, 'a')} AS STRING FORMAT ${castFormat(m, CAST_DATE, CAST_TIME, ['TZH', 'TZM'])}${atZone(m)}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, CAST(${m.value(TIME, 'a')} AS STRING FORMAT ${castFormat(m, CAST_TIME)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, STRING(${m.value(TIMESTAMP, 'a')}${zone(m)}) AS y0, CAST(${m.value(m.some(DATE, DATETIME, TIME, TIMESTAMP), 'a')} AS STRING) AS y1 FROM t1 AS a`,
    )();
  },
  read(m) {
    const safe = m.some('SAFE.', 'SAFE.', '');
    return m.some(
      () => {
        const [name, f, text] = m.random.pick(PARSED);
        const of = m.some<string>(
          quoted(text),
          `CONCAT(a.v, ${quoted(text)})`,
          `IF(a.c, ${quoted(text)}, ${quoted(m.random.pick(PARSED)[2])})`,
        );
        return sql`SELECT a.id, ${safe}PARSE_${name}(${quoted(f)}, ${of}) AS y FROM t1 AS a`;
      },
      () => {
        const [type, f, text] = m.random.pick(CAST_PARSED);
        const of = m.some<string>(quoted(text), `IF(a.c, ${quoted(text)}, ${quoted(m.random.pick(CAST_PARSED)[2])})`);
        return sql`SELECT a.id, ${safe === '' ? 'CAST' : 'SAFE_CAST'}(${of} AS ${type} FORMAT ${quoted(f)}) AS y FROM t1 AS a`;
      },
      () => {
        const [x, y] = [quoted(m.random.pick(TEXTS)), quoted(m.random.pick(TEXTS))];
        const type = m.some('TIMESTAMP', 'DATETIME', 'DATE', 'TIME');
        return sql`SELECT a.id, SAFE_CAST(${m.some(x, `IF(a.c, ${x}, ${y})`)} AS ${type}) AS y FROM t1 AS a`;
      },
    )();
  },
  texts(m) {
    return m.some(
      () =>
        sql`SELECT a.id, FORMAT(${m.some("'%s-%d'", "'%10s|%-5d|'", "'%t %T'", "'%.1s%05d'", "'%%%s %i'", "'%s %x'", "'%s %o'", "'%s %\\'d'")}, REPLACE(${m.value(STRING, 'a')}, '\\x00', ''), ${m.value(INT64, 'a')}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT a.id, FORMAT(${m.some("'%*d'", "'%-*d|'", "'%0*d'")}, ${m.some('5', 'a.k', 'a.id')}, ${m.value(INT64, 'a')}) AS y0, FORMAT('%T', ${m.value(m.key(), 'a')}) AS y1, FORMAT('%t', [${m.value(m.key(), 'a')}]) AS y2, FORMAT('%t %T', STRUCT(${m.value(m.key(), 'a')}, a.k), a.ai) AS y3 FROM t1 AS a`,
      () =>
        sql`SELECT a.id, FORMAT(${m.some("'%.2f'", "'%10.3f'", "'%e'", "'%g'", "'%G'", "'%+.0f'", "'%\\'.2f'", "'%.10g'", "'%05.1f'")}, ${m.value({ kind: m.some('FLOAT64', 'NUMERIC', 'BIGNUMERIC') }, 'a')}) AS y FROM t1 AS a`,
      () => sql`SELECT a.id, FORMAT(${m.some("'%p'", "'%P'", "'%t'", "'%T'")}, ${m.value({ kind: 'JSON' }, 'a', 0)}) AS y FROM t1 AS a`,
      () =>
        sql`SELECT part, COUNT(*) AS n FROM t1 AS a, UNNEST(SPLIT(${m.value(STRING, 'a')}, ${m.some("','", "'a'", "''", "' '")})) AS part WITH OFFSET AS o WHERE ${m.some('o = 0', 'o < 2', "part != ''", 'TRUE')} GROUP BY part`,
      () =>
        sql`SELECT x, COUNT(*) AS n FROM t1 AS a, UNNEST(REGEXP_EXTRACT_ALL(${m.value(STRING, 'a')}, ${m.some("r'[a-c]'", "r'\\w'", "r'(.)b'", "r'^.'", "r'x*'")})) AS x GROUP BY x`,
      () =>
        sql`SELECT a.id, ${m.value(STRING, 'a')} LIKE ${m.some('ANY', 'ALL', 'SOME')} ${m.some("('a%', '%b')", "UNNEST(['a%', '%b', NULL])", "('%', 'a_c')", 'UNNEST(a.sa)')} AS y FROM t1 AS a`,
    )();
  },
};
