// quern import logflare: what is kept of endpoints, and what is said of those that do not translate.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseSavedQuery } from '../../src/queries/header/header.ts';
import { ndjson } from '../cli/commands/events.ts';
import { cliHome } from '../support/run-cli.ts';
import { endpoint, type LogflareServer, startLogflare, TOKEN } from './logflare-server.ts';

const home = cliHome();
let logflare: LogflareServer;
beforeAll(async () => {
  logflare = await startLogflare();
  home.write('events.ndjson', ndjson);
  expect((await home.run(['load', 'edge_logs', 'events.ndjson'])).exitCode).toBe(0);
});
afterAll(async () => {
  await logflare.stop();
  home.remove();
});

let folder = 0;
let out = '';
beforeEach(() => {
  out = `out-${++folder}`;
});
const importAll = (endpoints: readonly unknown[], ...flags: readonly string[]) => {
  logflare.answer(endpoints);
  return home.run(['import', 'logflare', '--out', out, ...flags], { env: { LOGFLARE_TOKEN: TOKEN, LOGFLARE_URL: logflare.url } });
};
const file = (name: string): string => readFileSync(join(home.folder, out, `${name}.sql`), 'utf8');

describe('quern import logflare', () => {
  test('writes a file that keeps what was set, and that runs', async () => {
    const query = `select request.path, count(*) as n
from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as request
where t.project = @project
group by 1 having count(*) >= cast(@least as int64) order by 1`;
    const answer = await importAll([
      endpoint({
        name: 'Requests: by path',
        description: 'Requests, "by path"',
        query,
        sandboxable: true,
        cache_duration_seconds: 900,
        proactive_requerying_seconds: 300,
        max_limit: 500,
        labels: 'team=api',
        redact_pii: true,
      }),
    ]);
    expect(answer).toEqual({
      stdout: 'ok         Requests-by-path  (was "Requests: by path")\n',
      stderr: `1 file written to ${out}\n1 of 1 query translates\n`,
      exitCode: 0,
    });
    expect(file('Requests-by-path')).toBe(`/*---
id: 11111111-2222-4333-8444-555555555555
description: "Requests, \\"by path\\""
# its name was "Requests: by path"
# its labels were "team=api"
max_rows: 500
cache: 15m
cache_warming: 5m
sandbox: enabled
redact_pii: true
params:
  project: { type: string }
  least: { type: integer }
---*/
${query}
`);
    const argv = ['run', 'Requests-by-path', '--queries', out, '--project', 'demo', '--least', '1', '--format', 'csv'];
    expect(await home.run(argv)).toEqual({
      stdout: 'path,n\n"/auth/v1/token",1\n"/rest/v1/a",1\n"/rest/v1/b",1\n',
      stderr: '',
      exitCode: 0,
    });
    expect(logflare.seen.at(-1)).toEqual({ path: '/api/endpoints', authorization: `Bearer ${TOKEN}` });
  });

  test('says which queries do not translate, where and why, and writes them all the same', async () => {
    const answer = await importAll([
      endpoint({ name: 'good' }),
      endpoint({ name: 'bad', token: '11111111-2222-4333-8444-555555555556', query: 'select 1,\n  nosuch(2)' }),
      endpoint({ name: 'typo', token: '11111111-2222-4333-8444-555555555557', query: 'selec 1' }),
      endpoint({ name: 'postgres', language: 'pg_sql' }),
      endpoint({ name: 'strange', language: 'cobol' }),
    ]);
    expect(answer.stdout).toBe(`ok         good
refused    bad
             ${out}/bad.sql:10:3: nosuch is not a function quern can translate [unknown-function]
             hint: docs/dialect.md lists the functions
refused    typo
             ${out}/typo.sql:9:1: expected a query, found selec [syntax]
             hint: did you mean SELECT?
left out   postgres
             it is PostgreSQL SQL: rewrite it in the BigQuery dialect
left out   strange
             its language "cobol" is not supported
`);
    expect(answer.stderr).toBe(
      `3 files written to ${out}\nerror[check]: 1 of 5 queries translates, 2 refused, 2 left out\n   = hint: see the report; docs/dialect.md says what can be translated\n`,
    );
    expect(answer.exitCode).toBe(1);
    expect(readdirSync(join(home.folder, out))).toEqual(['bad.sql', 'good.sql', 'typo.sql']);
  });

  test('is the same when it is done again; never writes over other files unless told to', async () => {
    const one = endpoint({ name: 'again' });
    await importAll([one]);
    const { stderr, exitCode } = await importAll([one]);
    expect([stderr, exitCode]).toEqual([`0 files written to ${out}, 1 unchanged\n1 of 1 query translates\n`, 0]);
    const changed = [
      endpoint({ name: 'again', query: 'select 2 as n' }),
      endpoint({ name: 'more', token: '11111111-2222-4333-8444-555555555556' }),
    ];
    expect(await importAll(changed)).toEqual({
      stdout: '',
      stderr: `error[usage]: again.sql already exists in ${out}, with different contents\n   = hint: nothing was written; --force overwrites existing files, --dry-run shows what would be written\n`,
      exitCode: 2,
    });
    expect(readdirSync(join(home.folder, out))).toEqual(['again.sql']);
    expect((await importAll(changed, '--dry-run')).stderr).toBe(`2 files would be written to ${out}\n2 of 2 queries translate\n`);
    expect(readdirSync(join(home.folder, out))).toEqual(['again.sql']);
    expect((await importAll(changed, '--force')).exitCode).toBe(0);
    expect(file('again').split('---*/\n')[1]).toBe('select 2 as n\n');
  });

  test('hostile names stay in the folder, and two queries never become one file', async () => {
    const names = [
      '../../x',
      '',
      'a/b',
      'A',
      'a',
      'über größe',
      'x.sql',
      '.hidden',
      '日本',
      '--help',
      '4c01dc9a-90f3-4c81-99e0-1e85e62aab10',
      'x\u0000\u001b[2Jy',
    ];
    const { stdout, exitCode } = await importAll(
      names.map((name, i) => endpoint({ name, token: `11111111-2222-4333-8444-5555555555${String(i).padStart(2, '0')}` })),
      '--report',
      `${out}.json`,
    );
    expect(exitCode).toBe(0);
    const report: { queries: { name: string; was?: string; file: string }[] } = JSON.parse(
      readFileSync(join(home.folder, `${out}.json`), 'utf8'),
    );
    expect(report.queries.map(({ name, was }) => [was ?? name, name])).toEqual([
      ['../../x', 'x'],
      ['', 'endpoint-11111111'],
      ['a/b', 'a-b'],
      ['A', 'A'],
      ['a', 'a-2'],
      ['über größe', 'uber-gro-e'],
      ['x.sql', 'x-sql'],
      ['.hidden', 'hidden'],
      ['日本', 'endpoint-11111111-2'],
      ['--help', 'help'],
      ['4c01dc9a-90f3-4c81-99e0-1e85e62aab10', 'endpoint-4c01dc9a-90f3-4c81-99e0-1e85e62aab10'],
      ['x\u0000\u001b[2Jy', 'x-2Jy'],
    ]);
    expect(readdirSync(join(home.folder, out)).sort()).toEqual(report.queries.map(({ name }) => `${name}.sql`).sort());
    expect(stdout.includes('\u001b')).toBe(false);
    expect((await home.run(['list', '--queries', out, '--format', 'csv'])).stderr).toBe('');
  });

  test.each([
    ['ends the header', 'x ---*/ select 1 /* y'],
    ['is YAML of its own', 'a: b\n- c # d\n---\n"e": \'f\' \\ &g *h !i'],
    ['has characters that YAML has not', 'nul \u0000 del \u007f next line \u0085 separator \u2028 mark \ufeff lone \ud800 end'],
  ])('a description that %s stays a description', async (_, description) => {
    const { exitCode } = await importAll([endpoint({ name: 'hostile', description, labels: description })]);
    expect(exitCode).toBe(0);
    expect(parseSavedQuery({ name: 'hostile.sql', text: file('hostile') }, 'hostile').description).toBe(description.trim());
    expect((await home.run(['run', 'hostile', '--queries', out, '--scalar'])).stdout).toBe('4\n');
  });

  test('sources that are not known are proposed for quern.yaml, and do not hide what else is wrong', async () => {
    const mapping = {
      source_mapping: { 'acme.logs.prod': 'aaaaaaaa-2222-4333-8444-555555555555', edge_logs: 'bbbbbbbb-2222-4333-8444-555555555555' },
    };
    const { stdout, exitCode } = await importAll([
      endpoint({ name: 'mapped', ...mapping, query: 'select count(*) as n from `acme.logs.prod`' }),
      endpoint({
        name: 'both',
        ...mapping,
        token: '11111111-2222-4333-8444-555555555556',
        query: 'select nosuch(1) from `acme.logs.prod`',
      }),
    ]);
    expect([stdout, exitCode]).toEqual([
      `no source  mapped
             ${out}/mapped.sql:9:27: there is no source, saved query or WITH table named acme.logs.prod [unknown-source]
             hint: map it in quern.yaml, as below
refused    both
             ${out}/both.sql:9:8: nosuch is not a function quern can translate [unknown-function]
             hint: docs/dialect.md lists the functions

Tables to map:
  acme.logs.prod  2 queries

# For quern.yaml, with your tables in place of DATABASE.TABLE,
# and without rows where a table has no column source_uuid:
sources:
  "acme.logs.prod":
    table: DATABASE.TABLE
    rows: { source_uuid: "aaaaaaaa-2222-4333-8444-555555555555" }
`,
      1,
    ]);
  });

  test('the commands of docs/migration.md do what it says', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/migration.md'), 'utf8');
    const commands = [...page.matchAll(/^quern (import logflare .*)$/gm)].map(([, words = '']) => words);
    expect(commands.length).toBeGreaterThan(1);
    logflare.answer([endpoint({ name: 'of-the-page' })]);
    home.write('quern.yaml', 'queries: queries\n');
    for (const command of commands) {
      const argv = command.replace('https://logflare.example.com', logflare.url).split(' ');
      expect(await home.run(argv, { env: { LOGFLARE_TOKEN: TOKEN } })).toMatchObject({ exitCode: 0, stdout: 'ok         of-the-page\n' });
    }
  });
});
