// What assertions hold, on the embedded engine, and what is said of those that do not.
import { describe, expect, test } from 'vitest';
import { AS_OF, checkHome, header } from './check-home.ts';

const home = checkHome();
const { check, write } = home;

describe('assertions', () => {
  test('over all rows and over each row are answered as BigQuery would', async () => {
    write(
      'one.yaml',
      `checks:
  - query: usage.api-counts
    params: { project: demo, interval: daily }
    assertions:
      - count(*) > 0
      - total_auth_requests >= 0
      - logical_and(total_rest_requests < 2)
      - max(total_rest_requests) < 2 or false
      - total_rest_requests < 2
      - freshness: { column: timestamp, within: 12h }
      - freshness: { column: timestamp, within: 11h }
`,
    );
    expect(await check(['one.yaml', ...AS_OF])).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "report": "usage.api-counts project=demo interval=daily
        ok    count(*) > 0
        ok    total_auth_requests >= 0
        FAIL  logical_and(total_rest_requests < 2)
              is false
              one.yaml:7
        FAIL  max(total_rest_requests) < 2 or false
              max(total_rest_requests) is 2
              one.yaml:8
        FAIL  total_rest_requests < 2
              fails for the only row
              one.yaml:9
              ┌─────────────────────┬─────────────────────┬────────────────────────┬─────────────────────┬─────────────────────────┐
              │ timestamp           │ total_rest_requests │ total_storage_requests │ total_auth_requests │ total_realtime_requests │
              ├─────────────────────┼─────────────────────┼────────────────────────┼─────────────────────┼─────────────────────────┤
              │ 2026-01-15T00:00:00 │                   2 │                      0 │                   1 │                       0 │
              └─────────────────────┴─────────────────────┴────────────────────────┴─────────────────────┴─────────────────────────┘
        ok    freshness: timestamp within 12h
        FAIL  freshness: timestamp within 11h
              the newest timestamp is 2026-01-15T00:00:00
              one.yaml:11

      7 assertions: 3 ok, 4 failed
      ",
        "stderr": "error[check]: 4 of 7 assertions failed
         = hint: see the report
      ",
      }
    `);
  });

  test('that come to NULL have not been shown to hold, of a row and of all', async () => {
    write(
      'null.yaml',
      `checks:
  - query: by-method
    params: { project: nobody }
    assertions: [max(n) > 0, n > 0, sum(n) is null]
  - query: by-method
    params: { project: demo }
    assertions:
      - n > nullif(1, 1)
      - length(nothing) = 0
`,
    );
    expect(await check(['null.yaml', '--rows', '0'])).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "report": "by-method project=nobody
        FAIL  max(n) > 0
              is NULL, because there are no rows; max(n) is NULL
              null.yaml:4
        ok    n > 0
        ok    sum(n) is null

      by-method project=demo
        FAIL  n > nullif(1, 1)
              fails for all 2 rows
              null.yaml:8
        FAIL  length(nothing) = 0
              fails for all 2 rows
              null.yaml:9
        note  the query returns at most 2 rows (max_rows); other rows were not checked

      5 assertions: 2 ok, 3 failed
      ",
        "stderr": "error[check]: 3 of 5 assertions failed
         = hint: see the report
      ",
      }
    `);
  });

  test('see the rows that the query returns: as many, in its order, with its functions and parameters', async () => {
    expect(await check(['numbers'])).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "report": "numbers
        ok    max(n) = @top

      numbers top=9
        ok    count(*) = 6 and min(n) = 4
        ok    h = div(n, 2)
        ok    n in (select 10 - i from unnest([1, 2, 3, 4, 5, 6]) as i)
        note  the query returns at most 6 rows (max_rows); other rows were not checked

      4 assertions: 4 ok
      ",
        "stderr": "",
      }
    `);
  });

  test('of the built-in kinds', async () => {
    write(
      'kinds.yaml',
      `checks:
  - query: numbers
    assertions:
      - not_null: [n, word]
      - unique: n
      - unique: [h]
      - unique: word
      - accepted_values: { word: ["it's", "\\"w\\""] }
      - accepted_values: { n: [1, 2, 3, 4] }
      - row_count: { min: 1, max: 3 }
`,
    );
    expect(await check(['kinds.yaml'])).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "report": "numbers
        FAIL  not_null: n, word
              fails for 1 of 4 rows
              kinds.yaml:4
              ┌───┬───┬──────┐
              │ n │ h │ word │
              ├───┼───┼──────┤
              │ 3 │ 1 │ NULL │
              └───┴───┴──────┘
        ok    unique: n
        FAIL  unique: h
              fails for 2 of 4 rows
              kinds.yaml:6
              ┌───┬───┬──────┐
              │ n │ h │ word │
              ├───┼───┼──────┤
              │ 3 │ 1 │ NULL │
              │ 2 │ 1 │ w    │
              └───┴───┴──────┘
        FAIL  unique: word
              fails for 3 of 4 rows
              kinds.yaml:7
              ┌───┬───┬──────┐
              │ n │ h │ word │
              ├───┼───┼──────┤
              │ 4 │ 2 │ w    │
              │ 2 │ 1 │ w    │
              │ 1 │ 0 │ w    │
              └───┴───┴──────┘
        FAIL  accepted_values: word in it's, "w"
              fails for 3 of 4 rows
              kinds.yaml:8
              ┌───┬───┬──────┐
              │ n │ h │ word │
              ├───┼───┼──────┤
              │ 4 │ 2 │ w    │
              │ 2 │ 1 │ w    │
              │ 1 │ 0 │ w    │
              └───┴───┴──────┘
        ok    accepted_values: n in 1, 2, 3, 4
        FAIL  row_count: at least 1, at most 3
              count(*) is 4
              kinds.yaml:10

      7 assertions: 2 ok, 5 failed
      ",
        "stderr": "error[check]: 5 of 7 assertions failed
         = hint: see the report
      ",
      }
    `);
  });

  test('allow as many failing rows as they say', async () => {
    const thresholds = [
      "error_if: '> 2'",
      "error_if: '>= 2'",
      "error_if: '> 5', warn_if: '> 2'",
      "severity: warn, warn_if: '= 3'",
      'severity: warn',
    ];
    write(
      'most.yaml',
      `checks:\n  - query: numbers\n    assertions:\n${thresholds.map((text) => `      - { assert: n > 2, ${text} }\n`).join('')}`,
    );
    const { stdout, exitCode } = await home.run(['check', 'most.yaml', '--reporter', 'json']);
    const { checks, summary } = JSON.parse(stdout);
    expect(checks[0].assertions.map(({ state, reason }: { state: string; reason: string }) => [state, reason])).toEqual([
      ['warn', 'fails for 2 of 4 rows'],
      ['fail', 'fails for 2 of 4 rows'],
      ['pass', 'fails for 2 of 4 rows, which is allowed'],
      ['pass', 'fails for 2 of 4 rows, which is allowed'],
      ['warn', 'fails for 2 of 4 rows'],
    ]);
    expect([exitCode, summary.passed, summary.warned, summary.failed]).toEqual([1, 2, 2, 1]);
  });

  test('are made of drafts and of ClickHouse SQL as well', async () => {
    write(
      'ch.sql',
      `${header('21', 'dialect: clickhouse\nmax_rows: 3\nparams:\n  top: { type: integer, default: 9 }')}select number as n, toDateTime('2026-01-15 11:30:00') as seen from numbers({top:Int64}) order by n desc`,
    );
    write(
      'others.yaml',
      `checks:
  - { query: ./draft.sql, assertions: [sum(n) = 3] }
  - { query: ./ch.sql, params: { top: 5 }, assertions: [min(n) = 2, n > 2, { freshness: { column: seen, within: 1h } }] }
`,
    );
    expect(await check(['others.yaml', ...AS_OF])).toMatchInlineSnapshot(`
      {
        "exitCode": 1,
        "report": "draft
        ok    sum(n) = 3

      ch top=5
        ok    min(n) = 2
        FAIL  n > 2
              fails for 1 of 3 rows
              others.yaml:3
              ┌───┬──────────────────────┐
              │ n │ seen                 │
              ├───┼──────────────────────┤
              │ 2 │ 2026-01-15T11:30:00Z │
              └───┴──────────────────────┘
        ok    freshness: seen within 1h
        note  the query returns at most 3 rows (max_rows); other rows were not checked

      4 assertions: 3 ok, 1 failed
      ",
        "stderr": "error[check]: 1 of 4 assertions failed
         = hint: see the report
      ",
      }
    `);
  });
});
