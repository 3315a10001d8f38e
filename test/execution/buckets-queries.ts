// What the schedules of buckets ask for: queries of every shape, each with the word of `quern explain --logical` about it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queryText } from '../queries/support.ts';

export const SHIPPED_FOLDER = join(import.meta.dirname, '../../queries');

export interface ScheduledQuery {
  /** Undefined: it ships. */
  readonly sql?: string;
  /** The units of its buckets, or why it has none. */
  readonly keeps: readonly string[] | string;
  /** Its LIMIT leaves out rows of buckets that have several, so that it is read whole all the same. */
  readonly cut?: true;
}

export type Given = Readonly<Record<string, string | null>>;

/** Values that a step draws from. */
const ARGUMENTS: Readonly<Record<string, readonly (string | null)[]>> = {
  unit: ['hour', null],
  area: ['rest', null],
  since: ['2026-01-04 00:00:00', '2026-01-09 07:30:00'],
  until: [null, '2026-01-12 00:00:00'],
  project: ['rest', 'auth'],
  interval: ['daily', '7day', 'hourly', '1day', 'minutely', '5min'],
  function_id: [null, 'f1'],
  project_tier: ['PRO', null],
  iso_timestamp_start: [null, '2026-01-10T00:00:00Z'],
  iso_timestamp_end: [null, '2026-01-13T00:00:00Z'],
};
/** A run that gives no value for any of them. */
export const NONE: Given = Object.fromEntries(Object.keys(ARGUMENTS).map((name) => [name, null]));
const TYPES: Readonly<Record<string, string>> = { unit: 'string', area: 'string', since: 'timestamp', until: 'timestamp' };

const last = (count: number, unit: string): string => `where moment >= timestamp_sub(current_timestamp(), interval ${count} ${unit})`;
const byDay = (values: string, rest = ''): string =>
  `select timestamp_trunc(moment, day) as day, ${values} from events ${last(6, 'day')} ${rest} group by day order by day`;

const DAY = ['DAY'];
const HOUR = ['HOUR'];
const CLOCK = 'more than its time window depends on when it runs';

