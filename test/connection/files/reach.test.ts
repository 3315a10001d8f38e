// Nobody but the project file names files: not a query, not a caller, not a sandbox, and not a project that nobody trusts.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
const elsewhere = mkdtempSync(join(tmpdir(), 'quern-elsewhere-'));
const SECRET = join(elsewhere, 'secret.csv');

beforeAll(() => {
  home.write('data/a.csv', 'id,word\n1,mine\n');
  writeFileSync(SECRET, 'id,word\n1,secret\n');
  mkdirSync(join(elsewhere, 'sub'));
  writeFileSync(join(elsewhere, 'sub', 'b.csv'), 'id,word\n1,secret\n');
});

afterAll(() => {
  home.remove();
  rmSync(elsewhere, { recursive: true });
});

const project = (file: string) => home.write('quern.yaml', `sources:\n  a: { file: ${JSON.stringify(file)} }\n`);

describe('a query that names files itself', () => {
  const HEADER = '/*---\nid: 0f4a7f9e-41a5-4f0f-8b59-0d3c52f0c9a1\nmax_rows: 10\ncache: disabled\n';
  const google = [
    `select * from \`${SECRET}\``,
    'select * from `data/a.csv`',
    'select * from `./data/a.csv`',
    `select * from file('${SECRET}')`,
    `select * from unnest(file('${SECRET}'))`,
    'select * from `files.a`',
    'select * from files.a',
    `select * from a where word in (select * from \`${SECRET}\`)`,
  ];
  const clickhouse = [
    `SELECT * FROM \`${SECRET}\``,
    `SELECT * FROM "${SECRET}"`,
    `SELECT * FROM '${SECRET}'`,
    `SELECT * FROM file('${SECRET}')`,
    'SELECT * FROM `data/a.csv`',
    `SELECT * FROM s3('https://example.com/a.csv')`,
  ];
  test.each(google)('%s', async (sql) => {
    project('data/a.csv');
    const { stdout, stderr, exitCode } = await home.query(sql);
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toMatch(/^error\[/);
  });
  test.each(clickhouse)('in ClickHouse SQL: %s', async (sql) => {
    project('data/a.csv');
    const { stdout, exitCode } = await home.query(`${HEADER}dialect: clickhouse\n---*/\n${sql}`);
    expect([stdout, exitCode]).toEqual(['', 2]);
  });
  test('in ClickHouse SQL no file is a table, whatever the sources are', async () => {
    project('data/a.csv');
    const { stdout, exitCode } = await home.query(`${HEADER}dialect: clickhouse\n---*/\nSELECT * FROM \`files.a\``);
    expect([stdout, exitCode]).toEqual(['', 1]);
  });
});

describe('a project that is not trusted', () => {
  const refused = async (file: string, named: string) => {
    project(file);
    const { stdout, stderr, exitCode } = await home.query('select * from a');
    expect([stdout, exitCode]).toEqual(['', 2]);
    expect(stderr).toContain(`quern.yaml is not trusted, so ${named}, which is outside its folder, was not read`);
    expect(stderr).toContain('quern trust');
    expect(stderr).not.toContain('secret,');
  };
  test('reads its own folder', async () => {
    project('data/*.csv');
    expect(await home.rows('select * from a')).toBe('{"id":1,"word":"mine"}\n');
  });
  test('reads no absolute path', () => refused(SECRET, SECRET));
  test('reads no absolute pattern', () => refused(`${elsewhere}/*.csv`, elsewhere));
  test('does not look where a pattern leads out', () => refused(`${elsewhere}/nothing/*.csv`, `${elsewhere}/nothing`));
  test('reads nothing above its folder', () => refused(`../${elsewhere.split('/').at(-1)}/secret.csv`, SECRET));
  test('reads no file that is a link out of its folder', async () => {
    symlinkSync(SECRET, join(home.folder, 'data', 'linked.csv'));
    await refused('data/linked.csv', `${home.folder}/data/linked.csv, a link to ${SECRET}`);
    await refused('data/*.csv', `${home.folder}/data/linked.csv, a link to ${SECRET}`);
    rmSync(join(home.folder, 'data', 'linked.csv'));
  });
  test('reads no folder that is a link out of its folder', async () => {
    symlinkSync(join(elsewhere, 'sub'), join(home.folder, 'data', 'sub'));
    await refused('data/sub/b.csv', `${home.folder}/data/sub/b.csv, a link to ${elsewhere}/sub/b.csv`);
    await refused('data/*/b.csv', `${home.folder}/data/sub/b.csv, a link to ${elsewhere}/sub/b.csv`);
    project('data/**/*.csv'); // which follows no links
    expect(await home.rows('select * from a')).toBe('{"id":1,"word":"mine"}\n');
    rmSync(join(home.folder, 'data', 'sub'));
  });
  test('reads them all once it is trusted', async () => {
    project(SECRET);
    const { stdout } = await home.run(['run', `./${home.write('trusted.sql', 'select * from a')}`], { env: { QUERN_TRUST: '1' } });
    expect(stdout).toBe('{"id":1,"word":"secret"}\n');
  });
});

test('a file may not be named so that the engine takes it for others', async () => {
  home.write('data/a*.csv', 'id,word\n7,x\n');
  project('data/a[*].csv');
  const { stderr, exitCode } = await home.query('select * from a');
  expect([exitCode, stderr.split('\n')[0]]).toEqual([
    2,
    `error[config]: sources.a: the engine would read part of the file name ${home.folder}/data/a*.csv as a pattern`,
  ]);
  rmSync(join(home.folder, 'data', 'a*.csv'));
});
