// Every format and compression a load takes, and how a file is refused.
import { createReadStream, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { QuernError } from '../../src/base/errors.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ndjson, tempFolder, tempStore } from '../support/temp-store.ts';

const T = '2026-01-02T03:04:05Z';
const rows = async (store: Store, sql: string): Promise<readonly (readonly unknown[])[]> =>
  (await store.engine.execute({ sql, bindings: [], settings: {} })).rows;
const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'did not fail',
    (error: unknown) => (error instanceof QuernError ? [error.code, error.message, error.details.hint] : error),
  );

test('the combined log format becomes edge requests', async () => {
  const { store, folder } = await tempStore();
  const lines = [
    '1.2.3.4 - - [17/May/2015:10:05:03 +0200] "GET /a/b?q=1&r HTTP/1.1" 200 203 "http://r/" "Mozilla \\"5\\" x"',
    '5.6.7.8 - bob [17/May/2015:10:05:04 +0000] "HEAD http://h.example/x HTTP/1.0" 404 - "-" "-"',
    'v.example:443 9.9.9.9 - - [17/May/2015:10:05:05 +0000] "POST /p HTTP/2" 500 12 "-" "ua" "7.7.7.7"',
    '1.1.1.1 - - [17/May/2015:10:05:06 +0000] "\\x16\\x03\\x01" 400 226 "-" "-"',
    '1.1.1.2 - - [17/May/2015:10:05:07 +0000] "-" 408 0',
    'not a log line',
    '1.1.1.3 - - [17/Foo/2015:10:05:07 +0000] "GET / HTTP/1.1" 200 0',
    '1.1.1.4 - - [17/May/2015:10:05:07 +0000] "GET / HTTP/1.1" 200 0 "-" "cut off',
  ];
  const report = await store.load('edge_logs', folder.write('access.log', lines.join('\n')), {
    project: 'web',
    mostBadLines: Number.POSITIVE_INFINITY,
  });
  expect(report.badLines.first.map(({ line, reason }) => [line, reason])).toEqual([
    [6, 'not in the combined log format'],
    [7, 'time [17/Foo/2015:10:05:07 +0000] is not in the combined log format'],
    [8, 'not in the combined log format'],
  ]);
  const sql = `SELECT timestamp, project, event_message, metadata.request.method, metadata.request.path, metadata.request.search, metadata.request.url, metadata.request.host,
    metadata.request.headers.referer, metadata.request.headers.user_agent, metadata.request.headers.x_real_ip, metadata.response.status_code,
    metadata.response.headers.content_length FROM quern.edge_logs ORDER BY metadata.request.headers.x_real_ip, timestamp`;
  expect(await rows(store, sql)).toEqual([
    [
      '2015-05-17 10:05:06.000000',
      'web',
      '- | 400 | 1.1.1.1 | \\x16\\x03\\x01 | -',
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      '1.1.1.1',
      400,
      '226',
    ],
    ['2015-05-17 10:05:07.000000', 'web', '- | 408 | 1.1.1.2 | - | -', null, null, null, null, null, null, null, '1.1.1.2', 408, '0'],
    [
      '2015-05-17 08:05:03.000000',
      'web',
      'GET | 200 | 1.2.3.4 | /a/b?q=1&r | Mozilla "5" x',
      'GET',
      '/a/b',
      '?q=1&r',
      '/a/b?q=1&r',
      null,
      'http://r/',
      'Mozilla "5" x',
      '1.2.3.4',
      200,
      '203',
    ],
    [
      '2015-05-17 10:05:04.000000',
      'web',
      'HEAD | 404 | 5.6.7.8 | http://h.example/x | -',
      'HEAD',
      '/x',
      null,
      'http://h.example/x',
      'h.example',
      null,
      null,
      '5.6.7.8',
      404,
      null,
    ],
    [
      '2015-05-17 10:05:05.000000',
      'web',
      'POST | 500 | 9.9.9.9 | /p | ua',
      'POST',
      '/p',
      null,
      'https://v.example/p',
      'v.example',
      null,
      'ua',
      '9.9.9.9',
      500,
      '12',
    ],
  ]);
});

