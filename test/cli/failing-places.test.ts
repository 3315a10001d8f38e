// What fails before a query has rows, or because of where they are: files, tables, logins, servers. What is told, the exit code, and the status over
// HTTP, each with a next step and without the engine's own text. `npx vitest run test/cli/failing-places.test.ts -u` writes failing-places.txt.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuid } from '../queries/support.ts';
import { type ClickHouseServer, freePort, startClickHouse } from '../support/clickhouse-server.ts';
import { cliHome } from '../support/run-cli.ts';
import { serveCli } from '../support/serve-cli.ts';
import { ENGINES_TEXT } from './failing-queries.ts';

const home = cliHome();
let server: ClickHouseServer;
let nothing = '';
beforeAll(async () => {
  const user = { password: 'secret', networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' };
  server = await startClickHouse({
    users: { default: { ...user, password: '' }, limited: { ...user, grants: { query: 'GRANT SELECT ON system.*' } } },
  });
  nothing = `http://127.0.0.1:${await freePort()}`;
  await server.run('CREATE DATABASE web');
  await server.run("CREATE VIEW web.broken AS SELECT * FROM file('gone.csv', 'CSV', 'n Int64')");
  await server.run('CREATE TABLE web.hits (n Int64) ENGINE = MergeTree ORDER BY n');
  await server.run('CREATE TABLE web.torn (n Int64) ENGINE = MergeTree ORDER BY n');
  await server.run('INSERT INTO web.torn SELECT number FROM numbers(1000)');
  const part = await server.run("SELECT path FROM system.parts WHERE table = 'torn'");
  writeFileSync(join(part.trim(), 'data.bin'), 'of another disk');
});
afterAll(async () => {
  await server.stop();
  home.remove();
});

interface Failing {
  readonly files?: Readonly<Record<string, string>>;
  /** Below `sources:` of quern.yaml. */
  readonly source?: string;
  readonly sql: string;
  readonly header?: string;
  /** On the server, as this login; the store otherwise. */
  readonly as?: { readonly user?: string; readonly password?: string; readonly database?: string; readonly url?: 'nothing' };
  readonly exit: number;
  /** Status of the same query over HTTP, where the server starts with it. */
  readonly http?: number;
}

const LIMITED = { user: 'limited', password: 'secret' };

const FAILING: readonly Failing[] = [
  // files
  { source: 't: { file: none.csv }', sql: 'select * from t', exit: 2 },
  { source: 't: { file: "data/*.parquet" }', sql: 'select * from t', exit: 2 },
  { files: { 'folder.csv/a.csv': 'a\n1\n' }, source: 't: { file: folder.csv }', sql: 'select * from t', exit: 2 },
  { files: { 'bad.parquet': 'not parquet' }, source: 't: { file: bad.parquet }', sql: 'select * from t', exit: 2 },
  { files: { 'cut.parquet': 'PAR1garbagegarbagegarbagePAR1' }, source: 't: { file: cut.parquet }', sql: 'select * from t', exit: 2 },
  { files: { 'bad.arrow': 'not arrow at all, really' }, source: 't: { file: bad.arrow }', sql: 'select * from t', exit: 2 },
  { files: { 'bad.orc': 'not orc at all, really' }, source: 't: { file: bad.orc }', sql: 'select * from t', exit: 2 },
  { files: { 'bad.avro': 'not avro at all, really' }, source: 't: { file: bad.avro }', sql: 'select * from t', exit: 2 },
  { files: { 'bad.csv.gz': 'not gzip' }, source: 't: { file: bad.csv.gz }', sql: 'select * from t', exit: 2 },
  { files: { 'bad.ndjson': '{"a":1}\n{"a":2}\nnonsense\n' }, source: 't: { file: bad.ndjson }', sql: 'select * from t', exit: 2 },
  { files: { 'cut.ndjson': '{"a":1}\n{"a":' }, source: 't: { file: cut.ndjson }', sql: 'select * from t', exit: 2 },
  { files: { 'empty.csv': '' }, source: 't: { file: empty.csv }', sql: 'select * from t', exit: 2 },
  { files: { 'uneven.csv': 'a,b\n1,2\n3\n' }, source: 't: { file: uneven.csv }', sql: 'select * from t', exit: 2, http: 503 },
  { files: { 'n.csv': 'a\n1\nx\n' }, source: 't: { file: n.csv, schema: "a:INT64" }', sql: 'select * from t', exit: 1, http: 422 },
  { files: { 'a.txt': 'a\n1\n' }, source: 't: { file: a.txt }', sql: 'select * from t', exit: 2 },
  { source: 't: { file: ftp://example.org/a.csv }', sql: 'select * from t', exit: 2 },
  // tables
  { source: 't: { table: web.visits }', sql: 'select * from t', exit: 2 },
  { source: 't: { table: web.visits }', sql: 'select * from t', as: {}, exit: 2 },
  { source: 't: { table: nope.hits }', sql: 'select * from t', as: {}, exit: 2 },
  { source: 't: { table: web.hits, cluster: nope }', sql: 'select * from t', as: {}, exit: 2 },
  { sql: 'select count(*) as n from edge_logs', as: {}, exit: 2 },
  { header: 'dialect: clickhouse', sql: 'select * from nothing', exit: 1 },
  { header: 'dialect: clickhouse', sql: 'select * from web.visits', as: {}, exit: 1, http: 502 },
  { header: 'dialect: clickhouse', sql: 'select m from web.hits', as: {}, exit: 1, http: 502 },
  { source: 't: { table: web.broken }', sql: 'select * from t', as: {}, exit: 1, http: 502 },
  { source: 't: { table: web.torn }', sql: 'select sum(n) as n from t', as: {}, exit: 1, http: 502 },
  // logins and servers
  { sql: 'select 1 as v', as: { user: 'nobody', password: 'x' }, exit: 3 },
  { sql: 'select 1 as v', as: { user: 'limited', password: 'wrong' }, exit: 3 },
  { sql: 'select 1 as v', as: { database: 'nope' }, exit: 1 },
  { source: 't: { table: web.hits }', sql: 'select * from t', as: LIMITED, exit: 3 },
  { header: 'dialect: clickhouse', sql: 'select n from web.hits', as: LIMITED, exit: 3, http: 503 },
  { sql: 'select 1 as v', as: { url: 'nothing' }, exit: 3 },
];

const environment = ({ as }: Failing): Readonly<Record<string, string>> => {
  if (as === undefined) return {};
  const { url, user, password, database } = as;
  return {
    CLICKHOUSE_URL: url === 'nothing' ? nothing : server.url,
    ...(user === undefined ? {} : { CLICKHOUSE_USER: user }),
    ...(password === undefined ? {} : { CLICKHOUSE_PASSWORD: password }),
    ...(database === undefined ? {} : { CLICKHOUSE_DATABASE: database }),
  };
};

function prepare({ files = {}, source, sql, header }: Failing, index: number): void {
  for (const [name, text] of Object.entries(files)) home.write(name, text);
  home.write('quern.yaml', `queries: queries\n${source === undefined ? '' : `sources:\n  ${source}\n`}`);
  home.write('queries/q.sql', `/*---\nid: ${uuid(2000 + index)}\n${header === undefined ? '' : `${header}\n`}---*/\n${sql}\n`);
}

test('text and exit code', async () => {
  const told: string[] = [];
  const codes: (readonly unknown[])[] = [];
  for (const [index, one] of FAILING.entries()) {
    prepare(one, index);
    const env = environment(one);
    const { stdout, stderr, exitCode } = await home.run(['run', 'q'], { env });
    const title = [
      one.source ?? '',
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
      [one.header ?? '', one.sql].filter((part) => part !== '').join('; '),
    ].filter((part) => part !== '');
    const text = [...title, '$ quern run q', `${stderr}exit ${exitCode}`, '']
      .join('\n')
      .replaceAll(home.folder, '~')
      .replaceAll(server.url, 'http://server')
      .replaceAll(nothing, 'http://nothing');
    told.push(text);
    codes.push([one.source ?? one.sql, stdout, exitCode]);
  }
  await expect(told.join('\n')).toMatchFileSnapshot('failing-places.txt');
  expect(codes).toEqual(FAILING.map(({ source, sql, exit }) => [source ?? sql, '', exit]));
  for (const [index, text] of told.entries()) {
    if (FAILING[index]?.header === undefined) expect(text).not.toMatch(ENGINES_TEXT);
    expect(text, 'a next step').toMatch(/= hint: /);
  }
}, 120_000);

test('the status over HTTP', async () => {
  for (const [index, one] of FAILING.entries()) {
    if (one.http === undefined) continue;
    prepare(one, index);
    const { address, stop } = await serveCli(home, ['--no-auth'], { env: environment(one) });
    const reply = await fetch(`${address}/api/endpoints/q`);
    const body: unknown = await reply.json();
    const { stderr } = await stop();
    // Who runs the server reads what ClickHouse said in its log, unless quern has words for all of it.
    if (reply.status >= 502 && one.source === undefined)
      expect(stderr).toMatch(/"error":\{"code":"(?:engine|unreachable)".*"engine":"Code: \d+\. DB::/);
    expect([one.source, one.sql, reply.status], JSON.stringify(body)).toEqual([one.source, one.sql, one.http]);
    // It is no flag of theirs that callers could set.
    expect(body).toMatchObject({ error: { hint: expect.not.stringContaining('--verbose') } });
  }
}, 120_000);
