// On a ClickHouse server, files of this machine are refused in words, and those in an object store are read by the server.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClickHouseServer, startClickHouse } from '../../support/clickhouse-server.ts';
import { type ObjectStore, objectStore } from './object-store.ts';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
let store: ObjectStore;
let server: ClickHouseServer;

beforeAll(async () => {
  home.write('orders.csv', 'id\n1\n');
  home.write('buckets/shop/orders.csv', 'id\n1\n');
  await home.make(
    'buckets/shop/big.parquet',
    'Parquet',
    "SELECT number AS n, [number] AS list, toDateTime64('2026-01-02 03:04:05', 6, 'UTC') AS t FROM numbers(1000)",
  );
  home.write(
    'quern.yaml',
    'sources:\n  orders: { file: orders.csv }\n  big: { file: s3://shop/big.parquet }\n  texts: { file: s3://shop/orders.csv }\n',
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
  expect((await ask('select * from texts')).stderr).toContain(
    'sources.texts.file: csv at an address can only be read by the embedded engine',
  );
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
