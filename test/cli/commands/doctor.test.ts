// quern doctor and quern sources on the embedded store.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { cliHome } from '../../support/run-cli.ts';

const home = cliHome();
const event = '{"id":"1","timestamp":"2026-01-01T00:00:00Z","event_message":"x","metadata":{"request":{"path":"/a"}}}\n';

beforeAll(async () => {
  home.write('quern.yaml', 'store: store\nsources:\n  visits:\n    table: web.visits\n');
  await home.run(['load', 'edge_logs', '-'], { stdin: event });
});
afterAll(() => home.remove());

test('a set-up in order has no failed check, and what could be better is said', async () => {
  home.write('quern.yaml', 'store: store\n');
  const { stdout, stderr, exitCode } = await home.run(['doctor', '--format', 'json']);
  const findings: { subject: string; state: string; detail: string }[] = JSON.parse(stdout).result;
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(findings.find(({ subject }) => subject === 'source edge_logs')).toEqual({
    subject: 'source edge_logs',
    state: 'ok',
    detail: 'quern.edge_logs, records as json, 1 row, 1.4 kB',
    advice: null,
  });
  // Log sources that nobody has filled are no lack.
  expect(findings.filter(({ subject, state }) => state === 'note' || subject.startsWith('source')).map(({ subject }) => subject)).toEqual([
    'source edge_logs',
  ]);
  expect(findings.at(-1)).toEqual({
    subject: 'saved queries',
    state: 'ok',
    detail: 'the 3 that ship with quern can be translated for these sources',
    advice: null,
  });
});

test('boards are looked at as well', async () => {
  home.write('quern.yaml', 'store: store\n');
  home.write('boards/good.yaml', 'title: T\npanels: [{ query: usage.api-counts, params: { project: demo } }]\n');
  home.write('boards/bad.yaml', 'title: T\npanels: [{ query: usage.api-counts, params: { interval: often } }]\n');
  const { stdout, exitCode } = await home.run(['doctor', '--format', 'json']);
  const findings: { subject: string; state: string; detail: string }[] = JSON.parse(stdout).result;
  expect(
    findings.filter(({ subject }) => subject.startsWith('board')).map(({ subject, state, detail }) => [subject, state, detail]),
  ).toEqual([
    ['board bad', 'fail', expect.stringMatching(/^bad\.yaml: panels\[0\]\.params do not fit: interval "often" is not one of/)],
    ['boards', 'ok', '1 can be shown'],
  ]);
  expect(exitCode).toBe(1);
  rmSync(join(home.folder, 'boards'), { recursive: true });
});

test('a terminal gets whole words, below each other', async () => {
  home.write('quern.yaml', '');
  home.write('day.csv', 'day\n');
  await home.run(['load', 'days', 'day.csv', '--schema', 'day:DATE', '--store', 'empty']);
  const { stdout } = await home.run(['doctor', '--store', 'empty'], { terminal: 60 });
  expect(stdout.split('\n').slice(-6)).toEqual([
    'note  sources: no rows in days',
    '      if some should have rows, load them with `quern load`,',
    '      or check their tables under `sources:` in quern.yaml',
    'ok    saved queries: the 3 that ship with quern can be',
    '      translated for these sources',
    '',
  ]);
});

test('a source whose table is not there fails, the others are still looked at, and the exit code is 1', async () => {
  home.write('quern.yaml', 'store: store\nsources:\n  visits:\n    table: web.visits\n');
  const { stdout, stderr, exitCode } = await home.run(['doctor']);
  expect(stdout.split('\n').filter((line) => / source (?:visits|edge_logs):/.test(line))).toEqual([
    `FAIL  source visits: ${join(home.folder, 'quern.yaml')}:4:12: sources.visits: there is no database web in the store`,
    'ok    source edge_logs: quern.edge_logs, records as json, 1 row, 1.4 kB',
  ]);
  expect([stderr.split('\n')[0], exitCode]).toEqual(['error[engine]: 1 of 6 checks failed: source visits', 1]);
});

test('files that are a source are no table', async () => {
  home.write('quern.yaml', 'store: store\nsources:\n  prices: { file: prices.csv }\n  none: { file: none.csv }\n');
  home.write('prices.csv', 'price\n1\n');
  const { stdout } = await home.run(['doctor']);
  expect(stdout.split('\n').filter((line) => / source (?:prices|none):/.test(line))).toEqual([
    expect.stringMatching(/^FAIL {2}source none: .*none\.csv/),
    'ok    source prices: prices.csv',
  ]);
});