test('CSV: columns by name, dotted columns as paths, quoted line breaks, empty cells absent', async () => {
  const { store, folder } = await tempStore();
  const lines = [
    'id,timestamp,event_message,metadata.request.path,response.status_code,metadata,note',
    `1,${T},"a ""b""`,
    'c",/p,200,,n',
    `2,${T},,,,"{""x"":1}",`,
    `3,${T},x,/p,abc,,`,
    `4,${T}`,
    `5,${T},a"b,,,,`,
    `6,${T},"open`,
  ];
  const report = await store.load('edge_logs', folder.write('a.csv', lines.join('\r\n')), { mostBadLines: Number.POSITIVE_INFINITY });
  expect(report.badLines.first.map(({ line, reason }) => [line, reason])).toEqual([
    [5, 'metadata.response.status_code is "abc", not an integer'],
    [6, '2 cells, but there are 7 columns'],
    [8, 'a quoted cell is not closed'],
  ]);
  const sql = `SELECT id, event_message, metadata.request.path, metadata.response.status_code, cast(metadata.note, 'Nullable(String)'),
    cast(metadata.x, 'Nullable(Int64)') FROM quern.edge_logs ORDER BY id`;
  expect(await rows(store, sql)).toEqual([
    ['1', 'a "b"\r\nc', '/p', 200, 'n', null],
    ['2', '', null, null, null, 1],
    ['5', 'a"b', null, null, null, null],
  ]);
});

describe('compression and standard input', () => {
  const text = ndjson({ id: '1', timestamp: T }, { id: '2', timestamp: T });

  test('gzip of several members, and gzip from a stream', async () => {
    const { store, folder } = await tempStore();
    await store.load('edge_logs', folder.write('a.bin', Buffer.concat([gzipSync(text), gzipSync(text)])));
    await store.load('auth_logs', Readable.from([gzipSync(text)]));
    expect(await rows(store, 'SELECT (SELECT count() FROM quern.edge_logs), (SELECT count() FROM quern.auth_logs)')).toEqual([[4, 2]]);
  });

  test('zstd and Parquet, from a file and from a stream', async () => {
    const { store, folder } = await tempStore();
    const [zst, parquet] = [join(folder.path, 'a.zst'), join(folder.path, 'a.parquet')];
    await store.engine.command(
      `INSERT INTO FUNCTION file('${zst}', 'LineAsString', 'line String', 'zstd') SELECT '{"timestamp":"${T}","n":' || toString(number) || '}' FROM numbers(30000)`,
    );
    await store.engine.command(
      `INSERT INTO FUNCTION file('${parquet}', 'Parquet') SELECT toString(number) AS id, toDateTime64('2026-01-02 03:04:05.678901', 6, 'UTC') AS timestamp, 'm' AS event_message,
       CAST(tuple(tuple('GET', 200 + number)), 'Tuple(request Tuple(method String, n Int64))') AS metadata FROM numbers(3)`,
    );
    expect((await store.load('edge_logs', zst)).rows).toBe(30_000);
    expect((await store.load('storage_logs', createReadStream(zst))).rows).toBe(30_000);
    expect(await failure(store.load('edge_logs', createReadStream(zst)))).toMatchObject([
      'load',
      expect.stringMatching(/^<stdin> was loaded into edge_logs before as /),
      expect.anything(),
    ]);
    expect((await store.load('auth_logs', parquet)).rows).toBe(3);
    expect((await store.load('realtime_logs', createReadStream(parquet))).rows).toBe(3);
    expect(
      await rows(
        store,
        "SELECT id, timestamp, metadata.request.method, cast(metadata.request.n, 'Nullable(Int64)') FROM quern.realtime_logs ORDER BY id",
      ),
    ).toEqual([
      ['0', '2026-01-02 03:04:05.678901', 'GET', 200],
      ['1', '2026-01-02 03:04:05.678901', 'GET', 201],
      ['2', '2026-01-02 03:04:05.678901', 'GET', 202],
    ]);
    expect(readdirSync(join(folder.path, 'store')).includes('journal.json')).toBe(false);
  });
});

