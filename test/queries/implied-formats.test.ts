// Parameters without `format:` that a query reads as patterns or times in every run: other texts are refused before the engine is asked, and only those
// that the engine would have refused.
import { describe, expect, test } from 'vitest';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { textFormatProblem } from '../../src/queries/text-formats/text-format.ts';
import { openEvents, testRun } from '../execution/run-support.ts';
import { queryText } from './support.ts';

const PARAMS = 'params: { p: { type: string }, q: { type: string } }';
const ONE = 'params: { p: { type: string } }';

/** The formats that parameters have once the query is prepared. */
async function formats(sql: string, params = ONE): Promise<readonly (string | undefined)[]> {
  const { run, executed } = testRun(await openEvents(), { 'q.sql': queryText(1, sql, 'cache: disabled', params) });
  const { prepared } = await run('q');
  expect(executed.length).toBeGreaterThan(0);
  return prepared.parameters.map(({ format }) => format);
}

describe('what is read in every run', () => {
  test.each([
    ['select id from events where regexp_contains(area, @p)', ['regexp']],
    ['select id from events where regexp_contains(area, @p) and id < 5', ['regexp']],
    ["select regexp_replace(area, @p, '') as a from events", ['regexp']],
    ['select regexp_extract(area, @p) as a from events', ['regexp']],
    ['select regexp_extract_all(area, @p) as a from events', ['regexp']],
    ['select id from events where moment > timestamp(@p)', ['timestamp']],
    ['select id from events where moment > @p', ['timestamp']],
    ['select id from events where moment > cast(@p as timestamp)', ['timestamp']],
    ['select id from events where date(moment) = @p', ['date']],
    ["select id from events where moment between timestamp_sub(timestamp(@p), interval 1 day) and '2027-01-01'", ['timestamp']],
    ['select datetime(@p) as a, count(*) as n from events', ['datetime']],
    ['select time(@p) as a from events', ['time']],
    ['with chosen as (select * from events where moment >= timestamp(@p)) select count(*) as n from chosen', ['timestamp']],
    ['select countif(regexp_contains(area, @p)) as n from events', ['regexp']],
    ['with given as (select timestamp(@p) as since) select e.id from events as e join given on e.moment > given.since', ['timestamp']],
  ] as const)('%s', async (sql, expected) => {
    expect(await formats(sql)).toEqual(expected);
  });
});

test('what chance decides beside an argument is not decided by arguments alone', async () => {
  const sql = 'select id from events where rand() < cast(@q as float64) and regexp_contains(area, @p)';
  expect(await formats(sql, PARAMS)).toEqual(['regexp', undefined]);
});

describe('a text that may not be read can be any', () => {
  test.each([
    ["select id from events where @p = '' or regexp_contains(area, @p)", ONE],
    ["select id from events where if(@p = 'all', true, regexp_contains(area, @p))", ONE],
    ["select id from events where case when @p = 'all' then true else moment > timestamp(@p) end", ONE],
    ['select coalesce(area, cast(timestamp(@p) as string)) as a from events', ONE],
    ['select id from events where moment > safe_cast(@p as timestamp)', ONE],
    ['select safe.timestamp(@p) as a from events', ONE],
    ["select id from events where @q = 'pattern' and regexp_contains(area, @p)", PARAMS],
    ["select regexp_contains(area, @p) as a from events where @q = 'pattern'", PARAMS],
    ["select id from events where (select @q) = 'pattern' and regexp_contains(area, @p)", PARAMS],
    [
      "with given as (select @q as kind) select e.id from events as e, given where given.kind = 'pattern' and regexp_contains(e.area, @p)",
      PARAMS,
    ],
    ['select id from events where id in (select id from events where regexp_contains(area, @p))', ONE],
    ['with unread as (select * from events where regexp_contains(area, @p)) select id from events', ONE],
    ['select id from (select id, timestamp(@p) as unread from events)', ONE],
    ['with t as (select id, count(*) as n, max(timestamp(@p)) as unread from events group by id) select id, n from t', ONE],
    ['select id from events where strpos(area, @p) > 0', ONE],
    ["select id from events where moment > timestamp(concat(@p, '-01'))", ONE],
  ])('%s', async (sql, params) => {
    expect(await formats(sql, params)).toEqual(
      parseSavedQuery({ name: 'q.sql', text: queryText(1, sql, params) }, 'q').parameters.map(() => undefined),
    );
  });

  test.each([
    ['moment > timestamp(@p)', '{ type: string, format: date }', 'date'],
    ['regexp_contains(area, @p)', '{ type: string, enum: [rest, auth] }', undefined],
  ])('what the header says stands: %s of %s', async (condition, declared, expected) => {
    expect(await formats(`select id from events where ${condition}`, `params: { p: ${declared} }`)).toEqual([expected]);
  });
});

