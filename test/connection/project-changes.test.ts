// Nothing that is remembered outlives what quern.yaml said when it was remembered: a change of any part of it is seen behind every door, on both engines.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECTIONS } from '../../src/config/project-file.ts';
import { SOURCE_FIELD_NAMES } from '../../src/sources/fields.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { behind, commandDoors, servedDoors } from './doors-support.ts';

interface Change {
  /** The section or the field of a source that changes. */
  readonly of: string;
  readonly from: string;
  readonly to: string;
  readonly sql: string;
  /** What is another after it; by default the rows. Of some changes little is seen, but what there is must be as without a memory. */
  readonly other?: 'sql' | 'nothing';
}

const home = cliHome();
let server: ClickHouseServer;

const source = (of: string, from: string, to: string, sql: string, other?: Change['other']): Change => ({
  of,
  from: `sources:\n  s: { ${from} }`,
  to: `sources:\n  s: { ${to} }`,
  sql,
  ...(other === undefined ? {} : { other }),
});

/** Tables with the same names and columns, and other rows, are there on both engines. */
const ON_BOTH: readonly Change[] = [
  { of: 'sources', from: 'sources:\n  s: { table: one }', to: 'sources:\n  s: { table: two }', sql: 'select n from s' },
  {
    of: 'names',
    from: 'sources:\n  a: { table: one }\n  b: { table: two }\nnames: { "p.d.*": a }',
    to: 'sources:\n  a: { table: one }\n  b: { table: two }\nnames: { "p.d.*": b }',
    sql: 'select n from `p.d.t`',
  },
  source('table', 'table: one', 'table: two', 'select n from s'),
  source('schema', 'table: one', 'table: one, schema: "name:BYTES"', 'select format("%T", name) as x from s'),
  source('partition', 'table: one, partition: at', 'table: one, partition: later', 'select _PARTITIONDATE as d from s'),
  {
    of: 'suffix',
    from: 'sources:\n  s_*: { table: one, suffix: day }',
    to: 'sources:\n  s_*: { table: one, suffix: name }',
    sql: 'select _TABLE_SUFFIX as x from `s_*`',
  },
  {
    of: 'aliases',
    from: 'sources:\n  a: { table: one, aliases: [s] }\n  b: { table: two }',
    to: 'sources:\n  a: { table: one }\n  b: { table: two, aliases: [s] }',
    sql: 'select n from s',
  },
];

const ON_FILES: readonly Change[] = [
  source('file', 'file: one.csv', 'file: two.csv', 'select count(*) as n, max(_FILE_NAME) as f from s'),
  source('format', 'file: lines.txt, format: csv, header: false', 'file: lines.txt, format: tsv, header: false', 'select * from s'),
  source('delimiter', 'file: bars.csv', 'file: bars.csv, delimiter: "|"', 'select * from s'),
  source('header', 'file: one.csv', 'file: one.csv, header: false', 'select * from s'),
  source(
    'skip_leading_rows',
    'file: one.csv, header: false',
    'file: one.csv, header: false, skip_leading_rows: 1',
    'select count(*) as n from s',
  ),
  source('encoding', 'file: euro.csv, encoding: ISO-8859-1', 'file: euro.csv, encoding: Windows-1252', 'select * from s'),
  source('null_text', 'file: one.csv', "file: one.csv, null_text: '1'", 'select * from s'),
  source('hive_partitions', 'file: hive/*/a.csv', 'file: hive/*/a.csv, hive_partitions: true', 'select * from s order by 1'),
];

const logs = (settings: string) => `kind: logs, ${settings}`;
const OF_LOGS: readonly Change[] = [
  source('kind', 'table: events, kind: table', 'table: events, kind: logs', 'select metadata from s order by id'),
  source('cluster', 'table: default.one', 'table: default.one, cluster: twice', 'select n from s'),
  source('layout', logs('table: flat'), logs('table: flat, layout: flat, prefix: a_'), 'select * except (timestamp) from s'),
  source(
    'prefix',
    logs('table: flat, layout: flat, prefix: a_'),
    logs('table: flat, layout: flat, prefix: b_'),
    'select m.x from s, unnest(metadata) m',
  ),
  source(
    'records',
    logs('table: events'),
    logs('table: events, records: several'),
    'select m.ref from s, unnest(metadata) m order by 1',
    'sql',
  ),
  source('columns', logs('table: events'), logs('table: events, columns: { event_message: id }'), 'select event_message from s'),
  source(
    'fields',
    logs('table: events, fields: { status: string }'),
    logs('table: events, fields: { status: integer }'),
    'select format("%T", m.status) as x from s, unnest(metadata) m',
  ),
  source(
    'same_as',
    logs('table: events'),
    logs('table: events, same_as: { project: metadata.ref }'),
    "select id from s, unnest(metadata) m where m.ref = 'b'",
    'nothing',
  ),
  source('rows', logs('table: events'), logs('table: events, rows: { project: b }'), 'select id from s'),
];

