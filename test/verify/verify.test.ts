// quern verify: rows beside recorded ones, however those are written.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ndjson } from '../cli/commands/events.ts';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
beforeAll(async () => {
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

const verify = (sql: string, recorded: string, ...flags: readonly string[]) => {
  home.write('query.sql', sql);
  return home.run(['verify', './query.sql', '--expected', '-', ...flags], { stdin: recorded });
};

const ALL = `select 9007199254740993 as n, 0.1 + 0.2 as x, numeric '12.50' as d, true as b, 'a' as s, cast(null as string) as nothing,
  timestamp '2026-01-15 10:00:00.25+00' as ts, datetime '2026-01-15 10:00:00' as dt, date '2026-01-15' as day, time '10:00:00.50' as t,
  b'abc' as bytes, json '{"a": [1, 2]}' as j, [1, 2] as list, struct(1 as a, 'x' as b) as rec, cast(null as array<int64>) as empty`;

describe('the same rows, recorded by', () => {
  test.each([
    [
      "BigQuery's JSON export, which writes integers as text and leaves NULL out",
      '{"n":"9007199254740993","x":0.3,"d":"12.5","b":true,"s":"a","ts":"2026-01-15 10:00:00.250000 UTC","dt":"2026-01-15T10:00:00","day":"2026-01-15","t":"10:00:00.500000","bytes":"YWJj","j":"{\\"a\\":[1,2]}","list":["1","2"],"rec":{"a":"1","b":"x"},"empty":[]}\n',
    ],
    [
      "Logflare's answer, with times in microseconds",
      '{"result":[{"n":9007199254740993,"x":0.30000000000000004,"d":12.5,"b":true,"s":"a","nothing":null,"ts":1768471200250000,"dt":"2026-01-15T10:00:00","day":"2026-01-15","t":"10:00:00.5","bytes":"YWJj","j":{"a":[1,2]},"list":[1,2],"rec":{"b":"x","a":1},"empty":null}]}',
    ],
    [
      'the BigQuery API, with a schema and times in seconds',
      JSON.stringify({
        schema: {
          fields: [
            ...['n', 'x', 'd', 'b', 's', 'nothing', 'ts', 'dt', 'day', 't', 'bytes', 'j'].map((name) => ({
              name,
              type: 'STRING',
              mode: 'NULLABLE',
            })),
            { name: 'list', type: 'INTEGER', mode: 'REPEATED' },
            { name: 'rec', type: 'RECORD', mode: 'NULLABLE', fields: [{ name: 'a' }, { name: 'b' }] },
            { name: 'empty', type: 'INTEGER', mode: 'REPEATED' },
          ],
        },
        rows: [
          {
            f: [
              ...[
                '9007199254740993',
                '0.3',
                '12.5',
                'true',
                'a',
                null,
                '1.76847120025E9',
                '2026-01-15T10:00:00',
                '2026-01-15',
                '10:00:00.500000',
                'YWJj',
                '{"a":[1,2]}',
              ].map((v) => ({ v })),
              { v: [{ v: '1' }, { v: '2' }] },
              { v: { f: [{ v: '1' }, { v: 'x' }] } },
              { v: [] },
            ],
          },
        ],
      }),
    ],
    [
      'CSV',
      'n,x,d,b,s,nothing,ts,dt,day,t,bytes,j,list,rec,empty\r\n9007199254740993,0.3,12.5,TRUE,a,,2026-01-15 10:00:00.250 UTC,2026-01-15 10:00:00,2026-01-15,10:00:00.5,YWJj,"{""a"":[1,2]}","[1,2]","{""a"":1,""b"":""x""}",[]\r\n',
    ],
  ])('%s', async (_, recorded) => {
    expect(await verify(ALL, recorded)).toEqual({ stdout: 'query: the same, in any order: 1 row\n', stderr: '', exitCode: 0 });
  });

  test.each(['json', 'ndjson', 'csv'])('quern itself as %s', async (format) => {
    home.write('query.sql', ALL);
    const { stdout } = await home.run(['run', './query.sql', '--format', format]);
    expect((await verify(ALL, stdout)).exitCode).toBe(0);
  });

  test('nobody: no rows on either side', async () => {
    const none = 'select 1 as n from unnest([1]) as x where x = 2';
    for (const recorded of ['', '[]', '{"result":[]}', 'n\n'])
      expect((await verify(none, recorded)).stdout).toBe('query: the same, in any order: 0 rows\n');
  });
});

const THREE = "select * from unnest([struct(1 as id, 10.0 as x, 'a' as s), (2, 20.0, 'b'), (3, 30.0, 'c')])";
const three = (change: (rows: { id: number; x: number; s: string }[]) => unknown): string =>
  JSON.stringify(
    change([
      { id: 1, x: 10, s: 'a' },
      { id: 2, x: 20, s: 'b' },
      { id: 3, x: 30, s: 'c' },
    ]),
  );
/** The differences as they are shown: row, column, expected, got. */
const differencesOf = async (sql: string, recorded: string, ...flags: readonly string[]) => {
  const { stdout, ...rest } = await verify(sql, recorded, '--format', 'ndjson', ...flags);
  const rows = stdout.split('\n').filter((line) => line.startsWith('{'));
  return { ...rest, shown: rows.map((line) => Object.values(JSON.parse(line))) };
};

describe('differences', () => {
  test('are shown by row and column, and end with 1', async () => {
    expect(
      await verify(
        THREE,
        three(([a, b, c]) => [a, { ...b, x: 21 }, c]),
      ),
    ).toEqual({
      stdout: `┌─────┬────────┬──────────┬─────┐
│ row │ column │ expected │ got │
├─────┼────────┼──────────┼─────┤
│   2 │ x      │ 21       │ 20  │
└─────┴────────┴──────────┴─────┘
`,
      stderr:
        'error[check]: query differs from -: 1 row differs (3 rows, 3 recorded)\n   = hint: if BigQuery does not guarantee this either, allow it with --tolerance, --ignore or --order any\n',
      exitCode: 1,
    });
  });

  test.each([
    ['a row too few', three(([a, b]) => [a, b]), [[3, '(whole row)', '(nothing)', '{"id":3,"x":30,"s":"c"}']]],
    ['a row too many', three((rows) => [...rows, { id: 4, x: 1, s: 'z' }]), [[4, '(whole row)', '{"id":4,"x":1,"s":"z"}', '(nothing)']]],
    ['the same row twice', three((rows) => [...rows, rows[0]]), [[4, '(whole row)', '{"id":1,"x":10,"s":"a"}', '(nothing)']]],
    ['text for a number', three(([a, b, c]) => [a, b, { ...c, s: 3 }]), [[3, 's', '3', '"c"']]],
    ['NULL', three(([a, b, c]) => [a, b, { ...c, x: null }]), [[3, 'x', 'null', '30']]],
    ['a column that nobody recorded', three((rows) => rows.map(({ id, x }) => ({ id, x }))), [[null, 's', '(nothing)', 'a column']]],
    [
      'a column that the result has not',
      three((rows) => rows.map((row) => ({ ...row, more: 1 }))),
      [[null, 'more', 'a column', '(nothing)']],
    ],
  ])('%s', async (_, recorded, shown) => {
    const answer = await differencesOf(THREE, recorded);
    expect([answer.shown, answer.exitCode]).toEqual([shown, 1]);
  });

  test('only the first are shown, and how many there are', async () => {
    const { shown, stderr } = await differencesOf(
      THREE,
      three((rows) => rows.map((row) => ({ ...row, x: 0 }))),
      '--differences',
      '1',
    );
    expect(shown).toEqual([[1, 'x', '0', '10']]);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      '2 more differences; --differences shows more',
      'error[check]: query differs from -: 3 rows differ (3 rows, 3 recorded)',
    ]);
  });

  test('what is recorded cannot drive the terminal', async () => {
    home.write('query.sql', THREE);
    const recorded = three(([a, b, c]) => [a, b, { ...c, s: '\u001b[2J\u202e' }]);
    const { stdout } = await home.run(['verify', './query.sql', '--expected', '-'], { stdin: recorded, terminal: 80 });
    expect(stdout).toContain('"\\u001B[2J\\u202e"');
    expect(stdout.includes('\u001b')).toBe(false);
  });
});