test('it is refused with its name, and the engine is not asked', async () => {
  const text = queryText(1, 'select id from events where moment > timestamp(@p) and moment < timestamp(@q)', PARAMS);
  const { run, executed } = testRun(await openEvents(), { 'q.sql': text });
  await expect(run('q', { p: '2026-01-01', q: 'soon' })).rejects.toMatchObject({
    code: 'parameter',
    details: { problems: [{ kind: 'invalid', name: 'q', message: '"soon" is not a timestamp such as 2026-01-02T03:04:05Z' }] },
  });
  expect(executed).toEqual([]);
});

const TEXTS = [
  ...[
    '2026-01-02',
    '2026-1-2',
    '2026-01-02 03:04:05',
    '2026-01-02T03:04:05Z',
    '2026-01-02t03:04:05z',
    '2026-01-02 3:4:5.678',
    '2026-01-02 03:04',
    '2026-01',
  ],
  ...[
    '2026-01-02 03:04:05+01',
    '2026-01-02 03:04:05+01:30',
    '2026-01-02 03:04:05 UTC',
    '2026-01-02 03:04:05 Europe/Berlin',
    '2026-01-02+01',
    '03:04:05',
  ],
  ...[
    ' 2026-01-02',
    '2026-01-02 ',
    '2026-02-30',
    '0000-01-01',
    '9999-12-31',
    '10000-01-01',
    '20260102',
    '1767323045',
    'now',
    'soon',
    '03:04',
    '3:4:5',
    '24:00:00',
  ],
  ...[
    '2026-01-02 24:00:00',
    '2026-01-02 03:04:60',
    '2026-01-02T03:04:05.1234567',
    '2026-01-02T03:04:05.',
    '2026-01-02 03:04:05 +01:00',
    '2026-01-02 03:04:05-25',
  ],
];

test.each([
  ['timestamp', 'select moment > timestamp(@p) as a from events'],
  ['timestamp', 'select moment > @p as a from events'],
  ['timestamp', "select moment > timestamp(@p, 'Europe/Berlin') as a from events"],
  ['datetime', 'select datetime(moment) > @p as a from events'],
  ['datetime', 'select datetime(moment) > datetime(@p) as a from events'],
  ['date', 'select date(moment) > @p as a from events'],
  ['time', 'select time(moment) > @p as a from events'],
  ['time', 'select time(moment) > time(@p) as a from events'],
] as const)('no %s is refused that the engine would take: %s', async (format, sql) => {
  // A default that is none has no format.
  const { run } = testRun(await openEvents(), {
    'q.sql': queryText(1, sql, 'cache: disabled', 'params: { p: { type: string, default: none } }'),
  });
  const wrong: string[] = [];
  for (const p of TEXTS.filter((text) => textFormatProblem(format, text, undefined) !== undefined))
    await run('q', { p }).then(
      () => wrong.push(p),
      (error: unknown) => expect(String(error)).toMatch(/invalid|the query failed/),
    );
  expect(wrong).toEqual([]);
});