/** Over `events`: id INT64, area STRING, moment TIMESTAMP. Sums of floats are exact: their order is the engine's. */
export const QUERIES: Readonly<Record<string, ScheduledQuery>> = {
  'functions.invocation-stats': { keeps: ['SECOND', 'MINUTE', 'DAY', 'HOUR'] },
  'usage.api-counts': { keeps: ['MINUTE', 'HOUR', 'DAY'] },
  'logs.all': { keeps: 'it limits or orders the rows of a subquery' },

  // units and keys
  days: {
    sql: 'select timestamp_trunc(moment, day) as day, count(*) as n, sum(id) as s from events where moment >= timestamp_sub(current_timestamp(), interval 7 day) group by day order by day',
    keeps: DAY,
  },
  hours: {
    sql: 'select timestamp_trunc(moment, hour) as hour, area, count(*) as n from events where moment > timestamp_sub(current_timestamp(), interval 50 hour) and moment <= current_timestamp() group by hour, area order by n desc, hour, area',
    keeps: HOUR,
  },
  dates: {
    sql: "select date(moment) as day, countif(area = 'rest') as n from events where moment >= timestamp_sub(current_timestamp(), interval 5 day) group by 1 having n > 1 order by day desc",
    keeps: DAY,
  },
  datetimes: {
    sql: 'select datetime_trunc(datetime(moment), day) as day, max(id) as m, min(id) as l from events where moment between timestamp_sub(current_timestamp(), interval 9 day) and current_timestamp() group by day order by m desc, day limit 4',
    keeps: DAY,
  },
  weeks: {
    sql: 'select timestamp_trunc(moment, isoweek) as week, count(distinct area) as n from events where moment >= timestamp_sub(current_timestamp(), interval 40 day) group by week order by week',
    keeps: ['ISOWEEK'],
  },
  sundays: {
    sql: `select timestamp_trunc(moment, week) as week, count(*) as n, max(moment) as latest from events ${last(30, 'day')} group by week order by week desc`,
    keeps: ['WEEK'],
  },
  mondays: {
    sql: `select date_trunc(date(moment), week(monday)) as week, area, sum(id) as s from events ${last(30, 'day')} group by week, area order by week, area`,
    keeps: ['WEEK(MONDAY)'],
  },
  months: {
    sql: 'select date_trunc(date(moment), month) as month, count(*) as n from events where moment >= timestamp_sub(current_timestamp(), interval 90 day) group by month order by 1',
    keeps: ['MONTH'],
  },
  quarters: {
    sql: `select datetime(timestamp_trunc(moment, quarter)) as quarter, count(*) as n, avg(id) as a from events ${last(400, 'day')} group by quarter order by quarter`,
    keeps: ['QUARTER'],
  },
  years: {
    sql: `select timestamp_trunc(moment, year) as year, min(id) as l from events ${last(800, 'day')} group by 1 order by 1`,
    keeps: ['YEAR'],
  },
  minutes: {
    sql: `select timestamp_trunc(moment, minute) as minute, count(*) as n, max(id) as m from events ${last(9, 'hour')} group by minute order by minute`,
    keeps: ['MINUTE'],
  },
  seconds: {
    sql: `select timestamp_trunc(moment, second) as second, string_agg(area, ' ' order by area) as areas from events ${last(50, 'minute')} group by second order by second`,
    keeps: ['SECOND'],
  },
  casts: { sql: `select cast(moment as date) as day, count(*) as n from events ${last(6, 'day')} group by day order by day`, keeps: DAY },
  extracted: {
    sql: `select extract(date from moment) as day, mod(id, 4) as rest, count(*) as n from events ${last(4, 'day')} group by day, rest order by day, rest`,
    keeps: DAY,
  },
  zoned: {
    sql: `select timestamp_trunc(moment, hour, 'UTC') as hour, upper(area) as area, count(*) as n from events ${last(30, 'hour')} group by hour, area order by hour, area`,
    keeps: HOUR,
  },
  chosen: {
    sql: `select case @unit when 'hour' then timestamp_trunc(moment, hour) else timestamp_trunc(moment, day) end as bucket, array_agg(distinct area order by area) as areas, avg(id) as a
      from events where moment >= timestamp_sub(current_timestamp(), interval 3 day) and (@area is null or area = @area) group by bucket order by bucket`,
    keeps: ['HOUR', 'DAY'],
  },
  truths: {
    sql: `select timestamp_trunc(moment, day) as day, id > 9 as big, nullif(area, 'auth') as other, count(*) as n from events ${last(5, 'day')} group by day, big, other order by day, big, other nulls last`,
    keeps: DAY,
  },

  // windows
  given: {
    sql: `with span as (select timestamp(@since) as since) select timestamp_trunc(moment, day) as day, count(*) as n from events cross join span
      where moment >= span.since and (@until is null or moment < timestamp(@until)) group by day order by day`,
    keeps: DAY,
  },
  within: {
    sql: "select timestamp_trunc(moment, day) as day, count(*) as n, sum(id) as s from events where moment between timestamp '2026-01-05 07:30:00' and timestamp '2026-01-11 19:45:30.5' group by day order by day",
    keeps: DAY,
  },
  whole_days: {
    sql: 'select timestamp_trunc(moment, day) as day, count(*) as n from events where moment >= timestamp_trunc(timestamp_sub(current_timestamp(), interval 6 day), day) and moment < timestamp_trunc(current_timestamp(), day) group by day order by day',
    keeps: DAY,
  },
  perhaps: {
    sql: "select timestamp_trunc(moment, day) as day, area, count(*) as n from events where moment >= timestamp '2026-01-03 12:00:00' and (@until is null or moment > @until) and (@area is null or area = @area) group by day, area order by day, area",
    keeps: DAY,
  },
  twice: {
    sql: `select timestamp_trunc(moment, hour) as hour, count(*) as n from events ${last(4, 'day')} and moment >= @since and moment <= current_timestamp() group by hour order by hour desc`,
    keeps: HOUR,
  },

  // aggregates
  distinct: { sql: byDay('count(distinct id) as ids, count(distinct area) as areas, count(distinct mod(id, 3)) as rests'), keeps: DAY },
  approximate: { sql: byDay('approx_count_distinct(id) as ids, approx_quantiles(id, 4) as quartiles'), keeps: DAY },
  newest: {
    sql: byDay('array_agg(id order by moment desc, id limit 3) as newest, array_agg(area order by id, area) as areas'),
    keeps: DAY,
  },
  texts: { sql: byDay("string_agg(concat(area, ':', cast(id as string)), ',' order by id, area) as all_of_them"), keeps: DAY },
  floats: { sql: byDay('sum(id / 8) as s, avg(id / 4) as a, min(id / 8) as l, max(-id / 8) as m'), keeps: DAY },
  numerics: {
    sql: byDay("sum(cast(id as numeric) / 4) as s, max(cast(id as bignumeric)) as m, sum(if(area = 'none', id, null)) as none"),
    keeps: DAY,
  },
  bits: {
    sql: byDay("bit_or(id) as o, bit_xor(id) as x, logical_and(area = 'rest') as all_rest, logical_or(area = 'rest') as any_rest"),
    keeps: DAY,
  },
  moments: { sql: byDay('min(moment) as first, max(moment) as latest, max(datetime(moment)) as shown'), keeps: DAY },
  shares: {
    sql: byDay("safe_divide(countif(area = 'rest'), countif(area = 'auth')) as share, round(100 * countif(id > 5) / count(*), 2) as big"),
    keeps: DAY,
  },
  records: { sql: byDay('struct(count(*) as n, max(id) as m) as both, [min(id), max(id)] as ends'), keeps: DAY },

  // what comes below the groups
  doubled: {
    sql: `with chosen as (select *, mod(id, 3) as rest from events where area != 'auth') select timestamp_trunc(moment, day) as day, rest, count(*) as n from chosen ${last(6, 'day')} group by day, rest order by day, rest`,
    keeps: DAY,
  },
  unnested: {
    sql: `select timestamp_trunc(moment, hour) as hour, k, count(*) as n from events cross join unnest(generate_array(1, mod(id, 3) + 1)) as k ${last(26, 'hour')} group by hour, k order by hour, k`,
    keeps: HOUR,
  },
  series: {
    sql: `with chart as (select generate_timestamp_array(timestamp_trunc(timestamp_sub(current_timestamp(), interval 5 day), day), timestamp_trunc(current_timestamp(), day), interval 1 day) as starts),
      chosen as (select timestamp_trunc(moment, day) as day, id from events cross join chart where moment >= chart.starts[offset(0)])
      select start, count(chosen.id) as n, max(chosen.id) as m from chart cross join unnest(chart.starts) as start join chosen on chosen.day = start group by start order by start`,
    keeps: DAY,
  },

  // what comes above them
  having: {
    sql: `select timestamp_trunc(moment, hour) as hour, area, max(id) as m from events ${last(3, 'day')} group by hour, area having count(*) > 1 and max(id) > 2 order by m desc, hour, area desc limit 7`,
    keeps: HOUR,
  },
  hidden: {
    sql: `select date(moment) as day, count(*) as n from events ${last(6, 'day')} group by day order by max(moment) desc, day`,
    keeps: DAY,
  },
  labels: {
    sql: `select format_timestamp('%F', day) as label, n * 2 as twice, concat(area, '!') as area from (select timestamp_trunc(moment, day) as day, area, count(*) as n from events ${last(6, 'day')} group by day, area) where n > 1 order by label, area`,
    keeps: DAY,
  },
  ratios: {
    sql: `select timestamp_trunc(moment, hour) as hour, ieee_divide(countif(area = 'rest'), countif(area = 'auth')) as ratio from events ${last(40, 'hour')} group by hour order by ratio desc, hour`,
    keeps: HOUR,
  },
  computed: {
    sql: `select date(moment) as day, concat(area, '?') as area, safe_divide(sum(id), countif(id > 3)) as mean from events ${last(5, 'day')} group by day, area order by mean desc nulls last, upper(area), format_date('%d', day) limit 9`,
    keeps: DAY,
    cut: true,
  },
  highest: {
    sql: `select timestamp_trunc(moment, minute) as minute, sum(id) as s from events ${last(2, 'day')} group by minute order by s desc, minute limit 10`,
    keeps: ['MINUTE'],
  },

  // without buckets
  areas: {
    sql: 'select area, count(*) as n, max(moment) as latest from events where (@area is null or area = @area) group by area order by area',
    keeps: 'it does not group the rows of a source by a unit of time',
  },
  ages: {
    sql: byDay('countif(moment < timestamp_sub(current_timestamp(), interval 3 day)) as old'),
    keeps: CLOCK,
  },
  elsewhere: {
    sql: `select timestamp_trunc(moment, day, 'Europe/Berlin') as day, count(*) as n from events ${last(6, 'day')} group by day order by day`,
    keeps: 'it groups by a unit of time in the zone Europe/Berlin, and buckets are those of UTC',
  },
  totals: {
    sql: `select day, sum(n) over (order by day) as total from (select timestamp_trunc(moment, day) as day, count(*) as n from events ${last(6, 'day')} group by day) order by day`,
    keeps: 'it has window functions',
  },
  levels: {
    sql: `select timestamp_trunc(moment, day) as day, area, count(*) as n from events ${last(6, 'day')} group by rollup(day, area) order by day, area`,
    keeps: 'it groups by several sets of keys',
  },
  second_page: {
    sql: `select timestamp_trunc(moment, day) as day, count(*) as n from events ${last(6, 'day')} group by day order by day limit 3 offset 2`,
    keeps: 'it has an OFFSET, or a LIMIT that is not a number',
  },
  best: {
    sql: `select max(n) as most from (select timestamp_trunc(moment, day) as day, count(*) as n from events ${last(6, 'day')} group by day)`,
    keeps: 'it groups rows twice',
  },
  joined: {
    sql: `select timestamp_trunc(e.moment, day) as day, count(*) as n from events as e join (select area, max(id) as most from events group by area) as a on e.area = a.area and e.id = a.most where e.moment >= timestamp '2026-01-04' group by day order by day`,
    keeps: 'it joins tables',
  },
};

