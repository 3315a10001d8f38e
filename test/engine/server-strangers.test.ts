// What answers is not ClickHouse, or is ClickHouse with an answer of another kind.
import { createServer as createTlsServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openServer } from '../../src/engine/server/server.ts';
import { type ClickHouseServer, startClickHouse } from '../support/clickhouse-server.ts';
import { httpAnswer } from '../support/strange-server.ts';
import { failure } from './asking.ts';
import { impatient, query, strange } from './impatient.ts';

describe('what is not ClickHouse', () => {
  const html = '<html><body>Welcome</body></html>';
  test.each<[string, Buffer, string, number]>([
    ['a web page', httpAnswer('200 OK', html), 'answers, but does not seem to be ClickHouse', 1],
    ['nothing', httpAnswer('200 OK', ''), 'answers, but does not seem to be ClickHouse', 1],
    ['an unknown page', httpAnswer('404 Not Found', html), 'answers with HTTP 404, but does not seem to be ClickHouse', 1],
    [
      'a redirect',
      httpAnswer('302 Found', '', { Location: 'https://login.example/' }),
      'answers with a redirect to https://login.example/',
      1,
    ],
    ['a login page', httpAnswer('401 Unauthorized', html), 'refuses the login (HTTP 401)', 1],
    ['a proxy without its server', httpAnswer('502 Bad Gateway', html), 'cannot answer now (HTTP 502)', 1],
    ['a proxy that is tired', httpAnswer('503 Service Unavailable', html), 'cannot answer now (HTTP 503)', 4],
    ['a proxy that gave up', httpAnswer('504 Gateway Timeout', html), 'cannot answer now (HTTP 504)', 1],
  ])('%s is an error that names the address', async (_, answer, says, attempts) => {
    const server = await strange((socket) => socket.end(answer));
    const { engine } = impatient(server.url, { user: 'me', password: 'secret' });
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(`unreachable: ${server.url} ${says}`);
    expect(server.requests.length).toBe(attempts);
  });

  test('headers of ClickHouse over rows that are none do not make it ClickHouse', async () => {
    const server = await strange((socket) => socket.end(httpAnswer('200 OK', html, { 'X-ClickHouse-Summary': 'none' })));
    const { engine } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(`unreachable: ${server.url} answers, but does not seem to be ClickHouse`);
  });

  test('another protocol is an error', async () => {
    const server = await strange((socket) => socket.end('220 mail.example ESMTP\r\n'));
    const { engine } = impatient(server.url);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${server.url} cannot be reached: what answers there is not an HTTP server`,
    );
  });

  test('https where there is none is told apart from http where there is https', async () => {
    const server = await strange((socket) => socket.end(httpAnswer('200 OK', html)));
    const place = server.url.replace('http:', 'https:');
    expect(await failure(impatient(place).engine.execute(query('SELECT 1', { limits: { maxExecutionSeconds: 5 } })))).toBe(
      `unreachable: ClickHouse at ${place} cannot be reached: what answers there does not speak TLS correctly`,
    );
    const tls = createTlsServer({}).listen(0, '127.0.0.1');
    onTestFinished(() => void tls.close());
    await new Promise((ready) => tls.once('listening', ready));
    const address = tls.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    expect(await failure(impatient(url).engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ClickHouse at ${url} cannot be reached: the connection was closed before there was an answer`,
    );
  });

  test('a host that does not exist is unreachable, an address that is none is refused', async () => {
    const { engine, pauses } = impatient('http://no-such-host.invalid:8123');
    expect(await failure(engine.execute(query('SELECT 1')))).toMatch(
      /^unreachable: ClickHouse at http:\/\/no-such-host.invalid:8123 cannot be reached: /,
    );
    expect(pauses.length).toBeLessThanOrEqual(4);
    for (const url of ['localhost', 'tcp://localhost:9000', 'http://me:secret@localhost:8123', 'http://localhost:8123/?a=1']) {
      expect(() => openServer({ url })).toThrow(expect.objectContaining({ code: 'config' }));
    }
  });
});

describe("ClickHouse's other answers", () => {
  let server: ClickHouseServer;
  beforeAll(async () => {
    server = await startClickHouse({ clusters: { half: [{ host: '127.0.0.1', port: 1 }] } });
    await server.run('CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a');
  });
  afterAll(() => server.stop());

  test('the port of the native protocol is known, and that for HTTP is named', async () => {
    const url = `http://127.0.0.1:${server.tcpPort}`;
    const error = await impatient(url)
      .engine.execute(query('SELECT 1'))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unreachable',
      message: `${url} is the port of ClickHouse's native protocol`,
      details: { hint: `use port ${server.httpPort} for HTTP` },
    });
  });

  test('a path that ClickHouse does not know is told, and so is a database', async () => {
    const { engine } = impatient(`${server.url}/nope`);
    expect(await failure(engine.execute(query('SELECT 1')))).toBe(
      `unreachable: ${server.url}/nope answers with HTTP 404, but does not seem to be ClickHouse`,
    );
    expect(await failure(impatient(server.url, { database: 'nope' }).engine.execute(query('SELECT 1')))).toBe(
      `engine: there is no database nope at ${server.url}`,
    );
    expect(
      (await impatient(server.url, { database: 'system' }).engine.execute(query('SELECT currentDatabase(), count() FROM one'))).rows,
    ).toEqual([['system', 1]]);
  });

  test('a shard that is down is named', async () => {
    const error = await impatient(server.url)
      .engine.execute(query("SELECT * FROM cluster('half', default.t)"))
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'unreachable',
      message: 'the shard 127.0.0.1:1 of the cluster does not respond: Connection refused',
    });
  });

  test('an error after signs of life in the headers is that error', async () => {
    const { engine } = impatient(server.url, { settings: { http_headers_progress_interval_ms: 20, max_block_size: 1 } });
    const slow = (guard: number) => query(`SELECT sum(sleepEachRow(0.03)), throwIf(count() > ${guard}, 'boo') FROM numbers(10)`);
    expect(await failure(engine.execute(slow(5)))).toBe('data: the query failed: boo');
    expect((await engine.execute(slow(10))).rows).toEqual([[0, 0]]);
  });

  test('what was read is told, and the settings of the options hold', async () => {
    const { engine } = impatient(server.url, { settings: { max_threads: 3 }, application: 'quern-test', headers: { 'X-Trace': '1' } });
    const result = await engine.execute(query("SELECT count(), getSetting('max_threads') FROM numbers(1000000) WHERE number % 3 = 1"));
    expect(result.rows).toEqual([[333_333, 3]]);
    expect(result.statistics).toMatchObject({ rowsRead: 1_000_000, bytesRead: 8_000_000 });
  });
});
