// quern import dir: .sql files and JSON exports; and what holds for every import.
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idInHeader } from '../../src/queries/header/text.ts';
import { byMethod, ndjson } from '../cli/commands/events.ts';
import { cliHome } from '../support/run-cli.ts';
import { endpoint } from './logflare-server.ts';

const home = cliHome();
beforeAll(async () => {
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(() => home.remove());

let folder = 0;
const importFiles = async (files: Readonly<Record<string, string | Uint8Array>>, ...flags: readonly string[]) => {
  const from = `in-${++folder}`;
  for (const [name, text] of Object.entries(files)) home.write(join(from, name), text);
  return home.run(['import', 'dir', from, '--out', `${from}-out`, ...flags]);
};
const text = (name: string): string => readFileSync(join(home.folder, `in-${folder}-out`, `${name}.sql`), 'utf8');

describe('quern import dir', () => {
  test('takes SQL, saved queries and exports, and leaves other files alone', async () => {
    const { stdout, stderr, exitCode } = await importFiles({
      'plain.sql': '#standardSQL\nselect @x as x',
      'by-method.sql': byMethod,
      'one.json': JSON.stringify({ query: 'select 1 as n', max_limit: 5 }),
      'several.json': JSON.stringify([endpoint({ name: 'first' }), { name: 'second', query: 'select 2 as n' }]),
      'notes.txt': 'nothing',
      'deeper/inner.sql': 'select 1',
    });
    expect([stdout, stderr, exitCode]).toEqual([
      'ok         by-method\nok         inner\nok         one\nok         plain\n             note: the SQL does not say of which type @x (string) must be: look at the header\nok         first\nok         second\n',
      `6 files written to in-${folder}-out\n6 of 6 queries translate\n`,
      0,
    ]);
    expect(text('by-method')).toBe(byMethod);
    expect(text('plain')).toBe(
      '/*---\ndescription: ""\ncache: disabled\nparams:\n  x: { type: string } # a guess: the SQL does not say it\n---*/\n#standardSQL\nselect @x as x\n',
    );
  });

  test('parameters are of the types that the SQL and the tables say', async () => {
    await importFiles({
      'unknown.sql':
        'select sum(amount) as s from shop.orders where amount > @least and name like @pattern and state in unnest(@states) limit @n',
      'known.sql': 'select id from edge_logs where timestamp >= @since and timestamp < timestamp_add(@since, interval @hours hour)',
    });
    expect(text('unknown')).toContain(
      'params:\n  least: { type: integer } # a guess: the SQL does not say it\n  pattern: { type: string }\n  states: { type: array of string } # a guess: the SQL does not say it\n  n: { type: integer }\n',
    );
    expect(text('known')).toContain('params:\n  since: { type: timestamp }\n  hours: { type: integer }\n');
  });

  test('counts queries apart whose last statement writes a table: they return its rows', async () => {
    const { stdout, stderr, exitCode } = await importFiles({
      'plain.sql': 'select 1 as n',
      'table.sql': 'create or replace table shop.daily as select 1 as n',
      'view.sql': 'create view v as select 1 as n',
      'insert.sql': 'insert into shop.daily (n) select 1 as n',
    });
    const note = (table: string) =>
      `note: it wrote ${table}; here it returns the rows, and nothing is written: quern query … | quern load NAME - keeps them`;
    expect([stdout, stderr, exitCode]).toEqual([
      [
        ['rows only  insert', note('shop.daily')],
        ['ok         plain'],
        ['rows only  table', note('shop.daily')],
        ['rows only  view', note('v')],
      ]
        .map((lines) => `${lines.join(`\n${' '.repeat(13)}`)}\n`)
        .join(''),
      `4 files written to in-${folder}-out\n1 of 4 queries translates, 3 return the rows that they would write\n`,
      0,
    ]);
  });

  test('the folder of a project that has no queries yet is made', async () => {
    home.write('new/from/plain.sql', 'select 1 as n');
    const inProject = ['--queries', 'new/saved', 'import', 'dir', 'new/from', '--out', 'new/saved'];
    expect((await home.run([...inProject, '--dry-run'])).stderr).toBe('1 file would be written to new/saved\n1 of 1 query translates\n');
    expect(existsSync(join(home.folder, 'new/saved'))).toBe(false);
    expect((await home.run(inProject)).stderr).toBe('1 file written to new/saved\n1 of 1 query translates\n');
    expect(readdirSync(join(home.folder, 'new/saved'))).toEqual(['plain.sql']);
  });

  test('a query without an id keeps the one it was given', async () => {
    await importFiles({ 'plain.sql': 'select 1 as n' });
    await home.run(['fmt', '--ids', `in-${folder}-out/plain.sql`]);
    const id = idInHeader(text('plain'));
    expect(id).toBeDefined();
    const again = await home.run(['import', 'dir', `in-${folder}`, '--out', `in-${folder}-out`]);
    expect(again.stderr).toBe(`0 files written to in-${folder}-out, 1 unchanged\n1 of 1 query translates\n`);
    home.write(`in-${folder}/plain.sql`, 'select 2 as n');
    await home.run(['import', 'dir', `in-${folder}`, '--out', `in-${folder}-out`, '--force']);
    expect([idInHeader(text('plain')), text('plain').endsWith('select 2 as n\n')]).toEqual([id, true]);
  });

  test('files that hold no query are told, and do not hide the others', async () => {
    const { stdout, exitCode } = await importFiles({
      'bytes.sql': new Uint8Array([0x73, 0xff, 0xfe]),
      'empty.sql': ' \n',
      'good.sql': 'select 1 as n',
      'half.json': '[{"name"',
    });
    expect([stdout.replace(/(it is not JSON): .*/, '$1'), exitCode]).toEqual([
      `left out   bytes.sql
             it is not UTF-8 text
left out   empty.sql
             it is empty
ok         good
left out   half.json
             it is not JSON
`,
      1,
    ]);
  });

  test('links are followed within the folder, and not out of it', async () => {
    home.write('outside/secret.sql', 'select 1 as secret');
    home.write('outside/deeper/other.sql', 'select 2 as secret');
    const from = join(home.folder, 'linked');
    home.write('linked/real/good.sql', 'select 3 as n');
    symlinkSync('real/good.sql', join(from, 'again.sql'));
    symlinkSync('../outside/secret.sql', join(from, 'out.sql'));
    symlinkSync(join(home.folder, 'outside/secret.sql'), join(from, 'absolute.sql'));
    symlinkSync('hop.sql', join(from, 'hops.sql'));
    symlinkSync('../outside/secret.sql', join(from, 'hop.sql'));
    symlinkSync('../outside/deeper', join(from, 'folder'));
    symlinkSync('folder/other.sql', join(from, 'through.sql'));
    const { stdout, exitCode } = await home.run(['import', 'dir', 'linked', '--out', 'linked-out']);
    const left = ['absolute', 'hop', 'hops', 'out', 'through'];
    const lines = stdout.split('\n');
    expect(lines.flatMap((line, i) => (line.startsWith('left out') ? [`${line.split(/ +/)[2]} ${lines[i + 1]?.trim()}`] : []))).toEqual(
      left.map((name) => `${name}.sql it is a link out of the folder`),
    );
    expect([readdirSync(join(home.folder, 'linked-out')).sort(), exitCode]).toEqual([['again.sql', 'good.sql'], 1]);
  });

  test('a header of its own that is wrong is told with its place', async () => {
    const { stdout } = await importFiles({ 'bad.sql': '/*---\nid: nope\n---*/\nselect 1' });
    expect(stdout.split('\n')[1]?.trim()).toBe(`in-${folder}-out/bad.sql:2:5: id: "nope" is not a UUID [config]`);
  });

  test.each([
    [['import', 'dir', 'nosuch', '--out', 'o'], /^error\[usage\]: there is no folder .*nosuch\n/],
    [['import', 'dir', 'events.ndjson', '--out', 'o'], /^error\[usage\]: .*events\.ndjson is not a folder\n/],
    [['import', 'dir', 'nothing', '--out', 'o'], /^error\[usage\]: .* contains no queries\n/],
    [['import', 'dir', 'nosuch'], /^error\[usage\]: there is no folder .*nosuch\n/],
    [['import', 'dir', '.'], /^error\[usage\]: there is no folder for your own saved queries\n/],
    [['import', 'dir', '.', '--out', 'o', '--report', 'r.txt'], /^error\[usage\]: --report r\.txt ends in neither \.json nor \.md\n/],
  ])('%j is refused', async (argv, stderr) => {
    home.write('nothing/notes.txt', '');
    const answer = await home.run(argv);
    expect([answer.stdout, answer.exitCode]).toEqual(['', 2]);
    expect(answer.stderr).toMatch(stderr);
  });
});

describe('imported queries', () => {
  const export_ = (...endpoints: readonly Readonly<Record<string, unknown>>[]) =>
    JSON.stringify(endpoints.map((fields, i) => endpoint({ token: `11111111-2222-4333-8444-55555555555${i}`, ...fields })));

  test('take another name, and id, where a saved query has theirs; who reads them is told', async () => {
    const { stdout, exitCode } = await importFiles({
      'all.json': export_(
        { name: 'logs.all', token: 'c1a4e0b7-8f25-4d93-9e6b-05b7f3a2d818' },
        { name: 'reader', query: 'select n from `logs.all`' },
        { name: 'twin', token: '11111111-2222-4333-8444-555555555551' },
      ),
    });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^ok {9}logs\.all-imported {2}\(was "logs\.all"\)\n {13}note: the saved query logs\.all already exists: queries\/logs\.all\.sql\n {13}note: its id is already used by logs\.all, so it has a new one\nrefused {4}reader\n/,
    );
    expect(
      stdout
        .split('\n')
        .filter((line) => line.includes('note: '))
        .slice(2),
    ).toEqual([
      '             note: it reads logs.all, which is called logs.all-imported here: change it in the SQL',
      '             note: its id is already used by another of these queries, so it has a new one',
    ]);
    expect((await home.run(['list', '--queries', `in-${folder}-out`])).stderr).toBe('');
  });

  test('may read each other', async () => {
    const { stdout } = await importFiles({
      'all.json': export_({ name: 'outer', query: 'select n + 1 as m from `inner.query`' }, { name: 'inner.query' }),
    });
    expect(stdout).toBe('ok         outer\nok         inner.query\n');
    expect((await home.run(['run', 'outer', '--queries', `in-${folder}-out`, '--scalar'])).stdout).toBe('5\n');
  });

  test('have the types of parameters that their casts say', async () => {
    await importFiles({
      'all.json': export_({
        name: 'typed',
        query: `select cast(@i as int64), cast(@I as int64), cast(@f as float64), cast(@b as bool), cast(@t as timestamp), cast(@d as date),
          cast(@both as int64), length(@both), cast(@two as int64), cast(@two as float64), safe_cast(@safe as int64), @plain, '@no', cast(@s as string) -- @comment`,
      }),
    });
    expect(/params:\n((?: {2}.*\n)*)/.exec(text('typed'))?.[1]).toBe(
      `  i: { type: integer }
  f: { type: float }
  b: { type: boolean }
  t: { type: timestamp }
  d: { type: date }
  both: { type: string }
  two: { type: string }
  safe: { type: string }
  plain: { type: string }
  s: { type: string }
`,
    );
  });

  test('of ClickHouse SQL stay that, with parameters as ClickHouse writes them', async () => {
    const query = "select @x as x, '@y' as y -- @z";
    const { stdout } = await importFiles({
      'all.json': export_(
        { name: 'native', language: 'ch_sql', query, sandboxable: true, description: '/* */' },
        { name: 'file', language: 'ch_sql', query: "select * from file('/etc/passwd')" },
      ),
    });
    expect(stdout).toBe(`ok         native
             note: only SQL in the BigQuery dialect can have a sandbox
             note: its parameters are now written {name:Nullable(String)}, as in ClickHouse
refused    file
             in-${folder}-out/file.sql:10:15: the function file cannot be used in a saved query [unsupported]
`);
    expect(text('native').split('---*/\n')[1]).toBe("select {x:Nullable(String)} as x, '@y' as y -- @z\n");
    expect((await home.run(['run', 'native', '--queries', `in-${folder}-out`, '--x', 'a', '--format', 'ndjson'])).stdout).toBe(
      '{"x":"a","y":"@y"}\n',
    );
  });

  test('say what could not be kept', async () => {
    const { stdout, exitCode } = await importFiles({
      'all.json': export_({
        name: 'odd',
        token: 'not-a-uuid',
        proactive_requerying_seconds: 60,
        max_limit: 0,
        enable_auth: false,
        source_mapping: { a: 1 },
      }),
    });
    expect([stdout, exitCode]).toEqual([
      `ok         odd
             note: its id "not-a-uuid" is not a UUID, so it has a new one
             note: its max_limit was 0, so max_rows has its default
             note: its source_mapping maps "a" to 1, which was left out
             note: it had no cache, so there is nothing to keep warm
             note: it answered without a key; \`quern serve\` requires one
`,
      0,
    ]);
  });

  test('are reported in files', async () => {
    await importFiles(
      { 'all.json': export_({ name: 'a|b' }, { name: 'bad', query: 'select `x\n|` from t' }) },
      '--report',
      'report.md',
      '--dry-run',
    );
    expect(readFileSync(join(home.folder, 'report.md'), 'utf8')).toBe(`# Imported queries

1 of 2 queries translates, 1 refused.

| query | state | why, and what else |
|---|---|---|
| a-b | ok | was "a&#124;b" |
| bad | refused | in-${folder}-out/bad.sql:9:8: this name is not closed: no &#96; follows &#91;syntax&#93;<br>hint: close it with &#96; |
`);
    expect(readdirSync(home.folder).includes(`in-${folder}-out`)).toBe(false);
    await home.run(['import', 'dir', `in-${folder}`, '--out', 'x', '--report', 'report.json', '--dry-run']);
    const report: { queries: unknown[] } = JSON.parse(readFileSync(join(home.folder, 'report.json'), 'utf8'));
    expect({ ...report, queries: report.queries.length }).toEqual({
      folder: 'x',
      written: false,
      queries: 2,
      sources: [],
      tables: [],
      proposal: { names: {}, sources: {}, wildcards: [] },
      causes: [{ message: expect.stringContaining('this name is not closed'), queries: ['bad'] }],
      summary: '1 of 2 queries translates, 1 refused',
    });
  });
});
