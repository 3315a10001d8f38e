// Files in an object store: with the keys of the environment, for projects that are trusted.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { strangeServer } from '../../support/strange-server.ts';
import { type ObjectStore, objectStore } from './object-store.ts';
import { type FilesHome, filesHome } from './support.ts';

const home: FilesHome = filesHome();
let store: ObjectStore;
const KEYS = { AWS_ACCESS_KEY_ID: 'reader', AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI-secret' };

beforeAll(async () => {
  home.write('buckets/shop/orders/1.csv', 'id,zip\n1,01234\n');
  home.write('buckets/shop/orders/2.csv', 'id,zip\n2,98765\n');
  await home.make('buckets/shop/big.parquet', 'Parquet', 'SELECT number AS n FROM numbers(1000)');
  home.write(
    'quern.yaml',
    'sources:\n  orders: { file: s3://shop/orders/*.csv }\n  big: { file: s3://shop/big.parquet }\n  none: { file: s3://shop/none.parquet }\n  packed: { file: s3://shop/packed.csv.bz2 }\n',
  );
  home.write('buckets/shop/packed.csv.bz2', 'BZh9');
  store = await objectStore(`${home.folder}/buckets`);
});

afterAll(async () => {
  await store.close();
  home.remove();
});

const ask = (sql: string, env: Readonly<Record<string, string>> = {}) =>
  home.run(['run', `./${home.write('remote.sql', sql)}`], { env: { QUERN_TRUST: '1', AWS_ENDPOINT_URL: store.url, ...KEYS, ...env } });

test('a project that is not trusted reads nothing there', async () => {
  const { stdout, stderr, exitCode } = await ask('select * from orders', { QUERN_TRUST: '' });
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toContain('quern.yaml is not trusted, so s3://shop/orders/*.csv, which is outside its folder, was not read');
  expect([...store.logins]).toEqual([]);
});

test('rows, with columns as of local files', async () => {
  expect((await ask('select * from orders order by id')).stdout).toBe('{"id":1,"zip":"01234"}\n{"id":2,"zip":"98765"}\n');
  expect((await ask('select sum(n) as s, any_value(_FILE_NAME) as f from big where n < 10')).stdout).toBe(
    '{"s":45,"f":"shop/big.parquet"}\n',
  );
  expect([...store.logins]).toEqual(['AWS4-HMAC-SHA256 Credential=reader']);
});

test('without keys the files are public ones', async () => {
  store.logins.clear();
  const none = { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' };
  expect((await ask('select count(*) as c from big', none)).stdout).toBe('{"c":1000}\n');
  expect([...store.logins]).toEqual(['none']);
});

test('what is not there is said, and keys never are', async () => {
  const { stdout, stderr, exitCode } = await ask('select * from none');
  expect([stdout, exitCode]).toEqual(['', 2]);
  expect(stderr).toContain('sources.none: s3://shop/none.parquet cannot be read: there is no such file\n');
  expect(stderr).not.toContain(KEYS.AWS_SECRET_ACCESS_KEY);
  const { stdout: sql } = await home.run(['explain', './remote.sql'], { env: { QUERN_TRUST: '1', AWS_ENDPOINT_URL: store.url, ...KEYS } });
  expect(sql).not.toContain(KEYS.AWS_SECRET_ACCESS_KEY);
}, 60_000);

test('keys that the store does not know, before and after columns are known', async () => {
  store.unknown.add('stranger');
  const told = async (sql: string) => {
    const { stderr, exitCode } = await ask(sql, { AWS_ACCESS_KEY_ID: 'stranger' });
    return [exitCode, stderr.split('\n')[0]];
  };
  const why = 'cannot be read: its server does not let you read it';
  expect(await told('select count(*) as c from orders')).toEqual([1, `error[data]: s3://shop/orders/*.csv ${why}`]);
  expect(await told('select count(*) as c from big')).toEqual([1, `error[data]: s3://shop/big.parquet ${why}`]);
  home.write('quern.yaml', `${readFileSync(`${home.folder}/quern.yaml`, 'utf8')}  added: { file: s3://shop/orders/1.csv }\n`);
  expect(await told('select count(*) as c from added')).toEqual([2, `error[config]: sources.added: s3://shop/orders/1.csv ${why}`]);
}, 60_000);

test('a store that does not answer is told within seconds, not after hundreds of tries', async () => {
  const { stderr, exitCode } = await ask('select count(*) as c from orders', { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' });
  expect([exitCode, stderr.split('\n')[0]]).toEqual([
    2,
    'error[config]: sources.orders: s3://shop/orders/*.csv cannot be read: its server cannot be reached',
  ]);
}, 60_000);

test('quern sources says where they are', async () => {
  const { stderr } = await home.run(['sources', 'orders'], { env: { QUERN_TRUST: '1', AWS_ENDPOINT_URL: store.url, ...KEYS } });
  expect(stderr).toBe('csv files at s3://shop/orders/*.csv\n');
});

test('bzip2 is refused with the way out', async () => {
  const { stderr, exitCode } = await ask('select * from packed');
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^error\[config\]: sources\.packed: s3:\/\/shop\/packed\.csv\.bz2 cannot be read: it is compressed with bzip2, which the embedded engine can only read in files on this machine\n(?:.*\n)*.*copy it here, or compress it with gzip, xz or zstd/,
    ),
  ]);
});

test('a store that sends the engine elsewhere gets no keys carried there', async () => {
  const told: (string | undefined)[] = [];
  const elsewhere = createServer((request, reply) => {
    told.push(request.headers.authorization);
    reply.end('id,zip\n1,stolen\n');
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  const sending = createServer((request, reply) => {
    reply.writeHead(307, { location: `http://127.0.0.1:${port}${request.url}` }).end();
  });
  await new Promise<void>((resolve) => sending.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(sending.address() as AddressInfo).port}`;
  const why = 'cannot be read: its server says that it is elsewhere, and keys are sent nowhere else';
  expect((await ask('select count(*) as c from big')).stdout).toBe('{"c":1000}\n');
  // Its columns are known, and those of another are not.
  for (const source of ['big', 'none']) {
    const { stdout, stderr, exitCode } = await ask(`select * from ${source}`, { AWS_ENDPOINT_URL: url, AWS_SESSION_TOKEN: 'token' });
    expect([stdout, exitCode === 0]).toEqual(['', false]);
    expect(stderr).toContain(why);
  }
  expect(told).toEqual([]);
  for (const server of [elsewhere, sending]) {
    server.closeAllConnections();
    server.close();
  }
}, 60_000);

test('what is known of a store that is away is good for queries of other sources', async () => {
  home.write('local.csv', 'a\n1\n');
  home.write(
    'quern.yaml',
    'sources_ttl: 1s\nsources:\n  big: { file: s3://shop/big.parquet }\n  away: { file: s3://shop/nobody.parquet }\n  local: { file: local.csv }\n',
  );
  await home.make('buckets/shop/nobody.parquet', 'Parquet', 'SELECT 1 AS x');
  expect((await ask('select x from away')).stdout).toBe('{"x":1}\n');
  await sleep(1100);
  const gone = { AWS_ENDPOINT_URL: store.url };
  await store.close();
  const { stderr, exitCode } = await ask('select x from away', gone);
  // The columns are known, the rows are not.
  expect([exitCode, stderr.split('\n')[0]]).toEqual([
    1,
    'error[data]: s3://shop/nobody.parquet cannot be read: its server does not answer',
  ]);
  const silent = await strangeServer(() => undefined);
  expect((await ask('select a from local', { AWS_ENDPOINT_URL: silent.url })).stdout).toBe('{"a":1}\n');
  expect(silent.requests).toEqual([]);
  await silent.close();
}, 60_000);
