// quern init and quern new: what they write runs.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cliHome } from '../../support/run-cli.ts';
import { ndjson } from './events.ts';

const home = cliHome();
beforeAll(async () => {
  home.write('in/events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'in/events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

describe('quern init', () => {
  test('writes a project whose sample query runs, and says what to do next', async () => {
    expect(await home.run(['init'])).toEqual({
      stdout: 'quern.yaml\nquern.schema.json\nqueries/events-per-hour.sql\nchecks/events-per-hour.yaml\n',
      stderr: 'next: load data with `quern load`, then quern run events-per-hour --project NAME; add a query with quern new NAME\n',
      exitCode: 0,
    });
    const { stdout, exitCode } = await home.run(['run', 'events-per-hour', '--project', 'demo', '--format', 'csv']);
    expect([stdout.split('\n')[0], exitCode]).toEqual(['hour,events', 0]);
  });

  test('the sample check holds, and what is written is as lint and fmt want it', async () => {
    const { stdout, exitCode } = await home.run(['check', '--as-of', '2026-01-05T00:00:00Z']);
    expect(stdout.replace(/\([^)]*\)\n$/, '')).toBe(`events-per-hour project=demo
  ok    events > 0
  ok    unique: hour
  ok    there are events

3 assertions: 3 ok `);
    expect(exitCode).toBe(0);
    const { properties } = JSON.parse((await home.run(['config', 'schema', 'checks'])).stdout);
    const { checks } = parse(readFileSync(join(home.folder, 'checks/events-per-hour.yaml'), 'utf8'));
    expect(Object.keys(checks[0]).filter((key) => !(key in properties.checks.items.properties))).toEqual([]);
    expect((await home.run(['lint'])).exitCode).toBe(0);
    expect((await home.run(['fmt', '--check'])).exitCode).toBe(0);
  });

  test('never writes over a file unless told to, and then nothing at all', async () => {
    const before = readFileSync(join(home.folder, 'queries/events-per-hour.sql'), 'utf8');
    home.write('queries/events-per-hour.sql', 'select 1');
    expect(await home.run(['init'])).toEqual({
      stdout: '',
      stderr:
        'error[usage]: quern.yaml, quern.schema.json, queries/events-per-hour.sql, checks/events-per-hour.yaml already exist\n   = hint: nothing was written; --force overwrites existing files\n',
      exitCode: 2,
    });
    home.write('half/quern.schema.json', '{}');
    expect((await home.run(['init', 'half'])).stderr.split('\n')[0]).toBe('error[usage]: quern.schema.json already exists');
    expect(readdirSync(join(home.folder, 'half'))).toEqual(['quern.schema.json']);
    expect((await home.run(['init', '--force'])).exitCode).toBe(0);
    expect(readFileSync(join(home.folder, 'queries/events-per-hour.sql'), 'utf8')).toBe(before);
  });
});

describe('what is there', () => {
  const parts = ['run', 'check', 'lint'] as const;
  const all = async (folder: string, query: string, flags: readonly string[] = []) => {
    const queries = ['--queries', `${folder}/queries`];
    const ran = await home.run([...flags, 'run', query, '--format', 'csv'], { folder });
    const codes: number[] = [];
    for (const command of parts) {
      const argv = command === 'run' ? ['run', query] : [command];
      codes.push((await home.run([...flags, ...argv], { folder })).exitCode);
    }
    expect((await home.run([...queries, 'fmt', '--check'])).exitCode).toBe(0);
    // Nothing that quern writes itself has a warning.
    expect((await home.run([...flags, 'lint'], { folder })).stdout).toBe('');
    return [ran.stdout, codes];
  };

  test('files of data become sources, and the first query reads one', async () => {
    home.write('shop/Order items.csv', 'id,qty\n1,2\n');
    home.write('shop/Umsätze 2026 (Q1).csv', 'id\n1\n');
    home.write('shop/visits.ndjson', '{"page":"/"}\n');
    home.write('shop/package.json', '{}');
    home.write('shop/edge_logs.csv', 'id\n1\n');
    expect(await home.run(['init', 'shop'])).toMatchObject({
      stdout: 'shop/quern.yaml\nshop/quern.schema.json\nshop/queries/Order_items-count.sql\nshop/checks/Order_items-count.yaml\n',
      stderr: 'next: cd shop, then quern run Order_items-count; add a query with quern new NAME\n',
    });
    const { sources } = parse(readFileSync(join(home.folder, 'shop/quern.yaml'), 'utf8'));
    expect(sources).toEqual({
      Order_items: { file: 'Order items.csv' },
      visits: { file: 'visits.ndjson' },
      Umsatze_2026_Q1: { file: 'Umsätze 2026 (Q1).csv' },
    });
    expect(await all('shop', 'Order_items-count')).toEqual(['row_count\n1\n', [0, 0, 0]]);
    const added = await home.run(['new', 'more'], { folder: 'shop' });
    expect(added.stderr).toBe('next: edit it, then quern lint queries/more.sql and quern run more\n');
    expect((await home.run(['run', 'more', '--format', 'csv'], { folder: 'shop' })).stdout).toBe('row_count\n1\n');
  });

  test.each([
    ['day,total\n2026-01-02,1\n2026-01-02,2\n', 'sales-per-day', 'day,row_count\n2026-01-02,2\n'],
    ['at,group\n2026-01-02T03:04:05Z,1\n', 'sales-per-day', 'on_day,row_count\n2026-01-02,1\n'],
    ['group,total\n1,2\n', 'sales-count', 'row_count\n1\n'],
  ])('a table of the store whose rows are %j', async (rows, query, expected) => {
    const store = join(home.folder, `store-${expected.length}`);
    home.write('in/sales.csv', rows);
    const flags = ['--store', store];
    expect((await home.run([...flags, 'load', 'sales', 'in/sales.csv'])).exitCode).toBe(0);
    const folder = `of-${expected.length}`;
    expect((await home.run([...flags, 'init', folder])).stderr).toBe(
      `next: cd ${folder}, then quern run ${query}; add a query with quern new NAME\n`,
    );
    expect(await all(folder, query, flags)).toEqual([expected, [0, 0, 0]]);
  });
});

describe('quern init --ci github', () => {
  const shell = (script: string): string[] => script.split('\n').filter((line) => line !== '');

  test('writes a workflow at the top of the repository whose steps run the checks of the project', async () => {
    mkdirSync(join(home.folder, 'repo/.git'), { recursive: true });
    const { stdout, stderr, exitCode } = await home.run(['init', 'repo/reports', '--ci', 'github']);
    expect(stdout.split('\n').slice(3)).toEqual(['repo/reports/checks/events-per-hour.yaml', 'repo/.github/workflows/quern.yml', '']);
    expect([stderr.split('\n')[1], exitCode]).toEqual([
      'next: edit repo/.github/workflows/quern.yml so that it loads your data or names your server',
      0,
    ]);
    const { on, jobs } = parse(readFileSync(join(home.folder, 'repo/.github/workflows/quern.yml'), 'utf8'));
    expect(Object.keys(on)).toEqual(['pull_request', 'push', 'schedule']);
    const { defaults, steps } = jobs.quern;
    expect(defaults).toEqual({ run: { 'working-directory': 'reports' } });
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    const [install, ...commands] = steps.flatMap(({ run }: { run?: string }) => (run === undefined ? [] : shell(run)));
    expect(install).toMatch(new RegExp(`^npm install --global git\\+https://[\\w./-]+\\.git#v${version.replaceAll('.', '\\.')}$`));
    expect(commands).toEqual([
      'quern lint',
      'quern fmt --check',
      'quern check --reporter terminal --reporter github --reporter markdown="$GITHUB_STEP_SUMMARY"',
    ]);
    const summary = join(home.folder, 'summary.md');
    for (const command of commands) {
      const argv = command.replaceAll('"$GITHUB_STEP_SUMMARY"', summary).split(' ').slice(1);
      const project = ['--queries', join(home.folder, 'repo/reports/queries')];
      const files = argv[0] === 'check' ? [join(home.folder, 'repo/reports/checks/events-per-hour.yaml')] : [];
      const { stderr: told, exitCode: code } = await home.run([...argv, ...files, ...project]);
      expect([command, code], told).toEqual([command, 0]);
    }
    expect(readFileSync(summary, 'utf8')).toMatch(/^## Checks: 3 ok\n/);
  });

  test('a project that is there gets the workflow alone, once', async () => {
    const before = readFileSync(join(home.folder, 'quern.yaml'), 'utf8');
    expect(await home.run(['init', '--ci', 'github'])).toMatchObject({ stdout: '.github/workflows/quern.yml\n', exitCode: 0 });
    expect(readFileSync(join(home.folder, 'quern.yaml'), 'utf8')).toBe(before);
    expect((await home.run(['init', '--ci', 'github'])).stderr).toBe(
      'error[usage]: .github/workflows/quern.yml already exists\n   = hint: nothing was written; --force overwrites existing files\n',
    );
    expect((await home.run(['init', '--ci', 'gitlab'])).stderr).toMatch(/^error\[usage\]: .*--ci.*gitlab/);
  });
});

describe('quern new', () => {
  test('writes a query with a unique UUID that runs', async () => {
    const { stdout, stderr } = await home.run(['new', 'sign.ups', '--description', 'Sign-ups: "all" of them']);
    expect([stdout, stderr]).toEqual([
      'queries/sign.ups.sql\n',
      'next: edit it, then quern lint queries/sign.ups.sql and quern run sign.ups --project NAME\n',
    ]);
    const { stdout: listed } = await home.run(['list', '--format', 'json']);
    const rows: { name: string; id: string; description: string }[] = JSON.parse(listed).result;
    expect(rows.find(({ name }) => name === 'sign.ups')?.description).toBe('Sign-ups: "all" of them');
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect((await home.run(['run', 'sign.ups', '--project', 'demo'])).exitCode).toBe(0);
  });

  test('makes the folder that the settings name', async () => {
    expect(await home.run(['new', 'first', '--queries', join(home.folder, 'to-come')])).toMatchObject({
      stdout: 'to-come/first.sql\n',
      exitCode: 0,
    });
  });

  test.each([
    [
      ['new', 'sign.ups'],
      /^error\[usage\]: the saved query sign\.ups already exists: .*sign\.ups\.sql\n {3}= hint: choose another name\n$/,
    ],
    [['new', 'logs.all'], /^error\[usage\]: the saved query logs\.all already exists: /],
    [
      ['new', '../x'],
      /^error\[usage\]: "\.\.\/x" is not a valid name for a saved query\n {3}= hint: use letters, digits, dots, - and _\n$/,
    ],
    [['new', 'x.sql'], /hint: write it without \.sql: x\n$/],
  ])('%j is refused', async (argv, stderr) => {
    const answer = await home.run(argv);
    expect(answer.stderr).toMatch(stderr);
    expect([answer.stdout, answer.exitCode]).toEqual(['', 2]);
  });
});
