// Which queries have rows in buckets of time, and why others have none; the rows themselves are compared in test/execution/buckets.test.ts.
import { expect, test } from 'vitest';
import { STRING, TIMESTAMP } from '../../../src/sql/base/types.ts';
import { bind } from '../../../src/sql/compile/specialize.ts';
import { explainBuckets } from '../../../src/sql/index.ts';
import { EVENT_SOURCES } from '../events.ts';

const parameters = { unit: STRING, since: TIMESTAMP, until: TIMESTAMP };
const WINDOW = 'where moment >= timestamp_sub(current_timestamp(), interval 7 day)';

const bucketsOf = (sql: string) => explainBuckets(sql, { sources: EVENT_SOURCES, parameters });

test.each<[string, readonly string[], readonly string[]]>([
  [`select timestamp_trunc(moment, day) as d, count(*) as n from events ${WINDOW} group by d`, ['DAY'], ['from']],
  [`select timestamp_trunc(moment, hour, 'UTC') as d, id, count(*) as n from events ${WINDOW} group by d, id`, ['HOUR'], ['from']],
  [`select date(moment) as d, count(*) as n from events ${WINDOW} and moment < current_timestamp() group by d`, ['DAY'], ['from', 'until']],
  [`select date_trunc(date(moment), week(monday)) as d, count(*) as n from events ${WINDOW} group by d`, ['WEEK(MONDAY)'], ['from']],
  [`select datetime_trunc(datetime(moment), minute) as d, count(*) as n from events ${WINDOW} group by d`, ['MINUTE'], ['from']],
  [`select cast(moment as date) as d, count(*) as n from events ${WINDOW} group by d`, ['DAY'], ['from']],
  [`select extract(date from moment) as d, count(*) as n from events ${WINDOW} group by d`, ['DAY'], ['from']],
  [`select datetime(timestamp_trunc(moment, month)) as d, count(*) as n from events ${WINDOW} group by d`, ['MONTH'], ['from']],
  [
    `select case @unit when 'h' then timestamp_trunc(moment, hour) else timestamp_trunc(moment, day) end as d, count(*) as n from events ${WINDOW} group by d`,
    ['HOUR', 'DAY'],
    ['from'],
  ],
  [
    'select timestamp_trunc(moment, day) as d, count(*) as n from events where moment between @since and @until group by d having n > 2 order by n desc limit 5',
    ['DAY'],
    ['from', 'until'],
  ],
  [
    'select timestamp_trunc(moment, day) as d, count(*) as n from events where (@since is null or moment > @since) and moment <= @until group by d',
    ['DAY'],
    ['from', 'until'],
  ],
  [
    `with w as (select timestamp_sub(current_timestamp(), interval 2 day) as since), e as (select * from events cross join w where moment >= since)
     select timestamp_trunc(moment, day) as d, count(*) as n from e group by d`,
    ['DAY'],
    ['from'],
  ],
])('%s', (sql, units, bounds) => {
  expect(bucketsOf(sql)).toMatchObject({ units, bounds });
});