const TABLE = "n Int64, name String, day String, at DateTime64(6, 'UTC'), later DateTime64(6, 'UTC')";
const ROW = { name: 'x', day: '2026-01-02', at: '2026-01-02T00:00:00Z', later: '2026-01-03T00:00:00Z' };

beforeAll(async () => {
  const tcpPort = await freePort();
  const own = { host: '127.0.0.1', port: tcpPort };
  server = await startClickHouse({ tcpPort, clusters: { twice: [own, own] } });
  for (const [n, name] of ['one', 'two'].entries()) {
    await server.run(`CREATE TABLE ${name} (${TABLE}) ENGINE = Memory;
INSERT INTO ${name} VALUES (${n}, 'x', '2026-01-02', '2026-01-02 00:00:00', '2026-01-03 00:00:00')`);
    const loaded = await home.run(['load', name, home.write(`${name}.ndjson`, `${JSON.stringify({ n, ...ROW })}\n`)]);
    expect(loaded).toMatchObject({ exitCode: 0 });
  }
  await server.run(`CREATE TABLE events (id String, timestamp DateTime64(6, 'UTC'), project String, event_message String, metadata String) ENGINE = Memory;
INSERT INTO events VALUES ('1', now64(6), 'a', 'm', '[{"status": "7", "ref": "b"}]'), ('2', now64(6), 'b', 'n', '[{"status": "8", "ref": "a"}]');
CREATE TABLE flat (id String, timestamp DateTime64(6, 'UTC'), project String, event_message String, a_x String, b_x String) ENGINE = Memory;
INSERT INTO flat VALUES ('1', now64(6), 'a', 'm', 'of a', 'of b');
CREATE DATABASE other;
CREATE TABLE other.one (${TABLE}) ENGINE = Memory`);
  home.write('one.csv', 'a,b\n1,2\n');
  home.write('two.csv', 'a,b\n1,2\n3,4\n');
  home.write('bars.csv', 'a,b|c\n1,2|3\n');
  home.write('lines.txt', 'a,b\tc\n');
  home.write('euro.csv', 'a,b\n1,€\n');
  home.write('hive/key=1/a.csv', 'x\n1\n');
  home.write('hive/key=2/a.csv', 'x\n2\n');
});

afterAll(async () => {
  await server.stop();
  home.remove();
});

let caches = 0;
const emptyCache = (): string => join(home.folder, `cache-${caches++}`);

const saved = (sql: string): string => `/*---\nid: 5e7b7bb7-0b0e-4d17-9c4c-0f0b5c8a2a12\nmax_rows: 10\ncache: 1h\n---*/\n${sql}`;
const writeProject = (project: string): string => home.write('quern.yaml', `queries: [queries]\n${project}\n`);

/** What each command says after the change, with all that was remembered before it, and with nothing. */
async function across({ from, to, sql }: Change, flags: readonly string[]) {
  home.write('queries/q.sql', saved(sql));
  const used = emptyCache();
  const doors = (cache: string) => {
    const all = [...flags, '--cache-dir', cache];
    return { ...commandDoors(home, all), explain: async (name: string) => (await home.run(['explain', name, ...all])).stdout };
  };
  const written = async (project: string, cache: string) => {
    writeProject(project);
    return behind(doors(cache), 'q', sql);
  };
  return {
    before: await written(from, used),
    after: await written(to, used),
    uncached: (await home.run(['run', 'q', '--no-cache', '--refresh', '--cache-dir', used, ...flags])).stdout,
    again: await written(to, emptyCache()),
  };
}