describe('order', () => {
  const reversed = three((rows) => [...rows].reverse());
  const moved = [[1, 'id (order)', '3', '1']];

  test.each([
    ['does not matter without ORDER BY', THREE, [], [], 0],
    ['matters where the query says it', `${THREE} order by id`, [], moved, 1],
    ['is that of the columns ordered by', `${THREE} order by length(s)`, [], moved, 1],
    ['may be forgotten', `${THREE} order by id`, ['--order', 'any'], [], 0],
    ['may be asked for', THREE, ['--order', 'exact'], moved, 1],
    ['matters behind pipes', `from (${THREE}) |> order by id desc |> where id > 0`, [], [], 0],
  ])('%s', async (_, sql, flags, shown, exitCode) => {
    const answer = await differencesOf(sql, reversed, ...flags);
    expect([answer.shown, answer.exitCode]).toEqual([shown, exitCode]);
  });

  test('rows that are alike in what they are ordered by may stand in any order', async () => {
    const ties = "select k, v from unnest([struct(1 as k, 'a' as v), (1, 'b'), (2, 'c')]) order by k";
    const answer = await verify(ties, '[{"k":1,"v":"b"},{"k":1,"v":"a"},{"k":2,"v":"c"}]');
    expect([answer.stdout, answer.exitCode]).toEqual(['query: the same, in the order of k: 3 rows\n', 0]);
  });
});

