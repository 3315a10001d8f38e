// quern run and what goes with it, on a store of four events.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';
import { byMethod, ndjson } from './events.ts';

const home = cliHome();
const query = ['run', 'by-method', '--queries', 'mine'];
const rows = '{"method":"GET","n":2,"nothing":null}\n{"method":"POST","n":1,"nothing":null}\n';

beforeAll(async () => {
  home.write('mine/by-method.sql', byMethod);
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

const SHIPPED = ['functions.invocation-stats', 'logs.all', 'usage.api-counts'];

describe('quern run', () => {
  test('prints NDJSON in a pipe', async () => {
    expect(await home.run([...query, '--project', 'demo'])).toEqual({ stdout: rows, stderr: '', exitCode: 0 });
  });

  test('prints a table on a terminal, and where the rows come from', async () => {
    const { stdout, stderr, exitCode } = await home.run([...query, '--project', 'demo'], { terminal: 80 });
    expect({ stdout, exitCode }).toMatchInlineSnapshot(`
      {
        "exitCode": 0,
        "stdout": "┌────────┬───┬─────────┐
      │ method │ n │ nothing │
      ├────────┼───┼─────────┤
      │ GET    │ 2 │ NULL    │
      │ POST   │ 1 │ NULL    │
      └────────┴───┴─────────┘
      ",
      }
    `);
    expect(stderr).toMatch(/^2 rows, cached \d s ago; --refresh runs it again\n$/);
  });

  test('--output - is standard output, not a file of that name', async () => {
    const { stdout, exitCode } = await home.run([...query, '--project', 'demo', '--output', '-', '--format', 'tsv']);
    expect([stdout, exitCode, existsSync(join(home.folder, '-'))]).toEqual(['method\tn\tnothing\nGET\t2\t\\N\nPOST\t1\t\\N\n', 0, false]);
  });

  test('a dumb terminal gets no colours', async () => {
    const shown = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (await home.run(['run', 'nosuch'], { terminal: 80, env: { NO_COLOR: '', ...env } })).stderr;
    expect([(await shown({ TERM: 'xterm' })).includes('\x1b['), (await shown({ TERM: 'dumb' })).includes('\x1b[')]).toEqual([true, false]);
  });

  test('finds a query by its UUID and by its path', async () => {
    expect((await home.run(['run', '4c01dc9a-90f3-4c81-99e0-1e85e62aab10', '--queries', 'mine', '--project=demo'])).stdout).toBe(rows);
    expect((await home.run(['run', 'mine/by-method.sql', '--project=demo'])).stdout).toBe(rows);
  });

  test('takes parameters from a JSON file, from standard input, and lets flags win', async () => {
    home.write('params.json', '{"project": "nobody", "least": 2}');
    const json = '{"method":"GET","n":2,"nothing":null}\n';
    expect((await home.run([...query, '--params', 'params.json', '--project', 'demo'])).stdout).toBe(json);
    expect((await home.run([...query, '--params', '-'], { stdin: '{"project": "demo", "least": 2}' })).stdout).toBe(json);
  });

  test.each([
    ['json', '{"result": [\n{"method":"GET","n":2,"nothing":null},\n{"method":"POST","n":1,"nothing":null}\n]}\n'],
    ['csv', 'method,n,nothing\n"GET",2,\n"POST",1,\n'],
    ['tsv', 'method\tn\tnothing\nGET\t2\t\\N\nPOST\t1\t\\N\n'],
    ['markdown', '| method | n | nothing |\n| --- | ---: | --- |\n| GET | 2 | *NULL* |\n| POST | 1 | *NULL* |\n'],
  ])('prints %s', async (format, text) => {
    expect((await home.run([...query, '--project', 'demo', '--format', format])).stdout).toBe(text);
  });

  test('--output writes the file whole, in the format of its extension, and leaves nothing else', async () => {
    home.write('out/.keep', '');
    expect(await home.run([...query, '--project', 'demo', '--output', 'out/rows.csv'])).toEqual({ stdout: '', stderr: '', exitCode: 0 });
    expect(readFileSync(join(home.folder, 'out/rows.csv'), 'utf8')).toBe('method,n,nothing\n"GET",2,\n"POST",1,\n');
    expect(readdirSync(join(home.folder, 'out'))).toEqual(['.keep', 'rows.csv']);
  });

  test('says when the row limit cut rows off: an error in a pipe, a note on a terminal', async () => {
    home.write('mine/short.sql', byMethod.replace('max_rows: 2', 'max_rows: 1').replace('4c01', '4c02'));
    const argv = ['run', 'short', '--queries', 'mine', '--project', 'demo'];
    expect(await home.run(argv)).toEqual({
      stdout: '{"method":"GET","n":2,"nothing":null}\n',
      stderr: `error[result]: standard output has only the first row: short has max_rows: 1
   = hint: raise max_rows in the header of the query
`,
      exitCode: 1,
    });
    const seen = await home.run(argv, { terminal: 80 });
    expect([seen.stderr.split('\n')[0], seen.exitCode]).toEqual(['note: only the first row: short has max_rows: 1', 0]);
    expect((await home.run([...argv, '--quiet'], { terminal: 80 })).stderr).toBe('');
  });

  test('says when the source is empty', async () => {
    home.write('empty.sql', 'select id from auth_logs');
    expect((await home.run(['run', 'empty.sql'])).stderr).toBe(
      `note: auth_logs is empty in the store ${home.folder}/.local/share/quern/store: load data with \`quern load\`, or try \`quern demo\`\n`,
    );
    mkdirSync(join(home.folder, '.local/share/quern/demo'));
    expect((await home.run(['run', 'empty.sql'])).stderr).toBe(
      `note: auth_logs is empty in the store ${home.folder}/.local/share/quern/store: load data with \`quern load\`; for the sample of \`quern demo\`, add --store ${home.folder}/.local/share/quern/demo --as-of 2026-01-15T12:00:00Z\n`,
    );
  });
});

describe('the three queries that ship', () => {
  const asOf = ['--as-of', '2026-01-15T12:00:00Z'];

  test('usage.api-counts counts areas by bucket', async () => {
    const { stdout, stderr } = await home.run([
      'run',
      'usage.api-counts',
      '--project',
      'demo',
      '--interval',
      'hourly',
      ...asOf,
      '--format',
      'csv',
    ]);
    expect(stderr).toBe('');
    expect(stdout).toMatchInlineSnapshot(`
      "timestamp,total_rest_requests,total_storage_requests,total_auth_requests,total_realtime_requests
      2026-01-15T11:00:00,0,0,1,0
      "
    `);
  });

  test('logs.all gives the newest first, with metadata as arrays of objects', async () => {
    const { stdout } = await home.run(['run', 'logs.all', '--project', 'other', ...asOf]);
    expect(stdout).toMatchInlineSnapshot(`
      "{"id":"2026-01-15T11:45:00Z-/storage/v1/x","timestamp":"2026-01-15T11:45:00Z","event_message":"GET /storage/v1/x","metadata":[{"request":[{"method":"GET","path":"/storage/v1/x","url":"https://other.example.net/storage/v1/x"}],"response":[{"status_code":200}]}]}
      "
    `);
  });
});

describe('quern explain, list, show, cache, config', () => {
  test('explain prints the ClickHouse SQL', async () => {
    const { stdout, exitCode } = await home.run(['explain', 'by-method', '--queries', 'mine']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "-- {project:Nullable(String)}
      -- {least:Nullable(Int64)}
      SELECT metadata.request.method AS method, toInt64(count()) AS n, CAST(NULL, 'Nullable(String)') AS nothing
      FROM quern.edge_logs
      WHERE has(metadata_records, 'request') AND project = {project:Nullable(String)}
      GROUP BY metadata.request.method
      HAVING toInt64(count()) >= {least:Nullable(Int64)}
      ORDER BY metadata.request.method NULLS FIRST
      SETTINGS cast_keep_nullable = 1
      "
    `);
  });

  test.each([
    ['those of the user', ['--queries', 'mine'], ['by-method', 'short']],
    [
      'also those that ship with --all',
      ['--queries', 'mine', '--all'],
      ['by-method', ...SHIPPED.slice(0, 2), 'short', ...SHIPPED.slice(2)],
    ],
    ['those that ship where the user has none', [], SHIPPED],
  ])('list shows %s', async (_, flags, names) => {
    const { stdout } = await home.run(['list', ...flags, '--format', 'ndjson']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toEqual(names);
  });

  test('list tells a terminal of those that ship', async () => {
    const { stderr } = await home.run(['list', '--queries', 'mine'], { terminal: 100 });
    expect(stderr).toContain('`quern list --all` lists those that ship with quern, too');
  });

  test('shipped_queries: false leaves the user with their own', async () => {
    const env = { QUERN_SHIPPED_QUERIES: 'false' };
    expect((await home.run(['list'], { env })).stdout).toBe('');
    expect((await home.run(['show', 'usage.api-counts'], { env })).stderr).toContain('there is no saved query named usage.api-counts');
    expect((await home.run(['list', '--queries', 'mine', '--all', '--format', 'tsv'], { env })).stdout.split('\n')).toHaveLength(4);
  });

  test('show prints the header, the parameters and the SQL', async () => {
    const { stdout } = await home.run(['show', 'mine/by-method.sql']);
    expect(stdout.replace(/^(file: +).*by-method.sql$/m, '$1FILE')).toBe(
      `by-method: Requests by method
id:        4c01dc9a-90f3-4c81-99e0-1e85e62aab10
file:      FILE
rows:      at most 2
cache:     15m
parameters:
  --project  string, required; project ref
  --least    integer; default 0

${byMethod}`,
    );
    expect((await home.run(['show', 'mine/by-method.sql', '--sql'])).stdout).toBe(byMethod);
  });

  test('cache list, show and clear', async () => {
    await home.run([...query, '--project', 'demo', '--refresh']);
    const listed = await home.run(['cache', 'list', '--format', 'ndjson']);
    const entry = listed.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .find((one) => one.arguments.least === 0);
    expect(entry).toMatchObject({ query: 'by-method', arguments: { project: 'demo', least: 0 }, rows: 2, ttl_seconds: 900, fresh: true });
    expect((await home.run(['cache', 'show', entry.key])).stdout).toBe(rows);
    expect((await home.run(['cache', 'clear', '--query', 'by-method'])).stderr).toMatch(/^\d+ entr(y|ies) removed\n$/);
    const left = await home.run(['cache', 'list', '--format', 'ndjson', '--quiet']);
    expect(left.stdout).not.toContain('by-method');
  });

  test('config list says where values come from and hides secrets', async () => {
    const { stdout } = await home.run(['config', 'list', '--format', 'tsv', '--timeout', '5s'], { env: { CLICKHOUSE_PASSWORD: 'hush' } });
    const lines = stdout.split('\n');
    expect(lines.find((line) => line.startsWith('timeout'))).toBe(
      'timeout\t5s\tflag --timeout\tQUERN_TIMEOUT\ttime after which a query is cancelled',
    );
    expect(stdout).not.toContain('hush');
  });
});

test('completion offers the values that a header suggests, and any other is taken', async () => {
  home.write(
    'near.sql',
    '/*---\nid: 4c01dc9a-90f3-4c81-99e0-1e85e62aab10\nparams: { word: { type: string, suggest: [one, two] } }\n---*/\nselect @word as word',
  );
  expect((await home.run(['__complete', '--', 'run', 'near.sql', '--word', ''])).stdout).toBe('words\none\ntwo\n');
  expect((await home.run(['run', 'near.sql', '--word', 'three'])).stdout).toBe('{"word":"three"}\n');
  expect((await home.run(['show', 'near.sql'])).stdout).toContain('--word  string; such as: one, two');
});