test('logs that are compressed with bzip2, xz, lz4 and brotli', async () => {
  const { store, folder } = await tempStore();
  const bzip2 = Buffer.from(
    'QlpoOTFBWSZTWRtGP8gAACxbgAAQEAZ/EAQQNiJMCiAAVCVNCaGBGRmgVVMgA0GQaVbpPE0WKqlNE26ThBRocsULC9CJ0XHmI8KJk0NHDio80KQFENi7kinChIDaMf5A',
    'base64',
  );
  expect((await store.load('edge_logs', folder.write('a.ndjson.bz2', bzip2))).rows).toBe(2);
  expect((await store.load('auth_logs', Readable.from([bzip2, bzip2]))).rows).toBe(4);
  expect(await failure(store.load('storage_logs', folder.write('b.ndjson.bz2', bzip2.subarray(0, 60))))).toMatchObject([
    'load',
    expect.stringMatching(/cannot be read: the bzip2 data is cut off/),
    expect.anything(),
  ]);
  for (const [i, [ending, name]] of [
    ['xz', 'xz'],
    ['lz4', 'lz4'],
    ['br', 'br'],
  ].entries()) {
    const file = join(folder.path, `c.ndjson.${ending}`);
    await store.engine.command(
      `INSERT INTO FUNCTION file('${file}', 'LineAsString', 'line String', '${name}') SELECT '{"timestamp":"${T}","id":"${i}-' || toString(number) || '"}' FROM numbers(3)`,
    );
    expect((await store.load('storage_logs', file)).rows).toBe(3);
  }
});

test('names that the engine would take for patterns are names', async () => {
  const folder = tempFolder();
  onTestFinished(() => folder.remove());
  const store = await openStore({ dir: join(folder.path, "st*re {1,2} [x] it's :: ?") });
  onTestFinished(() => store.close());
  await store.engine.command(
    `INSERT INTO FUNCTION file('${folder.path}/a.zst', 'LineAsString', 'line String', 'zstd') SELECT '{"timestamp":"${T}"}' FROM numbers(3)`,
  );
  await store.engine.command(`INSERT INTO FUNCTION file('${folder.path}/a.parquet', 'Parquet') SELECT now() AS timestamp FROM numbers(4)`);
  const [zst, parquet] = [join(folder.path, 'a{1,2}*.zst'), join(folder.path, 'a :: [b]?.parquet')];
  renameSync(join(folder.path, 'a.zst'), zst);
  renameSync(join(folder.path, 'a.parquet'), parquet);
  expect([(await store.load('edge_logs', zst)).rows, (await store.load('auth_logs', parquet)).rows]).toEqual([3, 4]);
  expect(await rows(store, 'SELECT (SELECT count() FROM quern.edge_logs), (SELECT count() FROM quern.auth_logs)')).toEqual([[3, 4]]);
});