describe('tolerances', () => {
  test.each([
    ['floats to nine digits', 'select 1.0 as x', '[{"x":1.0000000005}]', [], 0],
    ['and no further', 'select 1.0 as x', '[{"x":1.00000001}]', [], 1],
    ['NaN is NaN', "select cast('nan' as float64) as x", '[{"x":"NaN"}]', [], 0],
    ['integers to the digit', 'select 9007199254740993 as n', '[{"n":"9007199254740992"}]', [], 1],
    ['percent', 'select 100 as n', '[{"n":101}]', ['--tolerance', 'n=1%'], 0],
    ['percent and more', 'select 100 as n', '[{"n":102}]', ['--tolerance', 'n=1%'], 1],
    ['an amount', 'select 100 as n', '[{"n":102}]', ['--tolerance', 'N=2'], 0],
    [
      'an amount of time',
      "select timestamp '2026-01-15 10:00:00+00' as ts",
      '[{"ts":"2026-01-15T10:00:01Z"}]',
      ['--tolerance', 'ts=1s'],
      0,
    ],
    ['less time', "select timestamp '2026-01-15 10:00:00+00' as ts", '[{"ts":"2026-01-15T10:00:01Z"}]', ['--tolerance', 'ts=999ms'], 1],
    ['a column left out', 'select 1 as n, 2 as m', '[{"n":1,"m":3}]', ['--ignore', 'm'], 0],
    ['nested floats', 'select [struct(0.1 + 0.2 as x)] as l', '[{"l":[{"x":0.3}]}]', [], 0],
  ])('%s', async (_, sql, recorded, flags, exitCode) => {
    expect((await verify(sql, recorded, ...flags)).exitCode).toBe(exitCode);
  });

  test('estimates of BigQuery may differ by two percent, which is said, also through WITH', async () => {
    const sql =
      'with q as (select approx_quantiles(x, 100) as quantiles, count(*) as n from unnest(generate_array(1, 1000)) as x) select quantiles[offset(95)] as p95, n from q';
    expect(await verify(sql, '[{"p95":955,"n":1000}]')).toEqual({
      stdout: 'query: the same, in any order: 1 row\n',
      stderr: 'note: compared within 2%, because BigQuery estimates them: p95\n',
      exitCode: 0,
    });
    expect((await verify(sql, '[{"p95":999,"n":1000}]')).exitCode).toBe(1);
    expect((await verify(sql, '[{"p95":955,"n":1000}]', '--tolerance', 'p95=0')).exitCode).toBe(1);
  });
});