async function check(change: Change, flags: readonly string[] = []): Promise<void> {
  const { before, after, uncached, again } = await across(change, flags);
  expect({ ...after, uncached }).toEqual({ ...again, uncached: again['run'] });
  expect([after['query'], after['export']]).toEqual([after['run'], after['run']]);
  const { other = 'rows' } = change;
  if (other === 'sql') expect(after['explain']).not.toBe(before['explain']);
  if (other !== 'rows') return;
  for (const door of ['run', 'check']) expect(after[door]).not.toBe(before[door]);
}

test.each([...ON_BOTH, ...ON_FILES].map((change) => [change.of, change] as const))('%s, on the embedded engine', async (_, change) => {
  await check(change);
});

test.each([...ON_BOTH, ...OF_LOGS].map((change) => [change.of, change] as const))('%s, on a server', async (_, change) => {
  await check(change, ['--url', server.url]);
});

const profile = (database: string) => `profiles:\n  p: { url: "${server.url}", database: ${database} }\nsources:\n  s: { table: one }`;
const ofProfiles = (): Change => ({ of: 'profiles', from: profile('default'), to: profile('other'), sql: 'select n from s' });

test('SQL that ran on one engine is prepared for another', async () => {
  await server.run("CREATE TABLE texts (n String) ENGINE = Memory;\nINSERT INTO texts VALUES ('1')");
  expect(await home.run(['load', 'texts', home.write('texts.csv', 'n\n1\n')])).toMatchObject({ exitCode: 0 });
  writeProject('sources:\n  s: { table: texts }');
  const flags = ['--cache-dir', emptyCache()];
  const rowsOf = async (...more: readonly string[]) => (await home.run(['query', 'select n from s', ...flags, ...more])).stdout;
  for (const _ of ['made', 'remembered']) expect([await rowsOf(), await rowsOf('--url', server.url)]).toEqual(['{"n":1}\n', '{"n":"1"}\n']);
});

test('profiles', async () => {
  await check(ofProfiles(), ['--profile', 'p']);
});

test.each(SECTIONS)('%s, behind a server that starts again on the same cache', async (section) => {
  const { from, to, sql } = section === 'profiles' ? ofProfiles() : (ON_BOTH.find(({ of }) => of === section) as Change);
  const flags = ['--cache-dir', emptyCache(), ...(section === 'profiles' ? ['--profile', 'p'] : [])];
  home.write('queries/q.sql', saved(sql));
  const rows: Readonly<Record<string, string>>[] = [];
  for (const project of [from, to]) {
    writeProject(project);
    const { doors, stop } = await servedDoors(home, flags);
    rows.push(await behind(doors, 'q', sql));
    await stop();
    rows.push(await behind({ serve: commandDoors(home, flags)['run'] as (name: string) => Promise<string> }, 'q', sql));
  }
  const [before, beforeRun, after, afterRun] = rows;
  expect([before, after]).toEqual([beforeRun, afterRun].map((one) => ({ serve: one?.['serve'], mcp: one?.['serve'] })));
  expect(after).not.toEqual(before);
});

/** What says where rows lie, and changes none of them: sharding-key.test.ts asks shards with it and without. */
const SAME_ROWS = ['sharding_key'];

test('each section and each field of a source is changed here', () => {
  const changed = [...ON_BOTH, ...ON_FILES, ...OF_LOGS].map(({ of }) => of);
  expect([...SECTIONS, ...SOURCE_FIELD_NAMES].filter((one) => ![...changed, ...SAME_ROWS, 'profiles'].includes(one))).toEqual([]);
});

test('two projects with the same query in one cache read their own rows behind every door', async () => {
  const sql = 'select a, _FILE_NAME as f from s';
  const flags = ['--cache-dir', emptyCache()];
  const rows: Readonly<Record<string, string>>[] = [];
  for (const [n, folder] of ['left', 'a-longer-name', 'left'].entries()) {
    const a = n % 2;
    home.write(`${folder}/t.csv`, `a\n${a}\n`);
    home.write(`${folder}/quern.yaml`, 'queries: [queries]\nsources:\n  s: { file: t.csv }\n');
    home.write(`${folder}/queries/q.sql`, saved(sql));
    const { check: _, ...others } = await behind(commandDoors(home, flags, folder), 'q', sql);
    rows.push(others);
    const own = `{"a":${a},"f":"t.csv"}\n`;
    expect(others).toEqual({ run: own, query: own, export: own });
  }
  expect(rows[2]).toEqual(rows[0]);
});