test('a file that cannot be loaded is named with the reason, and nothing is left of it', async () => {
  const { store, folder } = await tempStore();
  const event = ndjson({ timestamp: T, n: 1 });
  const good = folder.write('good.ndjson', event);
  const gzip = gzipSync(ndjson(...Array.from({ length: 5000 }, (_, n) => ({ timestamp: T, n: Math.sin(n) }))));
  const damaged = Buffer.from(gzip).fill(0xff, gzip.length / 2, gzip.length / 2 + 50);
  const nothing = 'nothing was loaded; check the file and load it again';
  const missing = join(folder.path, 'missing.ndjson');
  const cut = folder.write('cut.bin', gzip.subarray(0, gzip.length / 2));
  const broken = folder.write('broken.bin', damaged);
  const array = folder.write('array.json', '[{"timestamp":1}]');
  const prose = folder.write('prose.txt', 'Once upon a time');
  const zipped = folder.write('prose.gz', 'Once upon a time');
  const headless = folder.write('headless.csv', '1,2,3\n');
  const access = folder.write('access.log', '1.2.3.4 - - [17/May/2015:10:05:03 +0200] "GET / HTTP/1.1" 200 2\n');
  expect(await failure(store.load('edge_logs', missing))).toEqual(['load', `${missing} cannot be read: there is no such file`, nothing]);
  expect(await failure(store.load('edge_logs', folder.path))).toEqual(['load', `${folder.path} is a folder`, 'name the files in it']);
  expect(await failure(store.load('edge_logs', cut))).toEqual([
    'load',
    `${cut} cannot be read: its compressed data is damaged or cut off`,
    nothing,
  ]);
  expect(await failure(store.load('edge_logs', broken))).toEqual([
    'load',
    `${broken} cannot be read: its compressed data is damaged or cut off`,
    nothing,
  ]);
  expect(await failure(store.load('edge_logs', good, { format: 'parquet' }))).toEqual([
    'load',
    `${good} is not a valid Parquet file`,
    'leave out --format, or name the right one',
  ]);
  expect(await failure(store.load('edge_logs', array))).toEqual([
    'load',
    `cannot detect the format of ${array}`,
    'JSON arrays are not supported: write one event per line (NDJSON)',
  ]);
  expect(await failure(store.load('edge_logs', prose))).toEqual([
    'load',
    `cannot detect the format of ${prose}`,
    'set it with --format ndjson|csv|parquet|combined',
  ]);
  expect(await failure(store.load('edge_logs', zipped))).toMatchObject([
    'load',
    `cannot detect the format of ${zipped}`,
    expect.anything(),
  ]);
  const stdin = Readable.from([Buffer.from('Once upon '), Buffer.from('a time')]);
  expect(await failure(store.load('edge_logs', stdin))).toMatchObject(['load', 'cannot detect the format of <stdin>', expect.anything()]);
  expect(stdin.destroyed).toBe(true);
  expect(await failure(store.load('edge_logs', headless))).toMatchObject([
    'load',
    'the first line of the CSV file is not a header with the column timestamp',
    expect.anything(),
  ]);
  expect(await failure(store.load('auth_logs', access))).toEqual([
    'load',
    `${access} is an access log, which cannot be loaded into auth_logs`,
    'load it into edge_logs',
  ]);
  expect(await failure(store.load('edge_log', good))).toEqual([
    'unknown-source',
    'there is no source edge_log to load into',
    'did you mean edge_logs?',
  ]);
  expect(await failure(store.load('edge_logs', good, { signal: AbortSignal.abort() }))).toEqual([
    'interrupted',
    `the load of ${good} was interrupted`,
    'nothing of it was loaded',
  ]);
  // A stream that waits for input, as a terminal does.
  const typing = new Readable({ read: () => undefined });
  const stopped = new AbortController();
  const waiting = failure(store.load('edge_logs', typing, { format: 'ndjson', signal: stopped.signal }));
  stopped.abort();
  expect(await waiting).toEqual(['interrupted', 'the load of <stdin> was interrupted', 'nothing of it was loaded']);
  expect(readdirSync(join(folder.path, 'store')).sort()).toEqual(['data', 'manifest.json']);
  expect(await rows(store, "SELECT name FROM system.tables WHERE database = 'quern' AND name LIKE '%staging%'")).toEqual([]);

  await store.load('edge_logs', good);
  const again = await failure(store.load('cloudflare.logs.prod', folder.write('copy.log', event.trimEnd())));
  expect(again).toEqual([
    'load',
    expect.stringMatching(/copy\.log was loaded into edge_logs before as .*good\.ndjson, at \d{4}-\d\d-\d\dT[\d:.]+Z \(1 row\)$/),
    'nothing was loaded; use --again to load it a second time',
  ]);
  expect((await store.load('edge_logs', good, { again: true })).rows).toBe(1);
  expect(store.manifest.sources['edge_logs']?.rows).toBe(2);
});
