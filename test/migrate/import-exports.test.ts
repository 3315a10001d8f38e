// quern import dir: exports of queries as bq, BigQuery's API and its INFORMATION_SCHEMA print them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { cliHome } from '../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

let n = 0;
let folder = '';
beforeEach(() => {
  folder = `e${++n}`;
});
const importFiles = async (files: Readonly<Record<string, unknown>>) => {
  for (const [name, value] of Object.entries(files))
    home.write(join(folder, 'in', name), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return home.run(['import', 'dir', join(folder, 'in'), '--out', join(folder, 'out')]);
};
const text = (name: string): string => readFileSync(join(home.folder, folder, 'out', `${name}.sql`), 'utf8');
const run = (name: string, ...flags: readonly string[]) =>
  home.run(['run', name, '--queries', join(folder, 'out'), '--format', 'csv', ...flags]);

describe('scheduled queries', () => {
  const transfer = {
    name: 'projects/1234/locations/eu/transferConfigs/68a1b2c3-0000-2f4d-9f6b-001a114e5c8a',
    destinationDatasetId: 'reports',
    displayName: 'Orders per day',
    updateTime: '2026-01-12T09:15:00.123456Z',
    dataSourceId: 'scheduled_query',
    schedule: 'every day 06:00',
    params: {
      query: 'select @run_date as day, extract(hour from @run_time) as hour',
      destination_table_name_template: 'orders_{run_date}',
      write_disposition: 'WRITE_TRUNCATE',
    },
    state: 'SUCCEEDED',
    userId: '42',
  };

  test('keep what they were for, and take the day and the time of a run', async () => {
    const { stdout, exitCode } = await importFiles({ 'transfers.json': [transfer] });
    expect([stdout, exitCode]).toEqual([
      `ok         Orders-per-day  (was "Orders per day")
             note: its rows went to reports.orders_{run_date}: \`quern run … --output FILE\` from a timer writes a file
`,
      0,
    ]);
    expect(text('Orders-per-day')).toBe(`/*---
description: ""
# its name was "Orders per day"
# it ran "every day 06:00"
# its rows went to "reports.orders_{run_date} (WRITE_TRUNCATE)"
cache: disabled
params:
  run_date: { type: date, required: true }
  run_time: { type: timestamp, required: true }
---*/
${transfer.params.query}
`);
    expect((await run('Orders-per-day', '--run-date', '2026-01-14', '--run-time', '2026-01-14T06:00:00Z')).stdout).toBe(
      'day,hour\n2026-01-14,6\n',
    );
  });

  test('of the API stand in an object; transfers of other things are left out', async () => {
    const { stdout } = await importFiles({
      'list.json': {
        transferConfigs: [
          { ...transfer, displayName: 'one', disabled: true, params: { query: 'select 1 as x' } },
          { ...transfer, displayName: 'bucket', dataSourceId: 'google_cloud_storage', params: { file_format: 'CSV' } },
        ],
      },
    });
    expect(stdout).toBe(`ok         one
             note: its schedule was disabled
left out   bucket
             it is a transfer from google_cloud_storage, not a query
`);
  });
});

describe('histories', () => {
  const row = (query: string | null, more: object = {}) => ({
    creation_time: '2026-01-14 06:00:01.5 UTC',
    project_id: 'my-proj',
    job_id: `job_${Math.random()}`,
    job_type: 'QUERY',
    statement_type: 'SELECT',
    query,
    error_result: null,
    parent_job_id: null,
    ...more,
  });

  test('of INFORMATION_SCHEMA.JOBS give each query once, the most frequent first; what are no queries is counted', async () => {
    const rows = [
      row('select 1 as x'),
      row('select 2 as x'),
      row('select 2 as x '),
      row('insert into t values (1)', { statement_type: 'INSERT' }),
      row('insert into t values (2)', { statement_type: 'INSERT' }),
      row('select broken', { error_result: { reason: 'invalidQuery' } }),
      row(null, { job_type: 'LOAD', statement_type: null }),
      row('select 3', { parent_job_id: 'script_job_1' }),
    ];
    const { stdout, exitCode } = await importFiles({ 'jobs.ndjson': rows.map((one) => JSON.stringify(one)).join('\n') });
    expect([stdout, exitCode]).toEqual([
      `ok         jobs-1
             note: it ran 2 times
ok         jobs-2
left out   jobs.ndjson
             5 of its jobs are not queries to keep: 2 INSERT, 1 that failed, 1 LOAD, 1 that are steps of scripts
`,
      1,
    ]);
    expect((await run('jobs-1')).stdout).toBe('x\n2\n');
  });

  test('of bq ls -j have the types of their parameters', async () => {
    const job = (query: object, more: object = {}) => ({
      kind: 'bigquery#job',
      jobReference: { projectId: 'my-proj', jobId: 'bquxjob_1', location: 'EU' },
      configuration: { jobType: 'QUERY', query: { useLegacySql: false, ...query } },
      status: { state: 'DONE' },
      statistics: { query: { statementType: 'SELECT' } },
      ...more,
    });
    const { stdout } = await importFiles({
      'history.json': [
        job({
          query: 'select @n + 1 as x, @t as t, cast(@d * 10 as string) as d',
          parameterMode: 'NAMED',
          queryParameters: [
            { name: 'n', parameterType: { type: 'INT64' }, parameterValue: { value: '1' } },
            { name: 't', parameterType: { type: 'STRING' }, parameterValue: { value: 'a' } },
            { name: 'd', parameterType: { type: 'NUMERIC' }, parameterValue: { value: '0.5' } },
          ],
        }),
        job({ query: 'select 1', useLegacySql: true }),
        { ...job({}), configuration: { jobType: 'EXTRACT', extract: {} } },
      ],
    });
    expect(stdout).toBe(
      'ok         history-1\nleft out   history.json\n             2 of its jobs are not queries to keep: 1 of legacy SQL, 1 EXTRACT\n',
    );
    expect((await run('history-1', '--n', '4', '--t', 'b', '--d', '0.25')).stdout).toBe('x,t,d\n5,"b","2.5"\n');
  });

  test('with positional parameters are kept as they are, and told to name them', async () => {
    const { stdout, exitCode } = await importFiles({ 'a.sql': 'select ? as x' });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('? is a positional parameter, which a saved query cannot have')]);
  });

  test('logs and data beside them are left alone', async () => {
    const { stdout } = await importFiles({ 'a.sql': 'select 1 as x', 'events.ndjson': '{"id": 1}\n{"id": 2}\n' });
    expect(stdout).toBe('ok         a\n');
  });
});

