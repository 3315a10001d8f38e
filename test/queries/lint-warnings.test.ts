// Warnings of `quern lint`: each where it is meant, none where it is not, and how it is switched off.
import { afterAll, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';
import { uuid } from './support.ts';

const home = cliHome();
afterAll(home.remove);

interface Told {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly hint?: string;
}

const PARAMS = `params:
  grain: { type: string, enum: [hour, day] }
  since: { type: string }
  until: { type: string, format: timestamp }`;

let digit = 0;
async function lint(sql: string, params = ''): Promise<readonly Told[]> {
  digit += 1;
  const declared =
    params === '' && /@/.test(sql)
      ? PARAMS.split('\n')
          .filter((line) => line === 'params:' || sql.includes(`@${line.trim().split(':')[0]}`))
          .join('\n')
      : params;
  home.write('q.sql', `/*---\nid: ${uuid(digit)}\n${declared === '' ? '' : `${declared}\n`}---*/\n${sql}\n`);
  const { stdout } = await home.run(['lint', 'q.sql', '--format', 'json']);
  return JSON.parse(stdout).result;
}

const EVENTS = 'from edge_logs t cross join unnest(t.metadata) m';
const REQUESTS = `${EVENTS} cross join unnest(m.request) request`;

describe('a warning', () => {
  test.each([
    [
      `select request.pth ${REQUESTS}`,
      'undeclared-field',
      'the record declares no field pth, so it is NULL unless an event has it',
      'did you mean path?',
    ],
    [
      `select 1 as one ${EVENTS} cross join unnest(m.requst) r`,
      'undeclared-field',
      'the record declares no field requst',
      'did you mean request?',
    ],
    [
      `select count(*) as n from edge_logs t where t.timestamp > @since`,
      'text-as-time',
      '@since is text, but is compared with a TIMESTAMP',
      'declare it with type: timestamp',
    ],
    [
      `select count(*) as n ${REQUESTS} where request.method = 'GET' and request.method = 'POST'`,
      'never-true',
      'this can’t be true together with',
      'use IN',
    ],
    [
      'select count(*) as n from unnest([1]) x where x > 5 and x <= 5',
      'never-true',
      'this can’t be true together with',
      'join them with OR',
    ],
    ['select count(*) as n from unnest([1]) x where x between 500 and 400', 'never-true', 'this BETWEEN is never true', 'swap the two'],
    [
      `select case @grain when 'week' then 1 else 2 end as n`,
      'never-true',
      '@grain is never "week": its enum has hour, day',
      'add the value to the enum',
    ],
    [`select if(@grain in ('hour', 'month'), 1, 2) as n`, 'never-true', '@grain is never "month"', ''],
    ["select t.id from edge_logs t where t.id = '1' and t.id = '2'", 'never-true', 'this can’t be true together with', 'use IN'],
    ["select id from edge_logs where id in ('a', 'c') and id = 'b'", 'never-true', 'this can’t be true together with', ''],
    ["select id from edge_logs where id = 'a' and id not in ('a', 'b')", 'never-true', 'this can’t be true together with', ''],
    ["select id from edge_logs where id is null and id <> 'a'", 'never-true', 'this can’t be true together with', ''],
    ['select count(*) as n from unnest([1]) x where 5 < x and 3 > x', 'never-true', 'this can’t be true together with', ''],
    [
      'select count(*) as n from unnest([1]) x where x between 1 and 5 and x in (7, 8)',
      'never-true',
      'this can’t be true together with',
      '',
    ],
    ['select count(*) as n from unnest([true]) x where x = true and x = false', 'never-true', 'this can’t be true together with', ''],
    [
      "select id from edge_logs where timestamp between '2026-02-01' and '2026-01-01'",
      'never-true',
      'this BETWEEN is never true',
      'swap the two',
    ],
    [
      "select id from edge_logs where timestamp > '2026-02-01T10:00:00Z' and timestamp < timestamp '2026-02-01T09:00:00Z'",
      'never-true',
      'this can’t be true together with',
      '',
    ],
    [
      "select id from edge_logs where timestamp >= '2026-02-02' and timestamp < '2026-02-01 12:00:00'",
      'never-true',
      'this can’t be true together with',
      '',
    ],
    ["select id from edge_logs where id = 'a' and 1 = 2", 'never-true', 'this comparison of constants is never true', 'remove it'],
    [
      `select id from edge_logs where "id" = 'a'`,
      'never-true',
      'this comparison of constants is never true',
      'text in quotes is not a column: for the column, write id',
    ],
    ['select case when 5 in (6, 7) then 1 end as n', 'never-true', 'this comparison of constants is never true', 'remove it'],
    [
      'select x from unnest([1]) x join unnest([2]) y on x = y and 5 between 6 and 7',
      'never-true',
      'this comparison of constants is never true',
      '',
    ],
    [
      'select x as n from unnest([1]) x order by 1',
      'order-by-position',
      'ORDER BY 1 sorts by whichever column is at that position',
      'name the column',
    ],
    [
      `select h.host ${EVENTS} left join unnest(m.request) request on true cross join unnest(request.headers) h`,
      'left-join-undone',
      'this join drops the events that LEFT JOIN keeps: those without request',
      'LEFT JOIN UNNEST(…) ON TRUE here too',
    ],
    ['select x from unnest([1, 2]) x limit 1', 'limit-without-order', 'LIMIT without ORDER BY takes any rows', 'add ORDER BY'],
  ])('%s', async (sql, rule, message, hint) => {
    const told = await lint(sql);
    expect(told.map((one) => one.rule)).toEqual([rule]);
    expect(told[0]?.message).toContain(message);
    expect(told[0]?.hint ?? '').toContain(hint);
  });
});

test.each([
  `select request.path, request.own_field, m.anything ${REQUESTS}`,
  'select count(*) as n from edge_logs t where t.timestamp > timestamp(@since) and t.timestamp < @until',
  'select count(*) as n from unnest([1]) x where x >= 5 and x <= 5 and x <> 6',
  "select count(*) as n from unnest(['a']) x where x = 'a' or x = 'b'",
  "select case @grain when 'hour' then 1 when 'day' then 2 end as n",
  `select h.host ${EVENTS} left join unnest(m.request) request on true left join unnest(request.headers) h on true`,
  `select h.host ${EVENTS} cross join unnest(m.request) request cross join unnest(request.headers) h`,
  'select x from unnest([1, 2]) x where x in (select y from unnest([1]) as y) and x not in unnest([2])',
  'select id from edge_logs where 1 = 0',
  'select id from edge_logs where false',
  "select id from edge_logs where 1 = 0 or id = 'a'",
  "select id from edge_logs where 1 = 1 and id = 'a'",
  'select 1 = 2 as differs',
  "select count(*) as n from unnest(['hour']) as x where x = 'hour' and (@grain = 'hour' or x = 'day')",
  "select id from edge_logs where timestamp > '2026-02-01' and timestamp < '2026-02-01T00:00:00+14'",
  "select id from edge_logs where timestamp = '2026-02-01' and timestamp = '2026-02-01 00:00:00'",
  "select id from edge_logs where timestamp between '2026-2-9' and '2026-2-10'",
  "select id from edge_logs where id in ('a', 'b') and id = 'b' and id not in ('a')",
  `select 1 as n from unnest([json '{"a": "x", "A": "y"}']) as j where string(j.a) = 'x' and j.a is not null and j.A is null`,
  'select x from unnest([1]) x where x between 1 and 5 and x in (5, 8) and x >= 5',
])('nothing is said of %s', async (sql) => {
  expect(await lint(sql)).toEqual([]);
});

describe('a comment switches warnings off', () => {
  test.each([
    ['select x from unnest([1, 2]) x limit 1 -- quern-lint: off'],
    ['select x from unnest([1, 2]) x limit 1 -- quern-lint: off limit-without-order'],
    [
      'select x from unnest([1, 2]) x\n-- any of them will do; quern-lint: off'.replace('-- any of them will do; ', '-- ') +
        ' limit-without-order\n# said above\n\nlimit 1',
    ],
  ])('%s', async (sql) => {
    expect(await lint(sql)).toEqual([]);
  });

  test('one of another rule, or of another line, stays', async () => {
    expect(await lint('select x from unnest([1, 2]) x limit 1 -- quern-lint: off select-star')).toHaveLength(1);
    expect(await lint('select x -- quern-lint: off\nfrom unnest([1, 2]) x limit 1')).toHaveLength(1);
  });

  test('errors stay', async () => {
    expect((await lint('select nonsense from edge_logs -- quern-lint: off')).map(({ rule }) => rule)).toEqual(['unknown-column']);
  });
});

describe('a run warns of what is wrong whatever the data are', () => {
  const WARNED = 'field.sql:1:8: the record declares no field pth, so it is NULL unless an event has it; did you mean path?\n';
  home.write('field.sql', `select request.pth ${REQUESTS}`);

  test('on standard error, at a terminal and in pipes', async () => {
    expect((await home.run(['run', 'field.sql'], { terminal: 100 })).stderr).toContain(WARNED);
    expect((await home.run(['run', 'field.sql'])).stderr).toContain(WARNED);
  });

  test('with --quiet it says nothing', async () => {
    expect((await home.run(['run', 'field.sql', '--quiet'])).stderr).not.toContain('warning');
  });

  test('a cached result is warned of too', async () => {
    home.write('kept.sql', `/*---\nid: ${uuid(900)}\ncache: 1h\n---*/\nselect x from unnest([1]) as x where x = 1 and x = 2\n`);
    const first = await home.run(['run', 'kept.sql']);
    const { stdout, stderr } = await home.run(['run', 'kept.sql', '--stats']);
    expect(stderr).toContain('cache       hit');
    expect(stderr).toContain('kept.sql:5:48: ');
    expect([first.stderr, stdout]).toEqual([expect.stringContaining('kept.sql:5:48: '), first.stdout]);
  });

  test('a join that undoes another is named; what may be meant is left to lint, and so is what a comment switches off', async () => {
    const undone = `select h.host ${EVENTS} left join unnest(m.request) request on true cross join unnest(request.headers) h`;
    home.write('undone.sql', `${undone} limit 1`);
    expect((await home.run(['run', 'undone.sql'])).stderr.match(/warning: .*/g)).toEqual([
      expect.stringContaining('this join drops the events that LEFT JOIN keeps'),
    ]);
    home.write('meant.sql', `${undone} -- quern-lint: off`);
    expect((await home.run(['run', 'meant.sql'])).stderr).not.toContain('warning');
  });
});