test.each<[string, string]>([
  [`select count(*) as n from events ${WINDOW}`, 'it does not group the rows of a source by a unit of time'],
  [
    `select extract(hour from moment) as h, count(*) as n from events ${WINDOW} group by h`,
    'it does not group the rows of a source by a unit of time',
  ],
  [
    `select timestamp_trunc(moment, day, 'Europe/Berlin') as d, count(*) as n from events ${WINDOW} group by d`,
    'it groups by a unit of time in the zone Europe/Berlin, and buckets are those of UTC',
  ],
  [
    `select datetime_trunc(datetime(moment, @unit), day) as d, count(*) as n from events ${WINDOW} group by d`,
    'it groups by a unit of time in a zone, and buckets are those of UTC',
  ],
  [
    `select date(moment, 'Asia/Tokyo') as d, count(*) as n from events ${WINDOW} group by d`,
    'it groups by a unit of time in the zone Asia/Tokyo, and buckets are those of UTC',
  ],
  [
    `select datetime_trunc(datetime(date(moment)), hour) as d, count(*) as n from events ${WINDOW} group by d`,
    'it does not group the rows of a source by a unit of time',
  ],
  [
    `select date(timestamp_trunc(moment, hour)) as d, count(*) as n from events ${WINDOW} group by d`,
    'it does not group the rows of a source by a unit of time',
  ],
  ['select timestamp_trunc(moment, day) as d, count(*) as n from events group by d', 'its time window has no start'],
  ['select timestamp_trunc(moment, day) as d, count(*) as n from events where moment < @until group by d', 'its time window has no start'],
  [
    `select timestamp_trunc(moment, day) as d, count(*) as n, current_timestamp() as now from events ${WINDOW} group by d`,
    'more than its time window depends on when it runs',
  ],
  [
    `select timestamp_trunc(moment, day) as d, countif(moment < timestamp_sub(current_timestamp(), interval 3 day)) as n from events ${WINDOW} group by d`,
    'more than its time window depends on when it runs',
  ],
  [
    `select timestamp_trunc(moment, day) as d, sum(rand()) as n from events ${WINDOW} group by d`,
    'it has a function that gives a new value at each call',
  ],
  [
    `select timestamp_trunc(moment, day) as d, count(*) as n from events ${WINDOW} and id in (select id from events) group by d`,
    'it has a subquery',
  ],
  [
    `select timestamp_trunc(e.moment, day) as d, count(*) as n from events as e join events as f on e.id = f.id where e.moment >= @since group by d`,
    'it joins tables',
  ],
  [
    `select d, sum(n) over (order by d) as s from (select timestamp_trunc(moment, day) as d, count(*) as n from events ${WINDOW} group by d)`,
    'it has window functions',
  ],
  [
    `select max(n) as m from (select timestamp_trunc(moment, day) as d, count(*) as n from events ${WINDOW} group by d)`,
    'it groups rows twice',
  ],
  [`select timestamp_trunc(moment, day) as d, count(*) as n from events ${WINDOW} group by rollup(d)`, 'it groups by several sets of keys'],
  [
    `select timestamp_trunc(moment, day) as d, count(*) as n from events ${WINDOW} group by d order by d limit 5 offset 2`,
    'it has an OFFSET, or a LIMIT that is not a number',
  ],
  [
    `select timestamp_trunc(moment, day) as d, count(*) as n from (select * from events ${WINDOW} order by moment limit 9) group by d`,
    'it limits or orders the rows of a subquery',
  ],
])('%s: none', (sql, why) => {
  expect(bucketsOf(sql)).toEqual({ why });
});

test('what rows are ordered by may be computed from their columns', () => {
  const found = bucketsOf(
    `select date(moment) as d, safe_divide(countif(id > 2), count(*)) as ratio from events ${WINDOW} group by d order by ratio desc, format_date('%d', d)`,
  );
  if ('why' in found) throw new Error(found.why);
  expect(found.rows.columns.map(({ type }) => type.kind)).toEqual(['DATE', 'FLOAT64', 'INT64', 'FLOAT64', 'STRING']);
  expect(found.order.map(({ column, descending }) => [column, descending])).toEqual([
    [3, true],
    [4, false],
  ]);
});

test.each([
  [`order by (select max(id) from events)`, 'it has a subquery'],
  [`order by rand()`, 'it has a function that gives a new value at each call'],
  [`order by cast(n as numeric)`, 'it is ordered by NUMERIC values, which only the engine can put in order'],
  [`order by timestamp_diff(current_timestamp(), max(moment), day)`, 'more than its time window depends on when it runs'],
])('%s: none', (order, why) => {
  expect(bucketsOf(`select date(moment) as d, count(*) as n from events ${WINDOW} group by d ${order}`)).toEqual({ why });
});

test('where nothing is skipped, no row is compared with what is', () => {
  const found = bucketsOf(`select date(moment) as d, count(*) as n from events ${WINDOW} group by d`);
  if ('why' in found) throw new Error(found.why);
  const day = '2026-01-02 00:00:00';
  const range = { quern_from: day, quern_to: day, quern_skip_from: day, quern_skip_to: day };
  const namesWith = (skips: boolean) =>
    bind(found.rows, { ...range, quern_skips: skips })
      .parameters.map(({ name }) => name)
      .sort();
  expect(namesWith(false)).toEqual(['quern_from', 'quern_to']);
  expect(namesWith(true)).toEqual(['quern_from', 'quern_skip_from', 'quern_skip_to', 'quern_to']);
});

test('the query for ranges reads no clock, and shows the bucket behind its own columns', () => {
  const found = bucketsOf(`select date(moment) as d, count(*) as n from events ${WINDOW} group by d order by max(moment) desc`);
  if ('why' in found) throw new Error(found.why);
  expect(found.rows.columns.map(({ name }) => name)).toEqual(['d', 'n', 'quern_bucket', 'quern_order_3']);
  expect(found.rows.parameters.map(({ name }) => name).sort()).toEqual([
    'quern_from',
    'quern_skip_from',
    'quern_skip_to',
    'quern_skips',
    'quern_to',
  ]);
  expect(found.order).toEqual([{ column: 3, descending: true, nullsFirst: false }]);
  expect(found.window.columns.map(({ name }) => name)).toEqual(['unit', 'holds_0', 'bound_0']);
});