describe('views', () => {
  const reference = (tableId: string) => ({ projectId: 'my-proj', datasetId: 'shop', tableId });

  test('are read by those that name them', async () => {
    const { stdout, exitCode } = await importFiles({
      'view.json': {
        kind: 'bigquery#table',
        id: 'my-proj:shop.cheap',
        type: 'VIEW',
        description: 'Below ten',
        tableReference: reference('cheap'),
        view: { query: 'select x from unnest([1, 20]) as x where x < 10', useLegacySql: false },
      },
      'views.json': [
        {
          table_catalog: 'my-proj',
          table_schema: 'shop',
          table_name: 'doubled',
          view_definition: 'select x * 2 as y from `my-proj.shop.cheap`',
          check_option: null,
          use_standard_sql: 'YES',
        },
        { table_catalog: 'my-proj', table_schema: 'shop', table_name: 'old', view_definition: 'select 1', use_standard_sql: 'NO' },
      ],
    });
    expect([stdout, exitCode]).toEqual([
      `ok         cheap
ok         doubled
             note: it reads the saved query cheap, whose rows used to be in the table my-proj.shop.cheap
left out   old
             it is legacy SQL: rewrite it in GoogleSQL
`,
      1,
    ]);
    expect((await run('doubled')).stdout).toBe('y\n2\n');
  });

  test('in a list have no SQL, and the way to it is told', async () => {
    const { stdout } = await importFiles({
      'tables.json': [
        { kind: 'bigquery#table', type: 'VIEW', tableReference: reference('v'), view: { useLegacySql: false } },
        { kind: 'bigquery#table', type: 'TABLE', tableReference: reference('t') },
      ],
    });
    expect(stdout).toBe(`left out   v
             a list of tables does not contain the SQL of views
             hint: bq show --format=prettyjson my-proj:shop.v
left out   t
             it is a table, not a query
`);
  });
});

describe('other exports', () => {
  test.each([
    ['a name and a query', { id: 7, name: 'Top ten', query: 'select 1 as x', options: {} }, 'Top-ten'],
    ['a title and sql', { title: 'ten', sql: 'select 1 as x' }, 'ten'],
    ['in a list of results', { count: 1, results: [{ name: 'ten', query: 'select 1 as x' }] }, 'ten'],
  ])('with %s', async (_, value, name) => {
    expect((await importFiles({ 'export.json': value })).exitCode).toBe(0);
    expect((await run(name)).stdout).toBe('x\n1\n');
  });

  test('legacy SQL is left out', async () => {
    expect((await importFiles({ 'a.sql': '#legacySQL\nselect * from [p:d.t]' })).stdout).toBe(
      'left out   a\n             it is legacy SQL: rewrite it in GoogleSQL\n',
    );
  });
});

describe('ClickHouse SQL', () => {
  const export_ = (query: string) => [{ name: 'native', language: 'ch_sql', query, source_mapping: {} }];

  test.each([
    ['runs', 'select number as x, @p as p from numbers(2)', /^ok {9}native\n/],
    [
      'has no such table',
      'select * from nosuch',
      /^no source {2}native\n.*there is no table nosuch in the store.*\n +hint: this is ClickHouse SQL, which names tables of the engine/,
    ],
    ['has no such column', 'select y from (select 1 as x)', /^refused {4}native\n.*UNKNOWN_IDENTIFIER/],
    [
      'has types that do not fit',
      'select 1 as x where @p > 5 and toDate(1, 2, 3) = today()',
      /^refused {4}native\n.*NUMBER_OF_ARGUMENTS_DOESNT_MATCH/,
    ],
  ])('that %s is tried on the engine', async (_, query, report) => {
    expect((await importFiles({ 'a.json': export_(query) })).stdout).toMatch(report);
  });
});
