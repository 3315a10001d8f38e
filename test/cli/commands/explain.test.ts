// quern explain with the engine's own plan and estimate.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { ndjson } from './events.ts';

const home = cliHome();
const id = '/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b21\nparams:\n  n: { type: integer, required: true }\n---*/\n';
const counts = ['usage.api-counts', '--project', 'demo', '--interval', 'daily', '--as-of', '2026-01-15T12:00:00Z'];

beforeAll(async () => {
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

describe('quern explain', () => {
  test('--logical prints the plan before and after the rules, for any parameters', async () => {
    home.write(
      'places.sql',
      `${id}with a as (select r.path as place from edge_logs, unnest(metadata) m, unnest(m.request) r) select place from a where place like '/a%' limit @n`,
    );
    expect(await home.run(['explain', 'places.sql', '--logical'])).toEqual({
      stdout: `Before the rules:

With a: place
  Project place := r.path
    Unnest r := m.request
      Unnest m := metadata
        Scan edge_logs: metadata
Output place := place#2
  Limit @n
    Filter place#2 LIKE '/a%'
      Read a: place#2

After the rules:

Output place
  Limit @n
    Filter place LIKE '/a%'
      Project place := path
        Filter request
          Scan edge_logs: request := metadata.request exists, path := metadata.request.path

Buckets of time: none, because it does not group the rows of a source by time.
`,
      stderr: '',
      exitCode: 0,
    });
  });

  test('--logical says which buckets of time are kept', async () => {
    const { stdout } = await home.run(['explain', 'usage.api-counts', '--logical']);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Buckets of time: minute, hour or day of timestamp, kept in the cache.');
  });

  test('--rules prints it after each rule that changed it', async () => {
    const { stdout, stderr, exitCode } = await home.run(['explain', 'usage.api-counts', '--rules']);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout.split('\n').filter((line) => line.endsWith(':'))).toEqual([
      'Before the rules:',
      'After inline-ctes:',
      'After merge-one-row-joins:',
      'After prune-record-fields:',
      'After eliminate-redundant-predicates:',
    ]);
  });

  test('a plan that no rule changes is printed once', async () => {
    home.write('none.sql', 'select 1 as one');
    expect((await home.run(['explain', 'none.sql', '--logical'])).stdout).toBe(
      'Before the rules:\n\nOutput one\n  Project one := 1\n    One row\n\nNo rule changes it.\n\nBuckets of time: none, because it does not group the rows of a source by time.\n',
    );
  });

  test.each([
    ['for any parameters', [], ['-- {n:Nullable(Int64)}\n'], ['-- always\nWHERE {n:Nullable(Int64)} > 0 OR {n:Nullable(Int64)} IS NULL\n']],
    ['for given ones', ['--n', '3'], [], []],
  ])('the SQL has the comments of the query %s', async (_, given, above, below) => {
    home.write(
      'commented.sql',
      `${id}-- what is there\nselect 'a' as x /* a letter */\nwhere (@n > 0 or @n is null) and 1 = 1 -- always\n`,
    );
    const { stdout, exitCode } = await home.run(['explain', 'commented.sql', ...given]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe([...above, "-- what is there\nSELECT\n  -- a letter\n  'a' AS x\n", ...below].join(''));
  });

  test('ClickHouse SQL has no logical plan', async () => {
    home.write('own.sql', '/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b22\ndialect: clickhouse\n---*/\nselect 1');
    expect(await home.run(['explain', 'own.sql', '--logical'])).toEqual({
      stdout: '',
      stderr: `error[usage]: own is ClickHouse SQL, which quern runs as it is, so it has no logical plan
   = hint: see the engine's own plan with --plan
`,
      exitCode: 2,
    });
  });

  test('--plan prints the plan of the embedded engine, with its indexes', async () => {
    const { stdout, stderr, exitCode } = await home.run(['explain', ...counts, '--plan']);
    expect([stderr, exitCode]).toEqual(['', 0]);
    const lines = stdout.split('\n').map((line) => line.replace(/[^\w().]*/u, ''));
    expect(lines).toContain('ReadFromMergeTree (quern.edge_logs)');
    expect(lines).toContain('Indexes:');
  });

  test('--dry-run tells what would be read, and runs nothing', async () => {
    const { stdout, stderr, exitCode } = await home.run(['explain', ...counts, '--dry-run', '--format', 'ndjson']);
    expect([stderr, exitCode]).toEqual(['', 0]);
    const { bytes_at_most: bytes, ...estimate } = JSON.parse(stdout);
    expect(estimate).toEqual({ table: 'quern.edge_logs', parts: 1, rows: 4, marks: 1 });
    expect(bytes).toBeGreaterThan(100);
    expect((await home.run(['cache', 'list', '--format', 'ndjson', '--quiet'])).stdout).toBe('');
  });

  test('a query without tables has nothing to estimate', async () => {
    home.write('none.sql', 'select 1 as one');
    expect(await home.run(['explain', 'none.sql', '--dry-run', '--format', 'csv'])).toEqual({
      stdout: 'table,parts,rows,marks,bytes_at_most\n',
      stderr: 'note: there is nothing to estimate: the query reads no rows of MergeTree tables\n',
      exitCode: 0,
    });
  });

  test.each([['--plan'], ['--dry-run'], []])('parameters are those that a run needs %s', async (...flags) => {
    expect(await home.run(['explain', 'usage.api-counts', ...flags, '--interval', 'hourly'])).toEqual({
      stdout: '',
      stderr: `error[parameter]: usage.api-counts needs 2 parameters, 1 is missing
   = missing   --project  Regular expression matched against the request URL (regexp string)
   = hint: see its parameters with \`quern show usage.api-counts\`
`,
      exitCode: 2,
    });
  });

  test.each([
    [
      ['--plan', '--dry-run'],
      "error[usage]: option '--dry-run' cannot be used with option '--plan'\n   = hint: see quern explain --help\n",
    ],
    [
      ['--logical', '--plan'],
      "error[usage]: option '--plan' cannot be used with option '--logical'\n   = hint: see quern explain --help\n",
    ],
    [['--rules', '--project', 'demo'], 'error[usage]: the logical plan is the same for any parameters\n   = hint: leave out --project\n'],
    [['--format', 'csv'], 'error[usage]: --format works only with --dry-run\n   = hint: add --dry-run, or leave out --format\n'],
    [['--as-of', '2026-01-01'], 'error[usage]: --as-of changes nothing in the SQL itself\n   = hint: add --plan or --dry-run\n'],
  ])('%j is refused', async (flags, stderr) => {
    expect(await home.run(['explain', 'logs.all', ...flags])).toEqual({ stdout: '', stderr, exitCode: 2 });
  });
});