/** The name of these among the queries of a schedule. */
export const CALLERS_NAME = 'callers';

/** SQL of callers, over a saved query with a sandbox. */
export const CALLERS = {
  saved: 'sandboxed',
  sql: 'select timestamp_trunc(moment, day) as day, area, count(*) as n, max(id) as m from chosen where id >= 0 and moment >= timestamp_sub(current_timestamp(), interval 6 day) group by day, area order by day, area',
};
const SANDBOXED =
  "with chosen as (select * from events where area != 'auth' and moment >= timestamp_sub(current_timestamp(), interval 150 hour)) select count(*) as n from chosen";

/** Those of the schedules' own, as files of saved queries. */
export const queryFiles: Readonly<Record<string, string>> = {
  [`${CALLERS.saved}.sql`]: queryText(400, SANDBOXED, 'cache: 60s', 'sandbox: enabled'),
  ...Object.fromEntries(
    Object.entries(QUERIES).flatMap(([name, { sql }], i) => {
      if (sql === undefined) return [];
      const params = parametersOf(name).map((parameter) => `  ${parameter}: { type: ${TYPES[parameter]} }`);
      return [[`${name}.sql`, queryText(i + 1, sql, 'cache: 60s', ...(params.length === 0 ? [] : ['params:', ...params]))]];
    }),
  ),
};