test('rows that are alike by the thousand, and floats alone, find their twins', async () => {
  const alike = "select 'a' as s, 0.1 + 0.2 as x from unnest(generate_array(1, 20000))";
  const header = '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab34\nmax_rows: 20000\n---*/\n';
  expect((await verify(`${header}${alike}`, '{"s":"a","x":0.3}\n'.repeat(20_000))).stdout).toBe(
    'query: the same, in any order: 20,000 rows\n',
  );
  const floats = 'select x / 7 as f from unnest(generate_array(1, 20000)) as x';
  const recorded = Array.from({ length: 20_000 }, (_, i) => `{"f":${(20_000 - i) / 7}}`).join('\n');
  expect((await verify(`${header}${floats}`, recorded)).stdout).toBe('query: the same, in any order: 20,000 rows\n');
});

describe('wrong usage', () => {
  test.each([
    ['{"error":"Backend error!"}', [], '- contains an error, not rows: "Backend error!"'],
    ['[1]', [], '- cannot be read: element 1 is not an object'],
    ['{"n":1}\n{"n":', [], '- cannot be read: line 2 is not JSON: '],
    ['n,m\n1\n', [], '- cannot be read: row 1 has 1 values for 2 columns'],
    ['n\n"1', [], '- cannot be read: record 2 has a quote that is not closed'],
    ['[{"n":1}]', ['--tolerance', 's=1%'], '--tolerance s=1%: s is of type STRING, which has no tolerance'],
    ['[{"n":1}]', ['--tolerance', 'n=much'], '--tolerance n=much: n is of type INT64'],
    ['[{"n":1}]', ['--tolerance', 'nn=1'], '--tolerance "nn" is not a column'],
    ['[{"n":1}]', ['--ignore', 'q'], '--ignore "q" is not a column'],
    ['[{"n":1}]', ['--differences', '0'], '--differences "0" is not a whole number above 0'],
  ])('of %j %j is told, with exit code 2', async (recorded, flags, message) => {
    const { stdout, stderr, exitCode } = await verify("select 1 as n, 'a' as s", recorded, ...flags);
    expect([stdout, stderr.split('\n')[0]?.slice(0, 'error[usage]: '.length + message.length), exitCode]).toEqual([
      '',
      `error[usage]: ${message}`,
      2,
    ]);
  });

  test('is told where no recorded rows are named, or none are there', async () => {
    expect((await home.run(['verify', './query.sql'])).exitCode).toBe(2);
    expect((await home.run(['verify', './query.sql', '--expected', 'nosuch.json'])).stderr).toBe(
      'error[usage]: there is no file nosuch.json\n   = hint: name a file that you can read, or - for standard input\n',
    );
  });
});

test('parameters and the instant are those of a run', async () => {
  const sql = `/*---
id: 4c01dc9a-90f3-4c81-99e0-1e85e62aab33
params: { project: { type: string, required: true } }
---*/
select current_timestamp() as now, count(*) as n from edge_logs where project = @project`;
  const flags = ['--as-of', '2026-01-15T12:00:00Z', '--project', 'demo'];
  expect((await verify(sql, '[{"now":"2026-01-15 12:00:00 UTC","n":"3"}]', ...flags)).exitCode).toBe(0);
  expect((await verify(sql, '[{"now":"2026-01-15 12:00:00 UTC","n":"3"}]')).stderr.split('\n')[0]).toBe(
    'error[parameter]: query needs 1 parameter, 1 is missing',
  );
});
