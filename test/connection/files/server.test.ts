// On a ClickHouse server, files of this machine are refused in words, and those in an object store are read by the server.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../../support/clickhouse-server.ts';
import { type ObjectStore, objectStore } from './object-store.ts';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
let store: ObjectStore;
let server: ClickHouseServer;

beforeAll(async () => {
  home.write('orders.csv', 'id\n1\n');
  home.write('buckets/shop/orders.csv', 'id,name\n1," one"\n2, two\n3,\n');
  home.write('buckets/shop/more/1.csv', 'id,name\n4,four\n');
  home.write('buckets/shop/more/2.csv', 'id,name\n5,"five, 5"\n');
  home.write('buckets/shop/other.csv', 'above\nid;price\n1;2.5\n2;3\n');
  home.write('buckets/shop/packed.csv.gz', gzipSync('id,name\n6,six\n'));
  await home.make(
    'buckets/shop/big.parquet',
    'Parquet',
    "SELECT number AS n, [number] AS list, toDateTime64('2026-01-02 03:04:05', 6, 'UTC') AS t FROM numbers(1000)",
  );
  home.write(
    'quern.yaml',
    'sources:\n  orders: { file: orders.csv }\n  big: { file: s3://shop/big.parquet }\n  texts: { file: s3://shop/orders.csv }\n' +
      '  more: { file: "s3://shop/more/*.csv" }\n  other: { file: s3://shop/other.csv, skip_leading_rows: 2 }\n  packed: { file: s3://shop/packed.csv.gz }\n',
  );
  store = await objectStore(`${home.folder}/buckets`);
  server = await startClickHouse({});
});

afterAll(async () => {
  await server.stop();
  await store.close();
  home.remove();
});

const ask = (sql: string, env: Readonly<Record<string, string>> = {}) =>
  home.run(['run', `./${home.write('remote.sql', sql)}`], {
    env: {
      CLICKHOUSE_URL: server.url,
      QUERN_TRUST: '1',
      AWS_ENDPOINT_URL: store.url,
      AWS_ACCESS_KEY_ID: 'mine',
      AWS_SECRET_ACCESS_KEY: 'hidden-secret',
      ...env,
    },
  });

test('files of this machine', async () => {
  expect((await ask('select * from orders')).stderr).toBe(
    [
      'error[config]: sources.orders.file: a ClickHouse server cannot read files on this machine',
      `  --> ${home.folder}/quern.yaml:2:19`,
      '   |',
      ' 2 |   orders: { file: orders.csv }',
      '   |                   ^^^^^^^^^^',
      '   = hint: load the files into a table there and write table: database.table, or leave out the address of the server to use the embedded engine\n',
    ].join('\n'),
  );
});

test('files in an object store', async () => {
  const { stdout, stderr } = await ask('select sum(n) as s, max(list[offset(0)]) as m, any_value(t) as t from big where n < 10');
  expect([stdout, stderr]).toEqual(['{"s":45,"m":9,"t":"2026-01-02T03:04:05Z"}\n', '']);
  expect((await ask('select * from texts order by id')).stdout).toBe(
    '{"id":1,"name":" one"}\n{"id":2,"name":" two"}\n{"id":3,"name":null}\n',
  );
  expect((await ask('select id, name, _FILE_NAME as f from more order by id')).stdout).toBe(
    '{"id":4,"name":"four","f":"shop/more/1.csv"}\n{"id":5,"name":"five, 5","f":"shop/more/2.csv"}\n',
  );
  expect((await ask('select * from other order by id')).stdout).toBe('{"id":1,"price":2.5}\n{"id":2,"price":3}\n');
  expect((await ask('select * from packed')).stdout).toBe('{"id":6,"name":"six"}\n');
  expect((await ask('select t.name, b.n from texts t join more m on m.id = t.id + 3 join big b on b.n = t.id order by 2')).stdout).toBe(
    '{"name":" one","n":1}\n{"name":" two","n":2}\n',
  );
});

test('but files whose lines are read in different ways not in one query', async () => {
  const { stdout, stderr, exitCode } = await ask('select t.name, o.price from texts t join other o using (id)');
  expect([stdout, exitCode, stderr]).toEqual([
    '',
    2,
    expect.stringMatching(
      /^error\[config\]: texts and other cannot be read by one query on a server: their lines are read in different ways\n/,
    ),
  ]);
});

test('but not of a project that is not trusted, and never with keys of this machine', async () => {
  expect((await ask('select * from big', { QUERN_TRUST: '' })).stderr).toContain('is not trusted, so s3://shop/big.parquet');
  const { stdout } = await home.run(['explain', './remote.sql'], {
    env: {
      CLICKHOUSE_URL: server.url,
      QUERN_TRUST: '1',
      AWS_ENDPOINT_URL: store.url,
      AWS_ACCESS_KEY_ID: 'mine',
      AWS_SECRET_ACCESS_KEY: 'hidden-secret',
    },
  });
  expect(stdout).toContain("s3('http://127.0.0.1:");
  expect(stdout).not.toContain('hidden-secret');
  expect([...store.logins]).not.toContain('AWS4-HMAC-SHA256 Credential=mine');
});