test('a broken saved query, and a quern.yaml that cannot be read, are findings', async () => {
  home.write('quern.yaml', 'store: store\nqueries: mine\n');
  home.write('mine/odd.sql', '/*---\nid: no\n---*/\nselect 1');
  const broken = await home.run(['doctor']);
  expect(broken.stdout).toMatch(/^FAIL {2}saved query: \S+odd\.sql:2:5: id: "no" is not a UUID\n {6}for example /m);
  home.write('quern.yaml', 'stor: x\n');
  const unread = await home.run(['doctor']);
  expect(unread.stdout).toBe(`FAIL  settings: ${join(home.folder, 'quern.yaml')}:1:1: stor is not a setting\n      did you mean store?\n`);
  expect(unread.exitCode).toBe(1);
});

test('a cache folder that cannot be made costs the cache only', async () => {
  home.write('quern.yaml', 'store: store\n');
  const folder = join(home.folder, 'quern.yaml', 'cache');
  const { stdout, exitCode } = await home.run(['doctor', '--cache-dir', folder]);
  expect([stdout.split('\n')[1], exitCode]).toEqual([`note  cache folder: ${folder} cannot be written to (ENOTDIR)`, 0]);
});

test('of each column of a table is told what it reads as, or why it is not read', async () => {
  home.write('quern.yaml', 'store: store\nsources:\n  grid: { table: shop.grid, schema: doc:JSON }\n');
  const store = await openStore({ dir: join(home.folder, 'store') });
  await store.engine.command('CREATE DATABASE shop');
  await store.engine.command(
    'CREATE TABLE shop.grid (id UInt64, doc String, items Array(Tuple(sku String, qty Int32)), labels Map(String, String), cells Array(Array(Int32))) ENGINE = MergeTree ORDER BY id',
  );
  await store.close();
  const { stdout } = await home.run(['sources', 'grid', '--format', 'csv']);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'column,type,stored',
    '"id","BIGNUMERIC","id"',
    '"doc","JSON","doc"',
    '"items","ARRAY<STRUCT<sku STRING, qty INT64>>","items"',
    '"labels","ARRAY<STRUCT<key STRING, value STRING>>","labels"',
    '"cells","not read: BigQuery has no arrays of arrays","Array(Array(Int32))"',
  ]);
  const all = await home.run(['sources', '--format', 'csv']);
  expect(all.stdout.split('\n').filter((line) => line.startsWith('"grid'))).toEqual([
    '"grid",0,0,"shop.grid",,"id doc items labels (not read: cells)",',
  ]);
});

test('where nothing is loaded, no store is made, and a terminal is told what to do', async () => {
  home.write('quern.yaml', 'store: nowhere\n');
  const { stdout, stderr } = await home.run(['sources'], { terminal: 100 });
  expect([stdout, existsSync(join(home.folder, 'nowhere'))]).toEqual(['', false]);
  expect(stderr).toMatch(
    /^nothing is loaded yet: quern load orders orders\.csv makes a table; \d+ log sources have no rows: `quern sources --all`/,
  );
});

test('a terminal reads sizes, and no columns in which nothing is', async () => {
  home.write('quern.yaml', '');
  home.write('shop.csv', 'n\n1\n2\n');
  await home.run(['load', 'shop', 'shop.csv', '--store', 'sized']);
  const { stdout } = await home.run(['sources', '--store', 'sized'], { terminal: 100 });
  expect(
    stdout
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(/[│┼├┤]/).map((cell) => cell.trim())),
  ).toEqual([
    ['', 'source', 'rows', 'size', 'columns', ''],
    expect.anything(),
    ['', 'shop', '2', expect.stringMatching(/^\d+ B$/), 'n', ''],
  ]);
});

test('sources are listed with what they are, and one of them with its columns', async () => {
  home.write('quern.yaml', 'store: store\nsources:\n  visits:\n    table: web.visits\n');
  const all = await home.run(['sources', '--format', 'csv']);
  // The user's own come first, and log sources without rows are left out.
  expect(all.stdout.replace(/(?<=logs",1,)\d+/, 'BYTES').split('\n')).toEqual([
    'source,rows,bytes,table,layout,columns,aliases',
    '"visits",,,,,"sources.visits: there is no database web in the store",',
    '"edge_logs",1,BYTES,"quern.edge_logs","json","id timestamp project event_message identifier metadata","cloudflare.logs.prod"',
    '',
  ]);
  const every = await home.run(['sources', '--all', '--format', 'csv']);
  expect(every.stdout.split('\n').find((line) => line.startsWith('"auth_logs"'))).toMatch(/^"auth_logs",0,0,"quern\.auth_logs","json",/);
  const one = await home.run(['sources', 'cloudflare.logs.prod', '--format', 'csv']);
  expect(one.stdout.split('\n').slice(0, 3)).toEqual(['column,type,stored', '"id","STRING","id"', '"timestamp","TIMESTAMP","`timestamp`"']);
  const none = await home.run(['sources', 'edge_log']);
  expect([none.stderr, none.exitCode]).toEqual([
    'error[unknown-source]: edge_log is not a source\n   = hint: did you mean edge_logs?\n',
    2,
  ]);
});
