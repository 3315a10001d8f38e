// quern translate: texts that are no saved queries.
import { afterAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

describe('quern translate', () => {
  test('prints the ClickHouse SQL of standard input, and nothing else', async () => {
    const { stdout, stderr, exitCode } = await home.run(['translate', '-'], {
      stdin: 'select countif(x > 1) as n from unnest([1, 2, 3]) as x',
    });
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'SELECT toInt64(countIf(x > 1)) AS n',
      'FROM (',
      '  SELECT arrayJoin([toInt64(1), toInt64(2), toInt64(3)]) AS x',
      ')',
      '',
    ]);
  });

  test('types come from --param, else from the header, else they are strings, with a note', async () => {
    home.write(
      'typed.sql',
      '/*---\nid: 7c0dc4a2-6a4b-4c52-8f35-6b6a3c9b4a11\nparams:\n  n: { type: integer }\n---*/\nselect @n + 1 as n, @ids as ids, @word as word',
    );
    const { stdout, stderr, exitCode } = await home.run(['translate', 'typed.sql', '--param', 'ids:array of integer', '--json']);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('note: @word: no type is declared, so string is assumed; declare it with --param word:TYPE\n');
    const { columns, parameters, sources, notes } = JSON.parse(stdout);
    expect({ columns, parameters, sources, notes }).toEqual({
      columns: [
        { name: 'n', type: 'INT64' },
        { name: 'ids', type: 'ARRAY<INT64>' },
        { name: 'word', type: 'STRING' },
      ],
      parameters: [
        { name: 'ids', type: 'array of integer', clickhouse: 'Array(Nullable(Int64))', assumed: false },
        { name: 'n', type: 'integer', clickhouse: 'Nullable(Int64)', assumed: false },
        { name: 'word', type: 'string', clickhouse: 'Nullable(String)', assumed: true },
      ],
      sources: [],
      notes: [],
    });
  });

  test('says of each construct whether its rows are exact', async () => {
    home.write(
      'quantiles.sql',
      'create temp function half(x int64) as (div(x, 2));\nselect approx_quantiles(half(x), 4) as q,\n  sum(x) as s, count(*) as n\nfrom (select x from unnest([1, 2]) as x order by x) limit 1',
    );
    const { stdout } = await home.run(['translate', 'quantiles.sql', '--json']);
    const notes: readonly { construct: string; rows: string; line: number; column: number }[] = JSON.parse(stdout).notes;
    expect(notes.map(({ construct, rows, line, column }) => `${line}:${column} ${construct} ${rows}`)).toEqual([
      '1:40 DIV exact',
      '2:8 APPROX_QUANTILES approximate',
      '3:3 SUM exact',
      '3:16 COUNT exact',
      '4:59 LIMIT over an ordered subquery differs',
    ]);
    const { stderr } = await home.run(['translate', 'quantiles.sql']);
    expect(stderr.split('\n')[0]).toBe(
      'note: 2:8: APPROX_QUANTILES: exact here, while BigQuery estimates it, so the two may differ a little',
    );
  });

  test('reads saved queries as tables, with their parameters', async () => {
    const whole = await home.run(['translate', '-', '--json'], {
      stdin: 'select max(total_rest_requests) as most from `usage.api-counts`',
    });
    expect(JSON.parse(whole.stdout).parameters.map(({ name, assumed }: { name: string; assumed: boolean }) => [name, assumed])).toEqual([
      ['project', false],
      ['interval', false],
    ]);
    expect(JSON.parse(whole.stdout).sources).toEqual(['edge_logs']);
  });

  test('writes a text to paste for a product, without its table', async () => {
    const sql =
      "select timestamp_trunc(timestamp, hour) as hour, countif(cast(m.status as int64) >= @least) as failed from auth_logs cross join unnest(metadata) as m where m.path != '/' || @path group by 1 order by 1";
    const { stdout, stderr, exitCode } = await home.run([
      'translate',
      sql,
      '--for',
      'supabase',
      '-p',
      'least:INT64:400',
      '-p',
      "path::it's",
    ]);
    expect({ stdout, stderr, exitCode }).toEqual({
      stdout: `SELECT toStartOfHour(timestamp) AS hour, countIf(toInt64OrNull(log_attributes['status']) >= 400) AS failed
FROM logs
WHERE source = 'auth_logs' AND log_attributes['path'] NOT IN ('', '/it''s')
GROUP BY hour
ORDER BY hour
`,
      stderr: '',
      exitCode: 0,
    });
    const empty = await home.run([
      'translate',
      'select m.level from auth_logs, unnest(metadata) m',
      '--for',
      'supabase',
      '--absent',
      'empty',
    ]);
    expect(empty.stdout).toBe("SELECT log_attributes['level'] AS level\nFROM logs\nWHERE source = 'auth_logs'\n");
    expect(empty.stderr).toBe("note: what an event has not is '' or 0, and counts and compares as such; BigQuery has NULL there\n");
  });

  test('takes the defaults of a header for values', async () => {
    home.write(
      'since.sql',
      '/*---\nid: 0b7f4f60-6c1e-4c55-9f0e-2f1f4b5d7a11\nparams:\n  least: { type: integer, default: 3 }\n---*/\nselect id from edge_logs where length(event_message) > @least',
    );
    const { stdout } = await home.run(['translate', 'since.sql', '--for', 'supabase', '--json']);
    const { sql, settings, parameters, differences } = JSON.parse(stdout);
    expect(sql).toContain('> 3');
    expect([settings, differences]).toEqual([{}, []]);
    expect(parameters.map(({ clickhouse }: { clickhouse: unknown }) => clickhouse)).toEqual([null]);
  });

  test('refuses with the place, the reason, and exit code 2', async () => {
    home.write('refused.sql', 'select\n  regexp_contain(x, "a")\nfrom unnest(["a"]) as x');
    expect(await home.run(['translate', 'refused.sql'])).toEqual({
      stdout: '',
      stderr: `error[unknown-function]: regexp_contain is not a function quern can translate
  --> refused.sql:2:3
   |
 2 |   regexp_contain(x, "a")
   |   ^^^^^^^^^^^^^^
   = hint: did you mean REGEXP_CONTAINS(value, regexp)?
`,
      exitCode: 2,
    });
  });

  test.each([
    [
      ['translate', 'none.sql'],
      'error[usage]: there is no file none.sql\n   = hint: name a file that you can read, or - for standard input\n',
    ],
    [['translate', '-', '--param', 'x'], 'error[usage]: --param "x" is not name:type\n   = hint: write it like --param since:timestamp\n'],
    [['translate', '-', '--param', 'x:strin'], 'error[usage]: --param x: "strin" is not a type\n   = hint: did you mean string?\n'],
    [['translate', '-', '-p', 'y::1'], 'error[usage]: --parameter only applies to a text for a product\n   = hint: add --for supabase\n'],
    [['translate', '-', '--for', 'supabase', '-p', 'y::1'], 'error[usage]: <stdin> has no parameter @y\n   = hint: leave out -p y\n'],
    [['translate', '-', '--param', 'y:string'], 'error[usage]: <stdin> has no parameter @y\n   = hint: leave out --param y\n'],
  ])('%j is refused', async (argv, stderr) => {
    expect(await home.run(argv, { stdin: 'select 1' })).toEqual({ stdout: '', stderr, exitCode: 2 });
  });
});
