// Functions of the user's own, in files beside the saved queries.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
afterAll(() => home.remove());

const header = '/*---\nid: 51a3e2de-50b4-4d0c-8f4e-1a6c6f1f7b2';
const queries = ['--queries', join(home.folder, 'queries')];
const run = (name: string) => home.run(['run', name, '--format', 'ndjson', ...queries]);

beforeAll(() => {
  home.write(
    'functions/shout.sql',
    'create or replace function `my-proj.text.shout`(x string, marks int64) returns string\nas (upper(x) || repeat("!", marks));\n',
  );
  home.write('functions/twice.sql', 'CREATE TEMP FUNCTION twice(x ANY TYPE) AS (x + x) -- any number\n;');
  home.write('functions/both.sql', 'create function text.both(x string) as (text.shout(x, cast(twice(1) as int64)))');
  home.write(
    'queries/calls.sql',
    `${header}1\n---*/\nselect text.shout('a', 1) as a, \`my-proj.text.shout\`('b', 2) as b, twice(3) as c, twice(1.5) as d, text.both('e') as e`,
  );
});

describe('functions of files', () => {
  test('are called by every saved query, by their names with the project or without', async () => {
    expect(await run('calls')).toEqual({ stdout: '{"a":"A!","b":"B!!","c":6,"d":3,"e":"E!!"}\n', stderr: '', exitCode: 0 });
  });

  test('are read again when they change', async () => {
    home.write('queries/one.sql', `${header}2\n---*/\nselect changing() as n`);
    home.write('functions/changing.sql', 'create function changing() as (1)');
    expect((await run('one')).stdout).toBe('{"n":1}\n');
    home.write('functions/changing.sql', 'create function changing() as (2)');
    expect((await run('one')).stdout).toBe('{"n":2}\n');
  });

  test('stand behind functions that the query itself defines', async () => {
    home.write('queries/own.sql', `${header}3\n---*/\ncreate temp function twice(x int64) as (x * 20); select twice(1) as n`);
    expect((await run('own')).stdout).toBe('{"n":20}\n');
  });

  test('see neither parameters nor functions of the query', async () => {
    home.write('functions/peeps.sql', 'create function peeps() as (@secret)');
    home.write('queries/peeping.sql', `${header}4\nparams: { secret: { type: string, default: a } }\n---*/\nselect peeps(), @secret`);
    const { stderr, exitCode } = await run('peeping');
    expect([exitCode, stderr.split('\n')[0]]).toEqual([2, 'error[parameter]: @secret is not declared']);
    expect(stderr).toContain('functions/peeps.sql:1:29');
  });

  test('show an error in the file in which it is', async () => {
    home.write('functions/wrong.sql', 'create function wrong(x int64)\nas (uper(x))');
    home.write('queries/meets.sql', `${header}5\n---*/\nselect wrong(1)`);
    const { stderr } = await run('meets');
    expect(stderr).toContain('error[unknown-function]: uper is not a function quern can translate');
    expect(stderr).toContain('functions/wrong.sql:2:5');
  });

  test('that a query calls in a wrong way are an error of the query', async () => {
    home.write('queries/misuse.sql', `${header}6\n---*/\nselect text.shout(1)`);
    const { stderr } = await run('misuse');
    expect(stderr).toContain('my-proj.text.shout takes 2 arguments, not 1');
    expect(stderr).toContain('queries/misuse.sql');
  });

  test('are linted and formatted with the queries', async () => {
    home.write('functions/upper.sql', 'create function upper(x string) as (x)');
    const { stdout, exitCode } = await home.run(['lint', ...queries]);
    expect(stdout.split('\n').filter((line) => line.startsWith('functions/'))).toEqual([
      'functions/peeps.sql:1:29: error[parameter]: @secret is not declared (declare it under params: in the header, e.g. secret: { type: string })',
      'functions/upper.sql:1:17: error[config]: upper is a function of BigQuery, and queries would call that one instead of this (give it another name)',
      'functions/wrong.sql:2:5: error[unknown-function]: uper is not a function quern can translate (did you mean UPPER(value)?)',
    ]);
    expect(exitCode).toBe(1);
    home.write('functions/messy.sql', 'create function messy( x int64 )as( x+1 )');
    await home.run(['fmt', 'functions/messy.sql']);
    expect(readFileSync(join(home.folder, 'functions/messy.sql'), 'utf8')).toBe('create function messy(x int64) as (x + 1)\n');
  });

  test('of one name in two files are an error, and so is a file that holds none', async () => {
    const other = home.folder;
    home.write('more/a.sql', 'create function same() as (1)');
    home.write('more/b.sql', 'create function Same() as (2)');
    home.write('queries/doubled.sql', `${header}7\n---*/\nselect same()`);
    const env = { QUERN_FUNCTIONS: join(other, 'more') };
    const doubled = await home.run(['run', 'doubled', ...queries], { env });
    expect(doubled.stderr).toContain('error[config]: same is also the function of');
    home.write('more/b.sql', 'select 1');
    expect((await home.run(['run', 'doubled', ...queries], { env })).stderr).toContain('error[syntax]: this is not a CREATE FUNCTION');
  });
});