function parametersOf(name: string): readonly string[] {
  const text = (name === CALLERS_NAME ? CALLERS.sql : QUERIES[name]?.sql) ?? readFileSync(join(SHIPPED_FOLDER, `${name}.sql`), 'utf8');
  return Object.keys(ARGUMENTS).filter((parameter) => new RegExp(`@${parameter}\\b`).test(text));
}

/** A value for each of the query's parameters. */
export const drawArguments = (name: string, random: () => number): Given =>
  Object.fromEntries(
    parametersOf(name).map((parameter) => {
      const values = ARGUMENTS[parameter] ?? [];
      return [parameter, values[Math.floor(random() * values.length)] ?? null];
    }),
  );

/** Hands of some queries, dealt anew every so many steps, so that each is asked often enough to keep something: in the end each was in one. */
export function dealer(random: () => number, { names = [...Object.keys(QUERIES), CALLERS_NAME], size = 5, steps = 40 } = {}): () => string {
  let deck: string[] = [];
  let hand: string[] = [];
  let left = 0;
  return () => {
    if (left-- === 0) {
      left = steps - 1;
      hand = [];
      while (hand.length < size) {
        if (deck.length === 0) deck = [...names];
        hand.push(...deck.splice(Math.floor(random() * deck.length), 1));
      }
    }
    return hand[Math.floor(random() * hand.length)] ?? '';
  };
}

/** Rows as they must be the same: the shipped `logs.all` leaves open in which order rows of the same time come, and which of the oldest time are shown. */
export function comparable(name: string, rows: readonly (readonly unknown[])[]): readonly unknown[] {
  if (name !== 'logs.all') return rows;
  const oldest = rows.length < 100 ? undefined : rows.at(-1)?.[1];
  return rows
    .filter((row) => row[1] !== oldest)
    .map((row) => JSON.stringify(row))
    .sort();
}
